import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScopeItem, Session } from "../../src/protocol.gen";
import { goalWords } from "../widgets/goal_bar";
import { goalBars } from "./goals";

const item = (goal: string | null, end: string | null, waiting = 0): ScopeItem => ({
  title: "t",
  task: "a1",
  goal,
  planned: true,
  estimate: null,
  end,
  paths: [],
  waiting,
});
const progress = (done: number, total: number) => ({ done, total, percent: 0, cells: 0 });
const session = (items: ScopeItem[], before = progress(1, 4), now = progress(1, 4)): Session => ({
  id: "s1",
  number: 9,
  state: "working",
  protocol: "1",
  automatic: null,
  model: null,
  startedAt: 0,
  confirmedAt: 0,
  endedAt: null,
  endReason: null,
  phase: "Phase 1",
  sprintGoal: "All is built",
  before,
  now,
  items,
  paths: [],
  streak: 0,
  checkpointAfter: 3,
  checkpoints: 0,
  discovered: [],
});
const said = (of: Session) =>
  goalBars(of).map((bar) => `${bar.name}: ${goalWords(bar)}${bar.remark ? `, ${bar.remark}` : ""}`);

test("the plan, the scope and each goal have a bar with its fraction in words", () => {
  assert.deepEqual(
    said(session([item("A", "completed"), item("A", null), item("B", "failed")], progress(1, 4), progress(2, 4))),
    [
      "All is built: 2 of 4 done (50%), of the plan · 1 in this session",
      "Scope of this session: 1 of 3 done (33%)",
      "A: 1 of 2 done (50%), of this scope",
      "B: 0 of 1 done (0%), of this scope",
    ],
  );
});

test("what is done and not looked at yet is said beside the scope's count", () => {
  assert.deepEqual(said(session([item("A", "completed", 3), item("A", null)])), [
    "All is built: 1 of 4 done (25%), of the plan",
    "Scope of this session: 1 of 2 done (50%), 3 to review",
  ]);
});

test("a goal that the whole scope serves has no bar beside the scope's own", () => {
  assert.deepEqual(said(session([item("A", "completed"), item("A", "completed")])), [
    "All is built: 1 of 4 done (25%), of the plan",
    "Scope of this session: 2 of 2 done (100%)",
  ]);
});

test("without a plan and without a scope there is none", () => {
  assert.deepEqual(said(session([], progress(0, 0), progress(0, 0))), []);
});
