// Whether the queue stays as quick at a hundred thousand tasks as it is at a hundred: add, claim, complete and the first
// page of the list, through a host and by single commands without one. Both sizes take turns, in blocks of one operation;
// what a round has added is removed after it, so the sizes stay.

import { statSync } from "node:fs";
import { mean, median, memoryMb, now, watchCpu } from "./lib/measure.mjs";
import { cli, folder, quick } from "./lib/places.mjs";
import { callHost, repeat, runCli, startHost, stop } from "./lib/programs.mjs";
import { exampleTask, fill } from "./lib/queue.mjs";
import { atMost, compare, finish, ms, number, report } from "./lib/table.mjs";

const sizes = { small: 100, large: quick ? 10_000 : 100_000 };
const rounds = quick ? 6 : 40;
const block = 20;
const commandRounds = quick ? 2 : 8;
const commandBlock = 10;
const goal = atMost(1.3, "×");
const names = {
  add: "add",
  next: "claim the next",
  claim: "claim by id",
  complete: "complete",
  list: "list, first page",
};

const sides = [];
for (const [name, size] of Object.entries(sizes)) {
  const workspace = folder(name);
  const host = await startHost(workspace);
  const client = await callHost(workspace);
  const [startedAt, cpu] = [now(), watchCpu(host.pid)];
  await fill(client.connection, size);
  sides.push({ name, size, workspace, host, client, cpuPerFill: cpu() / size, msPerFill: (now() - startedAt) / size });
}
const [small, large] = sides;
const at = (side) => side.size.toLocaleString("en");

report(
  `fill to ${at(large)} through a host, pipelined`,
  `${Math.round(1_000 / large.msPerFill).toLocaleString("en")} a second, ${ms(large.cpuPerFill)} CPU each`,
);
await throughHosts();
for (const side of sides)
  report(`memory of a host with ${at(side)} tasks after all that`, `${number(memoryMb(side.host.pid).rss)} MB RSS`);
for (const { client, host } of sides) {
  client.close();
  await stop(host);
}
byCommands();
for (const side of sides) {
  const size = statSync(`${runCli(side.workspace, "where").database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  report(`SQLite's log after the commands at ${at(side)}, which each command reads`, `${number(size / 2 ** 20)} MB`);
}
finish();

async function throughHosts() {
  for (const side of sides)
    side.figures = Object.fromEntries(Object.keys(names).map((name) => [name, { waits: [], cpu: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? sides : sides.toReversed();
    const tasks = Array.from({ length: block }, (_, at) => exampleTask(round * block + at));
    const addedBy = new Map();
    for (const side of order) addedBy.set(side, await each(side, "add", tasks));
    // Half the tasks that were just added are claimed by id, and as many come first in the queue.
    const half = (side) => addedBy.get(side).slice(block / 2);
    const taken = new Map();
    for (const side of order)
      taken.set(
        side,
        await each(
          side,
          "claim",
          half(side).map((task) => ({ task: task.id, agent: "bench", leaseMs: 3_600_000 })),
        ),
      );
    for (const side of order)
      taken.get(side).push(
        ...(await each(
          side,
          "next",
          half(side).map(() => ({ agent: "bench", leaseMs: 3_600_000 })),
        )),
      );
    const ids = (side) => taken.get(side).map((answer) => (answer.taken ?? answer).task);
    for (const side of order)
      await each(
        side,
        "complete",
        ids(side).map(({ id, attempt }) => ({ task: id, attempt, result: "Done." })),
      );
    for (const side of order)
      await each(
        side,
        "list",
        Array.from({ length: block / 2 }, () => ({})),
      );
    for (const side of order)
      await side.client.connection.requestAll(
        "augment/queue/remove",
        ids(side).map(({ id }) => ({ task: id })),
      );
  }
  for (const [name, words] of Object.entries(names)) {
    const wait = (side) => median(side.figures[name].waits);
    const cpu = (side) => mean(side.figures[name].cpu);
    row(`${words} through a host, median wait`, wait);
    row(`${words} through a host, CPU of the host`, cpu);
  }
}

function row(what, figure) {
  compare(
    what,
    `${ms(figure(large))} at ${at(large)}`,
    `${ms(figure(small))} at ${at(small)}`,
    figure(large) / figure(small),
    goal,
  );
}

/** Asks one after the other, and keeps how long each took and what a request of the block cost the host. */
async function each(side, name, list) {
  const { waits, cpu } = side.figures[name];
  const answers = [];
  const spent = watchCpu(side.host.pid);
  for (const params of list) {
    const askedAt = now();
    answers.push(await side.client.connection.request(`augment/queue/${name}`, params));
    waits.push(now() - askedAt);
  }
  cpu.push(spent() / list.length);
  return answers;
}

function byCommands() {
  for (const side of sides) side.commands = { add: [], next: [], list: [] };
  for (let round = 0; round < commandRounds; round += 1) {
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const side of order)
      side.commands.add.push(repeatedly(side, ["add", "--title", "Look into the handling of time-outs"]));
    for (const side of order) side.commands.next.push(repeatedly(side, ["next", "--agent", "bench", "--lease", "1h"]));
    for (const side of order) side.commands.list.push(repeatedly(side, ["list"]));
    for (const side of order) {
      for (const { id } of runCli(side.workspace, "queue", "list", "--status", "in-progress").tasks)
        runCli(side.workspace, "queue", "complete", id, "--attempt", "1");
    }
  }
  for (const name of ["add", "next", "list"]) {
    const words = `${names[name]} by a command without a host`;
    row(`${words}, median wall`, (side) => median(side.commands[name].map(({ wall }) => wall)));
    row(`${words}, CPU`, (side) => mean(side.commands[name].map(({ cpu }) => cpu)));
  }
}

function repeatedly(side, args) {
  return repeat(commandBlock, cli, ["-C", side.workspace, "--json", "queue", ...args]);
}
