// What the person reads of runs, agents and questions, and what is told once.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Agent, HandOff, Question, RunInfo } from "../protocol.gen";
import { handOffNotice } from "./hand_off_words";
import { answerSentence, buttonsOf, questionNotice } from "./question_words";
import {
  agentFacts,
  allowDetail,
  changedLines,
  evidence,
  hindrance,
  readiness,
  runFacts,
  runLabel,
  runSentence,
  shortConfiguration,
} from "./run_words";
import { ToldFile } from "./told_file";
import { Told } from "./told_once";

const startedAt = new Date(2026, 10, 16, 15, 7).getTime();
const run: RunInfo = {
  run: "b12.2",
  task: "b12",
  title: "Fix\u001b[31m it",
  agent: "goose",
  adapter: "acp",
  state: "disconnected",
  ended: true,
  why: "exit",
  because: "it ended with code 0, but without a report",
  startedAt,
  endedAt: startedAt + 65_000,
  lastSign: "output",
  lastSignAt: startedAt + 60_000,
  process: "code 0",
  reported: null,
  stopped: "end_turn",
  message: "done\nreally",
  questions: 0,
  usage: { inputTokens: 1200, outputTokens: 30, cost: "0.02 USD" },
  resources: { cpuMs: 61_500, peakMemoryBytes: 104_857_600 },
};
const agent: Agent = {
  name: "goose",
  source: "user",
  adapter: "acp",
  command: "goose acp",
  program: "/bin/goose",
  capabilities: [],
  parallel: 2,
  active: 1,
  allowed: true,
  hash: "f00",
  allowedBefore: null,
  problem: null,
};
const question: Question = {
  id: "q7",
  run: "b12.2",
  task: "b12",
  agent: "goose",
  kind: "permission",
  question: "May I run it?",
  detail: "rm -r build",
  options: [
    { value: "yes", text: "Allow" },
    { value: "no", text: "Reject" },
  ],
  recommendation: null,
  askedAt: 1,
  answer: null,
};

test("a run is told with its agent, its task and since when; a disconnection is called one", () => {
  assert.equal(`${runLabel(run)} ${runFacts(run, startedAt)}`, "goose: disconnected 15:08 · Fix [31m it · b12.2");
  const going = { ...run, state: "waiting" as const, ended: false, endedAt: null };
  assert.equal(runLabel(going), "goose: waiting for you");
  assert.equal(runFacts(going, startedAt + 86_400_000), "since 2026-11-16 15:07 · Fix [31m it · b12.2");
  assert.equal(runSentence(run), "b12.2 of goose is disconnected: it ended with code 0, but without a report.");
  assert.deepEqual(evidence(run), [
    "disconnected, because it ended with code 0, but without a report",
    "Last sign of life: output, 2026-11-16 15:08:00",
    "Process: code 0",
    "Reported: nothing",
    "Last turn ended: end_turn",
    "Started: 2026-11-16 15:07:00, ended 2026-11-16 15:08:05 (1 min 5 s)",
    `Usage: ${(1200).toLocaleString()} tokens in, 30 out, 0.02 USD`,
    "Resources: 1 min 1 s of processor time, at most 100 MiB of memory in one process",
    "Last said: done really",
  ]);
  const told = (of: Partial<RunInfo>) => evidence({ ...run, ...of }).filter((line) => line.startsWith("Resources"));
  assert.deepEqual(told({ resources: { cpuMs: 40, peakMemoryBytes: 8_192 } }), [
    "Resources: 40 ms of processor time, at most 8 KiB of memory in one process",
  ]);
  assert.deepEqual(told({ resources: null }), ["Resources: not known"]);
  assert.deepEqual(told({ resources: null, adapter: "attached" }), [], "nobody here could have seen it");
  assert.deepEqual(told({ resources: null, ended: false }), [], "it goes on");
});

test("an agent says what stands in the way of starting it", () => {
  const rows: [Partial<Agent>, string, string, RegExp | undefined][] = [
    [{}, "ready", "ACP · 1 of 2 running", undefined],
    [{ active: 0 }, "ready", "ACP", undefined],
    [{ program: null }, "not-ready", "ACP · program not found · 1 of 2 running", /was not found\. Install/],
    [
      { source: "workspace", allowed: false, active: 0, problem: "It is not allowed." },
      "needs-yes",
      "ACP · from this folder · needs your yes",
      /needs your yes/,
    ],
    [{ problem: "No key.", active: 0 }, "not-ready", "ACP · cannot be started", /^No key\.$/],
    [{ adapter: "attached", program: null, active: 0 }, "not-ready", "attached · cannot be started", /watched/],
  ];
  for (const [facts, standing, words, why] of rows) {
    const one = { ...agent, ...facts };
    assert.deepEqual([readiness(one), agentFacts(one)], [standing, words]);
    if (why === undefined) assert.equal(hindrance(one), undefined);
    else assert.match(hindrance(one) ?? "", why);
  }
});

test("a yes is asked for with every line that it is for, and says when that is not all", () => {
  const { detail, isWhole } = allowDetail({ ...agent, command: 'command = "sh"\nargs = ["-c", "[x](command:y)"]\n' });
  assert.equal(isWhole, true);
  assert.deepEqual(detail.split("\n").slice(3, 8), [
    'command = "sh"',
    'args = ["-c", "[x] (command:y)"]',
    "",
    "Program: /bin/goose",
    "Hash: f00",
  ]);
  const many = Array.from({ length: 40 }, (_, at) => `set.V${at} = "x"`).join("\n");
  for (const command of [many, `command = "${"x".repeat(5_000)}"`]) {
    const long = allowDetail({ ...agent, command });
    assert.equal(long.isWhole, false);
    assert.match(long.detail, /This is not all of it/);
    assert.ok(long.detail.split("\n").length < 40);
  }
});

test("a yes to what was allowed before is asked for with what has changed", () => {
  const allowedBefore = 'command = "sh"\nargs = ["run.sh"]\ncontent of "run.sh" = a1\n| one\n| two\n| three\n';
  const command = allowedBefore.replace("a1", "b2").replace("| two", "| [2](command:x)");
  const { detail, isWhole } = allowDetail({ ...agent, allowed: false, command, allowedBefore });
  assert.equal(isWhole, true);
  assert.deepEqual(detail.split("\n").slice(1, 11), [
    "It is not what you allowed before. What has changed:",
    "",
    '- content of "run.sh" = a1',
    "- | one",
    "- | two",
    '+ content of "run.sh" = b2',
    "+ | one",
    "+ | [2] (command:x)",
    "",
    "Program: /bin/goose",
  ]);
  assert.deepEqual(changedLines("a\na\n", "a\na\na\n"), ["+ a"]);
  assert.deepEqual(changedLines("a\nb\nc\n", "a\nc\n"), ["- b"]);
  assert.deepEqual(changedLines("a\n", "a\n"), []);
  const many = Array.from({ length: 40 }, (_, at) => `| ${at}`).join("\n");
  const long = allowDetail({ ...agent, command: `${command}${many}`, allowedBefore });
  assert.equal(long.isWhole, false);
  assert.deepEqual(shortConfiguration(command), ['command = "sh"', 'args = ["run.sh"]', 'content of "run.sh" = b2']);
});

test("a few short options are buttons; many, long, alike or with much to read they are a list", () => {
  const titles = (facts: Partial<Question>) => buttonsOf({ ...question, ...facts })?.map(({ title }) => title);
  assert.deepEqual(titles({}), ["Allow", "Reject"]);
  assert.deepEqual(titles({ options: [{ value: "v", text: "$(flame) go" }] }), ["$ (flame) go"]);
  const option = (text: string) => ({ value: text, text });
  assert.equal(titles({ options: [] }), undefined);
  assert.deepEqual(titles({ options: ["a", "b", "c", "d"].map(option) }), ["a", "b", "c", "d"]);
  assert.equal(titles({ options: ["a", "b", "c", "d", "e"].map(option) }), undefined);
  assert.equal(titles({ options: [option("x".repeat(31))] }), undefined);
  assert.equal(titles({ options: [option("a"), { value: "b", text: "a" }] }), undefined);
  assert.equal(titles({ detail: "1\n2\n3\n4\n5\n6\n7" }), undefined);
  assert.equal(titles({ detail: "x".repeat(500) }), undefined);
});

test("a question is told in one line, cut where it is long", () => {
  assert.equal(questionNotice(question), "goose asks: May I run it? — rm -r build");
  assert.equal(questionNotice({ ...question, detail: "" }), "goose asks: May I run it?");
  assert.equal(
    questionNotice({ ...question, detail: "1\n2\n3\n4\n5\n6\n7" }),
    "goose asks: May I run it? — 1 ⏎ 2 ⏎ 3 ⏎ 4 ⏎ 5 ⏎ 6 …",
  );
  assert.match(questionNotice({ ...question, detail: "y".repeat(9_000) }), /y…$/);
});

test("an answer that came from elsewhere is told with who gave it", () => {
  const answer = { choice: "yes", text: null, by: "person:jo", at: 2 };
  assert.equal(answerSentence(question, answer), "The question was answered already by jo: Allow.");
  assert.equal(
    answerSentence(question, { ...answer, choice: null, text: "use\nB" }),
    "The question was answered already by jo: use B.",
  );
  assert.equal(
    answerSentence(question, { ...answer, choice: null, by: "withdrawn" }),
    "The question needs no answer any more.",
  );
});

test("a proposal names who suggests whom and why", () => {
  const handOff = { id: "h3", fromRun: "b12.2", fromAgent: "goose", toAgent: "quality-reviewer" } as HandOff;
  assert.equal(
    handOffNotice({ ...handOff, reason: "tests are\nthin" }),
    "goose suggests quality-reviewer goes on after b12.2: tests are thin",
  );
  assert.equal(handOffNotice({ ...handOff, reason: null }), "goose suggests quality-reviewer goes on after b12.2");
});

test("what was told is not told again, also after a reload", (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "aug-told-"));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  const path = join(scratch, "storage", "told.json");
  const complaints: string[] = [];
  const window = () => new ToldFile(path, (message) => complaints.push(message));
  const self = (key: string) => key;
  const first = window();
  assert.deepEqual(first.onlyNew(["q1@1", "q2@1"], self), ["q1@1", "q2@1"]);
  assert.deepEqual(first.onlyNew(["q1@1", "q1@2"], self), ["q1@2"]);
  assert.deepEqual(window().onlyNew(["q1@1", "q1@2", "q3@1"], self), ["q3@1"]);
  writeFileSync(path, "{ broken");
  assert.deepEqual(window().onlyNew(["q1@1", "q4@1"], self), ["q4@1"], "what lies beside it still knows");
  assert.equal(complaints.length, 0);
  new ToldFile(join(path, "below-a-file"), (message) => complaints.push(message)).onlyNew(["q1@1"], self);
  assert.equal(complaints.length, 1);
});

test("what is remembered is bounded, and the oldest goes first", () => {
  const told = new Told(["q1@1"]);
  for (let at = 0; at < 500; at += 1) told.isFirst(`k${at}`);
  assert.equal(told.keys.length, 500);
  assert.deepEqual([told.isFirst("k499"), told.isFirst("q1@1")], [false, true]);
});
