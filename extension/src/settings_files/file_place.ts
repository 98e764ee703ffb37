// Where a cursor stands in a TOML file of ours: in the name of a table, in a key or in a value. It reads lines, not TOML: a
// file that is being written is seldom right. Nothing here knows which keys there are.

export type Place =
  | { kind: "table"; start: number; end: number; typed: string }
  | { kind: "key"; table: string; name: string; start: number; end: number; hasValue: boolean }
  | { kind: "value"; table: string; name: string; start: number; end: number };

/** The name of a table between brackets; the closing one may be missing. */
interface Header {
  start: number;
  end: number;
  isClosed: boolean;
}

/** A name, and the value behind the sign if there is one. */
interface Assignment {
  start: number;
  end: number;
  sign: number | undefined;
}

/** @param lineAt the text of a line, from 0 on */
export function placeAt(lineAt: (line: number) => string, line: number, character: number): Place | undefined {
  const text = lineAt(line);
  const comment = commentStart(text);
  if (comment < character) return undefined;
  const header = headerIn(text);
  if (header !== undefined) {
    const { start, end } = header;
    const isInside = character >= start && character <= end;
    return isInside ? { kind: "table", start, end, typed: text.slice(start, end).trim() } : undefined;
  }
  const found = assignmentIn(text);
  if (found === undefined) return undefined;
  const { start, end, sign } = found;
  const owner = { table: tableAbove(lineAt, line), name: plain(text.slice(start, end)) };
  if (character <= (sign === undefined ? text.length : end))
    return { kind: "key", ...owner, start, end, hasValue: sign !== undefined };
  if (sign === undefined || character <= sign) return undefined;
  const valueStart = afterSpaces(text, sign + 1);
  const valueEnd = Math.max(valueStart, text.slice(0, comment).trimEnd().length);
  return { kind: "value", ...owner, start: Math.min(valueStart, character), end: valueEnd };
}

/** The keys that a table already has, as far as its lines tell. */
export function keysOf(lines: readonly string[], table: string): Set<string> {
  const keys = new Set<string>();
  let current = "";
  for (const line of lines) {
    const named = tableIn(line);
    if (named !== undefined) current = named;
    else if (current === table) {
      const found = assignmentIn(line.slice(0, commentStart(line)));
      if (found?.sign !== undefined) keys.add(plain(line.slice(found.start, found.end)));
    }
  }
  return keys;
}

function tableAbove(lineAt: (line: number) => string, line: number): string {
  for (let at = line - 1; at >= 0; at -= 1) {
    const named = tableIn(lineAt(at));
    if (named !== undefined) return named;
  }
  return "";
}

function tableIn(text: string): string | undefined {
  const header = headerIn(text);
  return header?.isClosed === true ? plain(text.slice(header.start, header.end).trimEnd()) : undefined;
}

// Lines come from files of the workspace and may be long and strange, so they are gone through once, and never matched by
// patterns that try again.

function headerIn(text: string): Header | undefined {
  const bracket = afterSpaces(text, 0);
  if (text[bracket] !== "[") return undefined;
  const start = afterSpaces(text, bracket + 1);
  const end = indexOfAny(text, "[]#", start);
  return { start, end, isClosed: text[end] === "]" };
}

function assignmentIn(text: string): Assignment | undefined {
  const until = indexOfAny(text, "=#", 0);
  if (text[until] === "#") return undefined;
  const start = Math.min(afterSpaces(text, 0), until);
  const end = start + text.slice(start, until).trimEnd().length;
  return { start, end, sign: until < text.length ? until : undefined };
}

/** The first place that is no space; the line's length where there is none. */
function afterSpaces(text: string, from: number): number {
  const rest = text.slice(from);
  return from + rest.length - rest.trimStart().length;
}

/** The line's length where there is none of them. */
function indexOfAny(text: string, chars: string, from: number): number {
  let at = from;
  while (at < text.length && !chars.includes(text.charAt(at))) at += 1;
  return at;
}

/** `"queue" . leaseSeconds` as `queue.leaseSeconds`. */
function plain(name: string): string {
  return name
    .split(".")
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .join(".");
}

/** Where a comment begins; the line's length where there is none. */
function commentStart(text: string): number {
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quote === '"' && char === "\\") at += 1;
    else if (quote !== undefined) quote = char === quote ? undefined : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "#") return at;
  }
  return text.length;
}
