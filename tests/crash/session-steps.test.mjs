// A process that is killed in the middle of a session's completion, in each of the seven steps and before the archive tells
// of all of them: the next one goes on where it was, each step is recorded once, and the archive is whole (E2, Z1).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { copyDatabase, sql } from "../rig/database.mjs";
import { eventually } from "../rig/eventually.mjs";
import { newGovernedProject } from "../rig/sessions.mjs";
import { killAt, record } from "../rig/strace.mjs";

const steps = ["confirmation", "outputs", "summary", "knowledge", "clean-up", "archive", "notification"];

/** A session with something done in it, and no host. */
async function worked(t) {
  const project = await newGovernedProject(t);
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await project.json(["changes", "approve", "--task", "a1"]);
  // The command that ends it is to do all of it itself.
  await project.places();
  await project.cli(["host", "stop"]);
  await eventually("no host runs", () => project.processes().length === 0);
  return project;
}

const end = (project, command) => project.start(["session", "end", "--json"], { command }).exit;

/**
 * The places at which the completion is saved, or a file of the archive is put: after the plan is in its place, each group
 * of writes to the database that a sync ends, and each rename, by the thread that does it.
 */
function placesOf(log) {
  const calls = [...readFileSync(log, "utf8").matchAll(/^(\d+) +(\w+)\((.*)$/gm)];
  const documents = calls.findLastIndex(
    ([, , call, args]) => /^rename/.test(call) && args.includes('"PROJECT_PLAN.md"'),
  );
  assert.ok(documents >= 0, "the plan is put in its place");
  const thread = calls[documents][1];
  const counts = new Map();
  const places = [];
  let isNew = true;
  for (const [at, [, by, call, args]] of calls.entries()) {
    if (by !== thread) continue;
    const number = (counts.get(call) ?? 0) + 1;
    counts.set(call, number);
    const isPut = /^rename/.test(call) && /"(summary\.md|ledger\.jsonl|session\.json)"/.test(args);
    const isSaved = call === "pwrite64" && isNew;
    if (at > documents && (isPut || isSaved)) places.push({ call, number });
    isNew = call === "fdatasync" || call === "fsync" ? true : call === "pwrite64" ? false : isNew;
  }
  return places;
}

/** How many steps are recorded, without a process of ours that would go on. */
async function left(project) {
  const { database } = await project.places();
  const copy = copyDatabase(database, join(project.scratch, "left", "state.db"));
  const [[count]] = await sql(copy, "SELECT count(*) FROM ledger WHERE kind = 'closing.step'");
  return count;
}

/** The steps that are recorded, in their order. */
const recorded = async (project) =>
  (await project.records("--kind", "closing.step")).map(({ data }) => data.step).reverse();

test("killed in each step: the next process ends it, and every step is recorded once", async (t) => {
  const golden = await worked(t);
  const log = join(golden.scratch, "calls");
  assert.equal((await end(golden, record(log))).code, 0);
  assert.deepEqual(await recorded(golden), steps);
  const places = placesOf(log);
  assert.ok(places.length >= steps.length + 4, `a place for each step, and for the archive: ${places.length}`);

  const reached = new Set();
  for (const place of places) {
    const project = await worked(t);
    const killed = await end(project, killAt(place));
    assert.notEqual(killed.code, 0, `${place.call} ${place.number}`);
    reached.add(await left(project));
    await project.host();
    const { closing } = await eventually(
      "the next host completes it",
      () => project.json(["session", "show", "s1"]),
      ({ closing }) => closing?.steps.every(({ outcome }) => outcome === "done"),
    );
    await eventually(
      "the archive tells of all of it",
      () => JSON.parse(project.text(`${closing.archive}/session.json`)).steps,
      (told) => told.every(({ outcome }) => outcome === "done"),
    );
    assert.deepEqual(await recorded(project), steps, `${place.call} ${place.number}`);
    const session = await project.archiveHolds(closing.archive);
    assert.deepEqual(
      session.steps.map(({ step, outcome, tries }) => [step, outcome, tries]),
      steps.map((step) => [step, "done", 1]),
    );
    const folders = Object.keys(project.tree()).filter((path) => path.endsWith("/session.json"));
    assert.equal(folders.length, 1, "there is one archive");
    await project.verify();
    await project.cli(["host", "stop"]);
  }
  // Before the first, between all of them, and after the last.
  assert.deepEqual([...reached].sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
});
