// Where hunks stand in an editor, and which of them a place in the editor means. Lines are those of the buffer, from 0.

import type { Hunk, LineSpan } from "../protocol.gen";
import type { LineMap } from "./line_map";

export interface PlacedHunk {
  hunk: Hunk;
  /** Where it begins, or before which its removed lines stood. */
  line: number;
  /** Its lines that are there; none when it only removes, or is about the whole file. */
  spans: LineSpan[];
}

/** A difference as the editor's quick diff reports it: lines from 1, an end of 0 for a side that has none. */
export interface EditorChange {
  modifiedStartLineNumber: number;
  modifiedEndLineNumber: number;
}

/** A text that is not what is on disk: where the file's lines are in it, and what its lines say. */
export interface UnsavedLines {
  map: LineMap;
  /** Nothing past the end. */
  lineAt(line: number): string | undefined;
}

/** @param unsaved nothing when the text is what is on disk */
export function placeHunks(hunks: readonly Hunk[], unsaved: UnsavedLines | undefined): PlacedHunk[] {
  return hunks.map((hunk) => {
    if (unsaved === undefined) return { hunk, line: hunk.line, spans: hunk.spans };
    const { map } = unsaved;
    const kept = map.spansInBuffer(hunk.spans);
    const spans = kept.length > 0 ? kept : writtenAgain(hunk, map.lineInBuffer(hunk.line), unsaved);
    return { hunk, line: spans[0]?.start ?? map.lineInBuffer(hunk.line), spans };
  });
}

/** Lines that were taken out of a text and put back, as undoing does, are new ones to the map; they are known by what they say. */
function writtenAgain({ spans, addedLines }: Hunk, below: number, { lineAt }: UnsavedLines): LineSpan[] {
  const count = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  if (count === 0 || addedLines.length !== count) return [];
  const start = below - count;
  const isThere = addedLines.every((line, at) => lineAt(start + at)?.trimEnd() === line.trimEnd());
  return isThere ? [{ start, end: below }] : [];
}

/** The hunks that a difference the editor found is made of. It computes its own, so one may stand for several of ours. */
export function hunksOfChange(hunks: readonly PlacedHunk[], change: EditorChange): PlacedHunk[] {
  const { modifiedStartLineNumber: first, modifiedEndLineNumber: last } = change;
  // Lines that are gone are reported as standing behind the line `first`, which from 0 is before it.
  const range = last === 0 ? { start: first, end: first } : { start: first - 1, end: last };
  const inside = hunks.filter((placed) => overlaps(placed, range));
  return inside.length > 0 ? inside : hunks.filter((placed) => touches(placed, range));
}

/** The hunk at a line of an editor, which is the one whose lines it is among, or whose mark it shows. */
export function hunkAt(hunks: readonly PlacedHunk[], line: number, lineCount: number): PlacedHunk | undefined {
  return (
    hunks.find(({ spans }) => spans.some(({ start, end }) => start <= line && line < end)) ??
    hunks.find((placed) => placed.spans.length === 0 && markLine(placed, lineCount) === line)
  );
}

/** The line that shows a hunk: its first, or the one that follows what it removed. */
export function markLine({ line }: PlacedHunk, lineCount: number): number {
  return Math.max(0, Math.min(line, lineCount - 1));
}

function overlaps({ line, spans }: PlacedHunk, { start, end }: LineSpan): boolean {
  if (spans.length === 0) return start <= line && line <= end;
  return spans.some((span) => span.start < end && start < span.end);
}

function touches({ spans }: PlacedHunk, { start, end }: LineSpan): boolean {
  return spans.some((span) => span.start <= end && start <= span.end);
}
