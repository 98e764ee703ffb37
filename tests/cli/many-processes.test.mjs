// Many processes at once on one queue: nothing is handed out twice and nothing is lost (Q3, Q5).

import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { dial } from "../rig/frames.mjs";
import { newWorkspace, program } from "../rig/workspace.mjs";

/** One terminal: a tight loop of commands, each a process of its own. */
const terminal = `
const { spawnSync } = require("node:child_process");
const { parentPort, workerData: { program, args, times, cwd, env } } = require("node:worker_threads");
const answers = [];
for (let time = 0; time < times; time += 1) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  answers.push({ status, stdout, stderr });
}
parentPort.postMessage(answers);
`;

/** The answers of all commands of all terminals. */
async function terminals(t, workspace, count, times, argsOf) {
  const from = performance.now();
  const { folder: cwd } = workspace;
  // What a worker gets has to be plain, and what is not set is not there.
  const env = JSON.parse(JSON.stringify(workspace.env));
  const answers = await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const worker = new Worker(terminal, { eval: true, workerData: { program, args: argsOf(at), times, cwd, env } });
      return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  t.diagnostic(`${count} × ${times} processes in ${seconds.toFixed(1)} s`);
  return answers.flat();
}

/** Fills the queue over one connection. */
async function fill(workspace, count) {
  const client = await dial(workspace);
  await Promise.all(
    Array.from({ length: count }, (_, at) => client.request("augment/queue/add", { title: `task ${at + 1}` })),
  );
  client.destroy();
}

async function handedOutOnce(workspace, answers, tasks) {
  const taken = [];
  let nothing = 0;
  for (const { status, stdout, stderr } of answers) {
    assert.equal(stderr, "");
    const answer = JSON.parse(stdout);
    assert.equal(status, answer.taken ? 0 : 1);
    if (answer.taken) taken.push(answer.taken);
    else nothing += 1;
  }
  assert.equal(taken.length, tasks);
  assert.equal(nothing, answers.length - tasks);
  assert.equal(new Set(taken.map(({ task }) => task.id)).size, tasks, "each task once");
  assert.equal(new Set(taken.map(({ token }) => token)).size, tasks, "each with a token of its own");
  for (const { task } of taken) assert.equal(task.attempt, 1);
  const { counts } = await workspace.json(["status"]);
  assert.deepEqual([counts.pending, counts.inProgress], [0, tasks]);
  const claims = await workspace.records("--kind", "task.claimed");
  assert.deepEqual(
    claims.map(({ subject, data }) => `${subject} ${data.agent}`).sort(),
    taken.map(({ task }) => `task:${task.id} ${task.holder}`).sort(),
    "the ledger says the same",
  );
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
}

const next = (at) => ["queue", "next", "--agent", `agent-${at}`, "--lease", "1h", "--json"];

test("8 processes × 500 next on 2,000 tasks with a host: each is handed out exactly once", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  await fill(workspace, 2_000);
  await handedOutOnce(workspace, await terminals(t, workspace, 8, 500, next), 2_000);
});

test("8 processes × 60 next on 300 tasks without a host: each is handed out exactly once", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  await fill(workspace, 300);
  host.kill("SIGTERM");
  await host.exit;
  await handedOutOnce(workspace, await terminals(t, workspace, 8, 60, next), 300);
  assert.deepEqual(workspace.processes(), []);
});

async function noneLost(workspace, answers, count) {
  for (const { status, stderr } of answers) assert.deepEqual([status, stderr], [0, ""]);
  const ids = answers.map(({ stdout }) => JSON.parse(stdout).id);
  assert.equal(new Set(ids).size, count, "ids are unique");
  const tasks = await workspace.tasks();
  assert.deepEqual(tasks.map(({ id }) => id).sort(), ids.toSorted(), "none is lost");
  for (let at = 0; at < 8; at += 1) {
    assert.equal(tasks.filter(({ title }) => title === `from ${at}`).length, count / 8);
  }
  assert.equal((await workspace.records("--kind", "task.added")).length, count);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
}

const add = (at) => ["queue", "add", "--title", `from ${at}`, "--json"];

test("8 processes × 200 add with a host: 1,600 tasks, none lost", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  await noneLost(workspace, await terminals(t, workspace, 8, 200, add), 1_600);
});

test("8 processes × 40 add without a host: 320 tasks, none lost", async (t) => {
  const workspace = newWorkspace(t);
  await noneLost(workspace, await terminals(t, workspace, 8, 40, add), 320);
  assert.deepEqual(workspace.processes(), []);
});

test("many processes that all need a host at once start one", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const watchers = Array.from({ length: 8 }, () => workspace.start(["queue", "list", "--watch", "--json"]));
  await Promise.all(watchers.map((watcher) => watcher.line("the list is shown")));
  const hosts = workspace.processes().filter(({ command }) => command.includes(" host run"));
  assert.equal(hosts.length, 1);
  const { host } = await workspace.json(["status"]);
  assert.deepEqual([host.pid, host.lasting], [hosts[0].pid, true]);
  assert.equal((await workspace.records("--kind", "host.started")).length, 1);
});
