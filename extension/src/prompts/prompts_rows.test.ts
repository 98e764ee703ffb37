// What the view of prompts shows of what the host tells, with a host that is a table of answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../agents/agents_snapshot";
import { assertNever } from "../assert_never";
import type { Intent, Prompt, PromptList, PromptStatus, SessionCommit, UncommittedGroup } from "../protocol.gen";
import { Refused } from "../refusal";
import { commitRows, drawnText, isPromptsRow, type PromptsRow, promptRows, rowId, topRows } from "./prompts_rows";
import { fetchHistory, type History, type PromptsSnapshot } from "./prompts_snapshot";

const intent = (text: string, role: Intent["role"] = "work"): Intent => ({
  text,
  role,
  commit: "c0ffee",
  change: "kxyz",
});
const prompt = {
  id: "p7",
  state: "open",
  headline: "Build the door",
  intents: [intent("intent: tidy up", "before"), intent("intent: draw the door")],
} as unknown as Prompt;
const group = (task: string | null, ...files: string[]): UncommittedGroup => ({ task, about: "", intent: "", files });
const session = (summary: string, facts: Partial<SessionCommit> = {}): SessionCommit =>
  ({ commit: `${summary}-hash`, summary, changes: [], squashed: [], timeMs: 0, ...facts }) as unknown as SessionCommit;

function status(facts: Partial<PromptStatus> = {}): PromptStatus {
  return { prompt, uncommitted: [], waiting: 0, interrupted: null, notes: [], revision: 1, ...facts };
}

function history(sessions: SessionCommit[], facts: Partial<History> = {}): History {
  return { sessions, isCut: false, problem: undefined, ...facts };
}

function shown(rows: PromptsRow[]): string[] {
  return rows.map((row) => {
    switch (row.kind) {
      case "prompt-now":
        return `now ${row.prompt.headline}`;
      case "prompt-none":
        return "none";
      case "prompt-caution":
        return `! ${row.caution}`;
      case "prompt-intent":
        return row.intent.text;
      case "prompt-uncommitted":
        return `approved ${row.files.join(" ")}, ${row.waiting} wait`;
      case "prompt-commit":
        return `commit ${row.session.summary}`;
      case "prompt-change":
        return `change ${row.text}`;
      case "prompt-squashed":
        return `squashed ${row.named.change} ${row.named.commit ?? "lost"}`;
      case "prompt-more":
        return "more";
      default:
        return assertNever(row);
    }
  });
}

test("the prompt is on top, the session commits lie below it as the history has them", () => {
  const known: PromptsSnapshot = { status: status(), history: history([session("newer"), session("older")]) };
  assert.deepEqual(shown(topRows(known)), ["now Build the door", "commit newer", "commit older"]);
});

test("without a prompt a row offers to start one above the history, and nothing is drawn where there is none", () => {
  const none = status({ prompt: null });
  assert.deepEqual(shown(topRows({ status: none, history: history([session("one")]) })), ["none", "commit one"]);
  assert.deepEqual(topRows({ status: none, history: history([]) }), []);
  assert.deepEqual(topRows({ status: none, history: undefined }), []);
  assert.deepEqual(topRows(undefined), []);
});

test("what was interrupted and why there is no history are told, and that the history goes on", () => {
  const known = {
    status: status({ notes: ["A finish was interrupted."] }),
    history: history([session("one")], { isCut: true, problem: "No repository is here." }),
  };
  assert.deepEqual(shown(topRows(known)), [
    "now Build the door",
    "! A finish was interrupted.",
    "! No repository is here.",
    "commit one",
    "more",
  ]);
});

test("below the prompt lie its intents, and last what is approved and in none, each file once", () => {
  const uncommitted = [group("a1", "src/b.ts", "src/a.ts"), group(null, "src/a.ts")];
  const known = { status: status({ uncommitted, waiting: 2 }), history: undefined };
  assert.deepEqual(shown(promptRows(known)), [
    "intent: tidy up",
    "intent: draw the door",
    "approved src/a.ts src/b.ts, 2 wait",
  ]);
  assert.deepEqual(shown(promptRows({ status: status({ waiting: 2 }), history: undefined })), [
    "intent: tidy up",
    "intent: draw the door",
  ]);
});

test("below a session commit lie its logical changes and the ids that it names", () => {
  const made = session("one", {
    changes: ["draw", "paint"],
    squashed: [
      { change: "kxyz", commit: "c0ffee" },
      { change: "lost", commit: null },
    ],
  });
  assert.deepEqual(shown(commitRows(made)), [
    "change draw",
    "change paint",
    "squashed kxyz c0ffee",
    "squashed lost lost",
  ]);
});

test("no two rows have one id, whatever commits and notes repeat", () => {
  const lost = { change: "lost", commit: null };
  const made = session("one", { changes: ["draw", "draw"], squashed: [lost, lost] });
  const known = {
    status: status({ notes: ["It was interrupted.", "It was interrupted."] }),
    history: history([made], { isCut: true, problem: "It was interrupted." }),
  };
  const ids = [...topRows(known), ...promptRows(known), ...commitRows(made)].map(rowId);
  assert.deepEqual(ids, [...new Set(ids)]);
});

test("the history is what the host lists, as many as were asked for", async () => {
  const asked: unknown[] = [];
  const call: Call = async (method, params) => {
    assert.equal(method, "augment/prompt/list");
    asked.push(params);
    const list: PromptList = { prompts: [prompt], sessions: [session("one"), session("two")], revision: 1 };
    return list as never;
  };
  assert.equal((await fetchHistory(call, 2)).isCut, true);
  assert.equal((await fetchHistory(call, 3)).isCut, false);
  assert.deepEqual(asked, [
    { limit: 2, branch: null },
    { limit: 3, branch: null },
  ]);
});

test("a refusal to list is told in a row, anything else is not swallowed", async () => {
  const refusing: Call = () => Promise.reject(new Refused("No repository is here.", "no-repository", undefined));
  assert.equal((await fetchHistory(refusing, 5)).problem, "No repository is here.");
  const broken: Call = () => Promise.reject(new Error("gone"));
  await assert.rejects(fetchHistory(broken, 5), /gone/);
});

test("a view is drawn anew when something of it differs, and not otherwise", () => {
  const known = (facts: Partial<PromptStatus> = {}): PromptsSnapshot => ({
    status: status(facts),
    history: history([session("one")]),
  });
  const drawn = drawnText(known(), 0);
  assert.equal(drawnText(known({ revision: 9 }), 30_000), drawn);
  for (const other of [known({ waiting: 1 }), known({ notes: ["n"] }), known({ uncommitted: [group("a1", "x")] })])
    assert.notEqual(drawnText(other, 0), drawn);
  assert.notEqual(drawnText({ status: status(), history: history([session("two")]) }, 0), drawn);
  assert.notEqual(drawnText(known(), 5 * 60_000), drawn, "5 min ago");
});

test("rows of other views are not taken for its own", () => {
  assert.equal(isPromptsRow({ kind: "prompt-none" }), true);
  assert.equal(isPromptsRow({ kind: "session-none" }), false);
  assert.equal(isPromptsRow(undefined), false);
});
