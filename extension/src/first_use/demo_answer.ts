// What our program says when it makes the demo. Pure.

/** @returns the folder of the new project; nothing where the answer names none */
export function folderIn(stdout: string): string | undefined {
  const folder = fieldOf(stdout, "folder");
  return typeof folder === "string" ? folder : undefined;
}

/** The program's own sentence, where it said one. */
export function reasonIn(stderr: string): string {
  const error = fieldOf(stderr, "error");
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof message === "string" ? message : stderr.trim();
}

function fieldOf(text: string, name: string): unknown {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === "object" && said !== null
      ? new Map<string, unknown>(Object.entries(said)).get(name)
      : undefined;
  } catch {
    return undefined;
  }
}
