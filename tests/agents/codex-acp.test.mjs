// Codex over ACP, through its adapter: two programs, one the other's parent. It asks before it patches, and none of the two
// outlives its run (A1, A3, A4).

import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "../rig/model.mjs";
import { codexReports, newStage } from "../rig/runs.mjs";

const patch = {
  tool: "apply_patch",
  input: [
    "*** Begin Patch",
    "*** Update File: hello.txt",
    "@@",
    "-hello",
    "+hello from codex",
    "*** Add File: new.txt",
    "+new",
    "*** End Patch",
    "",
  ].join("\n"),
};

async function codexStage(t) {
  const stage = await newStage(t);
  stage.configure({ codex: stage.agents.codex() });
  return stage;
}

test("codex asks, patches and creates files, and both are known to be its own", async (t) => {
  const stage = await codexStage(t);
  const script = stage.model.play([patch, { say: "All done." }]);
  const run = await stage.start("codex", "Greet from codex");
  const asked = await stage.asks(run);
  assert.match(`${asked.question}\n${asked.detail}`, /new\.txt/);
  assert.equal(stage.text("hello.txt"), "hello\n");
  await stage.decide(asked, "allow");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why, ended.stopped], ["completed", "turn-done", "done"]);
  assert.deepEqual([stage.text("hello.txt"), stage.text("new.txt")], ["hello from codex\n", "new\n"]);
  for (const path of ["hello.txt", "new.txt"]) {
    const authors = await stage.lastAuthors(path);
    assert.equal(authors.length, 1, `${path}: ${authors}`);
    assert.match(authors[0], new RegExp(`^run:${run} declared-(path|content)$`), path);
  }
  assert.match(script.prompt(), /# Task a1: Greet from codex/);
  assert.equal((await stage.task("a1")).status, "completed");
  await stage.staysDead(run);
});

test("a refused patch leaves the disk as it was", async (t) => {
  const stage = await codexStage(t);
  // After a no Codex ends its turn by itself and asks its model nothing more.
  stage.model.play([patch]);
  const before = stage.tree();
  const run = await stage.start("codex", "Greet from codex");
  await stage.decide(await stage.asks(run), "refuse");
  const ended = await stage.ends(run);
  assert.notEqual(ended.state, "completed");
  assert.deepEqual(stage.tree(), before);
  assert.deepEqual(await stage.pending(), []);
  await stage.staysDead(run);
});

test("it runs a command and reports with our tool, each with leave", async (t) => {
  const stage = await codexStage(t);
  const command = {
    cmd: "echo made by a shell > shell.txt",
    sandbox_permissions: "require_escalated",
    justification: "To make a file",
  };
  stage.model.play([
    { tool: "exec_command", args: command },
    codexReports("completed", "Made shell.txt."),
    { say: "Reported." },
  ]);
  const run = await stage.start("codex", "Use a shell");
  const asked = await stage.asks(run);
  assert.match(`${asked.question}\n${asked.detail}`, /shell\.txt/, "the person sees the command");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why, ended.reported], ["completed", "reported", "completed"]);
  assert.equal((await stage.details(run)).report.summary, "Made shell.txt.");
  assert.equal(stage.text("shell.txt"), "made by a shell\n");
  const [author] = await stage.lastAuthors("shell.txt");
  assert.match(author, new RegExp(`^run:${run} `));
  await stage.staysDead(run);
});

test("a model that fails for good: failed, though codex calls its turn done", async (t) => {
  const stage = await codexStage(t);
  stage.model.play([{ fail: 400 }]);
  const run = await stage.start("codex", "Greet");
  const ended = await stage.ends(run);
  assert.equal(ended.state, "failed");
  assert.notEqual((await stage.task("a1")).status, "completed");
  await stage.staysDead(run);
});

test("a stream that is cut for good: failed, too", async (t) => {
  const stage = await codexStage(t);
  stage.model.play([{ cut: true }]);
  const run = await stage.start("codex", "Greet");
  assert.equal((await stage.ends(run)).state, "failed");
  await stage.staysDead(run);
});

for (const [which, pattern] of [
  ["its adapter", /codex-acp\/dist/],
  ["the program behind it", /vendor\/.*codex app-server/],
]) {
  test(`kill -9 of ${which} alone: the rest is ended, too, and writes no more`, async (t) => {
    const stage = await codexStage(t);
    const held = gate();
    stage.model.play([{ hold: held, ...patch }, { say: "Done." }]);
    const run = await stage.start("codex", "Greet");
    await held.reached();
    const { pid } = await stage.processOf(pattern);
    process.kill(pid, "SIGKILL");
    const ended = await stage.ends(run);
    assert.ok(["disconnected", "failed"].includes(ended.state), ended.state);
    assert.notEqual((await stage.task("a1")).status, "completed");
    await held.left();
    await stage.staysDead(run, held.open);
    assert.equal(stage.text("hello.txt"), "hello\n");
  });
}

test("stopped while it waits for a person: cancelled, and its question is withdrawn", async (t) => {
  const stage = await codexStage(t);
  stage.model.play([patch]);
  const run = await stage.start("codex", "Greet");
  const asked = await stage.asks(run);
  await stage.stop(run);
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["cancelled", "stopped-by-a-person"]);
  assert.equal((await stage.answerTo(asked.id)).by, "withdrawn");
  assert.equal(stage.text("hello.txt"), "hello\n");
  await stage.staysDead(run);
});
