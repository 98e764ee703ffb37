// What was refused of one order is told in one text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalsText } from "./refusal_words";

test("several refusals are one text, and many are counted", () => {
  const stale = (id: string) => `${id} has changed meanwhile.`;
  assert.equal(refusalsText([stale("a1")]), "a1 has changed meanwhile.");
  assert.equal(refusalsText(["No.", "No."]), "No.");
  assert.equal(
    refusalsText(["a1", "a2", "a3", "a4", "a5"].map(stale)),
    "a1 has changed meanwhile. a2 has changed meanwhile. a3 has changed meanwhile. And 2 more.",
  );
});
