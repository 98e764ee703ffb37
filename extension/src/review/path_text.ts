// Paths as the protocol writes them: relative to the workspace, `/` between names, a backslash doubled, a byte that is
// not UTF-8 as `\xff`. The editor knows names as text only, so a name that is not UTF-8 has no place in it.

const escaped = /\\(\\|x[0-9a-fA-F]{2})/g;
const strayBackslash = /\\(?!\\|x[0-9a-fA-F]{2})/;

/** The names of a path from the workspace down. Nothing when the editor cannot spell one of them. */
export function namesIn(path: string): string[] | undefined {
  const names: string[] = [];
  for (const written of path.split("/")) {
    const name = plainName(written);
    if (name === undefined || name === "" || name === "." || name === "..") return undefined;
    names.push(name);
  }
  return names;
}

/** The protocol's text for a file below a folder, both as slash paths. Nothing when it is not below it. */
export function pathBelow(folder: string, file: string): string | undefined {
  const base = folder.endsWith("/") ? folder : `${folder}/`;
  if (!file.startsWith(base) || file.length === base.length) return undefined;
  return file.slice(base.length).replaceAll("\\", "\\\\");
}

/** The last name, as it is written in the protocol. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** All but the last name; empty for a file at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function plainName(written: string): string | undefined {
  if (!written.includes("\\")) return written;
  // `\\` takes two characters together, so a backslash that is left over after taking them out begins nothing.
  if (strayBackslash.test(written.replaceAll("\\\\", ""))) return undefined;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const match of written.matchAll(escaped)) {
    pieces.push(Buffer.from(written.slice(at, match.index)));
    const [whole, code = ""] = match;
    pieces.push(code === "\\" ? Buffer.from("\\") : Buffer.from([Number.parseInt(code.slice(1), 16)]));
    at = match.index + whole.length;
  }
  pieces.push(Buffer.from(written.slice(at)));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  } catch {
    return undefined;
  }
}
