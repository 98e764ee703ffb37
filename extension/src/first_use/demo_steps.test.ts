import assert from "node:assert/strict";
import { test } from "node:test";
import type { DemoStage } from "../protocol.gen";
import { type DemoAt, demoSteps, guidance, notItsTurn, spokenStep, standingOf } from "./demo_steps";

const at = (stage: DemoStage, pending = 0): DemoAt => ({ stage, agent: "demo", task: "a1", question: null, pending });
const stages: DemoStage[] = ["start", "confirm", "start-agent", "watch", "answer", "review", "end", "done"];

test("one step comes next at every stage, and those before it are done", () => {
  const standings = stages.map((stage) => demoSteps(at(stage)).map((step) => standingOf(step, at(stage))[0]));
  assert.deepEqual(
    standings.map((row) => row.join("")),
    ["nllll", "nllll", "dnlll", "ddnll", "ddnll", "dddnl", "ddddn", "dddddn"],
  );
});

test("every stage says what to do", () => {
  assert.equal(new Set(stages.map((stage) => guidance(at(stage)))).size, stages.length);
  assert.match(guidance(at("review", 1)), /^1 hunk waits\. /);
  assert.match(guidance(at("review", 6)), /^6 hunks wait\. /);
});

test("a row says how it stands without its icon", () => {
  assert.equal(spokenStep("scope", at("review", 6)), "Confirm the scope, done");
  assert.equal(spokenStep("review", at("review", 6)), "Review each hunk, next, 6 to review");
  assert.equal(spokenStep("end", at("review", 6)), "End the session, later");
});

test("a step that is pressed before or after its turn says what comes first", () => {
  assert.equal(notItsTurn("scope", at("start")), undefined);
  assert.equal(notItsTurn("end", at("start")), "“End the session” comes later. First: “Confirm the scope”.");
  assert.equal(notItsTurn("scope", at("review", 6)), "“Confirm the scope” is done. Next: “Review each hunk”.");
});
