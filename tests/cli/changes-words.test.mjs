// What a person who reviews is told: what a yes would cover, what happened to a file, what came of a decision, what still
// waits, and that nobody watches (R1, R5, X2).

import assert from "node:assert/strict";
import { test } from "node:test";
import { newProject } from "../rig/changes.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n";
const changed = base.replace("4", "four").replace("8", "eight");

/** What a command prints for people; it has to succeed. */
async function says(project, ...args) {
  const { code, stdout, stderr } = await project.cli(args);
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  return stdout;
}

/** The story of a file: what, by whom, in words. */
async function story(project, path) {
  const { steps } = await project.json(["changes", "history", path]);
  return steps.slice(1).map(({ kind, author, summary }) => `${kind} ${author.name ?? author.kind}: ${summary}`);
}

test("a preview puts what it asks about first, and says how much a yes covers beyond what is shown", async (t) => {
  const project = await newProject(t, {});
  await project.agent("one");
  for (let at = 0; at < 205; at += 1) project.write(`a/${String(at).padStart(3, "0")}.txt`, "new\n");
  project.write("z/.vscode/tasks.json", "{}\n");
  const asked = await project.cli(["changes", "approve", "--all", "--json"]);
  assert.equal(asked.code, 1);
  const { preview } = JSON.parse(asked.stderr).error.data;
  assert.deepEqual(
    [preview.hunks, preview.files.length, preview.more, preview.files[0].path, preview.files[0].control],
    [206, 200, 6, "z/.vscode/tasks.json", true],
  );
  assert.deepEqual([preview.files[1].path, preview.files[1].control], ["a/000.txt", false]);
  const { stdout } = await project.cli(["changes", "approve", "--all"]);
  assert.match(stdout, /^ {2}z\/\.vscode\/tasks\.json {2}steers editors, agents, hooks or CI\n {2}a\/000\.txt$/m);
  assert.match(stdout, /^6 more files are not shown\. A yes covers them, too; decide by --file or by hunk /m);
});

test("a preview puts files with others' work first", async (t) => {
  const project = await newProject(t, { "a.txt": base, "z.txt": base });
  await project.agent("one");
  const editor = await project.editor();
  project.write("a.txt", changed);
  project.write("z.txt", base.replace("4", "four\nand a half"));
  assert.equal((await project.pending()).length, 3);
  await editor.save("z.txt", base.replace("4", "four\nmine\nand a half"));
  const asked = await project.cli(["changes", "reject", "--all", "--json"]);
  const files = JSON.parse(asked.stderr).error.data.preview.files;
  assert.deepEqual(
    files.map(({ path, entangledWith }) => [path, entangledWith.map(({ name }) => name)]),
    [
      ["z.txt", ["ada"]],
      ["a.txt", []],
    ],
  );
});

test("history says what happened: created, renamed, mode, link, deleted", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const looked = () => project.pending();
  project.write("new.txt", "1\n2\n");
  await looked();
  project.rename("new.txt", "newer.txt");
  await looked();
  project.chmod("newer.txt", 0o755);
  await looked();
  project.remove("newer.txt");
  project.link("newer.txt", "a.txt");
  await looked();
  project.remove("newer.txt");
  assert.deepEqual(await story(project, "newer.txt"), [
    "created goose: created, +2 −0",
    "renamed goose: renamed from new.txt",
    "revision goose: mode 644 → 755",
    "revision goose: a link to a.txt",
    "deleted goose: deleted",
  ]);
  const said = await says(project, "changes", "history", "newer.txt");
  for (const what of ["created", "renamed", "changed", "deleted"]) assert.match(said, new RegExp(`Z +${what} +goose`));
});

test("history tells undoing from redoing, however often", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  project.write("a.txt", changed);
  await project.reject("--all");
  for (const step of ["undo", "redo", "undo", "redo"]) await project[step]();
  const { steps } = await project.json(["changes", "history", "a.txt"]);
  assert.deepEqual(
    steps.map(({ kind }) => kind),
    ["base", "revision", "rejected", "undone", "redone", "undone", "redone"],
  );
  assert.match(await says(project, "changes", "history", "a.txt"), /Z +redone +ada +a decision was made again$/m);
});

test("what an edit or git took back is told as that, and not as somebody's rejection", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base, "c.txt": base });
  await project.agent("one");
  const editor = await project.editor();
  for (const path of ["a.txt", "b.txt", "c.txt"]) project.write(path, base.replace("4", "four"));
  assert.equal((await project.pending()).length, 3);
  await editor.save("a.txt", base);
  await project.git("checkout", "--", "b.txt");
  project.write("c.txt", base);
  assert.deepEqual(await project.pending(), []);
  assert.deepEqual(await story(project, "a.txt"), [
    "revision goose: +1 −1",
    "revision ada: +1 −1",
    "taken-back ada: taken back by the person's own edit",
  ]);
  assert.deepEqual(await story(project, "b.txt"), [
    "revision goose: +1 −1",
    "revision vcs: +1 −1",
    "taken-back vcs: taken back by version control",
  ]);
  assert.deepEqual((await story(project, "c.txt")).at(-1), "taken-back goose: taken back by its own author");
  assert.match(await says(project, "changes", "history", "b.txt"), /Z +taken back +version control /);
});

test("history tells what stays with a branch and comes back with it", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.git("switch", "--quiet", "--create", "topic");
  await project.agent("one");
  project.write("a.txt", base.replace("4", "four"));
  assert.equal((await project.pending()).length, 1);
  await project.git("commit", "--quiet", "--all", "--message", "work in progress");
  await project.git("switch", "--quiet", "main");
  assert.deepEqual(await project.pending(), []);
  const parked = "parked vcs: what waits stays with the branch topic";
  assert.equal((await story(project, "a.txt")).at(-1), parked);
  await project.git("switch", "--quiet", "topic");
  assert.equal((await project.pending()).length, 1);
  assert.deepEqual(await story(project, "a.txt"), [
    "revision goose: +1 −1",
    parked,
    "came-back vcs: came back with the branch topic",
  ]);
  const said = await says(project, "changes", "history", "a.txt");
  assert.match(said, /^ +- +\S+ \S+Z +came back +version control +came back with the branch topic$/m);
});

test("history tells what git stashed and gave back", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  project.write("a.txt", base.replace("4", "four"));
  assert.equal((await project.pending()).length, 1);
  await project.git("stash", "--quiet");
  assert.deepEqual(await project.pending(), []);
  assert.equal((await story(project, "a.txt")).at(-1), "taken-back vcs: taken back by version control");
  await project.git("stash", "pop", "--quiet");
  assert.equal((await project.pending()).length, 1);
  assert.deepEqual(await story(project, "a.txt"), [
    "revision goose: +1 −1",
    "came-back vcs: came back: version control gave back what it had taken away",
  ]);
});

test("a task in progress whose files nobody watches is told, with what to do", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.add("one");
  assert.deepEqual((await project.json(["status"])).troubles, []);
  const doctor = async () => {
    const { checks } = await project.json(["doctor"]);
    return checks.find(({ name }) => name === "watching");
  };
  assert.deepEqual((await doctor()).state, "ok");
  await project.next("--agent", "goose");
  const found = "a1 is being worked on, but nobody watches the files: no host is running.";
  const advice =
    "Changes are found only by the next command, and then nobody is known to have made them. " +
    "`augment-cli watch` starts a host that watches, and so does an editor with the extension.";
  const said = await says(project, "status");
  assert.ok(said.includes(`Needs a look\n  ${found} ${advice}\n`), said);
  assert.deepEqual(await doctor(), { name: "watching", state: "warn", found, advice });
  // The next step helps.
  const watch = project.start(["watch"]);
  await watch.line("it watches");
  await project.pending();
  assert.deepEqual((await project.json(["status"])).troubles, []);
  assert.deepEqual([(await doctor()).state, (await doctor()).found], ["ok", "1 file is known; 1 folder is watched."]);
});

test("a task in progress with tracking switched off is told, too", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.json(["config", "set", "changes.track", "off"]);
  await project.agent("one");
  const [{ message }] = (await project.json(["status"])).troubles;
  assert.match(message, /^a1 is being worked on, but nobody watches the files: .*changes\.track/);
});

for (const [done, args] of [
  ["Completed", ["queue", "complete", "a1", "--attempt", "1"]],
  ["Failed", ["queue", "fail", "a1", "--attempt", "1", "--reason", "it broke"]],
  ["Cancelled", ["queue", "cancel", "a1"]],
]) {
  test(`${args.slice(0, 2).join(" ")} says what of the task's work still waits`, async (t) => {
    const project = await newProject(t, { "a.txt": base, "b.txt": base });
    const { env } = await project.agent("one");
    const { task, token } = await project.json(["start", "two"]);
    await project.cli(["claim", "b.txt"], { env: { AUGMENT_TOKEN: token } });
    await project.cli(["claim", "a.txt"], { env });
    project.write("a.txt", changed);
    project.write("b.txt", changed);
    assert.equal((await project.pending()).length, 4);
    const said = await says(project, ...args);
    assert.match(
      said,
      new RegExp(`^${done} a1 .*\n2 hunks of a1 wait for review: augment-cli changes list --task-id a1\n$`),
    );
    await project.approve("--task-id", task.id);
    assert.match(await says(project, "queue", "complete", task.id, "--attempt", "1"), /^Completed a2 [^\n]*\n$/);
  });
}

test("a decision says what it did to each file", async (t) => {
  const project = await newProject(t, { "a.txt": base, "gone.txt": base, "old.txt": base, "run.sh": base });
  await project.agent("one");
  project.write("a.txt", changed);
  project.write("new.txt", "new\n");
  project.remove("gone.txt");
  project.rename("old.txt", "moved.txt");
  project.chmod("run.sh", 0o755);
  const outcomes = ({ files }) => Object.fromEntries(files.map(({ path, outcome }) => [path, outcome]));
  assert.deepEqual(outcomes(await project.approve("--file", "run.sh")), { "run.sh": "unchanged" });
  await project.undo();
  const said = await says(project, "changes", "reject", "--all");
  for (const row of [
    /^a\.txt +changed$/m,
    /^gone\.txt +restored$/m,
    /^new\.txt +removed$/m,
    /^old\.txt +renamed back$/m,
    /^run\.sh +changed$/m,
  ]) {
    assert.match(said, row);
  }
  assert.deepEqual(outcomes(await project.undo()), {
    "a.txt": "changed",
    "gone.txt": "removed",
    "moved.txt": "renamed",
    "new.txt": "restored",
    "run.sh": "changed",
  });
  assert.match(await says(project, "changes", "redo"), /^old\.txt +renamed back$/m);
  assert.match(await says(project, "changes", "undo"), /^moved\.txt +renamed again$/m);
});

test("a file that a run has deleted is no hunk either", async (t) => {
  const project = await newProject(t, { "gone.txt": base });
  await project.agent("one");
  project.remove("gone.txt");
  await project.refused(
    ["changes", "reject", "gone.txt"],
    '"gone.txt" is a file and no hunk. `augment-cli changes reject --file gone.txt` is about all that waits in it.',
    { code: "unknown-hunk" },
  );
  await project.reject("--file", "gone.txt");
  assert.equal(project.text("gone.txt"), base);
});
