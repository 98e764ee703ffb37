// What did not come of a decision is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { DecidedFile, FileOutcome } from "../protocol.gen";
import { cameToNothing, failedSentence, outcomeWords, undoneWords } from "./outcome_words";

const file = (path: string, outcome: FileOutcome, reason: string | null = null): DecidedFile => ({
  path,
  outcome,
  reason,
});

test("the first file that was not done is named with the reason", () => {
  assert.equal(failedSentence([file("a", "changed"), file("b", "in-editor")]), undefined);
  assert.equal(
    failedSentence([file("a", "changed"), file("b", "not-written", "The disk is full.")]),
    "b was not written: The disk is full.",
  );
  assert.equal(failedSentence([file("a", "not-approved")]), "a was not approved: the reason is not known");
});

test("what was done in no file has come to nothing", () => {
  const told = (...outcomes: FileOutcome[]) => cameToNothing(outcomes.map((outcome) => file("a", outcome)));
  assert.deepEqual([told(), told("changed", "not-written"), told("in-editor")], [false, false, false]);
  assert.deepEqual([told("not-written"), told("not-approved", "not-written")], [true, true]);
});

test("that a file waits to be saved is said once, and shortly", () => {
  const undo = "Undo with `augment-cli changes undo d2`.";
  const told = (message: string, ...files: DecidedFile[]) => outcomeWords({ message, files });
  assert.equal(told(`1 hunk in 1 file rejected. ${undo}`, file("a", "changed")), "1 hunk in 1 file rejected.");
  assert.equal(
    told(`1 hunk in 1 file rejected. 1 file changed in the editor: save to keep it. ${undo}`, file("a", "in-editor")),
    "1 hunk in 1 file rejected. Save the file to finish.",
  );
  assert.equal(
    told(
      `3 hunks in 3 files rejected. 2 files changed in the editor: save to keep it. 1 file could not be written and is as before. ${undo}`,
      ...[file("a", "in-editor"), file("b", "in-editor"), file("c", "not-written")],
    ),
    "3 hunks in 3 files rejected. 1 file could not be written and is as before. Save the files to finish.",
  );
  assert.equal(
    told("1 hunk in 1 file undone.", file("a", "in-editor")),
    "1 hunk in 1 file undone. Save the file to finish.",
  );
});

test("of all decisions of a review those count as undone that are, in all their files", () => {
  assert.equal(
    undoneWords([[file("a", "changed")], [file("b", "unchanged")]], 3),
    "Undone: 2 of 3 decisions of this review",
  );
  assert.equal(
    undoneWords([[file("a", "changed"), file("b", "not-written")], [file("c", "restored")]], 2),
    "Undone: 1 of 2 decisions of this review",
  );
  assert.equal(
    undoneWords([[file("a", "in-editor")], [file("c", "changed")]], 2),
    "Undone: 1 of 2 decisions of this review. Save what is open to finish.",
  );
});
