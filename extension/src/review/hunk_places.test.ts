// What the editor shows at a line is what the host means by it, with unsaved text in between or not.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Author, ChangedFile, Hunk, LineSpan } from "../protocol.gen";
import { groupChanges, isOnLostRow, selectionOf } from "./change_groups";
import {
  hunkAround,
  hunkAt,
  hunksAt,
  hunksOfChange,
  linePlaced,
  markLine,
  type PlacedHunk,
  placeBefore,
  placeEarlier,
  placeHunks,
} from "./hunk_places";
import { LineMap, type Replacement } from "./line_map";

const claude: Author = { kind: "run", name: "claude", run: "r1", task: "a1", taskTitle: "Fix" };
const nobody: Author = { kind: "unknown", name: null, run: null, task: null, taskTitle: null };

function hunk(id: string, line: number, spans: [number, number][], author = claude): Hunk {
  return { id, line, spans: spans.map(([start, end]) => ({ start, end })), author } as Hunk;
}

function file(path: string, ...hunks: Hunk[]): ChangedFile {
  return { path, hunks } as ChangedFile;
}

/** A change as the editor reports it: lines from 1, an end of 0 for what is only gone. */
function found(hunks: Hunk[], from: number, to: number): string {
  const change = { modifiedStartLineNumber: from, modifiedEndLineNumber: to };
  return hunksOfChange(placeHunks(hunks, undefined), change)
    .map(({ hunk: { id } }) => id)
    .join(" ");
}

test("a difference of the editor stands for the hunks it overlaps", () => {
  const hunks = [hunk("a", 2, [[2, 4]]), hunk("b", 4, [[4, 5]]), hunk("gone", 8, []), hunk("c", 10, [[10, 12]])];
  assert.equal(found(hunks, 3, 4), "a");
  assert.equal(found(hunks, 3, 5), "a b", "the editor merges neighbours");
  assert.equal(found(hunks, 8, 0), "gone", "removed behind line 8 is before the line that is 8 from 0");
  assert.equal(found(hunks, 11, 0), "c", "the removed part of a hunk that also adds");
  assert.equal(found(hunks, 7, 0), "", "something else was removed");
  assert.equal(found(hunks, 20, 22), "");
});

test("the hunk at a line", () => {
  const hunks = placeHunks([hunk("a", 2, [[2, 4]]), hunk("gone", 8, []), hunk("end", 10, [])], undefined);
  const at = (line: number) => hunkAt(hunks, line, 10)?.hunk.id;
  assert.deepEqual([1, 2, 3, 4, 8, 9].map(at), [undefined, "a", "a", undefined, "gone", "end"]);
  assert.equal(markLine({ hunk: hunk("x", 0, []), line: 0, spans: [] }, 0), 0);
});

test("a line of a hunk is found where the hunk stands in a text that is not saved", () => {
  const one = hunk("a", 2, [
    [2, 4],
    [6, 7],
  ]);
  const placed = (line: number, ...spans: [number, number][]) => ({
    hunk: one,
    line,
    spans: spans.map(([start, end]) => ({ start, end })),
  });
  const lines = (at: PlacedHunk) => [2, 3, 6].map((line) => linePlaced(at, line));
  assert.deepEqual(lines(placed(2, [2, 4], [6, 7])), [2, 3, 6]);
  assert.deepEqual(lines(placed(7, [7, 9], [11, 12])), [7, 8, 11], "five lines were typed above");
  assert.deepEqual(lines(placed(7, [7, 8], [9, 10], [12, 13])), [7, 9, 12], "and one within");
  assert.deepEqual(lines(placed(7, [8, 9])), [7, 8, 11], "some of it is written over");
  assert.equal(linePlaced({ hunk: hunk("gone", 3, []), line: 8, spans: [] }, 3), 8);
});

test("a line that shows several hunks shows them all", () => {
  const hunks = placeHunks([hunk("mode", 0, []), hunk("text", 0, [[0, 2]])], undefined);
  assert.deepEqual(
    hunksAt(hunks, 0, 10).map(({ hunk: { id } }) => id),
    ["text", "mode"],
  );
});

test("a line that somebody wrote into a hunk means that hunk, while it is seen", () => {
  const split = hunk("a", 2, [
    [2, 4],
    [5, 7],
  ]);
  const hunks = placeHunks([split, hunk("gone", 9, []), hunk("b", 11, [[11, 12]])], undefined);
  const whole = [{ start: 0, end: 20 }];
  const around = (line: number, seen = whole, among = hunks) => hunkAround(among, line, seen)?.hunk.id;
  const lines = [1, 2, 4, 5, 7, 8, 9, 11];
  assert.deepEqual(
    lines.map((line) => around(line)),
    [undefined, undefined, "a", undefined, undefined, undefined, undefined, undefined],
  );
  assert.equal(around(4, [{ start: 4, end: 6 }]), "a");
  assert.equal(around(4, [{ start: 4, end: 5 }]), undefined, "its own lines are out of sight");
  assert.equal(around(4, [{ start: 8, end: 20 }]), undefined);
  assert.equal(around(4, []), undefined);
  const other = hunk("c", 1, [
    [1, 2],
    [8, 9],
  ]);
  assert.equal(around(4, whole, placeHunks([split, other], undefined)), undefined, "it may be either");
  const between = hunk("d", 3, [
    [3, 4],
    [5, 6],
  ]);
  assert.equal(hunkAt(placeHunks([other, between], undefined), 3, 20)?.hunk.id, "d", "whose line it is comes first");
});

test("in a text from before a decision hunks stand where they stood, and no others stand in it", () => {
  const before = placeHunks([hunk("rejected", 2, [[2, 4]]), hunk("next", 20, [[20, 21]])], undefined);
  const now = [hunk("next", 18, [[18, 19]]), hunk("new", 30, [[30, 31]])];
  const placed = placeEarlier(now, before);
  assert.deepEqual(
    placed.map(({ hunk: { id, line }, line: shown, spans }) => ({ id, line, shown, spans })),
    [{ id: "next", line: 18, shown: 20, spans: [{ start: 20, end: 21 }] }],
  );
});

test("in the file from before, a hunk stands where its removed lines are", () => {
  const removing = (id: string, line: number, removed: number, ...spans: [number, number][]) => ({
    ...hunk(id, line, spans),
    removed,
  });
  // Two lines became three, one was added, four went.
  const before = placeBefore([
    removing("gone", 20, 4),
    removing("three", 2, 2, [2, 5]),
    removing("one", 10, 0, [10, 11]),
  ]);
  assert.deepEqual(
    before.map(({ hunk: { id }, line, spans }) => [id, line, ...spans.map(({ start, end }) => `${start}-${end}`)]),
    [
      ["three", 2, "2-4"],
      ["one", 9],
      ["gone", 18, "18-22"],
    ],
  );
});

function replace(from: [number, number], to: [number, number], text: string): Replacement {
  const place = ([line, character]: [number, number]) => ({ line, character });
  return { range: { start: place(from), end: place(to) }, text };
}

function mapped(spans: LineSpan[], ...edits: Replacement[]): string {
  const map = new LineMap(10);
  map.apply(edits);
  return map
    .spansInBuffer(spans)
    .map(({ start, end }) => `${start}-${end}`)
    .join(" ");
}

test("unsaved edits move hunks and do not become part of them", () => {
  const spans = [{ start: 3, end: 6 }];
  assert.equal(mapped(spans), "3-6");
  assert.equal(mapped(spans, replace([0, 0], [0, 0], "new\nnew\n")), "5-8", "lines above");
  assert.equal(mapped(spans, replace([4, 0], [4, 0], "mine\n")), "3-4 5-7", "a line in the middle is mine");
  assert.equal(mapped(spans, replace([4, 3], [4, 3], "\n")), "3-5 6-7", "Enter within a line: its rest is new");
  assert.equal(mapped(spans, replace([4, 3], [4, 5], "x")), "3-6", "an edited line stays");
  assert.equal(mapped(spans, replace([3, 0], [6, 0], "")), "", "all of it deleted");
  assert.equal(mapped(spans, replace([1, 0], [4, 0], "")), "1-3", "from above into it");
  assert.equal(mapped(spans, replace([8, 0], [8, 0], "below\n"), replace([0, 0], [0, 0], "above\n")), "4-7");
});

test("lines that are taken out and put back are found again by what they say", () => {
  const map = new LineMap(4);
  map.apply([replace([1, 0], [3, 0], "old\n")]);
  map.apply([replace([1, 0], [2, 0], "new 1\nnew 2\n")]);
  const text = ["a", "new 1", "new 2", "d"];
  const placed = (...addedLines: string[]) =>
    placeHunks([{ ...hunk("x", 1, [[1, 3]]), addedLines }], { map, lineAt: (line) => text[line] }).map(
      ({ spans }) => spans,
    );
  assert.deepEqual(placed("new 1", "new 2"), [[{ start: 1, end: 3 }]]);
  assert.deepEqual(placed("new 1", "other"), [[]]);
});

test("a place is found from both sides", () => {
  const map = new LineMap(4);
  map.apply([replace([1, 0], [1, 0], "new\n")]);
  assert.deepEqual(
    [0, 1, 2, 3].map((line) => map.lineInBuffer(line)),
    [0, 2, 3, 4],
  );
  assert.deepEqual(
    [0, 1, 2].map((line) => map.lineInFile(line)),
    [0, undefined, 1],
  );
  map.apply([replace([2, 0], [4, 0], "")]);
  assert.deepEqual(
    [1, 2, 3, 4].map((line) => map.lineInBuffer(line)),
    [2, 2, 2, 3],
    "where the next one is, and past the end where none is left",
  );
});

test("what nobody is known to have made comes first, then task by task", () => {
  const groups = groupChanges([
    file("a", hunk("1", 0, []), hunk("2", 1, [], nobody), hunk("3", 2, [])),
    file("b", hunk("4", 0, [], { ...claude, task: "a0" }), hunk("5", 1, [], nobody)),
  ]);
  assert.deepEqual(
    groups.map(({ key, hunks, files }) => [key, hunks, files.map((one) => one.hunks.map(({ id }) => id).join())]),
    [
      ["unknown", 2, ["2", "5"]],
      ["task:a0", 1, ["4"]],
      ["task:a1", 2, ["1,3"]],
    ],
  );
  assert.deepEqual(
    groups.map((group) => [selectionOf(group), selectionOf(group, group.files[0])]),
    [
      [
        { unknown: true, all: true, hunks: ["2", "5"] },
        { unknown: true, file: "a", hunks: ["2"] },
      ],
      [
        { task: "a0", all: true, hunks: ["4"] },
        { task: "a0", file: "b", hunks: ["4"] },
      ],
      [
        { task: "a1", all: true, hunks: ["1", "3"] },
        { task: "a1", file: "a", hunks: ["1", "3"] },
      ],
    ],
  );
});

test("a button of a row that is gone is not about the cursor", () => {
  assert.equal(isOnLostRow([undefined, undefined]), true, "as the tree calls");
  assert.equal(isOnLostRow([undefined, [{}]]), true, "with others selected");
  assert.equal(isOnLostRow([]), false, "the palette, a key");
  assert.equal(isOnLostRow([{ kind: "change-hunk" }, undefined]), false);
});
