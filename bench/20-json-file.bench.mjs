// Against the queue of the seed: an array in a JSON file, rewritten whole for every change (see peers/). It does not flush
// what it writes and ours does, for every answer; nothing evens that out. Both hold the same tasks.

import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mean, median, now, watchCpu } from "./lib/measure.mjs";
import { cli, folder, quick } from "./lib/places.mjs";
import { callHost, repeat, startHost, stop } from "./lib/programs.mjs";
import { exampleTask, fill } from "./lib/queue.mjs";
import { atLeast, compare, finish, ms } from "./lib/table.mjs";

const size = 10_000;
const rounds = quick ? 2 : 12;
const block = 8;
const together = 256;
const peerProgram = join(import.meta.dirname, "peers", "json-file-queue.mjs");
const goal = atLeast(100);

const workspace = folder("ours");
const host = await startHost(workspace);
const { connection, close } = await callHost(workspace);
await fill(connection, size);

const peerFolder = folder("peer");
const file = (name) => join(peerFolder, `${name}.json`);
const items = Array.from({ length: size }, (_, at) => ({
  ...exampleTask(at),
  id: `${Math.random().toString(36).slice(2, 15)}${Math.random().toString(36).slice(2, 15)}`,
  status: "pending",
  createdAt: Date.now() - size + at,
}));
const peer = (name, options) => {
  writeFileSync(file(name), JSON.stringify(items));
  return { path: file(name), ...options };
};
const peers = {
  reloads: peer("reloads"),
  keeps: peer("keeps", { keeps: true }),
  durable: peer("durable", { durable: true }),
};
peer("commands");
const driver = fork(join(import.meta.dirname, "peers", "json-file-driver.mjs"));

const ask = (name, params) => connection.request(`augment/queue/${name}`, params);
const claim = { agent: "bench", leaseMs: 3_600_000 };
const figures = new Map();

function keep(name, { waits, cpu }) {
  const kept = figures.get(name) ?? { waits: [], cpu: [] };
  kept.waits.push(...waits);
  kept.cpu.push(cpu);
  figures.set(name, kept);
}

/** Runs a block of one operation of ours; its processor time is the caller's and the host's. */
async function measureOurs(name, operation) {
  const waits = [];
  const hosts = watchCpu(host.pid);
  const own = process.cpuUsage();
  for (let turn = 0; turn < block; turn += 1) {
    const startedAt = now();
    await operation(turn);
    waits.push(now() - startedAt);
  }
  const { user, system } = process.cpuUsage(own);
  keep(`ours ${name}`, { waits, cpu: ((user + system) / 1_000 + hosts()) / block });
}

/** The same block for each kind of the peer. */
async function measurePeers(operation) {
  for (const [name, queue] of Object.entries(peers)) {
    driver.send({ queue, operation, count: block });
    const [answer] = await once(driver, "message");
    keep(`${name} ${operation}`, answer);
  }
}

const pipelined = { add: [], next: [] };
for (let round = 0; round < rounds; round += 1) {
  const taken = [];
  await measureOurs("add", (turn) => ask("add", exampleTask(turn)));
  await measurePeers("add");
  await measureOurs("next", async () => taken.push((await ask("next", claim)).taken.task));
  await measurePeers("next");
  await measureOurs("complete", (turn) => ask("complete", { task: taken[turn].id, attempt: taken[turn].attempt }));
  await measurePeers("complete");
  for (const [name, list] of [
    ["add", Array.from({ length: together }, (_, at) => exampleTask(at))],
    ["next", Array.from({ length: together }, () => claim)],
  ]) {
    const startedAt = now();
    const answers = await connection.requestAll(`augment/queue/${name}`, list);
    pipelined[name].push((now() - startedAt) / together);
    if (name === "next") {
      const ids = answers.map(({ taken: { task } }) => ({ task: task.id, attempt: task.attempt }));
      await connection.requestAll("augment/queue/complete", ids);
    }
  }
}
driver.disconnect();

const words = { add: "add", next: "claim", complete: "complete" };
const wait = (name) => median(figures.get(name).waits);
const cpu = (name) => mean(figures.get(name).cpu);
const against = (what, ours, theirs, wanted) => compare(what, ms(ours), ms(theirs), theirs / ours, wanted);
for (const [name, word] of Object.entries(words)) {
  against(
    `${word} at 10,000 against the JSON file, one at a time, median wait`,
    wait(`ours ${name}`),
    wait(`reloads ${name}`),
    goal,
  );
  against(
    `${word} at 10,000 against the JSON file, CPU of caller and host`,
    cpu(`ours ${name}`),
    cpu(`reloads ${name}`),
    goal,
  );
}
for (const name of ["add", "next"])
  against(
    `${words[name]} at 10,000 against the JSON file, ${together} waiting, time for each`,
    median(pipelined[name]),
    wait(`reloads ${name}`),
    goal,
  );
for (const name of ["add", "next"]) {
  against(
    `${words[name]} at 10,000 against one process that keeps the array in memory`,
    wait(`ours ${name}`),
    wait(`keeps ${name}`),
  );
  against(
    `${words[name]} at 10,000 against a JSON file that is flushed, too`,
    wait(`ours ${name}`),
    wait(`durable ${name}`),
  );
}

byCommands();
close();
await stop(host);
finish();

/** As people meet it: one command a change, ours with the host that runs. */
function byCommands() {
  const list = ["add", "next"].flatMap((word) => [
    {
      name: `ours ${word}`,
      program: cli,
      args: ["-C", workspace, "--json", "queue", word, ...(word === "add" ? ["A task"] : ["--agent", "bench"])],
    },
    {
      name: `peer ${word}`,
      program: process.execPath,
      args: [peerProgram, file("commands"), word, ...(word === "add" ? ["A task"] : [])],
    },
  ]);
  const walls = Object.fromEntries(list.map(({ name }) => [name, []]));
  for (let round = 0; round < (quick ? 1 : 5); round += 1)
    for (const { name, program, args } of list) walls[name].push(repeat(4, program, args).wall);
  for (const word of ["add", "next"]) {
    const [ours, theirs] = [median(walls[`ours ${word}`]), median(walls[`peer ${word}`])];
    against(`${words[word]} at 10,000 by one command each (Node's start is in the peer's), median wall`, ours, theirs);
  }
}
