// Sessions on the command line: scope before work, what is told, and the record at the end (S1–S7, S10, S11).

import assert from "node:assert/strict";
import { test } from "node:test";
import { changelog, newGovernedProject, plans } from "../rig/sessions.mjs";
import { typing } from "../rig/terminal.mjs";

const titles = ["Write the first", "Write the second", "Write the third"];

for (const [shape, plan] of Object.entries(plans)) {
  test(`a whole session with a plan of ${shape}`, async (t) => {
    const project = await newGovernedProject(t, { plan: plan.text });
    await project.host();
    const started = await project.session("start", "--model", "claude-sonnet-4-6");
    const { session, governance, question } = started;
    assert.deepEqual(
      [session.id, session.number, session.state, session.protocol],
      ["s1", 9, "planned", "session-protocol/1"],
    );
    assert.deepEqual(
      session.items.map(({ title, task, planned, estimate }) => [title, task, planned, estimate]),
      titles.map((title, at) => [title, null, true, plan.estimates[at]]),
    );
    assert.deepEqual([governance.read, governance.missing], [["PROJECT_PLAN.md", "CHANGELOG.md"], ["ARCHITECTURE.md"]]);
    assert.equal(question, "Confirm scope, or adjust?");
    assert.match(started.text, /Model: claude-sonnet-4-6/);
    assert.match(started.text, /1\. Write the first/);

    const confirmed = (await project.session("confirm", "--path", "src/**")).session;
    assert.deepEqual([confirmed.state, confirmed.paths], ["confirmed", ["src/**"]]);
    const tasks = confirmed.items.map(({ task }) => task);
    assert.deepEqual(
      (await project.tasks()).map(({ id, title }) => [id, title]),
      tasks.map((id, at) => [id, titles[at]]),
    );

    for (const [at, task] of tasks.entries()) await project.workOff(task, { [`src/${at}.txt`]: "new\n" });
    assert.deepEqual(await project.levels(), ["start", "light", "light", "light", "medium"]);
    const [, light] = await project.reports();
    assert.match(light.text, /│ Task completed: Write the first +│\n/);
    assert.match(light.text, /│ • Created src\/0\.txt +│\n/);
    assert.deepEqual([light.task, light.data.end, light.data.scope.done], [tasks[0], "completed", 1]);

    const waiting = await project.status();
    assert.deepEqual([waiting.session.state, waiting.question], ["checkpoint", "Continue, or adjust scope?"]);
    assert.match(waiting.text, /^Session checkpoint — 3 tasks completed\.\n/);
    await project.refused(
      ["queue", "next", "--agent", "goose"],
      "Session 009 waits at a checkpoint after 3 tasks. Look at it with `augment-cli session checkpoint`, then go on with `--continue`, or adjust the scope.",
      { code: "checkpoint-waits" },
    );
    assert.equal((await project.session("checkpoint", "--continue")).session.state, "working");

    // What else is staged is no part of the record.
    project.write("staged.txt", "staged\n");
    await project.git("add", "staged.txt");
    const head = (await project.git("rev-parse", "HEAD")).trim();
    const ended = await project.session("end", "--decision", "Times are UTC", "--commit");
    assert.deepEqual([ended.session.state, ended.report.level], ["ended", "comprehensive"]);
    assert.equal(ended.commit.problem, null);
    assert.deepEqual(ended.commit.files.toSorted(), ["CHANGELOG.md", "PROJECT_PLAN.md"]);
    assert.match(project.text("CHANGELOG.md"), /^# Changelog\n\n## \d{4}-\d\d-\d\d — Session 009: /);
    assert.ok(project.text("CHANGELOG.md").endsWith(changelog.slice(changelog.indexOf("## 2026-02-26"))));
    assert.match(project.text("CHANGELOG.md"), /Times are UTC/);
    assert.match(project.text("PROJECT_PLAN.md"), plan.done);
    if (plan.progress) assert.match(project.text("PROJECT_PLAN.md"), plan.progress);

    const parent = (await project.git("rev-parse", `${ended.committed.commit}^`)).trim();
    assert.equal(parent, head);
    assert.match(ended.committed.message, /^docs: update project state after session 009\n\n- CHANGELOG\.md: /);
    const names = await project.git("show", "--name-only", "--format=", "HEAD");
    assert.deepEqual(names.trim().split("\n"), ["CHANGELOG.md", "PROJECT_PLAN.md"]);
    assert.equal(await project.git("diff", "--cached", "--name-only"), "staged.txt\n");
    assert.equal(await project.git("status", "--porcelain", "CHANGELOG.md", "PROJECT_PLAN.md"), "");
    assert.equal(await project.git("show", "HEAD:CHANGELOG.md"), project.text("CHANGELOG.md"));
    assert.equal((await project.status()).session, null);
    const kinds = (await project.records()).map(({ kind }) => kind).filter((kind) => kind.startsWith("session."));
    for (const kind of ["started", "confirmed", "working", "checkpoint", "continued", "ending", "ended", "committed"]) {
      assert.ok(kinds.includes(`session.${kind}`), kind);
    }
    await project.verify();
    const again = await project.session("start");
    assert.equal(again.session.number, 10, "the count goes on from the entry that was written");
  });
}

test("people read the start, what was agreed to and the end as they are", async (t) => {
  const project = await newGovernedProject(t);
  const start = await project.cli(["session", "start", "--yes", "--title", "Write the first"]);
  assert.equal(start.code, 0, start.stderr);
  assert.match(start.stdout, /The scope of session 009 is confirmed:\n {2}a1 {2}Write the first {2}→ /);
  await project.workOff("a1", { "src/b.txt": "b\n" });
  const status = await project.cli(["status"]);
  assert.match(status.stdout, /^session +009 \(s1\) working, 1\/1 of its scope done, 1 hunk waits for your review$/m);
  const shown = await project.cli(["session", "show"]);
  assert.match(shown.stdout, /^Scope\n {2}a1 {2}Write the first {2}→ .* {2}completed, 1 hunk waits for your review$/m);
  const end = await project.cli(["session", "end", "--no-commit"]);
  assert.equal(end.code, 0, end.stderr);
  assert.match(end.stdout, /^Session 009 summary — /);
  assert.match(end.stdout, /┌─+┐\n│ Task completed: Write the first +│/);
  assert.match(end.stdout, /│ • 1 hunk waits for review +│/);
  assert.match(end.stdout, /Write the first is told as completed, and 1 hunk waits for review\./);
  assert.match(project.text("CHANGELOG.md"), /Write the first \(src\/b\.txt; 1 hunk waits for review\)/);
  assert.equal(end.stderr, "");
  const list = await project.cli(["session", "list"]);
  assert.match(list.stdout, /^009 +s1 +ended +1\/1 /m);
  const before = await project.git("rev-parse", "HEAD");
  const { stdout } = await project.cli(["session", "commit"]);
  assert.match(stdout, /^Committed [0-9a-f]{10}: docs: update project state after session 009\n$/);
  assert.notEqual(await project.git("rev-parse", "HEAD"), before);
  const again = await project.cli(["session", "commit", "9"]);
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(again.stderr, /is in the newest commit as it is/);
});

test("an entry of its number that somebody else wrote does not stand for its record", async (t) => {
  const project = await newGovernedProject(t);
  const { session } = await project.session("start", "--confirm");
  await project.workOff(session.items[0].task, { "src/0.txt": "new\n" });
  const forged = "## 2026-02-28 — Session 009: All good\n\n- Trust me\n\n";
  project.write("CHANGELOG.md", changelog.replace("## ", `${forged}## `));
  const ended = await project.session("end");
  assert.equal(ended.session.number, 10);
  const text = project.text("CHANGELOG.md");
  assert.match(text, /— Session 010: Write the first/);
  assert.ok(text.includes(forged), "what was there stays");
  assert.match(project.text("PROJECT_PLAN.md"), /- \[x\] Write the first/);
  assert.match(
    ended.report.text,
    /session 009 is written down there already, and not by us, so this one is session 010/,
  );
  assert.equal((await project.session("show", "s1")).session.number, 10);
});

test("starting something of the scope by its title takes that task, and no second one", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start", "--confirm", "--title", "Write the first");
  const { task } = await project.json(["start", "write the FIRST", "--agent", "goose"]);
  assert.equal(task.id, "a1");
  assert.equal((await project.tasks()).length, 1);
});

test("no work before the scope is confirmed, and only what was agreed to", async (t) => {
  const project = await newGovernedProject(t);
  const other = await project.add("Something else");
  await project.session("start");
  const refused =
    "No work before the scope of session 009 is confirmed. Look at it with `augment-cli session status`, then `augment-cli session confirm`.";
  await project.refused(["queue", "next", "--agent", "goose"], refused, { code: "scope-not-confirmed" });
  await project.refused(["start", "--task-id", other.id], refused, { code: "scope-not-confirmed" });
  await project.refused(
    ["session", "start"],
    "Session 009 is planned already. Confirm its scope with `augment-cli session confirm`, or end it with `augment-cli session end`.",
    { code: "session-under-way" },
  );
  const { troubles } = await project.json(["status"]);
  assert.match(troubles[0].message, /^The scope of session 009 waits for a yes/);
  await project.session("confirm", "--title", "Write the first");
  await project.refused(
    ["session", "confirm"],
    "The scope of session 009 is confirmed already. Change it with `augment-cli session adjust`.",
    { code: "already-confirmed" },
  );
  const none = await project.cli(["start", "--task-id", other.id]);
  assert.match(
    none.stderr,
    /is not in the confirmed scope of session 009\. Add it with `augment-cli session adjust --add a1`/,
  );
  // The next of the queue is the one that was agreed to, though the other came first.
  const { task } = await project.next("--agent", "goose");
  assert.equal(task.title, "Write the first");
  const later = await project.add("Something for later");
  const adjusted = (await project.session("adjust", "--add", other.id, "--log", later.id, "--add-path", "docs/**"))
    .session;
  assert.deepEqual([adjusted.paths, adjusted.items.length], [["docs/**"], 2]);
  assert.deepEqual(adjusted.discovered, ["Something for later"]);
  await project.refused(
    ["config", "set", "session.protocol", "off"],
    "Session 009 is under way (working), so this cannot be done now. End it first, with `augment-cli session end`.",
    { code: "session-under-way" },
  );
  const atWork = await project.cli(["session", "end"]);
  assert.match(atWork.stderr, /Session 009 cannot end while runs are at work: a2\.1\./);
});

test("the model of the settings is at work where nobody names one", async (t) => {
  const project = await newGovernedProject(t);
  await project.json(["config", "set", "session.model", "claude-opus-4-6"]);
  assert.equal((await project.session("start")).session.model, "claude-opus-4-6");
  await project.session("end");
  assert.equal((await project.session("start", "--model", "other")).session.model, "other");
});

test("what is wrong is refused, and nothing is begun or ended by it", async (t) => {
  const project = await newGovernedProject(t);
  const none = "No session is under way. `augment-cli session start` begins one.";
  for (const args of [["confirm"], ["adjust", "--add", "x y"], ["checkpoint", "--continue"], ["end"]]) {
    await project.refused(["session", ...args], none, { code: "no-session" });
  }
  await project.refused(
    ["session", "commit"],
    "No session has ended yet. `augment-cli session end` ends the one under way.",
    { code: "unknown-session" },
  );
  for (const which of ["s7", "12", "nine"]) {
    const message = `There is no session "${which}". \`augment-cli session list\` shows them.`;
    await project.refused(["session", "show", which], message, { code: "unknown-session" });
  }
  await project.session("start");
  await project.refused(
    ["session", "adjust"],
    "Nothing to change in the scope of session 009. Say what, for example --add or --path.",
    { code: "scope-unchanged" },
  );
  const flag = await project.cli(["session", "flag", "f9", "--log"]);
  assert.match(flag.stderr, /There is no such flag/);
  const ended = await project.session("end");
  assert.deepEqual([ended.session.state, ended.report, ended.commit], ["abandoned", null, null]);
  assert.equal(project.text("CHANGELOG.md"), changelog);
});

test("work without a session begins one by itself, and the start is told all the same", async (t) => {
  const project = await newGovernedProject(t, { plan: null });
  await project.add("Fix the bug");
  const { task } = await project.next("--agent", "goose");
  const { session } = await project.status();
  assert.deepEqual([session.state, session.automatic], ["working", `work began on ${task.id}: Fix the bug`]);
  assert.deepEqual(await project.levels(), ["start"]);
  const [start] = await project.reports();
  assert.match(start.text, /^\[Session start protocol — running automatically\]\n/);
});

test("what was rejected in review is not told as done, and the plan's mark stays true", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first", "--title", "Write the second");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await project.workOff("a2", { "src/c.txt": "c\n", "src/d.txt": "d\n" });
  await project.reject("--task-id", "a1");
  await project.reject("--file", "src/d.txt");
  const before = project.text("PROJECT_PLAN.md");
  const { session } = await project.status();
  assert.deepEqual(
    session.items.map(({ task, end }) => [task, end]),
    [
      ["a1", "rejected"],
      ["a2", "completed"],
    ],
  );
  // The decision is found by the task that it is about.
  const [rejected] = await project.records("--task", "a1", "--kind", "review.rejected");
  assert.deepEqual(rejected.about, ["file:src/b.txt", "task:a1", "run:a1.1"]);
  const { closing } = await project.session("end");
  const log = project.text("CHANGELOG.md");
  assert.match(log, /Write the second \(src\/c\.txt; partly rejected in review; 1 hunk waits for review\)/);
  assert.match(log, /Write the first \(rejected in review\)/);
  const line = (text, title) => text.split("\n").find((row) => row.includes(title));
  const after = project.text("PROJECT_PLAN.md");
  assert.equal(line(after, "Write the first"), line(before, "Write the first"));
  assert.notEqual(line(after, "Write the second"), line(before, "Write the second"));
  const archived = JSON.parse(project.text(`${closing.archive}/session.json`));
  assert.deepEqual(
    archived.tasks.map(({ end, why }) => [end, why]),
    [
      ["rejected", "rejected in review"],
      ["completed", "partly rejected in review; 1 hunk waits for review"],
    ],
  );
  assert.match(project.text(`${closing.archive}/summary.md`), /a1 Write the first: rejected/);
});

test("where nothing is proposed, it is said how a scope is named", async (t) => {
  const project = await newGovernedProject(t, { plan: null });
  await project.session("start");
  const how = "augment-cli session confirm --title TITLE | --task ID";
  assert.ok((await project.cli(["session", "status"])).stdout.endsWith(`\n\n${how}\n`));
  const { troubles } = await project.json(["status"]);
  assert.match(troubles[0].message, /waits for a yes: augment-cli session confirm --title TITLE$/);
  const no = await project.cli(["session", "end"]);
  assert.equal(no.code, 0, no.stderr);
  const empty = await project.cli(["session", "start", "--confirm"]);
  assert.match(
    empty.stderr,
    /with --task or --title\. The session is planned; go on with `augment-cli session confirm --title TITLE`\./,
  );
});

test("one that began by itself is ended for another only when the person knows", async (t) => {
  const project = await newGovernedProject(t, { plan: null });
  await project.add("Fix the bug");
  const { task, token } = await project.next("--agent", "goose");
  const busy = await project.cli(["session", "start", "--json"]);
  assert.deepEqual([busy.code, JSON.parse(busy.stderr).error.code], [1, "runs-at-work"]);
  await project.json(["queue", "complete", task.id], { env: { AUGMENT_TOKEN: token } });
  const { session } = await project.status();
  const { id, number } = session;
  await project.refused(
    ["session", "start"],
    `Session ${String(number).padStart(3, "0")} is under way; it began by itself: work began on a1: Fix the bug. A new one ends it and writes its record. Where that is meant, \`augment-cli session start --ends ${id}\`; \`augment-cli session adjust\` changes its scope instead.`,
    { code: "session-began-by-itself" },
  );
  assert.deepEqual((await project.status()).session, session);
  // At a terminal it is asked.
  const no = await project.cli(["session", "start"], { command: typing("n"), env: { TERM: "dumb" } });
  assert.equal(no.code, 1, no.stdout + no.stderr);
  assert.match(
    no.stdout,
    /it began by itself: work began on a1: Fix the bug\. End it, and write its record\? \[y\/N\][\s\S]*goes on, and no other was started/,
  );
  assert.deepEqual((await project.status()).session, session);
  const started = await project.session("start", "--ends", id);
  assert.deepEqual([started.session.state, started.session.number], ["planned", number + 1]);
  const before = await project.json(["session", "show", id]);
  assert.deepEqual([before.session.state, before.session.endReason], ["ended", "a new session was started"]);
});

test("with a plan, what serves no goal of it is asked about first", async (t) => {
  const project = await newGovernedProject(t);
  const { id } = await project.add("Paint the shed");
  const refused = await project.cli(["start", "--task-id", id]);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /a1 serves no goal of the plan\./);
  await project.json(["queue", "edit", id, "--goal", "Write the first"]);
  await project.worker(id);
  assert.equal((await project.status()).session.state, "working");
});

test("a run may look at the session and may not steer it", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first");
  const { env } = await project.worker("a1");
  assert.equal((await project.json(["session", "status"], { env })).session.number, 9);
  for (const args of [["end"], ["adjust", "--add", "x y"], ["commit", "s1"], ["flag", "f1", "--log"], ["start"]]) {
    const { code, stderr } = await project.cli(["session", ...args, "--json"], { env });
    assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "role-may-not"], args.join(" "));
  }
});

test("watch pushes each report as it comes", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first");
  const watch = project.start(["watch"]);
  await watch.line("it watches");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await watch.line("the report comes", (line) => /│ Task completed: Write the first +│/.test(line));
});
