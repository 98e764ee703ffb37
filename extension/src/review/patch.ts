// A unified diff laid on a text. Only what fits exactly is taken: a result that is shown must be the one that is meant.

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const noFinalNewline = "\\ No newline at end of file";

/** The text after the diff; nothing when it does not fit the text, or is not whole. */
export function patched(text: string, diff: string): string | undefined {
  const before = linesOf(text);
  const after: string[] = [];
  let at = 0;
  let left = { before: 0, after: 0 };
  for (const [index, written] of linesOf(diff).entries()) {
    const line = withoutBreak(written);
    const found = header.exec(line);
    if (found !== null) {
      if (left.before > 0 || left.after > 0) return undefined;
      const [, start = "0", count = "1", , newCount = "1"] = found;
      left = { before: Number(count), after: Number(newCount) };
      // A side without lines names the line before which nothing stands.
      const from = left.before === 0 ? Number(start) : Number(start) - 1;
      if (from < at || from > before.length) return undefined;
      after.push(...before.slice(at, from));
      at = from;
      continue;
    }
    if (line === noFinalNewline || (index > 0 && line === "")) continue;
    if (left.before === 0 && left.after === 0) continue;
    const kept = written.slice(1);
    if (line[0] !== "+") {
      if (!sameLine(before[at], kept)) return undefined;
      if (line[0] === " ") after.push(before[at] ?? "");
      at += 1;
      left.before -= 1;
    } else {
      after.push(kept);
    }
    if (line[0] !== "-") left.after -= 1;
  }
  if (left.before > 0 || left.after > 0) return undefined;
  after.push(...before.slice(at));
  return finished(after, diff);
}

/** The last line of the new side has no line break where the diff says so behind it. */
function finished(lines: string[], diff: string): string {
  const marks = diff.split(/(?<=\n)/);
  const endsBare = marks.some((line, at) => withoutBreak(line) === noFinalNewline && marks[at - 1]?.[0] !== "-");
  const text = lines.join("");
  return endsBare ? text.replace(/\r?\n$/, "") : text;
}

function sameLine(line: string | undefined, wanted: string): boolean {
  return line !== undefined && withoutBreak(line) === withoutBreak(wanted);
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function withoutBreak(line: string): string {
  return line.replace(/\r?\n$/, "");
}
