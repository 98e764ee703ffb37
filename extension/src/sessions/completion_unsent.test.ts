// What was typed about a session survives leaving the list, and goes once it was sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Added, Unsent } from "./completion_unsent";

const nothing: Added = { artifacts: [], learnings: [], tags: [] };

test("what was said is there again for its own session, until it was sent", () => {
  const unsent = new Unsent();
  assert.deepEqual([unsent.of("s1"), unsent.has("s1")], [nothing, false]);
  const added: Added = { ...nothing, rating: 4, learnings: ["Keys are named once"] };
  unsent.keep("s1", added);
  assert.deepEqual([unsent.of("s1"), unsent.of("s2"), unsent.has("s1")], [added, nothing, true]);
  unsent.sent("s1");
  assert.deepEqual([unsent.of("s1"), unsent.has("s1")], [nothing, false]);
});

test("what was taken back is not kept, and the oldest is forgotten first", () => {
  const unsent = new Unsent();
  unsent.keep("s0", { ...nothing, tags: ["a"] });
  unsent.keep("s0", nothing);
  assert.equal(unsent.has("s0"), false);
  for (let at = 1; at <= 21; at += 1) unsent.keep(`s${at}`, { ...nothing, feedback: "x" });
  assert.deepEqual([unsent.has("s1"), unsent.has("s2"), unsent.has("s21")], [false, true, true]);
});
