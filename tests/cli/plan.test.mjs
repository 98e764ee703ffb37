// Plans and changelogs that are not as they should be: told with the line, and left alone (S1, S12; bad input).

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { changelog, newGovernedProject, plans } from "../rig/sessions.mjs";

const check = (project) => project.cli(["plan", "check"]);

test("a plan is shown as it is understood", async (t) => {
  const project = await newGovernedProject(t, { plan: Object.values(plans)[0].text });
  const view = await project.json(["plan", "show"]);
  assert.deepEqual(
    [view.path, view.phase, view.sprintGoal],
    ["PROJECT_PLAN.md", "Phase 1 — Foundation", "All connectors built"],
  );
  assert.deepEqual(view.progress, { done: 0, total: 4, percent: 0, cells: 0 });
  assert.deepEqual(
    view.tasks.map(({ title, status, line, current }) => [title, status, line, current]),
    ["first", "second", "third", "fourth"].map((name, at) => [`Write the ${name}`, "planned", 20 + at, true]),
  );
  const { code, stdout } = await check(project);
  assert.deepEqual([code, stdout], [0, "ok: PROJECT_PLAN.md: 2 phases and 4 tasks are understood.\n"]);
  const shown = await project.cli(["plan", "show"]);
  assert.match(shown.stdout, /^ +20 +planned +15 min +Write the first +Foundation$/m);
});

test("no plan, a second plan, and a plan in a folder are told", async (t) => {
  const project = await newGovernedProject(t, { plan: null });
  let { code, stdout } = await check(project);
  assert.equal(code, 1);
  assert.match(stdout, /^There is no plan here/);
  mkdirSync(project.at("docs"));
  project.write("docs/PROJECT_PLAN.md", plans.boxes.text);
  ({ code, stdout } = await check(project));
  assert.equal(code, 1);
  assert.match(stdout, /docs\/PROJECT_PLAN\.md/);
  await project.json(["config", "set", "session.plan", "docs/PROJECT_PLAN.md"]);
  const { session } = await project.session("start");
  assert.equal(session.items[0].title, "Write the first");
  await project.session("end");
  project.write("PROJECT_PLAN.md", plans.boxes.text);
  ({ code, stdout } = await check(project));
  assert.match(stdout, /PROJECT_PLAN\.md/);
  assert.equal(code, 1);
});

/** What cannot be read as a plan, how it gets there, and what is told. */
const unreadable = {
  "a folder in its place": [(at) => mkdirSync(at), /PROJECT_PLAN\.md/],
  "a plan that is no text": [
    (at) => writeFileSync(at, Buffer.from([0x23, 0x20, 0x00, 0xff, 0xfe, 0x0a])),
    /PROJECT_PLAN\.md/,
  ],
  "a plan of 10 MB": [(at) => writeFileSync(at, `# Plan\n${"- [ ] x\n".repeat(1_310_720)}`), /PROJECT_PLAN\.md/],
};

for (const [what, [make, told]] of Object.entries(unreadable)) {
  test(`${what} is told and left alone, and the session goes on without it`, async (t) => {
    const project = await newGovernedProject(t, { plan: null });
    make(project.at("PROJECT_PLAN.md"));
    const before = project.tree()["PROJECT_PLAN.md"];
    const { code, stdout } = await check(project);
    assert.equal(code, 1);
    assert.match(stdout, told);
    const { governance, session } = await project.session("start", "--title", "By hand");
    assert.deepEqual([session.items.map(({ title }) => title), governance.problems.length > 0], [["By hand"], true]);
    await project.session("confirm");
    await project.workOff("a1", { "src/b.txt": "b\n" });
    const { documents } = await project.session("end");
    assert.ok(documents.length > 0);
    assert.equal(project.tree()["PROJECT_PLAN.md"], before);
    assert.match(project.text("CHANGELOG.md"), /Session 009/);
  });
}

test("a plan with bytes that are no UTF-8 keeps them", async (t) => {
  const plan = Buffer.concat([Buffer.from("# Plan \xff\n\n", "latin1"), Buffer.from(plans.boxes.text)]);
  const project = await newGovernedProject(t, { plan: null });
  writeFileSync(project.at("PROJECT_PLAN.md"), plan);
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await project.session("end");
  const after = project.read("PROJECT_PLAN.md");
  const either = [
    plan,
    Buffer.from(plan.toString("latin1").replace("- [ ] Write the first", "- [x] Write the first"), "latin1"),
  ];
  assert.ok(
    either.some((one) => one.equals(after)),
    "nothing but the mark has changed",
  );
});

test("a binary changelog is left alone, and the end says so", async (t) => {
  const binary = "\x00\x01\x02\xff\n";
  const project = await newGovernedProject(t, { log: null, files: { "CHANGELOG.md": binary } });
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  const end = await project.session("end");
  assert.equal(end.session.state, "ended");
  assert.match(JSON.stringify(end.report.data), /CHANGELOG\.md/);
  assert.equal(project.tree()["CHANGELOG.md"], binary);
});

test("a missing changelog is made", async (t) => {
  const project = await newGovernedProject(t, { log: null });
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  const end = await project.session("end", "--commit");
  assert.match(project.text("CHANGELOG.md"), /Session 001: Write the first/);
  assert.ok(end.committed.commit);
});

test("what the person has written shortly before the end stays", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  // A line of the person's, not committed, and nothing has looked at it before the end.
  project.write("CHANGELOG.md", changelog.replace("# Changelog\n", "# Changelog\n\nMine.\n"));
  project.write("PROJECT_PLAN.md", plans.boxes.text.replace("- [ ] Write the fourth", "- [ ] Write the fourth, mine"));
  await project.session("end");
  assert.match(project.text("CHANGELOG.md"), /^# Changelog\n\nMine\.\n\n## \d{4}.*Session 009/);
  assert.match(project.text("PROJECT_PLAN.md"), /- \[x\] Write the first\n.*- \[ \] Write the fourth, mine\n/s);
});

test("read-only documents are told or written, and never damaged", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  chmodSync(project.at("CHANGELOG.md"), 0o444);
  const end = await project.session("end");
  assert.equal(end.session.state, "ended");
  const [, text] = project.tree()["CHANGELOG.md"].split(/^444 /);
  const utf8 = Buffer.from(text, "latin1").toString("utf8");
  assert.ok(utf8 === changelog || /Session 009/.test(utf8), "either as it was or with the entry, and read-only still");
});

test("a changelog that is not there, or tells of no session, is noted", async (t) => {
  const missing = await newGovernedProject(t, { log: null });
  const { code, stdout } = await check(missing);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^ok: .*\nnote: CHANGELOG\.md is not there, so no earlier session is known; the end of a session makes it\. The setting session\.changelog says where it is\.\n$/,
  );
  const note = "CHANGELOG.md tells of no session yet; the end of a session adds its entry.";
  for (const log of ["", "# Changelog\n"]) {
    missing.write("CHANGELOG.md", log);
    assert.deepEqual((await missing.json(["plan", "check"])).notes, [note], JSON.stringify(log));
  }
  missing.write("CHANGELOG.md", changelog);
  assert.deepEqual((await missing.json(["plan", "check"])).notes, []);
});

test("a phase that is done while another has open tasks is told, with the line that names it", async (t) => {
  const plan = `# Project Plan

**Current phase:** Phase 1 — Foundation

## Phase 1: Foundation

- [x] Write the first

## Phase 2: Silver

- [ ] Write the second
- [ ] Write the third
`;
  const project = await newGovernedProject(t, { plan });
  const told =
    'All of "Foundation" is done; "Silver" has 2 open tasks. The line **Current phase:** in PROJECT_PLAN.md names the phase: change it to go on there.';
  assert.deepEqual((await project.json(["plan", "check"])).notes, [told]);
  const started = await project.cli(["session", "start"]);
  assert.ok(started.stdout.includes(`  (nothing: ${told})`), started.stdout);
  assert.doesNotMatch(started.stdout, /session confirm$/m);
  const { question } = await project.json(["session", "status"]);
  assert.equal(question, "What is in scope?");
  await project.session("end");
  project.write("PROJECT_PLAN.md", plan.replace("Phase 1 — Foundation", "Phase 2 — Silver"));
  assert.deepEqual((await project.json(["plan", "check"])).notes, []);
  const { session } = await project.session("start");
  assert.deepEqual(
    session.items.map(({ title }) => title),
    ["Write the second", "Write the third"],
  );
});
