// How much memory a host takes while two thousand hunks wait for a decision, before and after they were all listed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beginRun, openWorkspace, settled, writeOver } from "./lib/changes.mjs";
import { memoryMb, now } from "./lib/measure.mjs";
import { clean, largeSize, pathOf, repository } from "./lib/repository.mjs";
import { finish, ms, number, report, under } from "./lib/table.mjs";

const wanted = Math.min(2_000, largeSize);
const perFile = 4;
const goal = under(100, " MB");

const workspace = await repository(largeSize);
const { host, connection, leave } = await openWorkspace(workspace);
try {
  await beginRun(connection);
  tell(`memory of a host with ${largeSize.toLocaleString("en")} files and nothing pending`);
  for (let file = 0; file < wanted / perFile; file += 1) change(pathOf(file));
  const { pendingHunks } = await settled(connection);
  if (pendingHunks !== wanted) throw new Error(`${pendingHunks} hunks are pending, not ${wanted}.`);
  const words = `${wanted.toLocaleString("en")} pending hunks`;
  tell(`memory with ${words}`, goal);
  const askedAt = now();
  for (let after; ; ) {
    const page = await connection.request("augment/changes/list", after ? { after } : {});
    if (!page.next) break;
    after = page.next;
  }
  const wall = now() - askedAt;
  tell(`memory with ${words}, after listing them all (${ms(wall)})`, goal);
} finally {
  await leave();
  clean(workspace);
}
finish();

/** Changes every fifth line, so that each is a hunk of its own. */
function change(path) {
  const at = join(workspace, path);
  const lines = readFileSync(at, "utf8").split("\n");
  for (let hunk = 0; hunk < perFile; hunk += 1) lines[hunk * 5 + 1] += " // changed";
  writeOver(at, lines.join("\n"));
}

function tell(what, goal) {
  const { rss, pss } = memoryMb(host.pid);
  report(what, `${number(rss)} MB RSS, ${number(pss)} MB PSS`, rss, goal);
}
