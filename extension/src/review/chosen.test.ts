// What is pressed twice is done once, and what is selected is decided, all of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedFile, Hunk } from "../protocol.gen";
import { calledOn, isHeard, selectionOfFiles } from "./chosen";

test("while a review leads on, only what was pointed at is decided", () => {
  assert.equal(isHeard({ by: "place" }, false), true);
  assert.equal(isHeard({ by: "place" }, true), false);
  assert.equal(isHeard({ by: "call" }, true), true);
});

test("all files that are selected are decided", () => {
  const file = (path: string, ...ids: string[]) => ({ path, hunks: ids.map((id) => ({ id }) as Hunk) }) as ChangedFile;
  const [a, b] = [file("a", "h1", "h2"), file("b", "h3")];
  assert.equal(selectionOfFiles([]), undefined);
  assert.deepEqual(selectionOfFiles([a, a]), { file: "a", hunks: ["h1", "h2"] });
  assert.deepEqual(selectionOfFiles([a, b, a]), { all: true, hunks: ["h1", "h2", "h3"] });
});

test("what is selected comes as a list or one by one", () => {
  assert.deepEqual(calledOn(["a", ["a", "b"]]), ["a", "a", "b"]);
  assert.deepEqual(calledOn(["a", "b"]), ["a", "b"]);
  assert.deepEqual(calledOn([]), []);
});
