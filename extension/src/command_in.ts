// The command that a sentence of the host names as the way on. Pure.

/** So long a command is offered; a longer one nobody would read before running it. */
const longest = 200;

/**
 * It is typed for the person and never run. Since a sentence may quote what agents and files are called, nothing is taken that a
 * shell would take for more than words, nothing where several are named, and nothing that is still to be filled in.
 */
export function commandIn(sentence: string): string | undefined {
  const named = [...sentence.matchAll(/`([^`]*)`/g)].map(([, text = ""]) => text);
  const [command, ...others] = named.filter((text) => text.startsWith("augment-cli "));
  if (command === undefined || others.length > 0 || command.length > longest) return undefined;
  const words = command.split(" ");
  const isPlain = words.every((word) => /^[\w./:@=,-]+$/.test(word) && !/^[A-Z]{2,}$/.test(word));
  return isPlain ? command : undefined;
}
