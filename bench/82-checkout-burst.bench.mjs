// A `git checkout` that changes every fifth file of a large repository while a run is active: none of them may be missed, and none
// blamed on the agent. Counts have goals, times are told.

import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beginRun, openWorkspace, records, settled } from "./lib/changes.mjs";
import { now, tickedCpuMs } from "./lib/measure.mjs";
import { quick } from "./lib/places.mjs";
import { addedPath, clean, differenceOf, git, largeSize, pathOf, repository } from "./lib/repository.mjs";
import { atMost, finish, ms, report } from "./lib/table.mjs";

const rounds = quick ? 1 : 3;
/** How many of the changed files are looked at closely: the agent changes them, and what was before has to be right. */
const probes = 100;

const workspace = await repository(largeSize);
const changed = Array.from({ length: largeSize }, (_, number) => number).filter((number) => differenceOf(number));
const { host, connection, leave } = await openWorkspace(workspace);
await beginRun(connection);
try {
  for (let round = 0; round < rounds; round += 1) {
    await burst("other", round);
    await burst("main", round);
  }
  await probe();
} finally {
  await leave();
  clean(workspace);
}
finish();

async function burst(branch, round) {
  const ticks = tickedCpuMs(host.pid);
  const [seenBefore, movedBefore] = [await blamed(), await movedFiles()];
  const startedAt = now();
  git(workspace, "checkout", "--quiet", branch);
  const checkout = now() - startedAt;
  const { pendingHunks } = await settled(connection);
  const wall = now() - startedAt - checkout;
  const cpu = tickedCpuMs(host.pid) - ticks;
  const moved = (await movedFiles()) - movedBefore;
  const onTheAgent = (await blamed()) - seenBefore;
  const words = `checkout of ${branch}${rounds > 1 ? `, round ${round + 1}` : ""}, ${changed.length.toLocaleString("en")} files, a run active`;
  report(
    `${words}: missed`,
    `${Math.max(0, changed.length - moved)} (${moved} told as version control's)`,
    Math.abs(changed.length - moved),
    atMost(0),
  );
  report(
    `${words}: blamed on the agent`,
    `${onTheAgent} (${pendingHunks} hunks pending)`,
    onTheAgent + pendingHunks,
    atMost(0),
  );
  report(`${words}: known`, `${ms(wall)} after git had ended, which took ${ms(checkout)}; ${ms(cpu)} CPU of the host`);
}

async function movedFiles() {
  const all = await records(connection, "vcs.moved");
  return all.reduce((sum, { data }) => sum + data.files, 0);
}

/** How many changes of files the ledger puts down to anybody but version control. */
async function blamed() {
  const all = await records(connection, "file.changed");
  return all.filter(({ data }) => data.author !== "vcs").length;
}

/** Whoever missed a file would tell a wrong content as the one before. */
async function probe() {
  git(workspace, "checkout", "--quiet", "other");
  await settled(connection);
  const { watching } = await connection.request("augment/status", {});
  const tracked = git(workspace, "ls-files").split("\n").length - 1;
  report(
    "files known after it, to those git knows",
    `${watching.files.toLocaleString("en")} of ${tracked.toLocaleString("en")}`,
    Math.abs(watching.files - tracked),
    atMost(0),
  );
  let wrong = 0;
  // Odd, so that all kinds of changes come up.
  const step = Math.floor(changed.length / probes) | 1;
  const there = changed.filter((number, at) => at % step === 0 && differenceOf(number) !== "removed");
  for (const number of there) {
    const path = differenceOf(number) === "added" ? addedPath(number) : pathOf(number);
    const before = readFileSync(join(workspace, path), "utf8");
    appendFileSync(join(workspace, path), "// one more\n");
    const { hunks } = await connection.request("augment/changes/file", { path });
    const { text } = await connection.request("augment/changes/content", { path, beforePending: true });
    if (text !== before || hunks.length !== 1 || hunks[0].summary !== "+1" || hunks[0].author.kind !== "run")
      wrong += 1;
  }
  report("files changed by the agent afterwards: wrong before", `${wrong} of ${there.length}`, wrong, atMost(0));
}
