// What the agents view shows of what the host tells, with a host that is a table of answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNever } from "../assert_never";
import type { Agent, HandOff, Methods, Question, RunInfo, RunState } from "../protocol.gen";
import { type AgentsRow, drawnText, groupRows, parentOf, rowsBelow, rowsOf } from "./agents_rows";
import { type AgentsSnapshot, type Call, fetchAgents } from "./agents_snapshot";

function run(id: string, state: RunState, ended: boolean): RunInfo {
  return {
    run: id,
    task: id.split(".")[0],
    state,
    ended,
    agent: "goose",
    title: "Fix",
    because: "it is so",
  } as RunInfo;
}

function agent(name: string, facts: Partial<Agent> = {}): Agent {
  return {
    name,
    source: "preset",
    adapter: "acp",
    program: `/bin/${name}`,
    active: 0,
    allowed: true,
    allowedBefore: null,
    ...facts,
  } as Agent;
}

const question = (id: string, of: string) => ({ id, run: of, answer: null }) as Question;
const proposal = (id: string, of: string) => ({ id, fromRun: of, state: "proposed" }) as HandOff;

const active = [run("a2.1", "running", false), run("a1.1", "waiting", false)];
const ended = Array.from({ length: 30 }, (_, at) => run(`b${30 - at}.1`, "completed", true));

function host(answers: { [M in keyof Methods]?: (params: Methods[M]["params"]) => unknown }): Call {
  return async (method, params) => {
    const answer = answers[method] as ((given: typeof params) => unknown) | undefined;
    assert.ok(answer, `${method} is not asked for`);
    return answer(params) as never;
  };
}

function shown(rows: AgentsRow[]): string[] {
  return rows.map((row) => {
    switch (row.kind) {
      case "agents-group":
        return `${row.group} ${row.count}`;
      case "agents-run":
        return row.run.run;
      case "agents-question":
        return row.question.id;
      case "agents-hand-off":
        return row.handOff.id;
      case "agents-agent":
        return row.agent.name;
      case "agents-problem":
        return row.problem;
      case "agents-presets":
        return `${row.count} presets`;
      default:
        return assertNever(row);
    }
  });
}

const empty: AgentsSnapshot = { agents: [], problems: [], active: [], ended: [], questions: [], proposals: [] };

test("a snapshot has the active runs, the last ten that ended, and what still waits", async () => {
  const snapshot = await fetchAgents(
    host({
      "augment/agent/list": () => ({ agents: [agent("goose")], problems: [] }),
      "augment/run/list": ({ active: only, limit }) => ({
        runs: only ? active : [...active, ...ended].slice(0, limit ?? 1000),
        revision: 1,
      }),
      "augment/question/list": () => ({ questions: [question("q1", "a1.1")] }),
      "augment/hand-off/list": () => ({
        handOffs: [proposal("h2", "b30.1"), { ...proposal("h1", "b30.1"), state: "accepted" as const }],
      }),
    }),
  );
  assert.deepEqual(
    snapshot.active.map((one) => one.run),
    ["a2.1", "a1.1"],
  );
  assert.deepEqual(snapshot.ended.map((one) => one.run).slice(0, 3), ["b30.1", "b29.1", "b28.1"]);
  assert.equal(snapshot.ended.length, 10);
  assert.deepEqual(
    snapshot.proposals.map(({ id }) => id),
    ["h2"],
  );
});

test("a run that ends while it is fetched is never both", async () => {
  const snapshot = await fetchAgents(
    host({
      "augment/agent/list": () => ({ agents: [], problems: [] }),
      "augment/run/list": ({ active: only }) => ({
        runs: [only ? run("a1.1", "running", false) : run("a1.1", "disconnected", true)],
        revision: 1,
      }),
      "augment/question/list": () => ({ questions: [] }),
      "augment/hand-off/list": () => ({ handOffs: [] }),
    }),
  );
  assert.deepEqual(snapshot.active, []);
  assert.deepEqual(
    snapshot.ended.map(({ state }) => state),
    ["disconnected"],
  );
});

test("questions stand below their run, proposals below the run that ended, and none is lost", () => {
  const snapshot = {
    ...empty,
    active,
    ended: ended.slice(0, 2),
    questions: [question("q1", "a1.1"), question("q2", "old.1"), question("q3", "b30.1")],
    proposals: [proposal("h1", "b30.1"), proposal("h2", "old.1")],
  };
  assert.deepEqual(shown(groupRows(snapshot)), ["runs 2", "ended 2"]);
  assert.deepEqual(shown(rowsOf("runs", snapshot)), ["a2.1", "a1.1", "q2"]);
  assert.deepEqual(shown(rowsOf("ended", snapshot)), ["b30.1", "b29.1", "h2"]);
  assert.deepEqual(shown(rowsBelow(run("a1.1", "waiting", false), snapshot)), ["q1"]);
  assert.deepEqual(shown(rowsBelow(run("b30.1", "completed", true), snapshot)), ["q3", "h1"]);
  for (const group of groupRows(snapshot)) {
    for (const row of rowsOf(group.group, snapshot)) {
      assert.deepEqual(parentOf(row, snapshot), group);
      if (row.kind !== "agents-run") continue;
      for (const below of rowsBelow(row.run, snapshot)) assert.deepEqual(parentOf(below, snapshot), row);
    }
  }
});

test("presets without a program stand as one row, and alone leave the view empty for its welcome", () => {
  const missing = [agent("codex", { program: null }), agent("gemini", { program: null })];
  assert.deepEqual(groupRows({ ...empty, agents: missing }), []);
  const own = agent("mine", { source: "user", program: null });
  const snapshot = { ...empty, agents: [agent("goose"), own, ...missing], problems: ["agents.toml: no"] };
  assert.deepEqual(shown(groupRows(snapshot)), ["agents 2"]);
  assert.deepEqual(shown(rowsOf("agents", snapshot)), ["agents.toml: no", "goose", "mine", "2 presets"]);
});

test("a sign of life draws nothing anew, another state or question does", () => {
  const [first, ...others] = active;
  assert.ok(first);
  const before = drawnText({ ...empty, active });
  const lives = { ...first, lastSignAt: 7, lastSign: "output", message: "still here", process: "alive" };
  assert.equal(drawnText({ ...empty, active: [lives, ...others] }), before);
  assert.notEqual(drawnText({ ...empty, active: [{ ...first, state: "disconnected" }, ...others] }), before);
  assert.notEqual(drawnText({ ...empty, active, questions: [question("q1", "a1.1")] }), before);
});
