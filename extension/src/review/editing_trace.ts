// How a text came about since the file was last read or written: by hand, applied by a program, or not at all. It sees
// edits as the editor reports them and never guesses: what may be a program's counts as one, and what both have made is
// called mixed, so that nobody's line is taken for another's.

import type { SavedHow } from "../protocol.gen";

interface Position {
  line: number;
  character: number;
}

interface Range {
  start: Position;
  end: Position;
}

export interface Edit {
  range: Range;
  text: string;
}

export interface EditStep {
  edits: readonly Edit[];
  /** The person undid or redid. */
  isUndoOrRedo: boolean;
  /** Where the person's cursors were before it; none when the text is not in the active editor. */
  cursors: readonly Range[];
}

/** What is written close to a cursor, but not in its place: completions with an import, on-type formatting. */
const nearbyCharacters = 1_000;
/** What is put in a cursor's place: typed or pasted. */
const pastedCharacters = 200_000;

/** The way of one step. */
export function wayOf({ edits, isUndoOrRedo, cursors }: EditStep): SavedHow {
  if (edits.length === 0) return "unchanged";
  if (isUndoOrRedo) return "by-hand";
  if (cursors.length === 0) return "applied";
  const inPlace = edits.filter(({ range }) => cursors.some((cursor) => isSame(range, cursor)));
  if (inPlace.length === edits.length) return written(edits) <= pastedCharacters ? "by-hand" : "applied";
  const isNear = edits.some(({ range }) => cursors.some((cursor) => isClose(range, cursor)));
  const elsewhere = edits.filter((edit) => !inPlace.includes(edit));
  return isNear && written(elsewhere) <= nearbyCharacters && replacedLines(elsewhere) <= lineLimit(cursors)
    ? "by-hand"
    : "applied";
}

/**
 * How a text came about that is met unsaved, so that nobody saw how it was made. Most of it is typed, but a program's edits
 * survive a reload of the window as well. Mixed is the only word that is wrong about neither: no task's rejection takes
 * such a line away, and no agent's line passes for a person's.
 */
export const metUnsaved: SavedHow = "mixed";

/**
 * The way of a text when it is marked unsaved. As long as it is the one on disk, whatever the last step was only brought
 * it there, as reading the file again does, and the step that is the person's or a program's is still to come.
 */
export function wayAtMark(text: string, onDisk: string | undefined, cameAbout: () => SavedHow): SavedHow {
  return onDisk !== undefined && isSameText(onDisk, text) ? "unchanged" : cameAbout();
}

/** What is told of a save. Only a text that was in the file before is unchanged, whatever was seen of it or missed. */
export function toldOf(how: SavedHow, text: string, before: string | undefined): SavedHow {
  if (text === before) return "unchanged";
  return how === "unchanged" ? metUnsaved : how;
}

/** Whether two texts differ at most in how their lines end, which an editor makes alike when it reads a file. */
function isSameText(one: string, other: string): boolean {
  return one === other || alikeLines(one) === alikeLines(other);
}

function alikeLines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Several steps together: neither a program's part nor the person's is hidden by the other's. */
export function together(one: SavedHow, other: SavedHow): SavedHow {
  if (one === "unchanged") return other;
  if (other === "unchanged") return one;
  return one === other ? one : "mixed";
}

function written(edits: readonly Edit[]): number {
  return edits.reduce((sum, { text }) => sum + text.length, 0);
}

function replacedLines(edits: readonly Edit[]): number {
  return edits.reduce((sum, { range }) => sum + range.end.line - range.start.line, 0);
}

/** Moving or deleting selected lines touches as many as are selected, and the one beside them. */
function lineLimit(cursors: readonly Range[]): number {
  return cursors.reduce((sum, { start, end }) => sum + end.line - start.line + 2, 0);
}

function isSame(one: Range, other: Range): boolean {
  return equal(one.start, other.start) && equal(one.end, other.end);
}

function equal(one: Position, other: Position): boolean {
  return one.line === other.line && one.character === other.character;
}

function isClose(edit: Range, cursor: Range): boolean {
  return edit.start.line <= cursor.end.line + 1 && cursor.start.line - 1 <= edit.end.line;
}
