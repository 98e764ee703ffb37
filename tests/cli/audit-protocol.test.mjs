// Archived sessions against the protocols that they name: a score, what is missing, and an exit code for CI (L5). The archives are golden: they
// are read as they are for ever.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newGovernedProject } from "../rig/sessions.mjs";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

const archives = join(import.meta.dirname, "archives");
const at = (name) => join(archives, name);

/** What each archive lacks, as `point: what`. */
const lacking = {
  complete: [],
  "scope-never-confirmed": ["scope confirmed: The scope was never confirmed."],
  "scope-confirmed-late": ["scope confirmed: Work began before the scope was confirmed."],
  "task-not-reported": ["report of a2: Nothing was reported after task a2."],
  "no-checkpoint": ["checkpoints: More than 3 tasks ended in a row without a checkpoint."],
  "no-document": ["documents: No document was written at its end."],
  "steps-in-another-order": ["order of the steps: summary does not come before outputs."],
  "step-failed": ["step clean-up: It failed and was not run again."],
  "step-waits": ["step knowledge: It still waits."],
  "step-skipped": ["step knowledge: It was skipped."],
  "step-without-evidence": ["step confirmation: It is done, and nothing says by what that is known."],
  "summary-without-challenges": ["summary of challenges: The summary has no section about challenges."],
  "no-outcome": ["outcome told: The record does not say what came of it."],
  "artifact-missing": ["artifact src/lifesum.rs: It was not there when it was checked."],
  "artifact-not-received": ["artifact src/lifesum.rs: Nothing says that it was received."],
  "no-metrics": ["metrics: No performance metric was logged."],
  "no-tags": ["tags: It has no tag to be found by."],
  "summary-edited": ["files: summary.md was changed after it was archived."],
  "summary-gone": [
    ...["actions", "decisions", "challenges", "resources", "times", "outcome"].map(
      (name) => `summary of ${name}: The summary has no section about ${name}.`,
    ),
    "files: summary.md is missing.",
  ],
  "ledger-edited": [
    "ledger: Record 11 was changed after it was written.",
    "files: ledger.jsonl was changed after it was archived.",
  ],
  "ledger-cut": [
    "ledger: ledger.jsonl has 10 records, session.json says 11: some were taken out or put in.",
    "files: ledger.jsonl was changed after it was archived.",
  ],
};
for (const step of ["confirmation", "outputs", "summary", "knowledge", "clean-up", "archive", "notification"]) {
  lacking[`no-step-${step}`] = [`step ${step}: It is not in the record.`];
}

/** Why each of these cannot be checked. */
const unreadable = {
  "unreadable-newer-form":
    /^session\.json is of the form "augment-session\/2", which this program does not know\. Update Augment Orchestrator to read it\.$/,
  "unreadable-without-a-key": /^session\.json: endReason is missing\.$/,
  "unreadable-newer-protocol":
    /^It follows "session-completion\/2", which this program does not know\. Update Augment Orchestrator to check it\.$/,
  "unreadable-cut": /^session\.json is not JSON: EOF while parsing /,
  "unreadable-time": /^session\.json: startedAt is not a time such as 2026-11-16T10:00:00Z\.$/,
};

async function check(args, how) {
  const { code, stdout, stderr } = await run([program, "audit", "protocol", ...args, "--json"], how);
  assert.equal(stderr, "");
  return { code, sessions: JSON.parse(stdout).sessions };
}

test("every archive here is known to this test", () => {
  const names = readdirSync(archives).filter((name) => name !== "README.md");
  assert.deepEqual(names.sort(), [...Object.keys(lacking), ...Object.keys(unreadable)].sort());
});

for (const [name, expected] of Object.entries(lacking)) {
  test(`${name} ${expected.length === 0 ? "lacks nothing" : "is told as such"}`, async () => {
    const { code, sessions } = await check([at(name)]);
    assert.equal(code, expected.length === 0 ? 0 : 1);
    const [{ session, number, points, of, missing, checked, problem, protocol }] = sessions;
    assert.deepEqual([session, number, problem], ["s3", 9, null]);
    assert.deepEqual(protocol, ["session-protocol/1", "session-completion/1"]);
    assert.deepEqual(
      missing.map(({ point, what }) => `${point}: ${what}`),
      expected,
    );
    assert.deepEqual([of, points], [25, 25 - expected.length]);
    assert.equal(checked.length, of);
    assert.deepEqual(
      checked.filter(({ met }) => !met).map(({ point, lacks }) => `${point}: ${lacks}`),
      expected,
    );
    assert.ok(checked.every(({ met, lacks }) => met === (lacks === null)));
  });
}

for (const [name, message] of Object.entries(unreadable)) {
  test(`${name} is not judged`, async () => {
    const { code, sessions } = await check([at(name)]);
    assert.equal(code, 2);
    assert.match(sessions[0].problem, message);
    assert.deepEqual([sessions[0].points, sessions[0].of], [0, 0]);
  });
}

test("people read the score and what is missing", async () => {
  const { code, stdout } = await run([
    program,
    "audit",
    "protocol",
    at("complete"),
    at("no-tags"),
    at("unreadable-time"),
  ]);
  assert.equal(code, 2);
  const [complete, noTags, tags, unread, why, gap, sum] = stdout.trimEnd().split("\n");
  assert.deepEqual(
    [complete, noTags, tags, unread, gap, sum],
    [
      "complete  25 of 25 points",
      "no-tags  24 of 25 points",
      "  tags: It has no tag to be found by.",
      "unreadable-time  cannot be checked",
      "",
      "1 of 3 sessions lack nothing.",
    ],
  );
  assert.match(why, /startedAt/);
});

test("--points lists every point, and what can be mended says how", async () => {
  const { code, stdout } = await run([program, "audit", "protocol", at("step-failed"), "--points"]);
  assert.equal(code, 1);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.shift(), "step-failed  24 of 25 points");
  assert.equal(lines.length, 25);
  for (const point of ["scope confirmed", "report of a1", "step archive", "artifact src/lifesum.rs", "ledger"])
    assert.ok(lines.includes(`  met    ${point}`), point);
  const failed =
    "step clean-up: It failed and was not run again. `augment-cli session resume` in its workspace runs it again.";
  assert.deepEqual(
    lines.filter((line) => !line.startsWith("  met")),
    [`  lacks  ${failed}`],
  );
  const short = await run([program, "audit", "protocol", at("step-failed")]);
  assert.deepEqual(short.stdout.trimEnd().split("\n"), ["step-failed  24 of 25 points", `  ${failed}`]);
});

test("a workspace's archive is checked whole, by name, or by its newest session", async (t) => {
  const workspace = newWorkspace(t);
  const folder = join(workspace.folder, "memory-bank", "augment-sessions");
  // A wrong folder passes no check.
  for (const args of [[], ["--all"]]) {
    await workspace.refused(
      ["audit", "protocol", ...args],
      `There is no archived session in ${folder}. Sessions are archived when they are completed.`,
      { code: "no-archive", exit: 2 },
    );
  }
  mkdirSync(folder, { recursive: true });
  cpSync(at("complete"), join(folder, "2026-11-16-s3-lifesum"), { recursive: true });
  cpSync(at("no-tags"), join(folder, "2026-11-16-s2-other"), { recursive: true });
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "README.md"), "not a session");
  const all = await workspace.cli(["audit", "protocol", "--all", "--json"]);
  assert.equal(all.code, 1);
  assert.deepEqual(
    JSON.parse(all.stdout).sessions.map(({ folder: name, points }) => [name, points]),
    [
      ["2026-11-16-s2-other", 24],
      ["2026-11-16-s3-lifesum", 25],
    ],
  );
  const newest = await workspace.json(["audit", "protocol"]);
  assert.deepEqual(
    newest.sessions.map(({ folder: name }) => name),
    ["2026-11-16-s3-lifesum"],
  );
  const named = await workspace.cli(["audit", "protocol", "2026-11-16-s2-other"]);
  assert.deepEqual([named.code, named.stdout.split("\n")[0]], [1, "2026-11-16-s2-other  24 of 25 points"]);
  for (const unknown of ["nothing-of-that-name", "s1", "8", "0000"]) {
    await workspace.refused(
      ["audit", "protocol", unknown],
      `${unknown} is no archived session, neither by its folder, id nor number. \`augment-cli archive list\` shows them, \`augment-cli audit protocol --all\` checks every one.`,
      { code: "unknown-archive", exit: 2 },
    );
  }
});

test("a session is named by its id, its number or the beginning of its folder, and several are told apart", async (t) => {
  const workspace = newWorkspace(t);
  const folder = join(workspace.folder, "memory-bank", "augment-sessions");
  mkdirSync(folder, { recursive: true });
  cpSync(at("complete"), join(folder, "2026-11-16-s3-lifesum"), { recursive: true });
  for (const named of ["s3", "9", "2026-11-16-s3"]) {
    const { sessions } = await workspace.json(["audit", "protocol", named]);
    assert.deepEqual(
      sessions.map(({ folder: name, points }) => [name, points]),
      [["2026-11-16-s3-lifesum", 25]],
      named,
    );
  }
  cpSync(at("no-tags"), join(folder, "2026-11-17-s3-again"), { recursive: true });
  for (const named of ["s3", "9", "2026-11"]) {
    await workspace.refused(
      ["audit", "protocol", named],
      `"${named}" means several archives. Name one: 2026-11-16-s3-lifesum, 2026-11-17-s3-again.`,
      { code: "ambiguous-archive", exit: 2 },
    );
  }
});

test("a planted link or pipe in an archive is not followed and does not hang", async (t) => {
  const workspace = newWorkspace(t);
  const planted = join(workspace.scratch, "planted");
  for (const [file, why, plant] of [
    ["session.json", "is a link", (path) => symlinkSync("/etc/passwd", path)],
    ["summary.md", "is a link", (path) => symlinkSync("/etc/passwd", path)],
    ["ledger.jsonl", "cannot be read", (path) => run(["mkfifo", path])],
  ]) {
    cpSync(at("complete"), planted, { recursive: true });
    rmSync(join(planted, file));
    await plant(join(planted, file));
    const { code, sessions } = await check([planted], { limitMs: 20_000 });
    assert.equal(code, 2);
    assert.match(sessions[0].problem, new RegExp(`^${file.replace(".", "\\.")} ${why}`));
    rmSync(planted, { recursive: true });
  }
});

test("a session that began by itself has what was ordered as its scope, as it is shown", async (t) => {
  const project = await newGovernedProject(t);
  await project.add("Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await project.json(["changes", "approve", "--task", "a1"]);
  const { closing } = await project.session("end");
  assert.ok(closing.archive);
  const { code, stdout } = await project.cli(["audit", "protocol", "--json"]);
  const [{ missing, checked }] = JSON.parse(stdout).sessions;
  assert.deepEqual([code, missing], [0, []]);
  const note = "It began by itself with the work, and its scope is what was ordered.";
  assert.deepEqual(checked[0], { point: "scope confirmed", met: true, lacks: null, note, next: null });
  const points = await project.cli(["audit", "protocol", "--points"]);
  assert.ok(points.stdout.split("\n").includes(`  met    scope confirmed: ${note}`), points.stdout);
  const shown = await project.cli(["session", "show", "s1"]);
  assert.match(shown.stdout, /^confirmed /m);
  assert.match(shown.stdout, /^began because +work began on a1/m);
});

test("the files of the archive itself are no documents of its session", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await project.json(["changes", "approve", "--task", "a1"]);
  for (const path of ["CHANGELOG.md", "PROJECT_PLAN.md"]) project.chmod(path, 0o444);
  const { closing } = await project.session("end");
  assert.ok(closing.archive);
  const { code, stdout } = await project.cli(["audit", "protocol", "--json"]);
  assert.equal(code, 1);
  const [{ missing }] = JSON.parse(stdout).sessions;
  assert.deepEqual(missing, [{ point: "documents", what: "No document was written at its end.", next: null }]);
});
