// A fixed piece of work on a host, sent over its socket, and the states it leads through. Whatever happens to the host on
// the way, what it leaves has to be one of these states: at least as far as it had acknowledged, at most as far as it was
// asked, and the same in queue, ledger and settings.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dial } from "./frames.mjs";

const queue = (method, params) => [`augment/queue/${method}`, params];

/** Many kinds of commands early, then a burst that shares turns. */
export const steps = [
  queue("add", { title: "walls", priority: "high", labels: ["house"] }),
  queue("next", { agent: "goose", leaseMs: 3_600_000 }),
  queue("heartbeat", { task: "a3", attempt: 1 }),
  queue("edit", { task: "a2", title: "roof, better", dependsOn: ["a3"] }),
  ["augment/config/set", { key: "queue.maxAttempts", value: "7" }],
  queue("complete", { task: "a3", attempt: 1, result: "Done.\nIn two lines." }),
  queue("claim", { task: "a1", agent: "codex", leaseMs: 3_600_000 }),
  queue("add", { title: "" }),
  queue("fail", { task: "a1", attempt: 1, reason: "no bricks" }),
  queue("retry", { task: "a1" }),
  queue("move", { task: "a2", place: "top" }),
  queue("cancel", { task: "a2", reason: "no" }),
  queue("add", { title: "much to say", description: "Bricks and mortar.\n".repeat(1_500) }),
  queue("remove", { task: "a4" }),
  ["augment/config/set", { key: "queue.maxAttempts", value: null }],
  ...Array.from({ length: 24 }, (_, at) => queue("add", { title: `burst ${at}`, dependsOn: ["a1"] })),
];

const burstFrom = steps.findIndex(([, { title }]) => title?.startsWith("burst"));

/** The home in which every run begins: two tasks, made by single commands. */
export async function template(workspace) {
  await workspace.add("one");
  await workspace.add("roof");
  return workspace.home;
}

/** A workspace on the same folder with a home of its own: a copy of the template, or an empty one. */
export function fork(workspace, name, { empty = false } = {}) {
  const home = join(workspace.scratch, name);
  if (empty) mkdirSync(home, { mode: 0o700 });
  else cpSync(workspace.home, home, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  workspace.homes.push(home);
  const move = (path) => (path.startsWith(`${workspace.home}/`) ? home + path.slice(workspace.home.length) : path);
  const places = async () =>
    Object.fromEntries(Object.entries(await workspace.places()).map(([key, path]) => [key, move(path)]));
  const here = (how = {}) => ({ ...how, env: { ...how.env, AUGMENT_HOME: home } });
  return {
    ...workspace,
    home,
    cli: (args, how) => workspace.cli(args, here(how)),
    start: (args, how) => workspace.start(args, here(how)),
    places,
    token: async () => readFileSync((await places()).token, "utf8").trim(),
    /** Removes the home, in which nothing runs any more. */
    drop() {
      workspace.homes.splice(workspace.homes.indexOf(home), 1);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** What can be compared between runs: everything but times. */
function timeless({ createdAt, startedAt, endedAt, lease, ...task }) {
  return { ...task, started: startedAt !== null, ended: endedAt !== null, held: lease?.lengthMs };
}

/** Queue, ledger and settings as they are now. */
export async function state(client) {
  const statuses = ["pending", "in-progress", "completed", "failed", "partial", "blocked", "cancelled"];
  const [{ tasks, counts }, { records }, { settings }] = await Promise.all([
    client.request("augment/queue/list", { statuses, limit: 1_000 }),
    client.request("augment/audit/list", { limit: 1_000 }),
    client.request("augment/config/list", {}),
  ]);
  checkQueue(tasks, counts);
  return {
    tasks: tasks.map(timeless),
    // A host that starts says so; that is its own doing and not the work's.
    records: records
      .reverse()
      .filter(({ kind }) => kind !== "host.started")
      .map(({ kind, subject, data }) => ({ kind, subject, data })),
    settings: settings.map(({ key, value, source }) => `${key} = ${value} (${source})`),
  };
}

/** What has to hold of a queue in every state. */
function checkQueue(tasks, counts) {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  assert.equal(byId.size, tasks.length, "ids are unique");
  const names = { pending: 0, inProgress: 0, completed: 0, failed: 0, partial: 0, blocked: 0, cancelled: 0 };
  for (const task of tasks) {
    names[task.status === "in-progress" ? "inProgress" : task.status] += 1;
    assert.equal(
      task.lease !== null,
      task.status === "in-progress",
      `${task.id} has a lease if and only if it is held`,
    );
    assert.ok(task.attemptsUsed <= task.maxAttempts && task.attemptsUsed <= task.attempt, `${task.id}: attempts`);
    const open = task.dependsOn.filter((id) => byId.get(id)?.status !== "completed");
    assert.equal(task.waitsFor, open.length, `${task.id} waits for what is not completed`);
  }
  assert.deepEqual(counts, names, "the counts are those of the tasks");
}

/**
 * Does the work until it is done or the host is gone.
 * @param {(client: import("./frames.mjs").Client) => Promise<void>} [afterEach] once a step is acknowledged
 * @returns {Promise<{ sent: number, acknowledged: number, answers: unknown[] }>}
 */
export async function work(client, afterEach = async () => {}) {
  const done = { sent: 0, acknowledged: 0, answers: [] };
  const send = async ([method, params]) => {
    done.sent += 1;
    // A refusal is an answer like any other: it is recorded, and its record has to last.
    const answer = await client.request(method, params).catch((error) => {
      if (error.code === undefined) throw error;
      return error;
    });
    done.acknowledged += 1;
    done.answers.push(answer);
  };
  try {
    for (const step of steps.slice(0, burstFrom)) {
      await send(step);
      await afterEach(client);
    }
    await Promise.all(steps.slice(burstFrom).map(send));
    done.finished = true;
  } catch (error) {
    if (!client.ended) throw error;
  }
  return done;
}

/** The states after 0, 1, 2 … steps, from a run in which nothing goes wrong. */
export async function goldenStates(workspace) {
  const host = workspace.start(["host", "run"]);
  await host.line("the host is ready");
  const client = await dial(workspace);
  const states = [await state(client)];
  for (const [method, params] of steps) {
    await client.request(method, params).catch((error) => assert.equal(error.code, -32001, error.message));
    states.push(await state(client));
  }
  host.kill();
  await host.exit;
  return states;
}

/**
 * Asks a host under strace to leave. A signal to strace itself would only end the tracing. One that was to be killed may have
 * come to its place already.
 */
export async function leave(home, host) {
  try {
    process.kill(Number(readFileSync((await home.places()).lock, "utf8")), "SIGTERM");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
  await host.exit;
}

/** Checks that what a host left is one of the states that it may have been in, and that work goes on; gives which. */
export async function checkLeft(workspace, states, { sent, acknowledged }) {
  const host = workspace.start(["host", "run"]);
  await host.line("the host comes back");
  const client = await dial(workspace);
  const left = await state(client);
  const possible = states.slice(acknowledged, sent + 1);
  const found = possible.findIndex(({ records }) => records.length === left.records.length);
  // A renewed lease leaves no record, so the next state may look the same.
  assert.notEqual(
    found,
    -1,
    `${left.records.length} records are none of ${possible.map(({ records }) => records.length)}`,
  );
  assert.deepEqual(left, possible[found]);
  const { holds, broken } = await client.request("augment/audit/verify", {});
  assert.ok(holds, JSON.stringify(broken));
  const added = await client.request("augment/queue/add", { title: "afterwards" });
  assert.equal(added.title, "afterwards");
  client.destroy();
  host.kill();
  await host.exit;
  return acknowledged + found;
}
