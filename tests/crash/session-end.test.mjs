// A process that is killed after it wrote a session's record and before it could tell: the next one ends the session, and
// the record can be committed all the same (S10, Z1).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { newGovernedProject } from "../rig/sessions.mjs";
import { killAt, record } from "../rig/strace.mjs";

/** A session with something done in it, and no host. */
async function worked(t) {
  const project = await newGovernedProject(t);
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  // The command that ends it is to do all of it itself.
  await project.cli(["host", "stop"]);
  await eventually("no host runs", () => project.processes().length === 0);
  return project;
}

const end = (project, command) => project.start(["session", "end", "--json"], { command }).exit;

/** The first write to the database after the last document is in its place, as its thread counts them. */
function afterDocuments(log) {
  const calls = [...readFileSync(log, "utf8").matchAll(/^(\d+) +(\w+)\((.*)$/gm)];
  const last = calls.findLastIndex(([, , call, args]) => /^rename/.test(call) && args.includes('"PROJECT_PLAN.md"'));
  assert.ok(last >= 0, "the plan is put in its place");
  const thread = calls[last][1];
  const writes = (some) => some.filter(([, by, call]) => by === thread && call === "pwrite64").length;
  assert.ok(writes(calls.slice(last)) > 0, "what came of it is saved");
  return { call: "pwrite64", number: writes(calls.slice(0, last)) + 1 };
}

test("killed between the documents and the end: the session ends, and its commit is not lost", async (t) => {
  const golden = await worked(t);
  const log = join(golden.scratch, "calls");
  assert.equal((await end(golden, record(log))).code, 0);

  const project = await worked(t);
  const killed = await end(project, killAt(afterDocuments(log)));
  assert.notEqual(killed.code, 0);
  assert.match(project.text("CHANGELOG.md"), /Session 009/);
  assert.match(project.text("PROJECT_PLAN.md"), /- \[x\] Write the first/);
  await project.host();
  await eventually(
    "the next host ends it",
    () => project.status(),
    ({ session }) => session === null,
  );
  const [ended] = await project.records("--kind", "session.ended");
  assert.deepEqual(ended.data.changed, ["CHANGELOG.md", "PROJECT_PLAN.md"]);
  assert.deepEqual(ended.data.leftAlone, []);
  assert.match(ended.data.documents[0], /written already/, "it was killed after the documents, not before");
  const { commit, notes } = await project.session("commit", "s1");
  assert.equal((await project.git("rev-parse", "HEAD")).trim(), commit);
  assert.deepEqual(notes, []);
  await project.verify();
});
