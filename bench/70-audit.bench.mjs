// How long it takes to check the whole chain of a hundred thousand records.

import { median, now, watchCpu } from "./lib/measure.mjs";
import { folder, quick } from "./lib/places.mjs";
import { callHost, startHost, stop } from "./lib/programs.mjs";
import { fill } from "./lib/queue.mjs";
import { finish, ms, report } from "./lib/table.mjs";

const records = quick ? 10_000 : 100_000;
const rounds = quick ? 2 : 5;

const workspace = folder("audit");
const host = await startHost(workspace);
const { connection, close } = await callHost(workspace);
await fill(connection, records);
const figures = [];
for (let round = 0; round < rounds; round += 1) {
  const startedAt = now();
  const spent = watchCpu(host.pid);
  const answer = await connection.request("augment/audit/verify", {});
  if (!answer.holds) throw new Error(`The ledger does not hold: ${JSON.stringify(answer.broken)}`);
  figures.push({ wall: now() - startedAt, cpu: spent(), records: answer.records });
}
const [wall, cpu] = [median(figures.map(({ wall }) => wall)), median(figures.map(({ cpu }) => cpu))];
const count = figures[0].records;
const perSecond = (spent) => Math.round((1_000 * count) / spent).toLocaleString("en");
report(
  `audit verify of ${count.toLocaleString("en")} records`,
  `${ms(wall)}: ${perSecond(wall)} records a second; ${perSecond(cpu)} a second of CPU`,
);
close();
await stop(host);
finish();
