// A process that is killed in the middle of a session's end or completion, in each of the seven steps and before the archive
// tells of all of them: the next one goes on where it was, each step is recorded once, and the archive is whole (E2, Z1).
// Single commands do all of it as well, without any host.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
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

/** What a session is like once a single command has run: all of it is done, once, and nothing is left lying about. */
async function isWhole(project, what) {
  const { session, closing } = await project.session("show", "s1");
  assert.equal(session.state, "ended", what);
  assert.deepEqual(
    closing.steps.map(({ step, outcome, tries }) => [step, outcome, tries]),
    steps.map((step) => [step, "done", 1]),
    what,
  );
  assert.deepEqual(await recorded(project), steps, what);
  assert.match(project.text("CHANGELOG.md"), /Session 009/);
  assert.deepEqual(
    Object.keys(project.tree()).filter((path) => path.includes(".augment-")),
    [],
    what,
  );
  await project.archiveHolds(closing.archive);
  await project.verify();
}

test("without a host, a single command ends a session that was left, and all of it", async (t) => {
  const project = await worked(t);
  const { database } = await project.places();
  await sql(database, "UPDATE session SET last_steady_ms = last_steady_ms - 7200000");
  const { sessions } = await project.session("list");
  assert.deepEqual(
    sessions.map(({ id, state }) => [id, state]),
    [["s1", "ended"]],
  );
  await isWhole(project);
  const announced = await project.records("--kind", "session.document", "--file", project.at("CHANGELOG.md"));
  assert.equal(announced.length, 1, "it was about to be written once");
  assert.deepEqual(project.processes(), []);
});

/** Each call by which a document comes to its place, is taken out of it, or goes. */
function documentPlaces(log) {
  const calls = [...readFileSync(log, "utf8").matchAll(/^(\d+) +(\w+)\((.*)$/gm)];
  const isDocument = ([, , call, args]) => /^rename/.test(call) && /"(CHANGELOG|PROJECT_PLAN)\.md"/.test(args);
  const thread = calls.find(isDocument)?.[1];
  assert.ok(thread, "the documents are put in their places");
  const counts = new Map();
  const places = [];
  for (const [, by, call, args] of calls) {
    if (by !== thread) continue;
    const number = (counts.get(call) ?? 0) + 1;
    counts.set(call, number);
    if (/^(rename|unlink)/.test(call) && /"\.augment-/.test(args)) places.push({ call, number });
  }
  return places;
}

test("killed while a document is put in its place: a single command goes on, and leaves nothing behind", async (t) => {
  const golden = await worked(t);
  const log = join(golden.scratch, "calls");
  assert.equal((await end(golden, record(log))).code, 0);
  const places = documentPlaces(log);
  assert.ok(places.length >= 6, `two documents, each made, exchanged and let go: ${places.length}`);
  for (const place of places) {
    const project = await worked(t);
    const killed = await end(project, killAt(place));
    assert.notEqual(killed.code, 0, `${place.call} ${place.number}`);
    await isWhole(project, `${place.call} ${place.number}`);
  }
});

test("a program that is told is not told again and again by processes that end meanwhile", async (t) => {
  const project = await worked(t);
  const told = join(project.scratch, "told");
  const times = () => (existsSync(told) ? readFileSync(told, "utf8").length : 0);
  const command = (script) => project.json(["config", "set", "notices.command", JSON.stringify(["sh", "-c", script])]);
  // It ends whoever tells it, after it was told.
  await command(`printf x >> '${told}'; kill -9 $PPID`);
  assert.equal((await end(project)).signal, "SIGKILL");
  assert.equal(times(), 1);
  assert.equal((await project.cli(["session", "show", "s1"])).signal, "SIGKILL");
  assert.equal(times(), 2, "it may not have been told");
  const { closing } = await project.session("show", "s1");
  const { outcome, evidence } = closing.steps[6];
  assert.deepEqual([times(), outcome], [2, "failed"]);
  assert.match(evidence[0], /begun 2 times.*augment-cli session resume s1 tells it again/);
  await project.session("show", "s1");
  assert.equal(times(), 2);

  await command(`printf x >> '${told}'`);
  const resumed = await project.session("resume", "s1");
  assert.deepEqual([times(), resumed.closing.steps[6].outcome], [3, "done"]);
  const begun = await project.records("--kind", "closing.notice");
  assert.deepEqual(begun.map(({ data }) => data.times).reverse(), [1, 2, 1]);
  assert.deepEqual((await recorded(project)).slice(6), ["notification", "notification"]);
  await project.verify();
});
