// Goose over ACP, the real program: it asks, is allowed and refused, writes what is then known to be its own, uses our
// tools, asks a person, and reports (A1, A3, A5, C1, C3).

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { gate } from "../rig/model.mjs";
import { newStage, ourTools, reports } from "../rig/runs.mjs";

const edit = ({ at }) => ({
  tool: "edit",
  args: { path: at("hello.txt"), before: "hello", after: "hello from goose" },
});
const create = ({ at }) => ({ tool: "write", args: { path: at("new.txt"), content: "new\n" } });

/** Said by the agent itself, before or after the change was seen. */
const declared = (run) => [new RegExp(`^run:${run} declared-(path|content)$`)];

async function checkAuthors(stage, path, patterns) {
  const authors = await stage.lastAuthors(path);
  assert.equal(authors.length, patterns.length, `${path}: ${authors}`);
  patterns.forEach((pattern, at) => {
    assert.match(authors[at], pattern, path);
  });
}

async function gooseStage(t, files) {
  const stage = await newStage(t, files);
  stage.configure({ goose: stage.agents.goose() });
  return stage;
}

test("goose asks before each write, edits and creates files, and both are known to be its own", async (t) => {
  const stage = await gooseStage(t);
  const script = stage.model.play([edit(stage), create(stage), { say: "All done." }]);
  const run = await stage.start("goose", "Greet from goose");

  const first = await stage.asks(run);
  assert.deepEqual([first.kind, first.agent, first.task], ["permission", "goose", "a1"]);
  assert.match(`${first.question}\n${first.detail}`, /hello\.txt/);
  assert.equal((await stage.info(run)).state, "waiting");
  assert.equal(stage.text("hello.txt"), "hello\n", "nothing is written before the answer");
  await stage.decide(first, "allow");

  const second = await stage.asks(run);
  assert.match(`${second.question}\n${second.detail}`, /new\.txt/);
  assert.deepEqual([stage.text("hello.txt"), existsSync(stage.at("new.txt"))], ["hello from goose\n", false]);
  await stage.decide(second, "allow");

  const ended = await stage.ends(run);
  assert.deepEqual(
    [ended.state, ended.why, ended.stopped, ended.reported, ended.adapter],
    ["completed", "turn-done", "done", null, "acp"],
  );
  assert.match(ended.message, /All done\./);
  assert.equal((await stage.task("a1")).status, "completed");
  assert.deepEqual([stage.text("hello.txt"), stage.text("new.txt")], ["hello from goose\n", "new\n"]);
  for (const path of ["hello.txt", "new.txt"]) await checkAuthors(stage, path, declared(run));
  assert.match(script.prompt(), /# Task a1: Greet from goose/);
  await stage.staysDead(run);
});

test("a refused write leaves the disk as it was, and the agent is told", async (t) => {
  const stage = await gooseStage(t);
  const script = stage.model.play([edit(stage), { say: "I was not allowed to." }]);
  const before = stage.tree();
  const run = await stage.start("goose", "Greet from goose");
  await stage.decide(await stage.asks(run), "refuse");
  const ended = await stage.ends(run);
  assert.notEqual(ended.state, "completed");
  assert.notEqual((await stage.task("a1")).status, "completed");
  assert.deepEqual(stage.tree(), before);
  assert.deepEqual(await stage.pending(), []);
  assert.equal(script.results().length, 1, "the model heard what became of its call");
  const [answered] = await stage.records("--kind", "question.answered");
  assert.match(answered.data.by, /^person:/);
  await stage.staysDead(run);
});

test("what a shell of the agent's writes is the agent's", async (t) => {
  const stage = await gooseStage(t);
  stage.model.play([
    { tool: "shell", args: { command: "printf 'made by a shell\\n' > shell.txt && echo more >> hello.txt" } },
    { say: "Done." },
  ]);
  const run = await stage.start("goose", "Use a shell");
  const asked = await stage.asks(run);
  assert.match(`${asked.question}\n${asked.detail}`, /shell\.txt/, "the person sees the command");
  const ended = await stage.ends(run);
  assert.equal(ended.state, "completed");
  assert.deepEqual([stage.text("shell.txt"), stage.text("hello.txt")], ["made by a shell\n", "hello\nmore\n"]);
  for (const path of ["shell.txt", "hello.txt"]) await checkAuthors(stage, path, [new RegExp(`^run:${run} `)]);
  await stage.staysDead(run);
});

test("the agent has our tools: it reads its task, logs what it discovers, and reports", async (t) => {
  const stage = await gooseStage(t);
  const script = stage.model.play([
    { tool: ourTools.get_task },
    create(stage),
    { tool: ourTools.log_discovered_task, args: { title: "The roof leaks", priority: "high" } },
    reports("completed", "Made new.txt.", { metrics: { files_modified: 1 } }),
    { say: "Reported." },
  ]);
  const run = await stage.start("goose", "Make a file");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why, ended.reported], ["completed", "reported", "completed"]);

  const { report } = await stage.details(run);
  assert.deepEqual([report.status, report.summary], ["completed", "Made new.txt."]);
  assert.deepEqual(
    report.metrics.map(({ name, value, unit }) => [name, value, unit]),
    [["files_modified", "1", "files"]],
  );
  const [task] = script.results();
  assert.match(task, /Make a file/);
  const discovered = (await stage.tasks()).find(({ title }) => title === "The roof leaks");
  assert.deepEqual([discovered.status, discovered.priority], ["pending", "high"]);
  assert.equal((await stage.task("a1")).status, "completed");
  await stage.staysDead(run);
});

for (const status of ["partial", "blocked"]) {
  test(`a report of ${status} work is not taken for more`, async (t) => {
    const stage = await gooseStage(t);
    stage.model.play([create(stage), reports(status, "The rest needs a key."), { say: "Reported." }]);
    const run = await stage.start("goose", "Make files");
    const ended = await stage.ends(run);
    assert.deepEqual([ended.state, ended.why, ended.reported], [status, "reported", status]);
    assert.equal((await stage.task("a1")).status, status);
    await stage.staysDead(run);
  });
}

test("a decision is asked, the run waits, and the answer reaches the agent", async (t) => {
  const stage = await gooseStage(t);
  const options = [
    { value: "oak", text: "Oak, which lasts" },
    { value: "pine", text: "Pine, which is cheap" },
  ];
  const script = stage.model.play([
    { tool: ourTools.ask_decision, args: { question: "Which wood?", options, recommendation: "oak" } },
    create(stage),
    reports("completed", "Built it."),
    { say: "Reported." },
  ]);
  const run = await stage.start("goose", "Build a table");
  // Goose asks leave for the tool itself first, unless our own tools have it.
  const isDecision = (questions) => questions.some(({ kind }) => kind === "decision");
  while (!isDecision(await stage.questions())) {
    const asked = await stage.asks(run);
    if (asked.kind === "permission") await stage.decide(asked, "allow");
  }
  const question = (await stage.questions()).find(({ kind }) => kind === "decision");
  assert.deepEqual(
    [question.question, question.options, question.recommendation, question.run],
    ["Which wood?", options, "oak", run],
  );
  assert.equal((await stage.info(run)).state, "waiting");
  await stage.answer(question.id, "pine");

  const ended = await stage.ends(run);
  assert.equal(ended.state, "completed");
  assert.match(script.results()[0], /pine/, "the model was told the answer");
  const { choice, by } = await stage.answerTo(question.id);
  assert.deepEqual([choice, by.split(":")[0]], ["pine", "person"]);
  await stage.staysDead(run);
});

test("four runs at once, each with its own work, and none is taken for another", async (t) => {
  const stage = await newStage(t);
  stage.configure({ goose: stage.agents.goose({ mode: "auto", parallel: 4 }) });
  const barrier = gate();
  const names = ["north", "east", "south", "west"];
  const scripts = names.map((name) =>
    stage.model.play(
      [
        { hold: barrier, tool: "write", args: { path: stage.at(`${name}.txt`), content: `${name}\n` } },
        reports("completed", `Wrote ${name}.`),
        { say: `Wrote ${name}.` },
      ],
      { prompt: `Go ${name}` },
    ),
  );
  const runs = [];
  for (const name of names) runs.push(await stage.start("goose", `Go ${name}`));
  await Promise.all(scripts.map((script) => script.reached(1)));
  const infos = await Promise.all(runs.map(stage.info));
  assert.deepEqual(
    infos.map(({ state }) => state),
    ["running", "running", "running", "running"],
  );
  barrier.open();
  const ended = await Promise.all(runs.map(stage.ends));
  for (const [at, name] of names.entries()) {
    assert.deepEqual([ended[at].state, ended[at].message.trim()], ["completed", `Wrote ${name}.`]);
    assert.equal(stage.text(`${name}.txt`), `${name}\n`);
    await checkAuthors(stage, `${name}.txt`, declared(runs[at]));
  }
  for (const run of runs) await stage.staysDead(run);
});

test("one more run than the agent may have at once is refused, and its task stays", async (t) => {
  const stage = await newStage(t);
  stage.configure({ goose: stage.agents.goose({ parallel: 1 }) });
  const held = gate();
  stage.model.play([{ hold: held, say: "Done." }]);
  const run = await stage.start("goose", "The first");
  await held.reached();
  await stage.add("The second");
  const { code, stderr } = await stage.cli(["agent", "start", "--agent", "goose", "--task-id", "a2", "--background"]);
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^error: .*goose/);
  assert.equal((await stage.task("a2")).status, "pending");
  held.open();
  await stage.ends(run);
  await stage.staysDead(run);
});
