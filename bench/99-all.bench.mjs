// The table of all benches of this run, and the machine they ran on. It measures nothing.

import { cpus, loadavg, release, totalmem } from "node:os";
import { print, takeAll } from "./lib/table.mjs";

const all = takeAll();
if (all.length === 0) console.log("No other bench has run before this one; `npm run bench` runs them all.");
else {
  print(all.flatMap(({ rows }) => rows));
  const missed = all.flatMap(({ rows }) => rows).filter((row) => row.at(-1) === "missed").length;
  const loads = all.map(({ loadAtStart }) => loadAtStart.toFixed(1)).join(", ");
  console.log(`\n${missed === 0 ? "Every goal that could be measured was met." : `${missed} goals were missed.`}`);
  console.log(
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GB, Linux ${release()}, ` +
      `Node ${process.version}; load average at the start of each bench ${loads}, now ${loadavg()[0].toFixed(1)}.`,
  );
}
