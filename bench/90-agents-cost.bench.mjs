// What an agent that speaks the Agent Client Protocol costs beside itself: the processor time of its host and of its keeper for
// each message, and the memory that they take for a run in which nothing happens. Beside them stands the least that anybody
// could do with such an agent, a Node program that parses its lines and forgets them.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { acpCommand, agentOf, openHost, order } from "./lib/agents.mjs";
import { example } from "./lib/examples.mjs";
import { median, memoryMb, sum, watchCpu } from "./lib/measure.mjs";
import { environment, folder, quick } from "./lib/places.mjs";
import { start, stop } from "./lib/programs.mjs";
import { compare, finish, ms, number, report, under } from "./lib/table.mjs";

const peerClient = join(import.meta.dirname, "peers", "acp-client.mjs");
const rounds = quick ? 1 : 3;
const runCount = 8;
const quietMs = quick ? 1_000 : 6_000;
const costGoal = under(50, " µs");
const memoryGoal = under(1, " MB");

/** A model's words come one by one; what an agent has at once, it says at once. Each is counted by itself. */
const streams = [
  { stream: "words", count: 20_000, everyMs: 0, words: "words of 40 bytes, as fast as it can" },
  { stream: "words", count: 3_000, everyMs: 1, words: "words of 40 bytes, one a millisecond" },
  { stream: "calls", count: 4_000, everyMs: 0, words: "tool calls with diffs, as fast as it can" },
  { stream: "calls", count: 1_000, everyMs: 2, words: "tool calls with diffs, one every 2 ms" },
].map((stream) => (quick ? { ...stream, count: stream.count / 10 } : stream));

const acpCost = await example("acp_cost");
await messages();
parsing();
await idleRuns();
finish();

async function messages() {
  const [ours, theirs] = [folder("orders"), folder("peer-orders")];
  const { host, connection, run, end, leave } = await openHost("messages", { talker: talker(ours) });
  const peer = await startPeer(theirs);
  const one = await run("talker");
  // Each call has a name of its own: to one that it knows, the host would listen with half an ear.
  let from = 0;
  for (const { words, ...what } of streams) {
    const figures = { host: [], keeper: [], peer: [] };
    for (let round = 0; round < rounds; round += 1) {
      const asked = { ...what, from };
      from += what.count;
      const spent = { host: watchCpu(host.pid), keeper: watchCpu(one.keeper) };
      await order(ours, asked);
      // What the messages have set off is done when the host answers this.
      await connection.request("augment/run/show", { run: one.id });
      for (const who of ["host", "keeper"]) figures[who].push((1_000 * spent[who]()) / what.count);
      const spentByPeer = watchCpu(peer.pid);
      await order(theirs, asked);
      figures.peer.push((1_000 * spentByPeer()) / what.count);
    }
    const [byHost, byKeeper, byPeer] = ["host", "keeper", "peer"].map((who) => median(figures[who]));
    report(
      `processor time a message, ${words}`,
      `${us(byHost + byKeeper)} (host ${us(byHost)}, keeper ${us(byKeeper)})`,
      byHost + byKeeper,
      costGoal,
    );
    compare(
      `the same to a bare Node client that parses and forgets, ${words}`,
      us(byHost + byKeeper),
      us(byPeer),
      (byHost + byKeeper) / byPeer,
    );
  }
  await stop(peer);
  await end(one);
  await leave();
}

/** What understanding alone costs, without the ways that a message takes before and after. */
function parsing() {
  const { status, stdout, stderr, error } = spawnSync(acpCost, [quick ? "20" : "200"], {
    env: environment,
    encoding: "utf8",
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`acp_cost ended with ${status}: ${stderr}`);
  for (const line of stdout.trim().split("\n").slice(1)) {
    const [stream, , bytes, each] = line.trim().split(/\s{2,}/);
    report(`understanding alone: ${stream}, ${bytes} bytes each`, us(Number(each)), Number(each), costGoal);
  }
}

async function idleRuns() {
  const orders = Array.from({ length: runCount }, (_, at) => folder(`orders-${at}`));
  const agents = Object.fromEntries(orders.map((folder, at) => [`idler${at}`, talker(folder)]));
  const { host, run, end, leave } = await openHost("idle-runs", agents);
  await pause(quietMs);
  const before = memoryMb(host.pid);
  const runs = [];
  for (const name of Object.keys(agents)) runs.push(await run(name));
  await pause(quietMs);
  const perRun = tell(`memory a run of ${runCount} that idle`, before, host, runs, memoryGoal);

  const peer = await startPeer(folder("idle-peer-orders"));
  await pause(quietMs);
  const peerOwn = memoryMb(peer.pid).own;
  compare("the same to an idle bare Node client", mb(perRun), mb(peerOwn), perRun / peerOwn);
  await stop(peer);

  const count = quick ? 2_000 : 20_000;
  for (const folder of orders) await order(folder, { stream: "words", from: 0, count, everyMs: 0 });
  await pause(quietMs);
  tell(
    `memory a run, after each has said ${count.toLocaleString("en")} words of 40 bytes in its turn`,
    before,
    host,
    runs,
  );
  for (const one of runs) await end(one);
  await pause(quietMs);
  const after = memoryMb(host.pid);
  report("the host before its runs, and after they have ended", `${mb(before.own)}, ${mb(after.own)} of its own`);
  await leave();
}

/** Tells what each run takes of memory that nobody else has, in its host and in its keeper; gives it. */
function tell(what, before, host, runs, goal) {
  const inHost = (memoryMb(host.pid).own - before.own) / runs.length;
  const inKeeper = sum(runs.map(({ keeper }) => memoryMb(keeper).own)) / runs.length;
  report(what, `${mb(inHost + inKeeper)} (host ${mb(inHost)}, keeper ${mb(inKeeper)})`, inHost + inKeeper, goal);
  return inHost + inKeeper;
}

function talker(orders) {
  return agentOf(acpCommand(orders), { adapter: "acp", writable: [`${orders}/`] });
}

/** The bare client, with an agent like ours that has its prompt. */
async function startPeer(orders) {
  const peer = start(process.execPath, [peerClient, folder("peer-session"), ...acpCommand(orders)]);
  await once(peer.stdout, "data");
  return peer;
}

function us(value) {
  return ms(value / 1_000);
}

function mb(value) {
  return `${number(value)} MB`;
}
