// What the extension says and when it tries again: everything that needs no editor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff } from "./backoff";
import type { LinkState } from "./host_link";
import { durationText } from "./moments";
import { oneLine, shortened, withoutIcons, withoutLinks } from "./outside_text";
import type { Counts, OverallStatus, Question, RunInfo, Session, Task, Trouble } from "./protocol.gen";
import { placeOfDrop } from "./queue_order";
import { type AgentLooks, badgeWords, othersThanSession, type StatusWords, statusWords } from "./status_words";
import { stopDetail } from "./stop_words";

const none: Counts = { pending: 0, inProgress: 0, completed: 0, failed: 0, partial: 0, blocked: 0, cancelled: 0 };
const connected = { kind: "connected" } as LinkState;
const trouble = { message: "a3 is failed: Fix", task: "a3" };
const problem = { message: "settings.toml: Line 2 is not understood.", task: null };

function status(
  counts: Partial<Counts>,
  active: string[] = [],
  troubles: OverallStatus["troubles"] = [],
): OverallStatus {
  const host = { version: "0.1.0", pid: 1, startedAt: 0, lasting: true, clients: 1 };
  const tasks = active.map((title) => ({ title }) as Task);
  const changes = { pendingFiles: 0, pendingHunks: 0, unknownHunks: 0 };
  const watching = { state: "watching" as const, message: "", files: 1, folders: 1 };
  return {
    workspace: "/w",
    revision: 1,
    host,
    counts: { ...none, ...counts },
    active: tasks,
    changes,
    watching,
    troubles,
    session: null,
  };
}

test("tries again later and later, and gives up after five failures in a row", () => {
  const backoff = new Backoff();
  assert.deepEqual(
    [0, 0, 0, 0, 0].map((worked) => backoff.afterFailure(worked)),
    [250, 500, 1000, 2000, undefined],
  );
  assert.equal(backoff.afterFailure(60_000), 250, "a minute of health counts as a new beginning");
});

test("text from outside stays text", () => {
  assert.equal(withoutIcons("a $(sync~spin) b"), "a \\$(sync~spin) b");
  assert.equal(withoutLinks("[x](command:evil)"), "[x] (command:evil)");
  assert.equal(oneLine("a\nb\u001b[31m\u202ec"), "a b [31m c");
  assert.equal(shortened("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 2), "👨‍👩‍👧…");
});

test("durations name their two largest units", () => {
  const cases: [number, string][] = [
    [0, "0 s"],
    [999, "0 s"],
    [59_999, "59 s"],
    [3_585_000, "59 min 45 s"],
    [3_600_000, "1 h"],
    [90_061_000, "1 d 1 h"],
  ];
  for (const [ms, text] of cases) assert.equal(durationText(ms), text);
});

test("the status bar puts trouble before activity and activity before rest", () => {
  const rows: [OverallStatus | undefined, string, string, string][] = [
    [undefined, "$(loading~spin) Augment: starting", "calm", "log"],
    [status({}), "$(checklist) Augment: no tasks", "calm", "queue"],
    [status({ pending: 3 }), "$(checklist) Augment: 3 pending", "calm", "queue"],
    [status({ pending: 3, inProgress: 2 }, ["Refactor"]), "$(play-circle) Refactor +1", "calm", "queue"],
    [status({ failed: 1 }, [], [trouble]), "$(warning) Augment: 1 needs a look", "warning", "task"],
    [status({ pending: 1 }, [], [problem]), "$(warning) Augment: 1 settings problem", "warning", "settings"],
    [status({ failed: 1 }, [], [trouble, problem]), "$(warning) Augment: 2 need a look", "warning", "task"],
    [
      status({ failed: 1, inProgress: 1 }, ["$(x) y"], [trouble]),
      "$(warning) 1 needs a look · working on \\$(x) y",
      "warning",
      "task",
    ],
  ];
  for (const [overall, text, level, click] of rows) {
    const words = statusWords(connected, overall);
    assert.deepEqual([words.text, words.level, words.click.kind], [text, level, click]);
  }
});

test("the status bar puts who waits for an answer first, then agents that are lost, then what came of work", () => {
  const asks = (...ids: string[]) => ids.map((id) => ({ id }) as Question);
  const lost = [{ run: "a1.1" } as RunInfo];
  const rows: [OverallStatus, AgentLooks, string, StatusWords["click"]][] = [
    [
      status({}),
      { questions: asks("q1"), disconnected: [] },
      "$(question) Augment: 1 question waits for you",
      { kind: "question", question: "q1" },
    ],
    [
      status({ inProgress: 1 }, ["Fix"]),
      { questions: asks("q1", "q2"), disconnected: [] },
      "$(question) 2 questions wait for you · working on Fix",
      { kind: "question", question: null },
    ],
    [
      status({ failed: 1 }, [], [trouble]),
      { questions: [], disconnected: lost },
      "$(debug-disconnect) Augment: 1 agent disconnected, 1 needs a look",
      { kind: "agents" },
    ],
    [
      status({ failed: 1 }, [], [trouble]),
      { questions: [], disconnected: [] },
      "$(warning) Augment: 1 needs a look",
      { kind: "task", task: "a3" },
    ],
  ];
  for (const [overall, looks, text, click] of rows) {
    const words = statusWords(connected, overall, looks);
    assert.deepEqual([words.text, words.level, words.click], [text, "warning", click]);
  }
});

test("the host is stopped without a question when nothing goes on, else it is said what does", () => {
  const follows = "Until the host is started again, nobody follows who changes what.";
  assert.equal(stopDetail(status({ pending: 3 }), []), undefined);
  assert.equal(stopDetail(status({ inProgress: 1 }, ["Fix\nthe door"]), []), `In progress: Fix the door. ${follows}`);
  assert.equal(
    stopDetail(status({ inProgress: 4 }, ["a", "b", "c", "d"]), [{ agent: "goose" }, { agent: "goose" }]),
    `In progress: a, b, c, and 1 more. Running: goose. An agent goes on for a minute, and is stopped if no host is there by then. ${follows}`,
  );
});

test("before anything runs the status bar is calm and leads to the queue", () => {
  const words = statusWords({ kind: "resting" }, undefined);
  assert.deepEqual([words.text, words.level, words.click.kind], ["$(checklist) Augment", "calm", "queue"]);
});

test("the badge counts tasks and settings problems, and calls each by its name", () => {
  const rows: [OverallStatus, number | undefined, string | undefined][] = [
    [status({ pending: 3 }), undefined, undefined],
    [status({ failed: 1 }, [], [trouble]), 1, "1 task needs a look"],
    [status({ failed: 30, blocked: 2 }, [], Array(20).fill(trouble)), 32, "32 tasks need a look"],
    [status({}, [], [problem]), 1, "1 settings problem"],
    [status({ failed: 2 }, [], [trouble, trouble, problem, problem]), 4, "2 tasks need a look, 2 settings problems"],
  ];
  for (const [overall, value, tooltip] of rows) {
    const badge = badgeWords(overall);
    assert.deepEqual([badge?.value, badge?.tooltip], [value, tooltip]);
  }
});

test("what a session waits for is told by its own item", () => {
  const waits = { message: "The scope of session 009 waits for a yes: augment-cli session confirm", task: null };
  const during = { ...status({}, [], [waits, problem]), session: { number: 9 } as Session };
  assert.equal(badgeWords(during)?.tooltip, "1 settings problem");
  assert.equal(statusWords(connected, { ...during, troubles: [waits] }).text, "$(checklist) Augment: no tasks");
});

test("every trouble of a session is known by its form, and nothing else can pass for one", () => {
  const ofSession = [
    "The scope of session 009 waits for a yes: augment-cli session confirm",
    "The scope of session 1009 waits for a yes: augment-cli session confirm --title TITLE",
    "Session 009 waits at a checkpoint after 5 tasks: augment-cli session checkpoint",
    "f12: src/a.ts is outside of the scope. (and 2 more) augment-cli session flag f12",
  ];
  const others: Trouble[] = [
    { message: "a1 is failed: Mend augment-cli session status", task: "a1" },
    { message: "The scope of session 009 waits for a yes: augment-cli session confirm", task: "a1" },
    { message: ".augment/policy.toml: “augment-cli session flag f1” is no number.", task: null },
    { message: ".augment/policy.toml: f1: augment-cli session flag f1", task: null },
  ];
  const troubles = [...ofSession.map((message) => ({ message, task: null })), ...others];
  const during = { ...status({}, [], troubles), session: { number: 9 } as Session };
  assert.deepEqual(othersThanSession(during), others);
});

test("a dropped task can reach every place", () => {
  const shown = ["a1", "a2", "a3"].map((id) => ({ id }) as Task);
  assert.deepEqual(placeOfDrop(shown, "a1", "a3"), { after: "a3" });
  assert.deepEqual(placeOfDrop(shown, "a3", "a1"), { before: "a1" });
  assert.deepEqual(placeOfDrop(shown, "b12", "a2"), { before: "a2" });
});
