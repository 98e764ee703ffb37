// How a text was made is remembered for that very text alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptWays } from "./kept_ways";

const uri = "file:///a.txt";

function newMemory(stored?: unknown) {
  let value = stored;
  return {
    read: () => value,
    write: (now: unknown) => {
      value = now;
      return true;
    },
  };
}

test("a text that survives is what it was: the person's, or a program's", () => {
  for (const how of ["by-hand", "applied", "mixed"] as const) {
    const memory = newMemory();
    new KeptWays(memory).keep([{ uri, text: "typed", how }]);
    assert.equal(new KeptWays(memory).recall(uri, "typed"), how);
  }
});

test("a text that nobody followed, or that was changed meanwhile, may be anybody's", () => {
  const memory = newMemory();
  new KeptWays(memory).keep([{ uri, text: "typed", how: "by-hand" }]);
  assert.equal(new KeptWays(memory).recall(uri, "typed, and more"), "mixed");
  assert.equal(new KeptWays(memory).recall("file:///b.txt", "typed"), "mixed");
  const ways = new KeptWays(memory);
  ways.recall(uri, "typed");
  assert.equal(ways.recall(uri, "typed"), "mixed", "asked once");
  ways.keep([]);
  assert.equal(new KeptWays(memory).recall(uri, "typed"), "mixed", "saved since");
});

test("a memory that holds something else is none", () => {
  for (const stored of [undefined, null, 7, "x", { [uri]: { how: "by-hand" } }])
    assert.equal(new KeptWays(newMemory(stored)).recall(uri, "typed"), "mixed");
});
