// What can be picked for a scope, and what a pick is sent as.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlanTask, PlanView, ScopeItem, Session, Task } from "../protocol.gen";
import {
  adjustment,
  adjustmentOf,
  choicesOf,
  confirmation,
  mayWrite,
  type ScopeChoices,
  shownAnew,
  withTyped,
} from "./scope_choices";
import { placesText } from "./session_words";

const item = (title: string, task: string | null, end: string | null = null): ScopeItem => ({
  title,
  task,
  goal: "All connectors",
  planned: true,
  estimate: "45 min",
  end,
  paths: [],
  waiting: 0,
});
const inPlan = (title: string, status: string, current: boolean): PlanTask => ({
  title,
  status,
  estimate: null,
  phase: "Bronze",
  current,
  line: 0,
  paths: [],
});
const queued = (id: string, title: string, scope: string[] = []) =>
  ({ id, title, goal: null, scope }) as unknown as Task;

const plan = {
  tasks: [
    inPlan("Later", "planned", false),
    inPlan("Connector", "planned", true),
    inPlan("Done", "complete", true),
    inPlan("Blocked one", "blocked", true),
    inPlan("Also queued", "planned", true),
  ],
} as unknown as PlanView;

const planned = { items: [item("Credentials", null), item("Connector", null)], paths: [] } as unknown as Session;

function pick(choices: ScopeChoices, ...titles: string[]): ScopeChoices {
  return {
    ...choices,
    choices: choices.choices.map((choice) => ({ ...choice, isPicked: titles.includes(choice.title) })),
  };
}

test("what is proposed is picked; what else the plan and the queue hold comes after it, each once", () => {
  const { choices } = choicesOf(planned, plan, [queued("a7", "Also queued"), queued("a8", "Fix")]);
  assert.deepEqual(
    choices.map(({ title, from, isPicked }) => `${isPicked ? "x" : "-"} ${from} ${title}`),
    [
      "x scope Credentials",
      "x scope Connector",
      "- plan Blocked one",
      "- plan Later",
      "- queue Also queued",
      "- queue Fix",
    ],
  );
});

test("what is picked is confirmed: tasks by id, the others by what they are called", () => {
  const choices = choicesOf(planned, plan, [queued("a8", "Fix")]);
  const typed = { ...choices, choices: withTyped(choices.choices, "Write notes") };
  assert.deepEqual(confirmation(pick(typed, "Connector", "Later", "Fix", "Write notes")), {
    items: [
      { title: "Connector", goal: "All connectors", estimate: "45 min" },
      { title: "Later" },
      { task: "a8" },
      { title: "Write notes" },
    ],
  });
  assert.deepEqual(confirmation({ ...pick(typed), paths: [], pathsChanged: true }), { items: [], paths: [] });
});

test("a task that is named and known already is picked, not doubled", () => {
  const { choices } = choicesOf(planned, plan, []);
  const typed = withTyped(choices, "Later");
  assert.equal(typed.length, choices.length);
  assert.ok(typed.find(({ title }) => title === "Later")?.isPicked);
});

test("the task that an agent was to be started on is picked besides what is proposed, or alone where a session starts for it", () => {
  const picked = (task: string, isAlone: boolean) =>
    choicesOf(planned, plan, [queued("a7", "Fix"), queued("a8", "Connector")], { task, isAlone })
      .choices.filter(({ isPicked }) => isPicked)
      .map(({ title }) => title);
  assert.deepEqual(picked("a7", false), ["Credentials", "Connector", "Fix"]);
  assert.deepEqual(picked("a7", true), ["Fix"]);
  assert.deepEqual(picked("a8", true), ["Connector"], "also where the plan proposes it by its title");
});

test("where each may write is known before the yes: the session's paths and the task's own, none for everywhere", () => {
  const session = {
    items: [{ ...item("Credentials", null), paths: ["src/**"] }, item("Connector", null)],
    paths: [],
  } as unknown as Session;
  const later = { tasks: [{ ...inPlan("Later", "planned", true), paths: ["later/**"] }] } as unknown as PlanView;
  const choices = choicesOf(session, later, [queued("a7", "Fix", ["lib/**", "docs/**"])]);
  const places = (of: ScopeChoices) =>
    of.choices.map((choice) => `${choice.title}: ${placesText(mayWrite(choice, of))}`);
  assert.deepEqual(places(choices), [
    "Credentials: only src/**",
    "Connector: everywhere in this folder",
    "Later: only later/**",
    "Fix: only lib/**, docs/**",
  ]);
  assert.deepEqual(places({ ...choices, paths: ["docs/**"] }), [
    "Credentials: only docs/**, src/**",
    "Connector: only docs/**",
    "Later: only docs/**, later/**",
    "Fix: only docs/**, lib/**",
  ]);
});

test("an adjustment holds only what is different, and what has ended cannot be taken out", () => {
  const working = {
    items: [item("Credentials", "a1", "completed"), item("Connector", "a2"), item("Validate", "a3")],
    paths: ["src/**"],
  } as unknown as Session;
  const choices = choicesOf(working, plan, [queued("a2", "Connector"), queued("a9", "Fix")]);
  assert.ok(!choices.choices.some(({ title }) => title === "Credentials"));
  assert.equal(choices.choices.filter(({ title }) => title === "Connector").length, 1);
  assert.deepEqual(adjustment(choices), { add: [], remove: [], log: [], addPaths: [] });
  assert.deepEqual(adjustment({ ...pick(choices, "Connector", "Fix"), paths: ["docs/**"], pathsChanged: true }), {
    add: [{ task: "a9" }],
    remove: ["a3"],
    log: [],
    addPaths: [],
    paths: ["docs/**"],
  });
});

test("an adjustment says which checkpoint was shown, and the paths where it gives others", () => {
  const working = { id: "s3", state: "working", checkpoints: 1, paths: ["src/**"] } as Session;
  const order = { add: [{ task: "a9" }], remove: [], log: [], addPaths: [] };
  assert.deepEqual(adjustmentOf(working, order), { ...order, session: "s3", checkpoint: null });
  assert.deepEqual(adjustmentOf({ ...working, state: "checkpoint" }, { ...order, paths: ["docs/**"] }), {
    ...order,
    paths: ["docs/**"],
    session: "s3",
    checkpoint: 1,
    shownPaths: ["src/**"],
  });
});

test("after a refusal only that counts as shown which the refusal was about", () => {
  const shown = { id: "s3", state: "working", checkpoints: 0, paths: ["src/**"] } as const;
  const known = { ...shown, paths: ["src/**"] };
  const now = { id: "s3", state: "checkpoint", checkpoints: 1, paths: ["src/**", "docs/**"] } as Session;
  assert.deepEqual(shownAnew(known, "other-checkpoint", now), { ...known, state: "checkpoint", checkpoints: 1 });
  assert.deepEqual(shownAnew(known, "other-paths", now), { ...known, paths: now.paths });
  assert.equal(shownAnew(known, "held", now), undefined);
  assert.equal(shownAnew(known, "other-checkpoint", { ...now, id: "s4" }), undefined);
});
