// Every way in which a run of a real agent can end or be cut short: the state says what is known and no more, nothing of it
// lives on, and nothing is written after its death (A1, A2, A4, Z1). The model is held at a gate while things happen.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { gate } from "../rig/model.mjs";
import { newStage } from "../rig/runs.mjs";

const write = ({ at }) => ({ tool: "write", args: { path: at("new.txt"), content: "new\n" } });

/** A stage on which goose, which asks nobody, has begun and waits for its model; the next it hears is to write a file. */
async function heldStage(t, { quick = false } = {}) {
  const stage = await newStage(t);
  if (quick) await stage.quickHeartbeats();
  stage.configure({ goose: stage.agents.goose({ mode: "auto" }) });
  const held = gate();
  const script = stage.model.play([{ hold: held, ...write(stage) }, { say: "Done." }]);
  const run = await stage.start("goose", "Make a file");
  await held.reached();
  const { pid, parent } = await stage.processOf(/goose acp/);
  return { stage, held, script, run, pid, keeper: parent };
}

/** The same, but what goose waits for is a command of its own that writes once a file is there. */
async function shellStage(t) {
  const stage = await newStage(t);
  stage.configure({ goose: stage.agents.goose({ mode: "auto" }) });
  const script = 'touch "$HOME/waits"; until [ -e "$HOME/go" ]; do sleep 0.02; done; echo late > late.txt';
  stage.model.play([{ tool: "shell", args: { command: script } }, { say: "Done." }]);
  const run = await stage.start("goose", "Run a command");
  await stage.hasMark("waits");
  const { pid } = await stage.processOf(/goose acp/);
  assert.ok(stage.processes().length > 1, "the command runs beside goose");
  return { stage, run, pid };
}

const groupOf = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
};

async function isNotDone(stage) {
  assert.notEqual((await stage.task("a1")).status, "completed");
}

for (const [what, step] of [
  ["fails", { fail: 400 }],
  ["breaks off its answers", { cut: true }],
]) {
  test(`a model that ${what} for good: failed, though goose calls its turn done`, async (t) => {
    const stage = await newStage(t);
    stage.configure({ goose: stage.agents.goose() });
    const before = stage.tree();
    stage.model.play([step]);
    const run = await stage.start("goose", "Make a file");
    const ended = await stage.ends(run);
    assert.equal(ended.state, "failed", JSON.stringify(ended));
    await isNotDone(stage);
    await stage.staysDead(run);
    assert.deepEqual(stage.tree(), before);
  });
}

test("a model that fails once: the agent goes on by itself", async (t) => {
  const stage = await newStage(t);
  stage.configure({ goose: stage.agents.goose() });
  stage.model.play([{ fail: 500, times: 1 }, write(stage), { say: "Done." }]);
  const run = await stage.start("goose", "Make a file");
  const ended = await stage.ends(run);
  assert.equal(ended.state, "completed");
  assert.equal(stage.text("new.txt"), "new\n");
  await stage.staysDead(run);
});

test("a model that never answers: the run is at work until its time is up, then timed out", async (t) => {
  const stage = await newStage(t);
  stage.configure({ goose: stage.agents.goose({ mode: "auto" }) });
  const held = gate();
  stage.model.play([{ hold: held, ...write(stage) }, { say: "Done." }]);
  // Its time runs from the start of its process, so it may be up before the model is even asked.
  const run = await stage.start("goose", "Make a file", "--timeout", "3s");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["timed-out", "time-up"]);
  await isNotDone(stage);
  await stage.staysDead(run, held.open);
  assert.equal(existsSync(stage.at("new.txt")), false);
});

test("stopped by a person: cancelled", async (t) => {
  const { stage, held, run } = await heldStage(t);
  assert.equal((await stage.info(run)).state, "running");
  await stage.stop(run);
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["cancelled", "stopped-by-a-person"]);
  await isNotDone(stage);
  await held.left();
  await stage.staysDead(run, held.open);
});

test("its task is cancelled: the run is ended", async (t) => {
  const { stage, held, run } = await heldStage(t);
  await stage.json(["queue", "cancel", "a1"]);
  const ended = await stage.ends(run);
  assert.equal(ended.state, "cancelled");
  assert.equal((await stage.task("a1")).status, "cancelled");
  await held.left();
  await stage.staysDead(run, held.open);
});

test("SIGSTOP: disconnected for its silence; SIGCONT: heard again, and it finishes", async (t) => {
  const { stage, held, run, pid } = await heldStage(t, { quick: true });
  process.kill(pid, "SIGSTOP");
  const silent = await stage.becomes(run, "disconnected");
  assert.deepEqual([silent.why, silent.ended], ["silent", false]);
  process.kill(pid, "SIGCONT");
  await stage.becomes(run, "running");
  assert.ok((await stage.records("--kind", "run.reconnected")).length > 0);
  held.open();
  const ended = await stage.ends(run);
  assert.equal(ended.state, "completed");
  assert.equal(stage.text("new.txt"), "new\n");
  await stage.staysDead(run);
});

test("SIGSTOP and then stopped by a person: what does not run can be ended, too", async (t) => {
  const { stage, held, run, pid } = await heldStage(t, { quick: true });
  await stage.json(["config", "set", "agents.graceSeconds", "1"]);
  process.kill(pid, "SIGSTOP");
  await stage.becomes(run, "disconnected");
  await stage.stop(run);
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["cancelled", "stopped-by-a-person"]);
  await stage.staysDead(run, held.open);
});

test("kill -9: disconnected, not failed and not done", async (t) => {
  const { stage, held, run, pid } = await heldStage(t);
  process.kill(pid, "SIGKILL");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why, ended.process], ["disconnected", "killed 9", "signal 9"]);
  await isNotDone(stage);
  await held.left();
  await stage.staysDead(run, held.open);
  assert.equal(existsSync(stage.at("new.txt")), false);
});

test("kill -9 of the agent alone while its command runs: the command is ended, too", async (t) => {
  const { stage, run, pid } = await shellStage(t);
  process.kill(pid, "SIGKILL");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["disconnected", "killed 9"]);
  await isNotDone(stage);
  await stage.staysDead(run, () => stage.openGate("go"));
  assert.equal(existsSync(stage.at("late.txt")), false);
});

test("kill -9 of the agent's process group: disconnected, and whoever left the group is ended, too", async (t) => {
  const { stage, run, pid } = await shellStage(t);
  // Else this would kill far more than the agent.
  assert.equal(groupOf(pid), pid, "the agent leads a group of its own");
  process.kill(-pid, "SIGKILL");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["disconnected", "killed 9"]);
  await stage.staysDead(run, () => stage.openGate("go"));
  assert.equal(existsSync(stage.at("late.txt")), false);
});

test("stopped while its command runs: both are ended", async (t) => {
  const { stage, run } = await shellStage(t);
  await stage.stop(run);
  assert.equal((await stage.ends(run)).state, "cancelled");
  await stage.staysDead(run, () => stage.openGate("go"));
  assert.equal(existsSync(stage.at("late.txt")), false);
});

test("kill -9 of its keeper: the agent goes with it, and nobody calls that done", async (t) => {
  const { stage, held, run, keeper } = await heldStage(t);
  assert.match(readFileSync(`/proc/${keeper}/cmdline`, "utf8"), /augment-cli/);
  process.kill(keeper, "SIGKILL");
  const ended = await stage.ends(run);
  assert.equal(ended.state, "disconnected");
  await isNotDone(stage);
  await held.left();
  await stage.staysDead(run, held.open);
});

test("kill -9 of the host: the run goes on, the next host takes it up, and it finishes", async (t) => {
  const { stage, held, run, pid } = await heldStage(t);
  await stage.crashHost();
  assert.ok(
    stage.processes().some((one) => one.pid === pid),
    "the agent outlives the host",
  );
  await stage.newHost();
  const adopted = await stage.becomes(run, "running");
  assert.equal(adopted.process, "alive");
  assert.ok(
    stage.processes().some((one) => one.pid === pid),
    "it is the same process",
  );
  held.open();
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["completed", "turn-done"]);
  assert.equal(stage.text("new.txt"), "new\n");
  const [author] = await stage.lastAuthors("new.txt");
  assert.match(author, new RegExp(`^run:${run} `));
  assert.equal((await stage.task("a1")).status, "completed");
  assert.equal((await stage.runs("a1")).length, 1, "nothing was started twice");
  await stage.verify();
  await stage.staysDead(run);
});

test("kill -9 of the host, and the agent works on meanwhile: the next host hears all of it", async (t) => {
  const { stage, held, script, run } = await heldStage(t);
  await stage.crashHost();
  held.open();
  await eventually("the agent has written", () => stage.text("new.txt") === "new\n");
  await script.reached(2);
  await stage.newHost();
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.why], ["completed", "turn-done"]);
  assert.match(ended.message, /Done\./);
  await stage.verify();
  await stage.staysDead(run);
});

test("kill -9 of the host while a question waits: it waits on, and its answer arrives", async (t) => {
  const stage = await newStage(t);
  stage.configure({ goose: stage.agents.goose() });
  stage.model.play([write(stage), { say: "Done." }]);
  const run = await stage.start("goose", "Make a file");
  const asked = await stage.asks(run);
  await stage.crashHost();
  await stage.newHost();
  await stage.becomes(run, "waiting");
  const again = await stage.asks(run);
  assert.equal(again.id, asked.id);
  assert.equal(existsSync(stage.at("new.txt")), false);
  await stage.decide(again, "allow");
  const ended = await stage.ends(run);
  assert.equal(ended.state, "completed");
  assert.equal(stage.text("new.txt"), "new\n");
  await stage.staysDead(run);
});

test("the agent dies while there is no host: the next one knows", async (t) => {
  const { stage, held, run, pid } = await heldStage(t);
  await stage.crashHost();
  process.kill(pid, "SIGKILL");
  await held.left();
  await stage.newHost();
  const ended = await stage.ends(run);
  assert.equal(ended.state, "disconnected");
  await isNotDone(stage);
  await stage.staysDead(run, held.open);
});

test("a host that is asked to leave while a run is under way does not lose it", async (t) => {
  const { stage, held, run, pid } = await heldStage(t);
  stage.host.kill("SIGTERM");
  await stage.host.exit;
  await stage.newHost();
  assert.equal((await stage.becomes(run, "running")).process, "alive");
  assert.ok(
    stage.processes().some((one) => one.pid === pid),
    "it is the same process",
  );
  held.open();
  assert.equal((await stage.ends(run)).state, "completed");
  await stage.staysDead(run);
});
