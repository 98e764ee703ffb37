// Text from outside (titles, names, messages) made fit for places of VS Code that read more than text. Nothing here
// decides what a text may hold; it only keeps it from becoming an icon, a link or a second line.

const iconSyntax = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;
const linkSyntax = /\]\(/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
const unseen = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** For status bar and quick pick texts, where `$(name)` would be drawn as an icon. */
export function withoutIcons(text: string): string {
  return oneLine(text).replace(iconSyntax, "\\$&");
}

/** For notifications, dialogs and prompts, where `[text](command:…)` would become a link that runs a command. */
export function withoutLinks(text: string): string {
  return oneLine(text).replace(linkSyntax, "] (");
}

/** One line without control and direction characters. */
export function oneLine(text: string): string {
  return text.replace(unseen, " ").trim();
}

/** At most `limit` characters, cut between characters a person sees, with an ellipsis where something is left out. */
export function shortened(text: string, limit: number): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.length <= limit
    ? text
    : `${characters
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
