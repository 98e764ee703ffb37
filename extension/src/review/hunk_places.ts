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

/** Where hunks stand in a text from before a decision. Those that were not in it do not. */
export function placeEarlier(hunks: readonly Hunk[], earlier: readonly PlacedHunk[]): PlacedHunk[] {
  const known = new Map(earlier.map((placed) => [placed.hunk.id, placed]));
  return hunks.flatMap((hunk) => {
    const placed = known.get(hunk.id);
    return placed === undefined ? [] : [{ ...placed, hunk }];
  });
}

/** Where one of the file's lines at a hunk is; where the hunk is written into, as far from its beginning as in the file. */
export function linePlaced({ hunk, line: first, spans }: PlacedHunk, line: number): number {
  const [there, here] = [linesOf(hunk.spans), linesOf(spans)];
  const at = there.indexOf(line);
  return (there.length === here.length ? here[at] : undefined) ?? Math.max(0, first + line - hunk.line);
}

function linesOf(spans: readonly LineSpan[]): number[] {
  return spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at));
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
  return hunksAt(hunks, line, lineCount)[0];
}

/** All of them, where a line shows several: those whose lines it is among come first. */
export function hunksAt(hunks: readonly PlacedHunk[], line: number, lineCount: number): PlacedHunk[] {
  return [
    ...hunks.filter(({ spans }) => spans.some(({ start, end }) => start <= line && line < end)),
    ...hunks.filter((placed) => placed.spans.length === 0 && markLine(placed, lineCount) === line),
  ];
}

/**
 * The hunk whose lines lie above and below a line that is not its own, as around what a person has written into it. Nothing
 * where that may be several, or where none of its lines is among those that are seen.
 */
export function hunkAround(
  hunks: readonly PlacedHunk[],
  line: number,
  seen: readonly LineSpan[],
): PlacedHunk | undefined {
  const around = hunks.filter(
    ({ spans }) => spans.some(({ end }) => end <= line) && spans.some(({ start }) => line < start),
  );
  const [only] = around;
  return around.length === 1 && only !== undefined && seen.some((span) => overlaps(only, span)) ? only : undefined;
}

/** Those of which a line, or the line that shows them, is among these. */
export function hunksAmong(hunks: readonly PlacedHunk[], seen: readonly LineSpan[], lineCount: number): PlacedHunk[] {
  return hunks.filter((placed) => {
    const mark = markLine(placed, lineCount);
    const own = placed.spans.length === 0 ? [{ start: mark, end: mark + 1 }] : placed.spans;
    return own.some((span) => seen.some(({ start, end }) => span.start < end && start < span.end));
  });
}

/** Where hunks stand in the file without them, which is the other side of a diff: what they removed is there. */
export function placeBefore(hunks: readonly Hunk[]): PlacedHunk[] {
  let grown = 0;
  return [...hunks]
    .sort((one, other) => one.line - other.line)
    .map((hunk) => {
      const line = Math.max(0, hunk.line - grown);
      const there = hunk.spans.reduce((sum, { start, end }) => sum + end - start, 0);
      grown += there - hunk.removed;
      return { hunk, line, spans: hunk.removed === 0 ? [] : [{ start: line, end: line + hunk.removed }] };
    });
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
