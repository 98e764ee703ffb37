// How the completion of a session is told: what came of each step, and one sentence for all of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClosedSession, Closing, ClosingStep, ClosingStepName, Session, StepOutcome } from "../protocol.gen";
import {
  completionDetails,
  completionFacts,
  completionKey,
  completionSentence,
  isSettled,
  stepDetails,
  stepFacts,
} from "./completion_words";

const names: ClosingStepName[] = [
  "confirmation",
  "outputs",
  "summary",
  "knowledge",
  "clean-up",
  "archive",
  "notification",
];

const step = (name: ClosingStepName, outcome: StepOutcome, ...evidence: string[]): ClosingStep => ({
  step: name,
  outcome,
  evidence,
  at: null,
  tries: 1,
});

function closed(facts: Partial<Closing> = {}, ...changed: ClosingStep[]): ClosedSession {
  const steps = names.map((name) => changed.find((one) => one.step === name) ?? step(name, "done"));
  const session = { id: "s3", number: 9, startedAt: 5, endedAt: null } as Session;
  const closing: Closing = {
    protocol: "session-completion/1",
    steps,
    artifacts: [],
    learnings: [],
    rating: null,
    feedback: null,
    tags: [],
    archive: "memory-bank/augment-sessions/2026-s3",
    ...facts,
  };
  return { session, closing };
}

test("one sentence says how it came out", () => {
  assert.equal(completionSentence(closed()), "Session 009 is completed and archived.");
  const off = closed({ archive: null }, step("archive", "skipped", "archives are switched off (archive.folder)"));
  assert.equal(completionSentence(off), "Session 009 is completed.");
  const broken = closed({ archive: null }, step("archive", "failed", "memory-bank is\na file. Move it away."));
  assert.equal(
    completionSentence(broken),
    "Session 009 is completed; 1 of 7 steps failed: archive (memory-bank is a file).",
  );
  const two = closed({}, step("outputs", "failed"), step("notification", "failed", "false failed"));
  assert.equal(
    completionSentence(two),
    "Session 009 is completed; 2 of 7 steps failed: outputs, notification (false failed).",
  );
});

test("beside its name stands how it came out, and while a step waits that it goes on", () => {
  assert.equal(completionFacts(closed({ rating: 4 }).closing), "completed and archived · rated 4 of 5");
  assert.equal(
    completionFacts(closed({}, step("outputs", "failed", "gone")).closing),
    "completed · 1 of 7 steps failed",
  );
  const { closing } = closed({}, step("notification", "waiting"));
  assert.equal(completionFacts(closing), "being completed");
  assert.equal(isSettled(closing), false);
  assert.equal(isSettled(closed().closing), true);
});

test("a step says what shows its outcome, each on a line of its own", () => {
  assert.equal(stepFacts(step("summary", "done", "1 action", "4 minutes")), "1 action");
  assert.equal(stepFacts(step("archive", "failed", "no room\nleft")), "failed · no room left");
  assert.equal(
    stepDetails({ ...step("clean-up", "done", "a\u0007b", "c\nd"), tries: 2 }),
    "Clean-up: done, 2 tries\n• a b\n• c d",
  );
});

test("what a person has added is told with it", () => {
  const artifacts = [
    { path: "src/a.txt", hash: null, size: null, check: "present", delivered: "workspace", received: true },
  ];
  assert.equal(
    completionDetails(closed({ rating: 4, feedback: "quick", learnings: ["one", "two"], artifacts, tags: ["io"] })),
    [
      "Session 009: completed and archived",
      "Rating: 4 of 5",
      "Feedback: quick",
      "Learnings: one; two",
      "Artifacts: src/a.txt",
      "Tags: io",
      "Archive: memory-bank/augment-sessions/2026-s3",
    ].join("\n"),
  );
  assert.equal(completionKey(closed()), "completed s3@5");
});
