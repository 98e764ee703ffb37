// What a host does while nobody asks for anything: its processor time over a minute with one client connected, and how often it
// wakes up.

import { setTimeout as pause } from "node:timers/promises";
import { memoryMb, now, switches, tickedCpuMs, watchCpu } from "./lib/measure.mjs";
import { folder, quick } from "./lib/places.mjs";
import { callHost, startHost, stop } from "./lib/programs.mjs";
import { fill } from "./lib/queue.mjs";
import { finish, ms, number, report, under } from "./lib/table.mjs";

const seconds = quick ? 10 : 60;

const workspace = folder("idle");
const host = await startHost(workspace);
const client = await callHost(workspace);
await fill(client.connection, 100);
// A task that is being worked on, so that a lease is running.
await client.connection.request("augment/queue/next", { agent: "bench", leaseMs: 3_600_000 });
await client.connection.request("augment/status", {});
await pause(1_000);

const before = { at: now(), ticks: tickedCpuMs(host.pid), switches: switches(host.pid), spent: watchCpu(host.pid) };
await pause(seconds * 1_000);
const wall = now() - before.at;
const ticks = tickedCpuMs(host.pid) - before.ticks;
const cpu = Math.max(before.spent(), ticks);
// Threads that have ended took their count with them.
const woken = Math.max(0, switches(host.pid) - before.switches);
const share = (100 * cpu) / wall;
report(
  `idle CPU of the host over ${seconds} s with one client and a running lease`,
  `${share.toFixed(4)} % (${ms(cpu)}, ${ticks / 10} ticks, woken ${woken} times)`,
  share,
  under(0.1, " %"),
);
report("idle memory of that host", `${number(memoryMb(host.pid).rss)} MB RSS`);
client.close();
await stop(host);
finish();
