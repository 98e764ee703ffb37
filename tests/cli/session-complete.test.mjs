// The completion of a session: seven steps after its end, what a person adds to them, and the archive (E1 to E4).

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { newGovernedProject } from "../rig/sessions.mjs";

const archives = "memory-bank/augment-sessions";
const golden = (name) => readFileSync(new URL(`./session-complete/${name}`, import.meta.url), "utf8");

/** A project in which one thing was done, in a session that is still under way. */
async function worked(t, how) {
  const project = await newGovernedProject(t, how);
  await project.session("start", "--confirm", "--title", "Write the first", "--model", "some-model");
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await project.json(["changes", "approve", "--task", "a1"]);
  return project;
}

const outcomes = ({ closing }) => closing.steps.map(({ step, outcome, tries }) => `${step} ${outcome} ${tries}`);
const allDone = [
  "confirmation done 1",
  "outputs done 1",
  "summary done 1",
  "knowledge done 1",
  "clean-up done 1",
  "archive done 1",
  "notification done 1",
];

/** What differs from one run to the next is named instead. */
const settled = (text) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d/g, "DAY")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "HASH")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "SHORT");

test("the whole of it: the steps, the archive in its form, and what a person adds", async (t) => {
  const project = await worked(t);
  const end = await project.session("end");
  assert.deepEqual(outcomes(end), allDone);
  const folder = end.closing.archive;
  assert.match(folder, new RegExp(`^${archives}/\\d{4}-\\d\\d-\\d\\d-s1-write-the-first$`));
  assert.equal(settled(project.text(`${folder}/summary.md`)), golden("summary.md"));
  assert.equal(settled(project.text(`${folder}/session.json`)), golden("session.json"));
  await project.archiveHolds(folder);
  const [kept] = (await project.json(["audit", "protocol"])).sessions;
  assert.deepEqual([kept.session, kept.missing, kept.problem], ["s1", [], null]);

  // Nobody is blamed for it, and the proposed commit holds the documents alone.
  assert.deepEqual((await project.json(["changes", "list"])).files, []);
  assert.deepEqual(end.commit.files, ["CHANGELOG.md", "PROJECT_PLAN.md"]);
  assert.equal(end.commit.problem, null);
  const shown = (await project.cli(["session", "show"])).stdout;
  assert.match(shown, /STEP +OUTCOME +TRIES +WHEN +EVIDENCE\nconfirmation +done +1/);

  const added = await project.session(
    "complete",
    ...["--artifact", "src/a.txt", "--deliver", "out", "--learning", "The API pages from 1"],
    ...["--rating", "4", "--feedback", "quick", "--tag", "io"],
  );
  assert.deepEqual(outcomes(added), [
    "confirmation done 2",
    "outputs done 2",
    "summary done 1",
    "knowledge done 2",
    "clean-up done 1",
    "archive done 2",
    "notification done 1",
  ]);
  assert.deepEqual([project.text("out/src/a.txt"), project.text("out/src/b.txt")], ["1\n2\n3\n", "b\n"]);
  const session = JSON.parse(project.text(`${folder}/session.json`));
  assert.deepEqual(session.feedback, { rating: 4, text: "quick" });
  assert.deepEqual(session.learnings, [{ text: "The API pages from 1", tags: ["io"], shared: false }]);
  assert.deepEqual(session.tags, ["goose", "io", "work"]);
  assert.deepEqual(
    session.artifacts.map(({ path, delivered, received }) => [path, delivered, received]),
    [
      ["src/a.txt", "folder:out/src/a.txt", true],
      ["src/b.txt", "folder:out/src/b.txt", true],
    ],
  );
  await project.archiveHolds(folder);
  await project.verify();
});

test("a step that fails is told, and runs again once it is mended", async (t) => {
  const project = await worked(t);
  project.write("memory-bank", "in the way\n");
  const ended = await project.cli(["session", "end", "--no-commit"]);
  assert.equal(ended.code, 1, "a script hears of it");
  assert.match(ended.stdout, /Not archived\.\nfailed: archive: .*memory-bank/);
  const again = await project.cli(["session", "resume"]);
  assert.deepEqual([again.code, project.text("memory-bank")], [1, "in the way\n"]);
  project.remove("memory-bank");
  const mended = await project.session("resume");
  assert.deepEqual(outcomes(mended), [...allDone.slice(0, 5), "archive done 3", "notification done 1"]);
  await project.archiveHolds(mended.closing.archive);
  const refused = await project.cli(["session", "resume", "--json"]);
  assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, "nothing-to-resume"]);
});

test("what looks like a secret is in no file of an archive", async (t) => {
  const project = await newGovernedProject(t);
  const token = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].join("");
  await project.session("start", "--confirm", "--title", `Use ${token}`);
  await project.workOff("a1", { "src/b.txt": "b\n" });
  await project.session("end", "--decision", `It is ${token}`);
  const { closing } = await project.session("complete", "--learning", `Not ${token}`);
  assert.match(closing.archive, /-s1-use-github-token$/);
  for (const name of ["summary.md", "session.json", "ledger.jsonl"]) {
    assert.ok(!project.text(join(closing.archive, name)).includes(token), name);
  }
  await project.archiveHolds(closing.archive);
});

test("archives can be elsewhere or nowhere, and nothing done leaves none", async (t) => {
  const project = await worked(t);
  await project.cli(["config", "set", "archive.folder", ""]);
  assert.deepEqual(outcomes(await project.session("end"))[5], "archive skipped 1");
  assert.deepEqual(
    Object.keys(project.tree()).filter((path) => path.startsWith("memory-bank")),
    [],
  );
  await project.cli(["config", "set", "archive.folder", "docs/sessions"]);
  await project.cli(["config", "set", "archive.tags", "team, io"]);
  await project.session("start", "--confirm", "--title", "Write the second");
  await project.workOff("a2", { "src/c.txt": "c\n" });
  const { closing } = await project.session("end");
  assert.match(closing.archive, /^docs\/sessions\//);
  assert.deepEqual(JSON.parse(project.text(`${closing.archive}/session.json`)).tags, ["goose", "io", "team", "work"]);
  await project.session("start");
  assert.equal((await project.session("end")).closing, null);
});

test("one that ended before its scope was confirmed is archived, too, and found again", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start", "--title", "Write the first");
  const { closing } = await project.session("end", "--decision", "It waits for the key");
  assert.deepEqual(outcomes({ closing })[5], "archive done 1");
  assert.deepEqual(
    JSON.parse(project.text(`${closing.archive}/session.json`)).tasks.map(({ id, title }) => [id, title]),
    [[null, "Write the first"]],
  );
  const { sessions, problems } = await project.json(["archive", "list", "--task", "Write the first"]);
  assert.deepEqual([sessions.map(({ id }) => id), problems], [["s1"], []]);
});

test("a program of the person's is told, one of the workspace's is not", async (t) => {
  const project = await worked(t);
  const told = join(project.scratch, "told.json");
  project.write(".augment/policy.toml", `[notices]\ncommand = "touch ${project.scratch}/policy"\n`);
  await project.json(["config", "set", "notices.command", JSON.stringify(["sh", "-c", `cat > '${told}'`])]);
  const { closing } = await project.session("end");
  const notice = JSON.parse(readFileSync(told, "utf8"));
  assert.deepEqual([notice.session, notice.number, notice.archive], ["s1", 9, closing.archive]);
  assert.throws(() => readFileSync(join(project.scratch, "policy")));
  await project.json(["config", "set", "notices.command", "false"]);
  await project.session("start", "--confirm", "--title", "Write the second");
  await project.workOff("a2", { "src/c.txt": "c\n" });
  const { code, stdout } = await project.cli(["session", "end", "--json"]);
  const second = JSON.parse(stdout);
  assert.deepEqual([code, outcomes(second)[6]], [1, "notification failed 1"]);
  assert.equal(second.closing.steps[6].evidence[0], "false (notices.command) failed: exit status: 1");
});

test("a program that a workspace ships is not the person's, however it is named", async (t) => {
  const project = await worked(t, { files: { "notify.sh": "755 #!/bin/sh\ntouch shipped\n" } });
  const refused = await project.cli(["config", "set", "notices.command", "./notify.sh"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /notices\.command.*a program by its name or its whole path/);
  // Nor is it when it comes into the file by hand.
  const { userSettings } = await project.places();
  mkdirSync(dirname(userSettings), { recursive: true });
  const notification = async (named) => {
    writeFileSync(userSettings, `[notices]\ncommand = "${named}"\n`);
    const { stdout } = await project.cli(["session", "end", "--json"], { env: { PATH: `.:${process.env.PATH}` } });
    assert.ok(!("shipped" in project.tree()));
    return JSON.parse(stdout).closing.steps[6].evidence[0];
  };
  assert.equal(await notification("./notify.sh"), "editors and other clients are told with augment/moved");
  await project.session("start", "--confirm", "--title", "Write the second");
  await project.workOff("a2", { "src/c.txt": "c\n" });
  assert.equal(
    await notification("notify.sh"),
    "notify.sh (notices.command) could not be told: it was not found in PATH",
  );
});

test("a summary that a person has changed stays as it is", async (t) => {
  const project = await worked(t);
  const { closing } = await project.session("end");
  const path = `${closing.archive}/summary.md`;
  writeFileSync(project.at(path), "mine\n");
  await project.session("complete", "--tag", "io");
  assert.equal(project.text(path), "mine\n");
  await project.archiveHolds(closing.archive);
});

test("an archive that is gone is missed, and written again; another record than ours is told", async (t) => {
  const project = await worked(t);
  const { closing } = await project.session("end");
  project.remove(closing.archive);
  const missed = await project.cli(["archive", "verify"]);
  assert.equal(missed.code, 1);
  assert.match(
    missed.stdout,
    /It was written here and is not there: .*`augment-cli session complete s1` writes it again/,
  );
  const resumed = await project.cli(["session", "resume"]);
  assert.match(resumed.stderr, /`augment-cli session complete` writes the archive again/);
  await project.session("complete");
  await project.archiveHolds(closing.archive);

  const path = `${closing.archive}/session.json`;
  project.write(path, project.text(path).replace('"title": "Write the first"', '"title": "Write the last"'));
  const forged = await project.cli(["archive", "verify"]);
  assert.equal(forged.code, 1);
  assert.match(forged.stdout, /session\.json is not as this workspace wrote it last\./);
});

test("what was just completed is found at once, and a summary that was edited is told", async (t) => {
  const project = await worked(t);
  await project.host();
  const { closing } = await project.session("end");
  for (const tag of ["one", "two", "three"]) {
    await project.session("complete", "--tag", tag, "--learning", `Learnt ${tag}`);
    const { sessions } = await project.json(["archive", "list", "--tag", tag]);
    assert.equal(sessions.length, 1, tag);
    const { entries } = await project.json(["knowledge", "list"]);
    assert.ok(
      entries.some(({ text }) => text === `Learnt ${tag}`),
      tag,
    );
  }
  writeFileSync(project.at(`${closing.archive}/summary.md`), "mine\n");
  const again = await project.session("complete", "--tag", "four");
  assert.match(again.closing.steps[5].evidence[0], /summary\.md: it was edited since, and is kept as it is$/);
});

test("an artifact that is not there is refused, and changes nothing", async (t) => {
  const project = await worked(t);
  await project.session("end");
  await project.refused(
    ["session", "complete", "--artifact", "docs/nothere.txt"],
    '"docs/nothere.txt" is not there. Name a file of the workspace.',
    { code: "no-such-file" },
  );
  assert.deepEqual(outcomes(await project.session("complete"))[1], "outputs done 1");
});

test("what a person mistyped is no challenge of the session, and a question that is left is named", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.cli(["queue", "cancel", "a9"]);
  const worker = await project.worker("a1");
  const said = ["complete", "--summary", "Half of it", "--decision", "Go on?", "--option", "yes", "--option", "no"];
  assert.equal((await project.cli(said, { env: worker.env })).code, 0);
  const { closing } = await project.session("end");
  const session = JSON.parse(project.text(`${closing.archive}/session.json`));
  assert.deepEqual(session.challenges, []);
  assert.match(
    closing.steps[4].evidence.join("\n"),
    /q1 is still to be answered: Go on\? \(augment-cli agent answer q1\)/,
  );
});

test("an older session is not told by what was done to its tasks later", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start", "--confirm", "--title", "Write the first");
  const first = await project.worker("a1");
  project.write("src/b.txt", "b\n");
  const half = ["complete", "--status", "partial", "--summary", "The first half", "--metric", "files_modified=1"];
  assert.equal((await project.cli(half, { env: first.env })).code, 0);
  const { closing } = await project.session("end");
  const before = project.text(`${closing.archive}/summary.md`);
  assert.match(before, /The first half/);

  await project.json(["queue", "retry", "a1"]);
  await project.session("start", "--confirm", "--task", "a1");
  const second = await project.worker("a1");
  project.write("src/z.txt", "z\n");
  const rest = ["complete", "--summary", "The second half", "--metric", "files_modified=7"];
  assert.equal((await project.cli(rest, { env: second.env })).code, 0);
  await project.json(["changes", "approve", "--task", "a1"]);
  await project.session("end");

  const again = await project.session("complete", "s1", "--artifact", "src/a.txt");
  const session = JSON.parse(project.text(`${closing.archive}/session.json`));
  assert.deepEqual(
    session.tasks.map(({ end, files, why }) => [end, files.map(({ path }) => path), why]),
    [["partial", ["src/b.txt"], "partial: The first half"]],
  );
  assert.ok(!JSON.stringify([session, again.closing]).includes("The second half"));
  assert.deepEqual(
    session.metrics.filter(({ name }) => name === "files_modified").map(({ value }) => value),
    ["1"],
  );
  assert.deepEqual(
    session.artifacts.map(({ path }) => path),
    ["src/a.txt", "src/b.txt"],
  );
});

test("what somebody else wrote into an archive, or in its place, is left alone", async (t) => {
  const project = await worked(t);
  const day = new Date().toISOString().slice(0, 10);
  const taken = `${archives}/${day}-s1-write-the-first`;
  mkdirSync(project.at(taken), { recursive: true });
  project.write(`${taken}/ledger.jsonl`, "my own notes\n");
  const { closing } = await project.session("end");
  assert.notEqual(closing.archive, taken);
  assert.equal(project.text(`${taken}/ledger.jsonl`), "my own notes\n");
  await project.archiveHolds(closing.archive);

  const path = `${closing.archive}/session.json`;
  const edited = project.text(path).replace('"tags": [', '"tags": ["mine", ');
  project.write(path, edited);
  const { code, stdout } = await project.cli(["session", "complete", "--rating", "3"]);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /session\.json is somebody else's, or was edited since it was written\. Move it away, then repeat\./,
  );
  assert.equal(project.text(path), edited);

  project.write("out/src/b.txt", "another\n");
  await project.cli(["session", "complete", "--deliver", "out"]);
  assert.equal(project.text("out/src/b.txt"), "another\n");
  const { closing: told } = await project.json(["session", "show", "s1"]);
  assert.match(told.steps[1].evidence[0], /^src\/b\.txt was not delivered to out\/src\/b\.txt: /);
});

test("what a person says comes through whole, and names of files are masked as all else is", async (t) => {
  const project = await newGovernedProject(t);
  const token = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].join("");
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", { [`src/${token}.txt`]: "b\n" });
  await project.json(["changes", "approve", "--task", "a1"]);
  await project.session("end");
  const long = `${"Words that belong together. ".repeat(33)}End`;
  const { closing } = await project.session("complete", "--learning", long, "--rating", "5", "--feedback", "One\nTwo");
  const session = JSON.parse(project.text(`${closing.archive}/session.json`));
  assert.deepEqual([session.learnings[0].text, session.feedback.text], [long, "One\nTwo"]);
  for (const name of ["summary.md", "session.json", "ledger.jsonl"]) {
    assert.ok(!project.text(`${closing.archive}/${name}`).includes(token), name);
  }
  for (const args of [
    ["--artifact", ".git/config"],
    ["--deliver", ".git/hooks"],
  ]) {
    const refused = await project.cli(["session", "complete", ...args, "--json"]);
    assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, "not-delivered"]);
  }
});

test("an artifact that the session's commit holds is delivered by it", async (t) => {
  const project = await worked(t);
  await project.session("end");
  await project.session("complete", "--artifact", "CHANGELOG.md");
  const { commit } = await project.session("commit");
  const { closing } = await project.json(["session", "show", "s1"]);
  const session = JSON.parse(project.text(`${closing.archive}/session.json`));
  const [changelog] = session.artifacts;
  assert.deepEqual([changelog.path, changelog.delivered], ["CHANGELOG.md", `commit:${commit}`]);
  assert.match(closing.steps[1].evidence.join("\n"), /CHANGELOG\.md: .*in commit/);
});
