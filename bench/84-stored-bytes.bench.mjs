// What a thousand one-line edits of one file leave on the disk: story, content and ledger together, once SQLite's log is emptied.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginRun, bytesIn, megabytes, openWorkspace, writeOver } from "./lib/changes.mjs";
import { median, now } from "./lib/measure.mjs";
import { folder, quick } from "./lib/places.mjs";
import { git } from "./lib/repository.mjs";
import { finish, ms, number, report, under } from "./lib/table.mjs";

const edits = quick ? 100 : 1_000;
const lineCount = 500;
const path = "a.ts";

const workspace = folder("edits");
const lines = Array.from({ length: lineCount }, (_, at) => line(at, at % 7));
git(workspace, "init", "--quiet");
writeFileSync(join(workspace, path), lines.join(""));
git(workspace, "add", ".");
git(workspace, "commit", "--quiet", "-m", "a file");

// A first host makes the database and leaves, so that what is counted is what the edits add.
const first = await openWorkspace(workspace);
await beginRun(first.connection);
await first.leave();
const before = bytesIn(first.places.data);

const second = await openWorkspace(workspace);
const waits = [];
for (let edit = 0; edit < edits; edit += 1) {
  const at = (edit * 7_919) % lineCount;
  lines[at] = line(at, 1_000 + edit);
  const wroteAt = now();
  writeOver(join(workspace, path), lines.join(""));
  await second.connection.request("augment/changes/file", { path });
  waits.push(now() - wroteAt);
}
const { steps } = await second.connection.request("augment/changes/history", { path });
const revisions = steps.filter(({ kind }) => kind === "revision").length;
if (revisions < Math.min(edits, 999)) throw new Error(`${revisions} of ${edits} edits became revisions.`);
await second.leave();
const grown = megabytes(bytesIn(second.places.data) - before);
report(
  `stored for ${edits.toLocaleString("en")} one-line edits of one file of ${lineCount} lines`,
  `${number(grown)} MB, ${Math.round((grown * 2 ** 20) / edits)} bytes an edit`,
  grown,
  under(1, " MB"),
);
report("  write to recorded, median", ms(median(waits)));
report("  the last hundred of them", ms(median(waits.slice(-100))));
finish();

/** Always as long. */
function line(at, value) {
  return `export const value_${at} = compute(${at}, "${String(value).padStart(6, "0")}");\n`;
}
