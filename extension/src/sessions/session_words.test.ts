// How sessions are told of: short, plain, with text from outside as text.

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ChangedFile,
  Flag,
  Governance,
  Hunk,
  PlanView,
  Progress,
  ScopeItem,
  Session,
  SessionStatus,
} from "../protocol.gen";
import { sessionStatusWords } from "./session_status_words";
import {
  changedQuestion,
  checkpointNotice,
  decisionsIn,
  endSummary,
  endsQuestion,
  flagNotice,
  flagOfHunks,
  flagsBesides,
  flagsNotice,
  governanceCautions,
  itemFacts,
  planFacts,
  plannedNotice,
  planPage,
  progressText,
  readWords,
  scopeTitle,
} from "./session_words";

const progress: Progress = { done: 11, total: 14, percent: 78, cells: 8 };
const item = (title: string, end: string | null, waiting = 0) => ({ title, end, waiting }) as ScopeItem;

function session(facts: Partial<Session> = {}): Session {
  return {
    number: 9,
    state: "working",
    phase: "Phase 1 — Bronze",
    sprintGoal: "All connectors",
    now: progress,
    items: [item("Credentials", "completed"), item("Connector", "blocked"), item("Validate", null)],
    discovered: [],
    automatic: null,
    model: null,
    streak: 3,
    ...facts,
  } as Session;
}

const governance = {
  read: ["PROJECT_PLAN.md", "CHANGELOG.md"],
  missing: ["ARCHITECTURE.md"],
  problems: [],
  model: null,
  phase: "Phase 1",
  sprintGoal: "All connectors",
  progress,
  proposed: [],
} as unknown as Governance;

const flag = (facts: Partial<Flag> = {}) =>
  ({ path: "src/engine.ts", kind: "out-of-scope", needed: false, why: null, ...facts }) as Flag;

function status(facts: Partial<SessionStatus>): SessionStatus {
  return {
    session: session(),
    governance,
    flags: [],
    question: null,
    text: "",
    fromEarlier: [],
    revision: 1,
    ...facts,
  };
}

test("progress is a bar of ten cells with percent and fraction", () => {
  assert.equal(progressText(progress), "████████░░ 78% (11/14)");
  assert.equal(progressText({ done: 13, total: 14, percent: 92, cells: 10 }), "██████████ 92% (13/14)");
  assert.equal(progressText({ done: 0, total: 0, percent: 0, cells: 0 }), "", "nothing to count");
  assert.equal(progressText(null), "");
  assert.equal(scopeTitle(session()), "Session 009 · Phase 1 — Bronze · ████████░░ 78% (11/14)");
  assert.equal(scopeTitle(session({ phase: null, now: { done: 0, total: 0, percent: 0, cells: 0 } })), "Session 009");
});

test("the status bar says what waits for the person, and its click leads there", () => {
  const shown = (facts: Partial<SessionStatus>) => {
    const words = sessionStatusWords(status(facts));
    return words && `${words.text} → ${words.click}${words.isWarning ? " !" : ""}`;
  };
  const state = (of: Session["state"]) => ({ session: session({ state: of }) });
  assert.equal(shown(state("planned")), "$(question) Session 009: confirm scope → confirm !");
  assert.equal(shown(state("confirmed")), "$(checklist) Session 009 · 1/3 → show");
  assert.equal(shown(state("working")), "$(checklist) Session 009 · 1/3 → show");
  assert.equal(shown({ flags: [flag()] }), "$(warning) Session 009 · 1/3 · 1 outside → answer-flag");
  assert.equal(shown(state("checkpoint")), "$(debug-pause) Session 009: checkpoint → checkpoint !");
  assert.equal(shown({ session: null }), "$(checklist) No session → start");
  const nothing = { ...governance, phase: null, sprintGoal: null, progress: null };
  assert.equal(shown({ session: null, governance: nothing }), undefined, "without a plan there is nothing to say");
});

test("what was read, what is not there and what was not understood is told", () => {
  assert.equal(readWords(governance), "Read PROJECT_PLAN.md, CHANGELOG.md; not there: ARCHITECTURE.md");
  assert.equal(readWords({ ...governance, read: [], missing: [] }), "Nothing was read");
  assert.deepEqual(
    governanceCautions({ ...governance, problems: ["a\nb"], model: "opus" }, session({ model: "haiku" })),
    ["a b", "The plan asks for opus, haiku is at work."],
  );
  assert.deepEqual(governanceCautions({ ...governance, model: "opus" }, session({ model: "opus" })), []);
  assert.equal(planFacts(governance), "78% (11/14) · All connectors");
});

test("one change outside is told with its path, several by their number", () => {
  assert.equal(flagNotice(flag()), "src/engine.ts is outside the scope.");
  assert.equal(
    flagNotice(flag({ needed: true, why: "the interface\nchanged" })),
    "src/engine.ts is outside the scope, and the agent needs it. The agent says: the interface changed",
  );
  assert.equal(
    flagNotice(flag({ needed: true, why: "x" }), ["lib/**", "test/**"]),
    "src/engine.ts is outside the scope, and the agent needs it. The scope holds lib/**, test/**. The agent says: x",
  );
  assert.equal(flagNotice(flag({ kind: "unauthorised" })), "src/engine.ts was changed before any scope was confirmed.");
  assert.equal(flagsNotice([flag(), flag(), flag()]), "3 changes outside the scope");
  assert.equal(
    flagsNotice([flag(), flag({ kind: "unauthorised" })]),
    "1 change outside the scope, 1 change before the scope was confirmed",
  );
});

test("a change that waits as a hunk is counted there, and not once more as outside the scope", () => {
  const waits = [{ path: "a", hunks: [{ flag: flag({ id: "f1" }) }, { flag: null }] }] as unknown as ChangedFile[];
  const ids = (files: ChangedFile[]) =>
    flagsBesides([flag({ id: "f1" }), flag({ id: "f2" })], files).map(({ id }) => id);
  assert.deepEqual(ids(waits), ["f2"]);
  assert.deepEqual(ids([]), ["f1", "f2"]);
});

test("what needs an answer is asked in a sentence", () => {
  assert.equal(checkpointNotice(session()), "3 tasks completed. Continue, or adjust scope?");
  assert.equal(checkpointNotice(session({ streak: 1 })), "1 task completed. Continue, or adjust scope?");
  assert.equal(
    plannedNotice(session()),
    "Session 009 is planned. Its scope waits for your yes; no agent is started before.",
  );
  assert.deepEqual(endsQuestion(session({ automatic: "work began on a1: Fix\nit" })), {
    message: "Session 009 is under way. End it, and start another?",
    detail: "It began by itself: work began on a1: Fix it. Its record is written to the changelog and the plan.",
  });
  assert.deepEqual(decisionsIn(" Times are UTC; ;Sleep by night"), ["Times are UTC", "Sleep by night"]);
  assert.equal(
    endSummary(session({ discovered: ["x"] })),
    "1 of 3 done: Credentials. Not done: Connector, Validate. 1 discovered for another time.",
  );
});

test("what is done while its hunks wait for review is told as both, also before the end", () => {
  const done = item("Credentials", "completed", 3);
  assert.equal(itemFacts(done), "3 to review");
  assert.equal(itemFacts(item("Connector", "blocked", 1)), "blocked · 1 to review");
  assert.equal(
    endSummary(session({ items: [done, item("Connector", "completed", 1)] })),
    "2 of 2 done: Credentials, Connector. Of that 4 hunks to review; a no later will not change the record.",
  );
});

test("the plan is a page that says at which line it was understood, and what was not", () => {
  const plan = {
    path: "PROJECT_PLAN.md",
    phase: "Phase 1",
    sprintGoal: "All connectors",
    lastUpdated: null,
    progress,
    phases: [{ id: "1", name: "1. Bronze", status: "in progress", goal: null, line: 3 }],
    tasks: [
      { title: "Credentials", status: "complete", estimate: null, phase: "Bronze", current: true, line: 12, paths: [] },
      {
        title: "Connector",
        status: "in-progress",
        estimate: "45 min",
        phase: "Bronze",
        current: true,
        line: 13,
        paths: [],
      },
      { title: "Dashboards", status: "planned", estimate: null, phase: "Gold", current: false, line: 30, paths: [] },
    ],
    problems: ["line 40: a table without a status"],
    notes: ["CHANGELOG.md is not there"],
  } satisfies PlanView;
  assert.equal(
    planPage(plan),
    [
      "Plan: PROJECT_PLAN.md",
      "Phase: Phase 1",
      "Sprint goal: All connectors",
      "Progress: ████████░░ 78% (11/14)",
      "",
      "Not understood",
      "  line 40: a table without a status",
      "",
      "Worth knowing",
      "  CHANGELOG.md is not there",
      "",
      "Tasks of this phase",
      "  [x] Credentials  (line 12)",
      "  [~] Connector · in-progress · 45 min  (line 13)",
      "",
      "Other tasks",
      "  [ ] Dashboards · Gold  (line 30)",
      "",
      "Phases",
      "  1. Bronze · in progress",
      "",
    ].join("\n"),
  );
  assert.equal(planPage({ ...plan, path: null, problems: [] }), "There is no plan in this project.\n");
});

test("a record that has changed is asked about with the names of what changed", () => {
  assert.equal(
    changedQuestion({ changed: ["CHANGELOG.md", "PROJECT_PLAN.md"] }),
    "CHANGELOG.md, PROJECT_PLAN.md changed after the end of the session. Commit the record as it is now?",
  );
  assert.equal(changedQuestion({ changed: [] }), "The record is not as it was shown. Commit it as it is now?");
});

test("a flag that hunks tell of is about those hunks and no others", () => {
  const [first, second] = [flag({ id: "f1" }), flag({ id: "f2" })];
  const hunks = [first, second, null, first].map((flag, at) => ({ id: `h${at}`, flag }) as Hunk);
  assert.deepEqual(flagOfHunks("f1", hunks)?.hunks, ["h0", "h3"]);
  assert.deepEqual(flagOfHunks("f2", hunks)?.hunks, ["h1"]);
  assert.equal(flagOfHunks("f3", hunks), undefined);
  assert.equal(flagOfHunks(undefined, hunks), undefined);
});
