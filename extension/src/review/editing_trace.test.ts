// What a person typed is theirs; what a program wrote into the editor is never taken for theirs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Edit, metUnsaved, together, toldOf, wayAtMark, wayOf } from "./editing_trace";

type At = [line: number, character: number];

function range(from: At, to: At = from) {
  return {
    start: { line: from[0], character: from[1] },
    end: { line: to[0], character: to[1] },
  };
}

function edit(from: At, to: At, text: string): Edit {
  return { range: range(from, to), text };
}

function way(cursors: ReturnType<typeof range>[], ...edits: Edit[]): string {
  return wayOf({ edits, cursors, isUndoOrRedo: false });
}

test("typing, deleting and pasting at the cursor are by hand", () => {
  const cursor = [range([5, 3])];
  assert.equal(way(cursor, edit([5, 3], [5, 3], "x")), "by-hand");
  assert.equal(way(cursor, edit([5, 2], [5, 3], "")), "by-hand", "backspace");
  assert.equal(way(cursor, edit([4, 9], [5, 3], "")), "by-hand", "joined with the line above");
  assert.equal(way(cursor, edit([5, 3], [5, 3], "line\n".repeat(5_000))), "by-hand", "pasted");
  assert.equal(way([range([5, 0], [8, 2])], edit([5, 0], [8, 2], "")), "by-hand", "a selection is deleted");
  const two = [range([1, 1]), range([9, 1])];
  assert.equal(way(two, edit([9, 1], [9, 1], "x"), edit([1, 1], [1, 1], "x")), "by-hand", "two cursors");
});

test("what comes with typing is by hand: a completion with its import, indented lines, a moved line", () => {
  assert.equal(
    way([range([50, 4])], edit([50, 0], [50, 4], "readFile"), edit([0, 0], [0, 0], "import x;\n")),
    "by-hand",
  );
  const three = [edit([7, 0], [7, 0], "  "), edit([6, 0], [6, 0], "  "), edit([5, 0], [5, 0], "  ")];
  assert.equal(way([range([5, 0], [7, 3])], ...three), "by-hand");
  assert.equal(way([range([5, 2])], edit([6, 0], [7, 0], ""), edit([5, 0], [5, 0], "below\n")), "by-hand");
});

test("what a program does elsewhere, at length, or in a text that nobody is in, is applied", () => {
  assert.equal(way([], edit([0, 0], [0, 0], "x")), "applied");
  assert.equal(way([range([50, 0])], edit([3, 0], [3, 0], "x")), "applied", "far away");
  assert.equal(way([range([5, 0])], edit([0, 0], [400, 0], "whole file\n")), "applied", "the whole text is replaced");
  assert.equal(way([range([5, 0])], edit([5, 0], [6, 0], "x".repeat(2_000))), "applied", "much, close by");
  assert.equal(way([range([5, 0])], edit([5, 0], [5, 0], "x".repeat(300_000))), "applied", "too much to be pasted");
});

test("undoing is by hand, wherever it happens", () => {
  assert.equal(wayOf({ edits: [edit([90, 0], [95, 0], "")], cursors: [], isUndoOrRedo: true }), "by-hand");
  assert.equal(wayOf({ edits: [], cursors: [], isUndoOrRedo: false }), "unchanged");
});

test("a program's part is not hidden by the person's", () => {
  assert.equal(together("unchanged", "by-hand"), "by-hand");
  assert.equal(together("by-hand", "applied"), "mixed");
  assert.equal(together("applied", "unchanged"), "applied");
  assert.equal(together("unchanged", "unchanged"), "unchanged");
});

test("what is met unsaved is never told as unchanged, a person's alone or a program's alone", () => {
  assert.equal(metUnsaved, "mixed");
  assert.equal(together(metUnsaved, "by-hand"), "mixed");
  assert.equal(together(metUnsaved, "applied"), "mixed", "no run's, whatever a program adds");
});

test("only a save that writes what was there is unchanged", () => {
  assert.equal(toldOf("by-hand", "same", "same"), "unchanged", "typed and taken back");
  assert.equal(toldOf("mixed", "same", "same"), "unchanged");
  assert.equal(toldOf("by-hand", "new", "old"), "by-hand");
  assert.equal(toldOf("unchanged", "new", "old"), "mixed", "nobody saw how it was changed");
  assert.equal(toldOf("unchanged", "new", undefined), "mixed", "nobody knows what was there");
});

test("a text that is marked unsaved before it is changed is not what was read from disk before, whoever wrote that", () => {
  const reading = () => "applied" as const;
  assert.equal(together(wayAtMark("an agent's", "an agent's", reading), "by-hand"), "by-hand");
  assert.equal(wayAtMark("a\nb\n", "a\r\nb\n", reading), "unchanged", "the editor made the ends of lines alike");
});

test("a text that is marked unsaved after it was changed came about by that step", () => {
  for (const how of ["by-hand", "applied", "mixed"] as const) {
    assert.equal(
      wayAtMark("new", "old", () => how),
      how,
    );
    assert.equal(
      wayAtMark("new", undefined, () => how),
      how,
      "nobody knows what is on disk",
    );
  }
});
