import assert from "node:assert/strict";
import { test } from "node:test";
import { type Action, type ActionParams, READS } from "../../panel/messages";
import { checkMessage } from "./message_check";

const refused = (value: unknown): string => {
  const checked = checkMessage(value);
  assert.equal(checked.kind, "refused", JSON.stringify(value)?.slice(0, 200));
  return checked.kind === "refused" ? checked.reason : "";
};
const taken = (value: object) => assert.deepEqual(checkMessage(value), { kind: "good", message: value });
const act = (action: unknown, params: unknown, more = {}) => ({ kind: "act", id: 1, action, params, ...more });
const read = (method: unknown, params: unknown) => ({ kind: "read", id: 1, method, params });

test("what is in the map is taken as it is", () => {
  taken({ kind: "hello" });
  taken(read("augment/queue/list", { statuses: ["pending"], limit: 200, text: "door" }));
  taken(read("augment/run/list", { task: null, agent: null, active: true, limit: null }));
  taken(act("task/add", {}));
  taken(act("task/move", { task: "a1", revision: 3, priority: "low", place: { before: "a2" } }));
  taken(act("task/move", { task: "a1", revision: 3, priority: "low", place: "top" }));
  taken(act("review/decide", { verdict: "approve", what: { task: "a1", file: "src/a.ts", hunks: ["ffff"] } }));
});

test("what is no message is refused", () => {
  for (const value of [undefined, null, 7, "hello", [], {}, { kind: "hello", command: "x" }, { kind: "run", id: 1 }])
    refused(value);
  for (const id of [undefined, "1", -1, 1.5, Number.NaN]) refused({ ...act("task/add", {}), id });
});

test("a command of the editor cannot be asked for, by whatever name", () => {
  const commands = ["augment-orchestrator.stopHost", "workbench.action.terminal.new", "vscode.open", "", 7, null];
  // What every object inherits is no entry of a table.
  const inherited = ["constructor", "__proto__", "toString", "hasOwnProperty"];
  for (const name of [...commands, ...inherited]) {
    assert.equal(refused(act(name, {})), "no such action is known");
    assert.equal(refused(read(name, {})), "no such read is known");
  }
  refused(act("task/add", {}, { command: "vscode.open" }));
});

test("what changes something is no read", () => {
  for (const method of ["augment/queue/add", "augment/changes/decide", "augment/config/set", "augment/host/stop"])
    refused(read(method, {}));
  const changing =
    /\/(add|edit|move|remove|cancel|retry|decide|undo|redo|start|stop|set|answer|allow|end|commit|push|purge)$/;
  assert.deepEqual(
    Object.keys(READS).filter((method) => changing.test(method)),
    [],
  );
});

test("parameters of another shape are refused, with the id that waits for an answer", () => {
  const move = { task: "a1", revision: 3, priority: "low", place: "top" };
  for (const change of [
    { task: 7 },
    { task: "x".repeat(65) },
    { revision: "3" },
    { revision: -1 },
    { priority: "urgent" },
    { place: "middle" },
    { place: { before: "a2", after: "a3" } },
    { place: { before: ["a2"] } },
    { place: null },
    { more: true },
  ])
    refused(act("task/move", { ...move, ...change }));
  const { task, ...without } = move;
  refused(act("task/move", without));
  refused(act("task/move", [move]));
  refused(act("task/move", null));
  refused(act("review/decide", { verdict: "purge", what: {} }));
  refused(act("review/decide", { verdict: "approve", what: { hunks: ["ffff"] } }));
  // What is shown is always named.
  refused(act("review/decide", { verdict: "approve", what: { task: "a1" } }));
  refused(act("review/decide", { verdict: "approve", what: { all: true } }));
  refused(read("augment/queue/list", { limit: 100_000 }));
  refused(read("augment/queue/list", { statuses: ["gone"] }));
  refused(read("augment/queue/list", JSON.parse('{"__proto__": {"limit": 1}, "limit": 1}')));
  assert.deepEqual(checkMessage(act("task/edit", { task: 7 })), {
    kind: "refused",
    reason: "the parameters of task/edit have another shape",
    id: 1,
  });
});

/** For every action parameters that are taken, with everything that they may hold. */
const good: { readonly [A in Action]: ActionParams<A> } = {
  "task/add": {},
  "task/show": { task: "a1" },
  "task/edit": { task: "a1" },
  "task/set-priority": { task: "a1" },
  "task/move": { task: "a1", revision: 3, priority: "low", place: { before: "a2" } },
  "task/start-agent": { task: "a1" },
  "task/take": { task: "a1" },
  "task/complete": { task: "a1" },
  "task/fail": { task: "a1" },
  "task/cancel": { task: "a1" },
  "task/retry": { task: "a1" },
  "task/remove": { task: "a1" },
  "task/copy-id": { task: "a1" },
  "run/stop": { run: "a1.1" },
  "run/output": { run: "a1.1" },
  "run/show": { run: "a1.1" },
  "question/ask": { question: "q1" },
  "question/show": { question: "q1" },
  "question/choose": { question: "q1", choice: "yes" },
  "question/say": { question: "q1", text: "the left one" },
  "hand-off/accept": { handOff: "h1" },
  "hand-off/edit": { handOff: "h1" },
  "hand-off/dismiss": { handOff: "h1" },
  "agent/start": { agent: "goose" },
  "agent/allow": { agent: "goose" },
  "agent/presets": {},
  "session/start": {},
  "session/confirm": { session: "s1" },
  "session/adjust": { session: "s1" },
  "session/continue": { session: "s1", checkpoint: 2 },
  "session/end": { session: "s1" },
  "session/plan": {},
  "session/report": { report: 7 },
  "flag/answer": { flag: "f1", answer: "extend", hunks: ["ffff"] },
  "flag/open": { flag: "f1" },
  "review/decide": { verdict: "approve", what: { task: "a1", file: "src/a.ts", hunks: ["ffff"] } },
  "review/open": { file: "src/a.ts", task: "a1" },
  "review/decide-all": { verdict: "reject" },
  "review/assign": { what: { unknown: true, all: true, hunks: ["ffff"] } },
  "review/open-all": {},
  "review/undo": { decision: "d1" },
  "history/open-diff": { path: "src/a.ts", step: 3 },
  "file/open": { path: "src/a.ts" },
  "analytics/export": {
    from: 0,
    to: 1,
    bucket: "day",
    utcOffsetMinutes: 60,
    agent: "goose",
    label: "fix",
    session: "s1",
  },
  "host/restart": {},
  "host/log": {},
  "host/trust": {},
};

/** The same with one field of it, however deep, made into something else. */
function broken(value: object, breakOne: (field: unknown) => unknown): object[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const inner = typeof field === "object" && field !== null ? broken(field, breakOne) : [breakOne(field)];
    return inner.map((made) => ({ ...value, [name]: made }));
  });
}

const long = "x".repeat(1_000_000);

test("every action takes its own parameters, and none of them without an end, of another kind or with another beside it", () => {
  for (const [action, params] of Object.entries(good)) {
    taken(act(action, params));
    for (const worse of [
      ...broken(params, (field) => (typeof field === "string" ? long : Number.MAX_VALUE)),
      ...broken(params, () => ["a1"]),
      ...broken(params, () => -1.5),
      { ...params, command: "vscode.open" },
    ])
      refused(act(action, worse));
  }
});

test("what is needed cannot be left out, and an answer is one of those that there are", () => {
  const optional: readonly string[] = ["analytics/export"];
  for (const [action, params] of Object.entries(good).filter(([action]) => !optional.includes(action)))
    for (const name of Object.keys(params))
      refused(act(action, Object.fromEntries(Object.entries(params).filter(([other]) => other !== name))));
  for (const answer of ["rolled-back", "refused", "", null])
    refused(act("flag/answer", { flag: "f1", answer, hunks: [] }));
  for (const hunks of [undefined, null, "ffff", [1]]) refused(act("flag/answer", { flag: "f1", answer: "log", hunks }));
  for (const path of ["x".repeat(4_097), null]) {
    refused(act("file/open", { path }));
    refused(act("history/open-diff", { path, step: 3 }));
    refused(act("review/decide", { verdict: "approve", what: { task: "a1", file: path, hunks: ["ffff"] } }));
  }
});

test("a decision is about what is shown of somebody's work or of a file, never about everything that waits", () => {
  for (const what of [
    {},
    { all: true },
    { all: true, file: "a.ts" },
    { unknown: false },
    { task: "a1", run: "a1.1" },
    { file: "a.ts" },
    { run: "a1.1" },
    { unknown: true },
  ]) {
    refused(act("review/decide", { verdict: "approve", what }));
    refused(act("review/assign", { what }));
  }
  for (const what of [
    { file: "a.ts" },
    { run: "a1.1" },
    { unknown: true },
    { all: true },
    { task: "a1", file: "a.ts" },
  ])
    taken(act("review/decide", { verdict: "approve", what: { ...what, hunks: ["ffff"] } }));
});

test("no list is without an end", () => {
  refused(read("augment/queue/list", { statuses: Array.from({ length: 8 }, () => "pending") }));
});
