// What it costs the host to come up: its processor time until it has answered the first request.

import { cpuMs, median, now } from "./lib/measure.mjs";
import { folder, quick } from "./lib/places.mjs";
import { callHost, startHost, stop } from "./lib/programs.mjs";
import { fill } from "./lib/queue.mjs";
import { finish, ms, report, under } from "./lib/table.mjs";

const rounds = quick ? 3 : 20;
const size = quick ? 1_000 : 10_000;
const goal = under(60, " ms CPU");

const used = folder("used");
const host = await startHost(used);
const client = await callHost(used);
await fill(client.connection, size);
client.close();
await stop(host);

for (const [words, workspace] of [
  ["a new workspace", (round) => folder(`new-${round}`)],
  [`${size.toLocaleString("en")} tasks`, () => used],
]) {
  const figures = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await startOnce(workspace(round)));
  const cpu = figures.map(({ cpu }) => cpu);
  const text = `${ms(median(cpu))}, most ${ms(Math.max(...cpu))}; ready after ${ms(median(figures.map(({ wall }) => wall)))} wall`;
  report(`host start to first answer, ${words}, CPU of the host`, text, median(cpu), goal);
}
finish();

async function startOnce(workspace) {
  const startedAt = now();
  const host = await startHost(workspace);
  const wall = now() - startedAt;
  const client = await callHost(workspace);
  await client.connection.request("augment/status", {});
  const cpu = cpuMs(host.pid);
  client.close();
  await stop(host);
  return { cpu, wall };
}
