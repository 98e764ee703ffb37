// Drives JSON file queues in a process of their own, so that collecting their garbage is charged to nobody else. Started with
// `fork`; each message `{ queue, operation, count }` is answered with the wait of each operation and the processor time of one.

import { performance } from "node:perf_hooks";
import { exampleTask } from "../lib/queue.mjs";
import { JsonFileQueue } from "./json-file-queue.mjs";

const queues = new Map();
const claimed = new Map();

const operations = {
  add: (queue, turn) => queue.add(exampleTask(turn)),
  next: (queue, _turn, taken) => taken.push(queue.next().id),
  complete: (queue, _turn, taken) => queue.complete(taken.pop()),
};

process.on("message", ({ queue: { path, ...options }, operation, count }) => {
  if (!queues.has(path)) {
    queues.set(path, new JsonFileQueue(path, options));
    claimed.set(path, []);
  }
  const waits = [];
  const before = process.cpuUsage();
  for (let turn = 0; turn < count; turn += 1) {
    const startedAt = performance.now();
    operations[operation](queues.get(path), turn, claimed.get(path));
    waits.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  process.send({ waits, cpu: (user + system) / 1_000 / count });
});
