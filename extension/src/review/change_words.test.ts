// The words for changes that need no editor to be said.

import assert from "node:assert/strict";
import { test } from "node:test";
import { evidenceSentence } from "./change_words";

test("what the host writes for a session's record was saved by no editor", () => {
  assert.equal(
    evidenceSentence("saved", { kind: "person", name: "session record" }),
    "The host wrote it for the session's record.",
  );
  assert.equal(evidenceSentence("saved", { kind: "person", name: "ada" }), "It was saved from an editor.");
  assert.equal(evidenceSentence("assigned", { kind: "person", name: "session record" }), "A person said whose it is.");
});
