// The commit at the end of a session: proposed with what speaks against it, and made only where git would (S10).

import assert from "node:assert/strict";
import { symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { dial } from "../rig/frames.mjs";
import { newGovernedProject, plans } from "../rig/sessions.mjs";
import { typingAt } from "../rig/terminal.mjs";

/** A project whose session has just ended without a commit. */
async function ended(t, prepare = () => {}, how = {}) {
  const project = await newGovernedProject(t, how);
  await project.host();
  await prepare(project);
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  return { project, end: await project.session("end") };
}

async function cannot(t, prepare, problem, code) {
  const { project, end } = await ended(t, prepare);
  assert.match(end.commit.problem, problem);
  const head = await project.git("rev-parse", "HEAD");
  const refused = await project.cli(["session", "commit", "s1", "--json"]);
  const { error } = JSON.parse(refused.stderr);
  assert.deepEqual([refused.code, error.code], [1, code]);
  assert.match(error.message, problem);
  assert.equal(await project.git("rev-parse", "HEAD"), head);
  return project;
}

test("without a name and an address", (t) =>
  cannot(
    t,
    async (project) => {
      await project.git("config", "--unset", "user.name");
      await project.git("config", "--unset", "user.email");
    },
    /^Git knows no name and mail address of yours/,
    "no-identity",
  ));

test("where commits are signed", (t) =>
  cannot(t, (project) => project.git("config", "commit.gpgsign", "true"), /commit\.gpgsign/, "signed-commits"));

test("during a merge", (t) =>
  cannot(
    t,
    async (project) => {
      await project.git("checkout", "--quiet", "-b", "other");
      project.write("src/a.txt", "other\n");
      await project.git("commit", "--quiet", "-am", "other");
      await project.git("checkout", "--quiet", "main");
      await project.git("merge", "--no-ff", "--no-commit", "other");
    },
    /^A merge is under way/,
    "git-under-way",
  ));

test("where the documents are ignored", async (t) => {
  const project = await cannot(
    t,
    async (project) => {
      await project.git("rm", "--quiet", "--cached", "CHANGELOG.md", "PROJECT_PLAN.md");
      project.write(".gitignore", "*.md\n");
      await project.git("add", ".gitignore");
      await project.git("commit", "--quiet", "-m", "ignored");
    },
    /is ignored by git/,
    "ignored-file",
  );
  assert.equal(await project.git("diff", "--cached", "--name-only"), "");
});

test("while another git command has the index", async (t) => {
  const { project } = await ended(t);
  writeFileSync(project.at(".git/index.lock"), "");
  const { stderr } = await project.cli(["session", "commit", "s1"]);
  assert.match(stderr, /^error: Another git command is at work here/);
  unlinkSync(project.at(".git/index.lock"));
  await project.session("commit", "s1");
});

test("without a repository nothing is proposed, and the record is written all the same", async (t) => {
  const { project, end } = await ended(t, (project) => project.remove(".git"));
  assert.equal(end.commit, null);
  assert.match(project.text("CHANGELOG.md"), /Session 009/);
  const { stderr } = await project.cli(["session", "commit", "s1"]);
  assert.match(stderr, /lies in no git repository/);
});

test("a document that has become something else is left to the person", async (t) => {
  const { project } = await ended(t);
  project.remove("CHANGELOG.md");
  symlinkSync("/etc/hostname", project.at("CHANGELOG.md"));
  const { stderr } = await project.cli(["session", "commit", "s1"]);
  assert.match(stderr, /CHANGELOG\.md is no file any more/);
  assert.equal(await project.git("diff", "--cached", "--name-only"), "");
});

test("hooks are not run, a branch without a commit is begun, and a detached HEAD moves on", async (t) => {
  const hook = "#!/bin/sh\ntouch hook-ran\nexit 1\n";
  const { project } = await ended(t, async (project) => {
    writeFileSync(project.at(".git/hooks/pre-commit"), hook, { mode: 0o755 });
    await project.git("checkout", "--quiet", "--detach");
  });
  const { commit } = await project.session("commit", "s1");
  assert.equal((await project.git("rev-parse", "HEAD")).trim(), commit);
  assert.ok(!Object.keys(project.tree()).includes("hook-ran"));

  const { project: fresh } = await ended(t, async (project) => {
    await project.git("checkout", "--quiet", "--orphan", "fresh");
    await project.git("rm", "--quiet", "-r", "--cached", ".");
  });
  const first = await fresh.session("commit", "s1");
  assert.equal(
    (await fresh.git("log", "--format=%H %an %s")).trim(),
    `${first.commit} Ada docs: update project state after session 009`,
  );
  const names = (await fresh.git("show", "--name-only", "--format=", "HEAD")).trim().split("\n");
  assert.deepEqual(names, ["CHANGELOG.md", "PROJECT_PLAN.md"]);
});

test("line ends are kept as git keeps them", async (t) => {
  const plan = plans.boxes.text.replaceAll("\n", "\r\n");
  const { project } = await ended(t, undefined, { plan, files: { ".gitattributes": "*.md text eol=crlf\n" } });
  await project.session("commit", "s1");
  assert.equal(await project.git("status", "--porcelain", "PROJECT_PLAN.md"), "");
  assert.ok(!(await project.git("show", "HEAD:PROJECT_PLAN.md")).includes("\r"));
  assert.ok(project.text("PROJECT_PLAN.md").includes("- [x] Write the first\r\n"));
});

test("what an agent wrote to a document is decided about before it is committed", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first");
  const log = project.text("CHANGELOG.md");
  await project.workOff("a1", { "CHANGELOG.md": Buffer.from(`${log}\nby the agent\n`, "utf8").toString("latin1") });
  const { commit } = await project.session("end");
  const undecided = /^Changes of agents in CHANGELOG\.md are not decided about, so nothing is committed\./;
  assert.match(commit.problem, undecided);
  const head = await project.git("rev-parse", "HEAD");
  const refused = await project.cli(["session", "commit", "s1", "--json"]);
  const { error } = JSON.parse(refused.stderr);
  assert.deepEqual([refused.code, error.code], [1, "undecided-changes"]);
  assert.match(error.message, undecided);
  assert.equal(await project.git("rev-parse", "HEAD"), head);
  await project.json(["changes", "approve", "--file", "CHANGELOG.md"]);
  assert.deepEqual((await project.session("commit", "s1")).notes, []);
});

test("a document that was changed after the end is committed as it is, and that is told", async (t) => {
  const { project } = await ended(t);
  project.write("CHANGELOG.md", `${Buffer.from(project.text("CHANGELOG.md"), "utf8").toString("latin1")}\nmine\n`);
  const told = "CHANGELOG.md was changed after the end of the session, and is committed as it is now.";
  const { stdout } = await project.cli(["session", "commit", "s1"]);
  assert.match(stdout, /^Committed [0-9a-f]{10}: docs: update project state after session 009\n/);
  assert.ok(stdout.endsWith(`\n${told}\n`), stdout);
  assert.match(await project.git("show", "HEAD:CHANGELOG.md"), /\nmine\n$/);
});

/** One more line of the person's, not finished yet. */
function writeOn(project, line) {
  project.write("CHANGELOG.md", `${Buffer.from(project.text("CHANGELOG.md"), "utf8").toString("latin1")}\n${line}\n`);
}

test("a yes is for the documents that were shown; where one has changed since, it is shown what would be committed", async (t) => {
  const { project, end } = await ended(t);
  const client = await dial(project);
  t.after(() => client.destroy());
  const head = await project.git("rev-parse", "HEAD");
  assert.deepEqual(end.commit.changed, []);
  writeOn(project, "half of a");
  for (const shown of [{ confirm: end.commit.confirm }, { asEnded: true }]) {
    const { message, data } = await client.refusal("augment/session/commit", { session: "s1", ...shown });
    assert.equal(data.code, "shown-otherwise");
    assert.match(message, /^CHANGELOG\.md has changed since the commit of the session's record was shown/);
    assert.deepEqual(data.commit.changed, ["CHANGELOG.md"]);
    assert.deepEqual([data.commit.files, data.commit.message], [end.commit.files, end.commit.message]);
    assert.notEqual(data.commit.confirm, end.commit.confirm);
  }
  const { data } = await client.refusal("augment/session/commit", { session: "s1", confirm: end.commit.confirm });
  writeOn(project, "and another");
  const late = await client.refusal("augment/session/commit", { session: "s1", confirm: data.commit.confirm });
  assert.equal(late.data.code, "shown-otherwise");
  const other = await client.refusal("augment/session/commit", { session: "s1", confirm: "something" });
  assert.match(other.message, /^CHANGELOG\.md, PROJECT_PLAN\.md have changed/);
  assert.equal(await project.git("rev-parse", "HEAD"), head);
  const { confirm } = late.data.commit;
  const { commit, notes } = await client.request("augment/session/commit", { session: "s1", confirm });
  assert.equal((await project.git("rev-parse", "HEAD")).trim(), commit);
  assert.equal(notes.length, 1);
  assert.match(await project.git("show", "HEAD:CHANGELOG.md"), /\nhalf of a\n\nand another\n$/);
});

test("who was told of the end alone commits what the end left", async (t) => {
  const { project } = await ended(t);
  const client = await dial(project);
  t.after(() => client.destroy());
  const { notes } = await client.request("augment/session/commit", { session: "s1", asEnded: true });
  assert.deepEqual(notes, []);
});

test("the terminal asks again where a document has changed while the person thought", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  const head = await project.git("rev-parse", "HEAD");
  const end = (...steps) => project.cli(["session", "end"], { command: typingAt(...steps), env: { TERM: "dumb" } });
  const { stdout } = await end(["[y/N]", "y", { "CHANGELOG.md": "mine\n" }], ["[y/N]", "n"]);
  assert.match(
    stdout,
    /CHANGELOG\.md has changed since the commit of the session's record was shown[\s\S]*Not committed\./,
  );
  assert.equal(await project.git("rev-parse", "HEAD"), head);
});
