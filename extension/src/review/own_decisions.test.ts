// What undoing means without a word on what.

import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnDecisions } from "./own_decisions";

test("the newest of this window is taken back, then the one before it, then none", () => {
  const own = new OwnDecisions();
  own.made("d1");
  own.made("d4");
  assert.deepEqual([own.take(), own.take(), own.take()], ["d4", "d1", undefined]);
});

test("what was undone by its button is not undone again, and what was made again is the newest", () => {
  const own = new OwnDecisions();
  for (const id of ["d1", "d2", "d3"]) own.made(id);
  own.undone("d3");
  own.made("d1");
  assert.deepEqual([own.take(), own.take(), own.take()], ["d1", "d2", undefined]);
});
