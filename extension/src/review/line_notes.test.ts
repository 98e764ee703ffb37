// A word behind a line is short, and stands where it can be read.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Author, Flag, Hunk } from "../protocol.gen";
import type { PlacedHunk } from "./hunk_places";
import { noteLine, noteWords } from "./line_notes";

const claude: Author = { kind: "run", name: "claude", run: "a1.1", task: "a1", taskTitle: "Fix" };
const outside = { kind: "out-of-scope" } as Flag;

function placed(of: Partial<Hunk> = {}, spans = [{ start: 3, end: 5 }]): PlacedHunk {
  const plain = { author: claude, kind: "lines", standing: "pending", entangledWith: [], flagged: null, findings: [] };
  return { hunk: { ...plain, flag: null, removed: 0, ...of } as unknown as Hunk, line: 3, spans };
}

test("it says who, and first what is particular; that it waits is said by its colour", () => {
  assert.equal(noteWords(placed()), "claude · a1");
  assert.equal(noteWords(placed({ flag: outside })), "out of scope · claude · a1");
  assert.equal(noteWords(placed({ removed: 2 }, [])), "2 removed above · claude · a1");
});

test("it is short, whatever comes together", () => {
  const long = { ...claude, name: "an agent with a name that goes on and on" };
  const words = noteWords(placed({ author: long, flag: outside, entangledWith: [claude], standing: "half-approved" }));
  assert.ok(words.length <= 40, words);
  assert.match(words, /^out of scope · entangled · /);
});

/** The line behind which the word of a hunk with these lines stands, in a text with lines of these widths. */
function line(start: number, end: number, ...widths: number[]): number | undefined {
  const texts = widths.map((width) => "x".repeat(width));
  const text = { lineCount: texts.length, lineAt: (at: number) => ({ text: texts[at] ?? "" }) };
  return noteLine({ ...placed({}, start === end ? [] : [{ start, end }]), line: start }, text);
}

test("it stands behind the first line that has room for it, close to where the hunk begins", () => {
  assert.equal(line(1, 3, 200, 10, 10), 1);
  assert.equal(line(0, 4, 200, 61, 60, 10), 2);
  assert.equal(line(0, 2, 200, 61, 10), undefined, "behind a long line nobody would see it");
  assert.equal(line(0, 6, 99, 99, 99, 99, 1, 1), undefined, "far below it would be another's");
});

test("what was removed is told behind the line that follows it", () => {
  assert.equal(line(1, 1, 99, 10), 1);
  assert.equal(line(2, 2, 99, 10), 1, "or the last one there is");
  assert.equal(line(0, 0, 99, 10), undefined);
});

test("a tab is as wide as it is drawn", () => {
  const at = (text: string) => noteLine(placed({}, [{ start: 3, end: 4 }]), { lineCount: 9, lineAt: () => ({ text }) });
  assert.equal(at(`\t${"x".repeat(56)}`), 3);
  assert.equal(at(`\t${"x".repeat(57)}`), undefined);
});
