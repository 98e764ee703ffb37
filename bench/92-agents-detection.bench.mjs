// How soon a client that is connected knows that an agent was killed, and that one was stopped, of both kinds: one that speaks
// the Agent Client Protocol, and a plain command.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { acpCommand, agentOf, openHost, seen } from "./lib/agents.mjs";
import { mean, median, now, percentile } from "./lib/measure.mjs";
import { folder, quick } from "./lib/places.mjs";
import { atMost, compare, finish, ms, report, under } from "./lib/table.mjs";

const kills = quick ? 10 : 100;
const stops = quick ? 2 : 10;
const intervalMs = 1_000;
const killGoal = under(100, " ms");
const stopGoal = atMost(2, " intervals");

const orders = folder("orders");
const sleeping = ["sleep", "infinity"];
const agents = {
  sleeper: agentOf(sleeping, { adapter: "command", prompt: "nothing", doneBy: "exit" }),
  talker: agentOf(acpCommand(orders), { adapter: "acp", writable: [`${orders}/`] }),
};
const { connection, run, end, leave } = await openHost("detection", agents, {
  "agents.heartbeatSeconds": String(intervalMs / 1_000),
});
await killed("sleeper", "a command", kills);
await killed("talker", "an ACP agent", kills / 5);
await stopped("sleeper", "a command");
await stopped("talker", "an ACP agent");
await leave();
finish();

async function killed(agent, words, times) {
  const figures = { ours: [], peer: [] };
  for (let time = 0; time < times; time += 1) {
    figures.ours.push(await end(await run(agent)));
    figures.peer.push(await killedChild());
  }
  const [ours, peer] = [figures.ours, figures.peer].map((all) => ({ p50: median(all), p99: percentile(all, 99) }));
  report(
    `from the kill of ${words} to a client that knows it, ${times} times`,
    `p50 ${ms(ours.p50)}, p99 ${ms(ours.p99)}, longest ${ms(Math.max(...figures.ours))}`,
    ours.p99,
    killGoal,
  );
  compare(`p50 of that to a Node program that hears of its own child`, ms(ours.p50), ms(peer.p50), ours.p50 / peer.p50);
}

/** The least that anybody could need: the parent itself, which waits for nothing else. */
async function killedChild() {
  const [program, ...args] = sleeping;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  await once(child, "spawn");
  const gone = once(child, "exit");
  const killedAt = now();
  child.kill("SIGKILL");
  await gone;
  return now() - killedAt;
}

async function stopped(agent, words) {
  const one = await run(agent);
  const figures = [];
  for (let time = 0; time < stops; time += 1) {
    // At any moment between two signs of life, the same ones each time.
    await pause(intervalMs + (intervalMs * time) / stops);
    const stoppedAt = now();
    process.kill(one.agent, "SIGSTOP");
    try {
      figures.push(
        ((await seen(connection, one.id, ({ state }) => state === "disconnected")) - stoppedAt) / intervalMs,
      );
    } finally {
      process.kill(one.agent, "SIGCONT");
    }
    await seen(connection, one.id, ({ state }) => state === "running");
  }
  const longest = Math.max(...figures);
  report(
    `from the stop of ${words} to a client that knows it, in intervals of ${intervalMs / 1_000} s, ${stops} times`,
    `mean ${mean(figures).toFixed(3)}, longest ${longest.toFixed(3)}`,
    longest,
    stopGoal,
  );
  await end(one);
}
