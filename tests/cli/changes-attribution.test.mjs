// Who changed what, and how that is known: never guessed, set right when somebody speaks up, kept line by line through
// other people's edits and through git (T1, T2, T4, T5).

import assert from "node:assert/strict";
import { test } from "node:test";
import { newProject } from "../rig/changes.mjs";
import { sql } from "../rig/database.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n";
const changed = base.replace("4", "four");
const seen = (project) => project.pending();

test("a run that declares what it writes, to the byte, is known by it among others", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const two = await project.agent("two", "codex");
  await two.declares("a.txt", changed);
  assert.deepEqual(await project.pending(), ["a.txt: a2.1 declared-content lines +1 −1"]);
  assert.deepEqual(await project.pending("--task-id", "a1"), []);
  assert.deepEqual(await project.authors("a.txt"), ["run:a2.1 declared-content"]);
  const [claimed] = await project.records("--kind", "file.claimed");
  assert.deepEqual(
    [claimed.actor, claimed.subject, claimed.about],
    ["run:a2.1", "file:a.txt", ["task:a2", "run:a2.1"]],
  );
});

test("a hash may be given in place of the content, and one of other content speaks for nothing", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  const one = await project.agent("one");
  await project.agent("two", "codex");
  project.write(".git/content", changed);
  const said = await one.claim("a.txt", "--content", ".git/content");
  assert.match(said.hash, /^[0-9a-f]{64}$/);
  project.write("a.txt", changed);
  await one.claim("b.txt", "--hash", said.hash);
  project.write("b.txt", `${changed}other\n`);
  assert.deepEqual(await project.pending(), [
    "a.txt: a1.1 declared-content lines +1 −1",
    "b.txt: unknown nothing lines +1 −1",
    "b.txt: unknown nothing lines +1",
  ]);
});

test("a run that declares a path alone is known by that, more weakly", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const two = await project.agent("two", "codex");
  await two.claim("a.txt");
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), ["a.txt: a2.1 declared-path lines +1 −1"]);
});

test("a person may speak for a run by its task", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  await project.agent("two", "codex");
  await project.json(["claim", "a.txt", "--task-id", "a2"]);
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), ["a.txt: a2.1 declared-path lines +1 −1"]);
});

test("a word about the very content that comes late sets it right", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const two = await project.agent("two", "codex");
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), ["a.txt: unknown nothing lines +1 −1"]);
  await project.json(["claim", "a.txt", "--content", "-"], { env: two.env, input: changed });
  assert.deepEqual(await project.pending(), ["a.txt: a2.1 declared-content lines +1 −1"]);
  assert.deepEqual(await project.authors("a.txt"), ["unknown nothing", "→ run:a2.1 declared-content"]);
});

test("two runs and no word: unknown, asks, and the person may assign it", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  for (const title of ["one", "two"]) await project.agent(title);
  project.write("a.txt", changed);
  project.write("b.txt", changed);
  assert.deepEqual(await project.pending("--unknown"), [
    "a.txt: unknown nothing lines +1 −1",
    "b.txt: unknown nothing lines +1 −1",
  ]);
  const { counts } = await project.json(["changes", "list"]);
  assert.deepEqual(counts, { pendingFiles: 2, pendingHunks: 2, unknownHunks: 2 });
  const assigned = await project.json(["changes", "assign", "--file", "a.txt", "--to-task", "a2"]);
  assert.deepEqual(assigned, { hunks: 1, files: 1, decision: null });
  await project.json(["changes", "assign", "--file", "b.txt", "--to-me"]);
  assert.deepEqual(
    await project.pending(),
    ["a.txt: a2.1 assigned lines +1 −1"],
    "what is the person's own needs no decision",
  );
  assert.deepEqual(
    (await project.blame("b.txt")).filter((line) => line.includes("four")),
    ["four: ada assigned"],
  );
  const records = await project.records("--kind", "review.assigned");
  assert.deepEqual(
    records.map(({ actor, subject, data }) => [actor, subject, data.to]),
    [
      ["person:ada", "file:b.txt", "person:ada"],
      ["person:ada", "file:a.txt", "run:a2.1"],
    ],
  );
  await project.reject("--task-id", "a2");
  assert.deepEqual(project.tree(), { "a.txt": base, "b.txt": changed });
  await project.verify();
});

test("nobody at work: a change is unknown, and needs no decision", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.host();
  assert.deepEqual(await project.pending(), []);
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), []);
  assert.deepEqual(await project.authors("a.txt"), ["unknown nothing"]);
});

test("right after a run's end what it left at work may go on: nobody is blamed, and it waits", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const agent = await project.agent("one");
  await agent.done();
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), ["a.txt: unknown nothing lines +1 −1"]);
});

test("a save of the editor's is the person's, told before the change is seen", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const editor = await project.editor();
  await editor.says("a.txt", changed);
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), []);
  assert.deepEqual(await project.authors("a.txt"), ["person:ada saved"]);
});

test("a save of the editor's is the person's, told after the change was seen", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const editor = await project.editor();
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  await editor.says("a.txt", changed);
  assert.deepEqual(await project.pending(), []);
  assert.deepEqual(await project.authors("a.txt"), ["run:a1.1 inferred", "→ person:ada saved"]);
});

test("a save of other text, or one that changed nothing, says nothing", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  await project.agent("one");
  const editor = await project.editor();
  project.write("a.txt", changed);
  await seen(project);
  // A reload from disk looks like typing in an editor; the editor knows that nothing was changed in it.
  await editor.says("a.txt", changed, "unchanged");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
});

test("what a program in the editor applied is the only run's", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  const agent = await project.agent("one");
  const editor = await project.editor();
  await editor.says("a.txt", changed, "applied");
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 applied lines +1 −1"]);
  await agent.done();
  await editor.says("b.txt", changed, "applied");
  project.write("b.txt", changed);
  assert.deepEqual(await project.authors("b.txt"), ["unknown applied"], "an agent in the editor may have applied it");
});

test("each line keeps its author through edits above and below, by whomever", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const [one, two] = [await project.agent("one"), await project.agent("two", "codex")];
  const editor = await project.editor();
  await one.declares("a.txt", changed);
  await seen(project);
  await two.declares("a.txt", `${changed.replace("7\n", "seven\n")}`);
  await seen(project);
  await editor.save("a.txt", `above\n${changed.replace("7\n", "seven\n")}below\n`);
  await seen(project);
  await one.declares("a.txt", `top\nabove\n${changed.replace("7\n", "between\nseven\n")}below\n`);
  assert.deepEqual(await project.blame("a.txt"), [
    "top: a1.1 declared-content",
    "above: ada saved",
    "1: before",
    "2: before",
    "3: before",
    "four: a1.1 declared-content",
    "5: before",
    "6: before",
    "between: a1.1 declared-content",
    "seven: a2.1 declared-content",
    "8: before",
    "below: ada saved",
  ]);
  // And through decisions about others' lines.
  await project.reject("--task-id", "a1", "--yes");
  assert.deepEqual(await project.blame("a.txt"), [
    "above: ada saved",
    ...["1", "2", "3", "4", "5", "6"].map((line) => `${line}: before`),
    "seven: a2.1 declared-content",
    "8: before",
    "below: ada saved",
  ]);
  // And through a rename.
  await two.claim("b.txt");
  project.rename("a.txt", "b.txt");
  assert.ok((await project.blame("b.txt")).includes("below: ada saved"));
});

test("an agent that takes its own lines back leaves nothing to decide", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  project.write("a.txt", base);
  assert.deepEqual(await project.pending(), []);
});

test("a write that is seen half-way is the same change as one that is not", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  await project.writeSlowly("a.txt", changed, () => seen(project));
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  assert.deepEqual((await project.blame("a.txt")).slice(0, 4), [
    "1: before",
    "2: before",
    "3: before",
    "four: a1.1 inferred",
  ]);
});

test("changes while no host ran are unknown and unwatched, and nothing of them is missed", async (t) => {
  const project = await newProject(t, { "a.txt": base, "gone.txt": base, "mode.sh": "x\n", "old.txt": "moved\n" });
  await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  await project.unhosted();
  project.write("a.txt", `${changed}nine\n`);
  project.write("new.txt", "new\n");
  project.remove("gone.txt");
  project.chmod("mode.sh", 0o755);
  const pending = await project.pending();
  assert.deepEqual(pending, [
    "a.txt: a1.1 inferred lines +1 −1",
    "a.txt: unknown unwatched lines +1",
    "gone.txt: unknown unwatched deleted file deleted",
    "mode.sh: unknown unwatched mode mode 644 → 755",
    "new.txt: unknown unwatched created new file, +1",
  ]);
  await project.reject("--unknown");
  assert.deepEqual(project.tree(), { "a.txt": changed, "gone.txt": base, "mode.sh": "x\n", "old.txt": "moved\n" });
  await project.undo();
  assert.deepEqual(await project.pending(), pending);
  await project.verify();
});

test("what a killed host did not see is unwatched, never the agent's", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  await project.unhosted("SIGKILL");
  project.write("b.txt", changed);
  assert.deepEqual(await project.pending(), [
    "a.txt: a1.1 inferred lines +1 −1",
    "b.txt: unknown unwatched lines +1 −1",
  ]);
});

test("a switch of branches that changes the file parks what waits, and back again brings it back", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  await project.git("switch", "--quiet", "--create", "topic");
  await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  // The agent's line is committed on its branch, with the agent still at work: that decides nothing.
  await project.git("commit", "--quiet", "--all", "--message", "work in progress");
  const pending = ["a.txt: a1.1 inferred lines +1 −1"];
  assert.deepEqual(await project.pending(), pending);
  await project.git("switch", "--quiet", "main");
  assert.equal(project.text("a.txt"), base);
  assert.deepEqual(await project.pending(), []);
  assert.deepEqual(
    (await project.records("--kind", "file.parked")).map(({ subject, data }) => [subject, data.branch]),
    [["file:a.txt", "topic"]],
  );
  assert.deepEqual(await project.records("--kind", "review.implied"), [], "a switch is no decision");
  // Work on the other branch is apart from it.
  project.write("b.txt", changed);
  assert.deepEqual(await project.pending(), ["b.txt: a1.1 inferred lines +1 −1"]);
  await project.approve("--all");
  await project.git("commit", "--quiet", "--all", "--message", "b");
  await project.git("switch", "--quiet", "topic");
  assert.deepEqual(await project.pending(), pending);
  assert.deepEqual(project.tree(), { "a.txt": changed, "b.txt": base });
  await project.reject("--task-id", "a1");
  assert.equal(project.text("a.txt"), base);
  await project.undo();
  assert.equal(project.text("a.txt"), changed);
  const authors = await project.authors("b.txt");
  assert.deepEqual(authors.slice(1), ["vcs version-control"]);
  await project.verify();
});

test("what waits on another branch cannot be decided by mistake from here", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.git("switch", "--quiet", "--create", "topic");
  await project.agent("one");
  project.write("a.txt", changed);
  const [{ id }] = await project.hunks();
  await project.approve(id);
  await project.undo();
  await project.git("commit", "--quiet", "--all", "--message", "work in progress");
  await seen(project);
  await project.git("switch", "--quiet", "main");
  const { code, stderr } = await project.cli(["changes", "reject", id]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: There is no pending hunk/);
  assert.equal(project.text("a.txt"), base);
});

test("lines that the person takes back by hand are rejected by it", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const editor = await project.editor();
  project.write("a.txt", `${changed}nine\n`);
  await seen(project);
  await editor.save("a.txt", `${base}nine\n`);
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1"]);
  const [implied] = await project.records("--kind", "review.implied");
  assert.deepEqual(implied.data, { by: "person:ada", hunks: 1, runs: [], verdict: "rejected" });
  // It is a decision like any other, so it can be taken back.
  await project.undo();
  assert.equal(project.text("a.txt"), `${changed}nine\n`);
  assert.equal((await project.pending()).length, 2);
  await project.redo();
  assert.equal(project.text("a.txt"), `${base}nine\n`);
  await project.verify();
});

test("a file that git restores is a rejection, by git", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  await project.git("restore", "a.txt");
  assert.deepEqual(await project.pending(), []);
  const [implied] = await project.records("--kind", "review.implied");
  assert.deepEqual(
    [implied.subject, implied.data],
    ["file:a.txt", { by: "vcs", hunks: 1, runs: [], verdict: "rejected" }],
  );
  assert.deepEqual(await project.authors("a.txt"), ["run:a1.1 inferred", "vcs version-control"]);
  await project.undo();
  assert.equal(project.text("a.txt"), changed);
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
});

/** The runs that have ended did so a minute earlier than they did. */
async function someTimeLater(project) {
  const { database } = await project.places();
  await sql(database, "UPDATE run SET ended_ms = ended_ms - 60000 WHERE ended_ms IS NOT NULL");
}

test("a commit right after a run's end decides nothing: what the run left at work may have made it", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const agent = await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  await agent.done();
  await project.git("commit", "--quiet", "--all", "--message", "at once");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  assert.deepEqual(await project.records("--kind", "review.implied"), []);
});

test("a commit of an agent's lines with nobody at work is a yes", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  const agent = await project.agent("one");
  project.write("a.txt", changed);
  project.write("b.txt", changed);
  await seen(project);
  await agent.done();
  await someTimeLater(project);
  await project.git("commit", "--quiet", "--message", "only a", "a.txt");
  assert.deepEqual(await project.pending(), ["b.txt: a1.1 inferred lines +1 −1"]);
  const head = (await project.git("rev-parse", "HEAD")).trim();
  const [implied] = await project.records("--kind", "review.implied");
  assert.deepEqual(
    [implied.subject, implied.data],
    ["file:a.txt", { by: `commit:${head}`, hunks: 1, runs: [{ hunks: 1, run: "a1.1" }], verdict: "approved" }],
  );
  await project.undo();
  assert.equal((await project.pending()).length, 2);
});

test("a commit of an agent's lines while it is at work decides nothing", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  await project.git("commit", "--quiet", "--all", "--message", "by whomever");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  assert.deepEqual(await project.records("--kind", "review.implied"), []);
});

test("an agent that commits its own work has not approved it", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const agent = await project.agent("one");
  project.write("a.txt", changed);
  await project.git("commit", "--quiet", "--all", "--message", "by the agent");
  await seen(project);
  await agent.done();
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
});

test("a pull, a merge and a reset are git's, with an agent at work", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  await project.git("switch", "--quiet", "--create", "topic");
  project.write("b.txt", `${base}topic\n`);
  await project.git("commit", "--quiet", "--all", "--message", "topic");
  await project.git("switch", "--quiet", "main");
  project.write("c.txt", "c\n");
  await project.git("add", "--all");
  await project.git("commit", "--quiet", "--message", "main");
  await project.agent("one");
  project.write("a.txt", changed);
  await seen(project);
  await project.git("merge", "--quiet", "--no-edit", "topic");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  await project.git("reset", "--quiet", "--keep", "HEAD~1");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  assert.deepEqual(project.tree(), { "a.txt": changed, "b.txt": base, "c.txt": "c\n" });
  const touched = (await project.records("--kind", "file.changed")).map(({ subject }) => subject);
  assert.deepEqual(touched, ["file:a.txt"]);
  assert.equal((await project.records("--kind", "vcs.moved")).length, 2);
});
