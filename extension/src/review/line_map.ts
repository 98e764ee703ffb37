// Where the lines of the file on disk are in an editor's unsaved text. The host counts lines of the file; what is drawn
// and clicked stands in the buffer. A line that was edited keeps its place, a new one has none.

import type { LineSpan } from "../protocol.gen";

/** One replacement, as editors report it: from the start up to the end, lines and characters from 0. */
export interface Replacement {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  text: string;
}

const isNew = -1;

export class LineMap {
  /** For each line of the buffer the line of the file it was, growing where it is not `isNew`. */
  private fileLines: number[];

  /** @param lineCount of the text that is equal to the file */
  constructor(lineCount: number) {
    this.fileLines = Array.from({ length: lineCount }, (_, line) => line);
  }

  /** The replacements of one step, each as if the ones after it had not happened yet. */
  apply(replacements: readonly Replacement[]): void {
    for (const { range, text } of replacements) {
      const { start, end } = range;
      const added = lineBreaks(text);
      const first = this.fileLines[start.line] ?? isNew;
      const last = this.fileLines[end.line] ?? isNew;
      const takesWholeFirst = start.character === 0 && (added > 0 || end.line > start.line);
      const lines =
        added === 0
          ? [takesWholeFirst ? last : first]
          : [
              takesWholeFirst ? isNew : first,
              ...Array<number>(added - 1).fill(isNew),
              lastOf(first, last, takesWholeFirst, start.line === end.line),
            ];
      this.fileLines = [...this.fileLines.slice(0, start.line), ...lines, ...this.fileLines.slice(end.line + 1)];
    }
  }

  /** The lines of the buffer that came from these lines of the file, as runs. */
  spansInBuffer(spans: readonly LineSpan[]): LineSpan[] {
    const runs: LineSpan[] = [];
    for (const span of spans) {
      for (let line = this.indexOf(span.start); line < this.fileLines.length; line += 1) {
        const origin = this.fileLines[line] ?? isNew;
        if (origin >= span.end) break;
        if (origin === isNew) continue;
        const run = runs.at(-1);
        if (run !== undefined && run.end === line) run.end += 1;
        else runs.push({ start: line, end: line + 1 });
      }
    }
    return runs;
  }

  /** Where a line of the file is now; where it is gone, where the next one is. */
  lineInBuffer(fileLine: number): number {
    return this.indexOf(fileLine);
  }

  /** The line of the file that a line of the buffer came from; nothing for a new one. */
  lineInFile(bufferLine: number): number | undefined {
    const origin = this.fileLines[bufferLine];
    return origin === isNew ? undefined : origin;
  }

  /** The first line of the buffer that came from this line of the file or a later one; past the end if there is none. */
  private indexOf(fileLine: number): number {
    const at = this.fileLines.findIndex((origin) => origin !== isNew && origin >= fileLine);
    return at < 0 ? this.fileLines.length : at;
  }
}

/** The last of several lines that stand for what was replaced keeps the rest of the line where that ended. */
function lastOf(first: number, last: number, takesWholeFirst: boolean, oneLine: boolean): number {
  if (oneLine && !takesWholeFirst) return isNew;
  return oneLine ? first : last;
}

export function lineBreaks(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}
