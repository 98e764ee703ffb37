// Goose as a plain command: all that is known of it is what it prints, what it writes and how it ends (A3, A5, C1). It ends
// with code 0 also when its model failed, so an exit alone is no completion.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "../rig/model.mjs";
import { newStage, reportXml } from "../rig/runs.mjs";

async function headlessStage(t, more) {
  const stage = await newStage(t);
  stage.configure({ "goose-headless": stage.agents.gooseHeadless(more) });
  return stage;
}

const work = ({ at }) => [
  { tool: "edit", args: { path: at("hello.txt"), before: "hello", after: "hello from goose" } },
  { tool: "shell", args: { command: "echo made by a shell > shell.txt" } },
];

test("it works, prints its report, and is completed by that", async (t) => {
  const stage = await headlessStage(t);
  const script = stage.model.play([...work(stage), { say: `Done.\n\n${reportXml("completed", "Greeted.")}` }]);
  const run = await stage.start("goose-headless", "Greet from goose");
  const ended = await stage.ends(run);
  assert.deepEqual(
    [ended.state, ended.why, ended.process, ended.reported, ended.adapter],
    ["completed", "reported", "code 0", "completed", "command"],
  );
  assert.equal((await stage.details(run)).report.summary, "Greeted.");
  assert.equal((await stage.task("a1")).status, "completed");
  assert.deepEqual([stage.text("hello.txt"), stage.text("shell.txt")], ["hello from goose\n", "made by a shell\n"]);
  for (const path of ["hello.txt", "shell.txt"]) {
    assert.deepEqual(await stage.lastAuthors(path), [`run:${run} inferred`], path);
  }
  assert.match(script.prompt(), /# Task a1: Greet from goose/);
  assert.match(await stage.logs(run), /Done\./, "what it printed is kept");
  await stage.staysDead(run);
});

for (const status of ["partial", "blocked"]) {
  test(`a report of ${status} work in its output counts as that`, async (t) => {
    const stage = await headlessStage(t);
    stage.model.play([{ say: reportXml(status, "A key is missing.") }]);
    const run = await stage.start("goose-headless", "Greet");
    const ended = await stage.ends(run);
    assert.deepEqual([ended.state, ended.reported, ended.process], [status, status, "code 0"]);
    assert.equal((await stage.task("a1")).status, status);
    await stage.staysDead(run);
  });
}

test("it ends well without a report: nobody knows whether it is done", async (t) => {
  const stage = await headlessStage(t);
  stage.model.play([...work(stage), { say: "I am done, everything works." }]);
  const run = await stage.start("goose-headless", "Greet from goose");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["disconnected", "exited-without-report"]);
  assert.notEqual((await stage.task("a1")).status, "completed");
  await stage.staysDead(run);
});

test("where an exit is enough, it is", async (t) => {
  const stage = await headlessStage(t, { doneBy: "exit" });
  stage.model.play([...work(stage), { say: "Done." }]);
  const run = await stage.start("goose-headless", "Greet from goose");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["completed", "exited-well"]);
  await stage.staysDead(run);
});

test("its model fails, and it still ends with 0: not completed", async (t) => {
  const stage = await headlessStage(t);
  stage.model.play([{ fail: 400 }]);
  const run = await stage.start("goose-headless", "Greet");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.process], ["disconnected", "code 0"]);
  assert.notEqual((await stage.task("a1")).status, "completed");
  assert.match(await stage.logs(run), /The model failed, as the script says/);
  await stage.staysDead(run);
});

test("stopped by a person while its model thinks: cancelled, and it writes no more", async (t) => {
  const stage = await headlessStage(t);
  const held = gate();
  stage.model.play([{ hold: held, ...work(stage)[0] }, { say: "Done." }]);
  const run = await stage.start("goose-headless", "Greet");
  await held.reached();
  await stage.stop(run);
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["cancelled", "stopped-by-a-person"]);
  await held.left();
  await stage.staysDead(run, held.open);
  assert.equal(stage.text("hello.txt"), "hello\n");
});
