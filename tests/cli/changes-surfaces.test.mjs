// Every command about changes, in every spelling: what it prints for people and for programs, its exit codes, what it
// refuses with which sentence, and who may use it (R1, R5, X2, X3; ABUSE 15).

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { newProject } from "../rig/changes.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n";
const changed = base.replace("4", "four").replace("8", "eight");

/** A project with two hunks of one agent in one file, and a new file of its. */
async function reviewed(t) {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  const agent = await project.agent("one");
  project.write("a.txt", changed);
  project.write("new.txt", "new\n");
  return { project, agent };
}

/** What whoever has a run's token set is told. */
const roleMayNot = (command) =>
  `A run may not do \`${command}\`. AUGMENT_TOKEN is set, so this command speaks as a run. A person decides that: ` +
  "`unset AUGMENT_TOKEN`, then repeat.";

/** What a command prints for people; it has to succeed. */
async function says(project, ...args) {
  const { code, stdout, stderr } = await project.cli(args);
  assert.deepEqual([code, stderr], [0, ""], args.join(" "));
  return stdout;
}

test("start takes a task and watches; the token speaks for the run alone", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const said = await says(project, "start", "Fix the login", "--agent", "goose", "--lease", "2h");
  assert.match(said, /^Started a1 {2}Fix the login {2}\(medium\)$/m);
  assert.match(said, /^run +a1\.1$/m);
  assert.match(said, /^holder +goose$/m);
  assert.match(said, /^lease +2h without a heartbeat$/m);
  assert.match(said, /export AUGMENT_TOKEN=[0-9a-f]{64}$/m);
  assert.match(said, /^ {2}augment-cli changes list --task-id a1$/m);
  const { watching } = await project.json(["status"]);
  assert.equal(watching.state, "watching");
  await project.add("two");
  const { task, run, token } = await project.json(["start", "--task-id", "a2"]);
  assert.deepEqual([task.id, task.status, task.holder, run], ["a2", "in-progress", "ada", "a2.1"]);
  assert.match(token, /^[0-9a-f]{64}$/);
  const printed = await project.cli(["start", "three", "--print-token"]);
  assert.match(printed.stdout, /^export AUGMENT_TOKEN='?[0-9a-f]{64}'?\n$/);
  assert.match(printed.stderr, /Started a3/);
});

test("list, by itself and in all its forms", async (t) => {
  const { project } = await reviewed(t);
  const list = await project.json(["changes", "list"]);
  const strict = ["revision", "time", "hash", "id"];
  const still = JSON.parse(JSON.stringify(list, (key, value) => (strict.includes(key) ? typeof value : value)));
  const author = { kind: "run", name: "goose", run: "a1.1", task: "a1", taskTitle: "one" };
  const hunk = {
    id: "string",
    kind: "lines",
    standing: "pending",
    author,
    evidence: "inferred",
    time: "number",
    line: 3,
    spans: [{ start: 3, end: 4 }],
    added: 1,
    removed: 1,
    removedLines: ["4"],
    addedLines: ["four"],
    summary: "+1 −1",
    entangledWith: [],
    findings: [],
    flag: null,
    flagged: null,
    approvedBy: [],
  };
  const file = { path: "a.txt", body: "text", hash: "string", hunks: [hunk], moreHunks: false, awaitsSave: false };
  assert.deepEqual(still.files[0], {
    ...file,
    hunks: [hunk, { ...hunk, line: 7, spans: [{ start: 7, end: 8 }], removedLines: ["8"], addedLines: ["eight"] }],
  });
  assert.deepEqual(still.files[1].hunks[0], {
    ...hunk,
    kind: "created",
    line: 0,
    spans: [{ start: 0, end: 1 }],
    removed: 0,
    removedLines: [],
    addedLines: ["new"],
    summary: "new file, +1",
  });
  assert.deepEqual(
    [still.next, still.counts, still.revision],
    [null, { pendingFiles: 2, pendingHunks: 3, unknownHunks: 0 }, "number"],
  );
  for (const args of [
    ["changes"],
    ["changes", "--task-id", "a1"],
    ["changes", "list", "--task", "a1", "--run", "a1.1"],
  ]) {
    assert.deepEqual((await project.json(args)).files, list.files, args.join(" "));
  }
  assert.deepEqual(
    (await project.json(["changes", "list", "--file", "new.txt"])).files.map(({ path }) => path),
    ["new.txt"],
  );
  assert.deepEqual((await project.json(["changes", "list", "--unknown"])).files, []);
  const first = await project.json(["changes", "list", "--limit", "1"]);
  assert.deepEqual([first.files.map(({ path }) => path), first.next], [["a.txt"], "a.txt"]);
  const second = await project.json(["changes", "list", "--limit", "1", "--after", first.next]);
  assert.deepEqual([second.files.map(({ path }) => path), second.next], [["new.txt"], null]);
  const [one, two] = list.files[0].hunks.map(({ id }) => id);
  const said = await says(project, "changes");
  assert.match(said, /^a1 {2}one\n {2}HUNK +LINES +CHANGE +BY +EVIDENCE +STANDING +AGE\b/);
  assert.match(
    said,
    new RegExp(`^a\\.txt\\n {2}${one} +4 +\\+1 −1 +goose +inferred +pending .*\\n {2}${two} +8 `, "m"),
  );
  assert.match(said, /\n3 hunks in 2 files wait for a decision\n$/);
  // From a folder inside, names are relative to it.
  mkdirSync(project.at("sub"));
  const inside = await project.cli(["changes", "list", "--file", "../new.txt", "--json"], { cwd: project.at("sub") });
  assert.equal(JSON.parse(inside.stdout).files[0].path, "new.txt");
});

test("decided hunks are listed on request, each with its standing", async (t) => {
  const { project } = await reviewed(t);
  const [one, two] = await project.hunks("--file", "a.txt");
  await project.approve(one.id);
  await project.reject(two.id);
  const decided = await project.json(["changes", "list", "--file", "a.txt", "--decided"]);
  assert.deepEqual(
    decided.files[0].hunks.map(({ summary, standing }) => [summary, standing]),
    [
      ["+1 −1", "approved"],
      ["+1 −1", "rejected"],
    ],
  );
  assert.equal(project.text("a.txt"), base.replace("4", "four"));
});

test("show and diff tell what was changed and how that is known", async (t) => {
  const { project } = await reviewed(t);
  const [one] = await project.hunks();
  const shown = await says(project, "changes", "show", one.id.slice(0, 6).toUpperCase());
  for (const line of [
    /^hunk +[0-9a-f]{16}$/m,
    /^file +a\.txt$/m,
    /^lines +4$/m,
    /^change +\+1 −1$/m,
    /^standing +pending$/m,
    /^author +goose for a1 “one”$/m,
    /^run +a1\.1$/m,
    /^evidence +inferred: only this run was active at the time$/m,
    /^-4\n\+four$/m,
  ]) {
    assert.match(shown, line);
  }
  const file = await project.json(["changes", "show", "--file", "a.txt"]);
  assert.equal((file.files?.[0] ?? file).hunks.length, 2);
  const hunk = " 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7\n";
  const head = "diff a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n";
  assert.equal(await says(project, "changes", "diff", "--hunk", one.id), `${head}@@ -1,7 +1,7 @@\n${hunk}`);
  const whole = `${head}@@ -1,8 +1,8 @@\n${hunk}-8\n+eight\n`;
  const made = "diff a/new.txt b/new.txt\nnew file, mode 644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+new\n";
  assert.equal(await says(project, "changes", "diff", "--file", "a.txt"), whole);
  assert.equal(await says(project, "changes", "diff", "--file", "a.txt", "--step", "1"), whole);
  for (const what of [[], ["--task-id", "a1"], ["--run", "a1.1"]]) {
    assert.equal(await says(project, "changes", "diff", ...what), whole + made, what.join(" "));
  }
  await project.approve("--all");
  assert.equal(await says(project, "changes", "diff"), "Nothing differs.\n");
});

test("approve changes no byte and tells how to undo it", async (t) => {
  const { project } = await reviewed(t);
  const tree = project.tree();
  assert.equal(
    await says(project, "changes", "approve", "--file", "a.txt", "--task-id", "a1"),
    "2 hunks in 1 file approved. Undo with `augment-cli changes undo d1`.\n\nFILE   OUTCOME         WHY\na.txt  stays as it is\n",
  );
  assert.deepEqual(await project.approve("--all"), {
    decision: "d2",
    hunks: 1,
    files: [{ path: "new.txt", outcome: "unchanged", reason: null }],
    message: "1 hunk in 1 file approved. Undo with `augment-cli changes undo d2`.",
  });
  assert.deepEqual(project.tree(), tree);
  const [two, one] = await project.records("--kind", "review.approved");
  assert.deepEqual(
    [one.actor, one.subject, one.data.paths, two.data.paths],
    ["person:ada", "decision:d1", ["a.txt"], ["new.txt"]],
  );
});

test("the seed's spellings decide", async (t) => {
  const { project } = await reviewed(t);
  assert.equal(
    await says(project, "changes", "--task-id", "a1", "--reject"),
    "3 hunks in 2 files rejected. Undo with `augment-cli changes undo d1`.\n\n" +
      "FILE     OUTCOME  WHY\na.txt    changed\nnew.txt  removed\n",
  );
  assert.deepEqual(project.tree(), { "a.txt": base, "b.txt": base });
  await project.undo();
  await says(project, "changes", "reject", "--file", "a.txt", "--task-id", "a1");
  assert.equal(project.text("a.txt"), base);
  await says(project, "changes", "--task-id", "a1", "--approve");
  assert.deepEqual(await project.pending(), []);
  await project.undo();
  assert.equal((await project.json(["changes", "--all", "--approve"])).hunks, 1);
});

test("undo and redo, by name and without, as often as wanted", async (t) => {
  const { project } = await reviewed(t);
  const [one, two] = await project.hunks();
  const texts = [changed, base.replace("8", "eight"), base];
  await project.reject(one.id);
  await project.reject(two.id);
  assert.equal(project.text("a.txt"), texts[2]);
  // The newest first, or any by its name as long as nothing newer depends on it.
  assert.equal((await project.undo()).decision, "d3");
  assert.equal(project.text("a.txt"), texts[1]);
  assert.equal(
    await says(project, "changes", "undo", "d1").then((said) => said.split("\n")[0]),
    "1 hunk in 1 file undone: d1, rejected by ada.",
  );
  assert.equal(project.text("a.txt"), texts[0]);
  await project.redo("d1");
  assert.equal(project.text("a.txt"), texts[1]);
  await project.redo();
  assert.equal(project.text("a.txt"), texts[2]);
  await project.refused(["changes", "redo", "d1"], "d1 has not been undone, so there is nothing to redo.", {
    code: "not-undone",
  });
  // What was undone and redone is undone by its first name, too.
  const again = await project.undo("d1");
  assert.equal(project.text("a.txt"), base.replace("4", "four"));
  await project.refused(
    ["changes", "undo", "d1"],
    `d1 was taken back already, by ${again.decision}. Take that back with \`augment-cli changes redo ${again.decision}\`.`,
    { code: "already-undone" },
  );
  await project.redo("d1");
  assert.equal(project.text("a.txt"), texts[2]);
  for (let time = 0; time < 3; time += 1) {
    await project.undo("d2");
    assert.equal(project.text("a.txt"), texts[1]);
    await project.redo();
    assert.equal(project.text("a.txt"), texts[2]);
  }
  const kinds = (await project.records("--kind", "review")).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === "review.undone").length, 6);
  assert.equal(kinds.filter((kind) => kind === "review.redone").length, 6);
  await project.verify();
});

test("history tells the story of a file, also of one that is gone", async (t) => {
  const { project } = await reviewed(t);
  await project.reject("--all");
  await project.undo();
  project.remove("a.txt");
  const { path, steps, more } = await project.json(["changes", "history", "a.txt"]);
  assert.deepEqual([path, more], ["a.txt", false]);
  assert.deepEqual(
    steps.map(({ step, kind, author, evidence }) => [step, kind, author.kind, author.run, evidence]),
    [
      [0, "base", "before", null, null],
      [1, "revision", "run", "a1.1", "inferred"],
      [2, "rejected", "person", null, null],
      [3, "undone", "person", null, null],
      [4, "deleted", "run", "a1.1", "inferred"],
    ],
  );
  const said = await says(project, "changes", "history", "a.txt");
  assert.match(said, /^STEP +TIME +WHAT +BY +EVIDENCE +CHANGE\n +0 +- +found +before tracking/);
  assert.match(said, /changed +goose for a1 “one” +inferred +\+2 −2$/m);
});

test("purge tells first, does it on a yes, and then nothing can be undone", async (t) => {
  const { project } = await reviewed(t);
  assert.equal(await says(project, "changes", "purge"), "There is nothing to purge.\n");
  await project.reject("--all");
  const asked = await project.cli(["changes", "purge"]);
  assert.equal(asked.code, 1);
  assert.match(
    asked.stdout,
    /^This would let go of 1 decision in 2 files, \d+ bytes\. They could not be undone any more\.\n$/,
  );
  assert.equal(asked.stderr, "error: Nothing was purged; --yes does it.\n");
  assert.deepEqual((await project.json(["changes", "purge", "--older-than", "1h", "--yes"])).decisions, 0);
  await project.undo();
  await project.redo();
  const { done, decisions } = await project.json(["changes", "purge", "--yes"]);
  assert.deepEqual([done, decisions], [true, 3]);
  await project.refused(["changes", "undo"], "There is no decision to undo.", { code: "nothing-to-undo" });
  await project.refused(
    ["changes", "undo", "d1"],
    'There is no decision "d1", or it was purged. `augment-cli audit list --kind review` shows them.',
    { code: "unknown-decision" },
  );
  assert.deepEqual(project.tree(), { "a.txt": base, "b.txt": base });
  const [purged] = await project.records("--kind", "review.purged");
  assert.deepEqual([purged.actor, purged.data.decisions], ["person:ada", 3]);
  await project.verify();
});

test("what waits is not purged", async (t) => {
  const { project } = await reviewed(t);
  const [one] = await project.hunks();
  await project.approve(one.id);
  await project.json(["changes", "purge", "--yes"]);
  await project.reject("--all");
  assert.deepEqual(project.tree(), { "a.txt": base.replace("4", "four"), "b.txt": base });
});

test("blame names the author of each line, or of those that are asked for", async (t) => {
  const { project } = await reviewed(t);
  assert.match(
    await says(project, "blame", "a.txt", "--lines", "3-4"),
    /^before tracking +- +- +- +- +3 +3\ngoose +a1 +inferred +\S+ \S+Z +pending +4 +four\n$/,
  );
  const { path, hash, spans } = await project.json(["blame", "a.txt"]);
  assert.equal(path, "a.txt");
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(
    spans.map(({ start, end, author, standing }) => [start, end, author.kind, standing]),
    [
      [0, 3, "before", "approved"],
      [3, 4, "run", "pending"],
      [4, 7, "before", "approved"],
      [7, 8, "run", "pending"],
    ],
  );
});

test("watch shows each change and each decision as it happens", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  const people = project.start(["watch"]);
  await people.line("it says how the files are watched");
  assert.equal(await people.line("it says what waits"), "nothing waits for a decision");
  const programs = project.start(["watch", "--json", "--task-id", "a1"]);
  const first = JSON.parse(await programs.line("it begins"));
  assert.deepEqual([first.watching.state, first.changes.pendingHunks], ["watching", 0]);
  project.write("a.txt", changed);
  assert.match(
    await people.line("the change is shown"),
    /^\S+ \S+Z {2}changed +a\.txt {2}\+2 −2 {2}by a1\.1 \(inferred\) {2}waits for review$/,
  );
  const record = JSON.parse(await programs.line("the change is shown"));
  assert.deepEqual([record.kind, record.subject, record.data.added], ["file.changed", "file:a.txt", 2]);
  await project.reject("--all");
  assert.match(await people.line("the decision is shown"), /Z {2}rejected +d1 {2}a\.txt {2}2 hunks {2}by ada$/);
  people.kill("SIGINT");
  assert.equal((await people.exit).stderr, "");
});

describe("refused", () => {
  let project;
  let tree;
  let hunks;
  const undo = [];
  before(async () => {
    const made = await reviewed({ after: (act) => undo.push(act) });
    project = made.project;
    await project.add("two");
    hunks = await project.hunks();
    tree = project.tree();
  });
  after(async () => {
    const left = [project.tree(), await project.hunks()];
    for (const act of undo) await act();
    assert.deepEqual(left, [tree, hunks], "nothing was changed, nothing was decided");
  });

  const noHunk = (id) =>
    `There is no pending hunk "${id}". It may have been decided, or have changed since it was shown. \`augment-cli changes list\` shows what is pending.`;
  const noTask = (id) => `There is no task "${id}". \`augment-cli queue list --all\` shows them all.`;
  const untracked = (path) =>
    `Nothing is known of "${path}": no change of it was seen. \`augment-cli changes list\` shows what was.`;
  const nothing = "Nothing waits for a decision. `augment-cli changes list --decided` shows what was decided.";
  const noDecision = (id) =>
    `There is no decision "${id}", or it was purged. \`augment-cli audit list --kind review\` shows them.`;

  for (const [what, args, message, code] of [
    ["a hunk of nobody", ["changes", "approve", "abcdef"], noHunk("abcdef"), "unknown-hunk"],
    ["a hunk that is no id", ["changes", "reject", "../../x"], noHunk("../../x"), "unknown-hunk"],
    ["too little of a hunk", ["changes", "reject", "a"], noHunk("a"), "unknown-hunk"],
    [
      "too little to show",
      ["changes", "show", "abc"],
      '"abc" is too short for a hunk. Type at least 4 characters of its id.',
      "unknown-hunk",
    ],
    ["a task of nobody", ["changes", "reject", "--task-id", "zz"], noTask("zz"), "unknown-task"],
    ["a task of nobody in a list", ["changes", "list", "--task-id", "zz"], noTask("zz"), "unknown-task"],
    [
      "a run of nobody",
      ["changes", "approve", "--run", "a1.7"],
      'There is no run "a1.7". A run is written like b12.2; `augment-cli queue show` lists a task\'s runs.',
      "unknown-run",
    ],
    [
      "a run of nobody in a list",
      ["changes", "list", "--run", "a1.7"],
      'There is no run "a1.7". A run is written like b12.2; `augment-cli queue show` lists a task\'s runs.',
      "unknown-run",
    ],
    [
      "what is no run in a list",
      ["changes", "--run", "goose"],
      'There is no run "goose". A run is written like b12.2; `augment-cli queue show` lists a task\'s runs.',
      "unknown-run",
    ],
    ...["approve", "reject", "show"].map((command) => [
      `a file in place of a hunk, ${command}`,
      ["changes", command, "a.txt"],
      `"a.txt" is a file and no hunk. \`augment-cli changes ${command} --file a.txt\` is about all that waits in it.`,
      "unknown-hunk",
    ]),
    [
      "a file in place of a hunk, assign",
      ["changes", "assign", "new.txt", "--to-me"],
      '"new.txt" is a file and no hunk. `augment-cli changes assign --file new.txt` is about all that waits in it.',
      "unknown-hunk",
    ],
    ["a file without changes", ["changes", "approve", "--file", "b.txt"], untracked("b.txt"), "untracked-file"],
    ["the history of a file without changes", ["changes", "history", "b.txt"], untracked("b.txt"), "untracked-file"],
    [
      "a task without changes",
      ["changes", "reject", "--task-id", "a2"],
      "Nothing of a2 waits for a decision. `augment-cli changes list --decided` shows what was decided.",
      "nothing-pending",
    ],
    ["nothing unknown", ["changes", "reject", "--unknown"], nothing, "nothing-pending"],
    ["nothing to undo", ["changes", "undo"], "There is no decision to undo.", "nothing-to-undo"],
    ["nothing to redo", ["changes", "redo"], "There is no undo to take back.", "nothing-to-redo"],
    ["a decision of nobody", ["changes", "undo", "d99"], noDecision("d99"), "unknown-decision"],
    ["a decision that is no id", ["changes", "redo", "x y"], noDecision("x y"), "unknown-decision"],
    [
      "a task nobody has worked on",
      ["changes", "assign", "--all", "--to-task", "a2"],
      "Nobody has worked on a2 yet. Take it first with `augment-cli start --task-id a2`.",
      "never-worked-on",
    ],
    [
      "a claim for nobody",
      ["claim", "a.txt"],
      "It is not said for which task. Name it with --task-id.",
      "task-not-said",
    ],
    [
      "a claim for a task that nobody works on",
      ["claim", "a.txt", "--task-id", "a2"],
      "a2 is pending, so it cannot be claimed for. Take it first, with start or claim.",
      "wrong-status",
    ],
    [
      "a hash that is none",
      ["claim", "a.txt", "--task-id", "a1", "--hash", "xyz"],
      '"xyz" is not a BLAKE3 hash. Give 64 hexadecimal digits, or the content with --content.',
      "bad-hash",
    ],
    [
      "a task that is taken",
      ["start", "--task-id", "a1"],
      "a1 is being worked on by goose (attempt 1), so it cannot be taken. Wait for it, or `augment-cli queue cancel a1` first.",
      "held",
    ],
    ["an empty title", ["start", ""], "The title is empty. Say in a few words what is wanted.", "empty-text"],
  ]) {
    test(what, async () => {
      await project.refused(args, message, { code });
    });
  }

  test("a hunk beside a file that it is not in", async () => {
    await project.refused(
      ["changes", "approve", hunks[0].id, "--file", "new.txt"],
      `Hunk ${hunks[0].id} in a.txt is not of the file, task or run that was named. Leave one of the two out.`,
      { code: "hunk-elsewhere" },
    );
  });

  for (const path of ["../outside", "/etc/passwd", "sub/../../outside"]) {
    for (const args of [["blame"], ["claim"], ["changes", "history"], ["changes", "reject", "--file"]]) {
      test(`${args.join(" ")} ${path}`, async () => {
        const message = `${path} lies outside of the workspace ${project.folder}. Name a file inside it, or another workspace with -C.`;
        await project.refused([...args, path], message, { code: "outside-workspace" });
      });
    }
  }

  for (const args of [
    ["changes", "approve"],
    ["changes", "reject", "--yes"],
    ["changes", "--approve"],
    ["changes", "--task-id", "a1", "--approve", "--reject"],
    ["changes", "--task-id", "a1", "approve", "abcd"],
    ["changes", "show"],
    ["changes", "diff", "--step", "1"],
    ["changes", "assign", "abcd"],
    ["changes", "assign", "abcd", "--to-me", "--to-task", "a1"],
    ["changes", "purge", "--older-than", "long"],
    ["changes", "list", "--limit", "many"],
    ["changes", "list", "--limit", "0"],
    ["queue", "list", "--limit", "0"],
    ["audit", "list", "--limit", "0"],
    ["changes", "aprove", "--all"],
    ["blame"],
    ["blame", "a.txt", "--lines", "9-3"],
    ["claim"],
    ["start"],
    ["start", "x", "--task-id", "a1"],
  ]) {
    test(`not understood: ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await project.cli(args);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /^error: /);
      const machine = await project.cli([...args, "--json"]);
      assert.deepEqual([machine.code, machine.stdout], [2, ""]);
      assert.equal(JSON.parse(machine.stderr).error.code, "usage");
    });
  }
});

test("a hunk that has changed since it was shown has another id, and the old one decides nothing", async (t) => {
  const { project } = await reviewed(t);
  const [old] = await project.hunks();
  project.write("a.txt", changed.replace("four", "FOUR"));
  const written = project.tree();
  for (const verdict of ["approve", "reject"]) {
    const { code, stderr } = await project.cli(["changes", verdict, old.id]);
    assert.equal(code, 1);
    assert.match(stderr, /^error: There is no pending hunk .* have changed since it was shown\./);
  }
  assert.deepEqual(project.tree(), written);
  const [fresh] = await project.hunks();
  assert.notEqual(fresh.id, old.id);
  await project.reject(fresh.id);
  assert.equal(project.text("a.txt"), base.replace("8", "eight"));
});

test("a hunk keeps its id while others edit above and below it", async (t) => {
  const { project } = await reviewed(t);
  const editor = await project.editor();
  const [one, two] = await project.hunks();
  await editor.save("a.txt", `0\n${changed}9\n`);
  assert.deepEqual(
    (await project.hunks("--file", "a.txt")).map(({ id, line }) => [id, line]),
    [
      [one.id, 4],
      [two.id, 8],
    ],
  );
});

for (const withHost of [true, false]) {
  test(`a run may claim and look, and decide nothing, ${withHost ? "with" : "without"} a host`, async (t) => {
    const { project, agent } = await reviewed(t);
    const [one] = await project.hunks();
    await project.reject(one.id);
    await project.undo();
    if (!withHost) await project.unhosted();
    const tree = project.tree();
    const { env } = agent;
    for (const [args, action] of [
      [["changes", "approve", "--all"], "changes approve"],
      [["changes", "reject", "--task-id", "a1"], "changes reject"],
      [["changes", "--task-id", "a1", "--approve"], "changes --approve"],
      [["changes", "undo"], "changes undo"],
      [["changes", "redo"], "changes redo"],
      [["changes", "assign", "--all", "--to-me"], "changes assign"],
      [["changes", "purge", "--yes"], "changes purge"],
      [["config", "set", "review.approve", "*"], "config set"],
      [["start", "mine"], "start"],
    ]) {
      await project.refused(args, roleMayNot(action), {
        code: "role-may-not",
        env,
      });
    }
    assert.deepEqual(project.tree(), tree);
    assert.equal((await project.pending()).length, 3);
    await agent.claim("b.txt");
    await project.refused(
      ["claim", "b.txt", "--task-id", (await project.add("two")).id],
      "This run works on a1 and cannot speak for a2. Name a1.",
      { code: "not-its-task", env },
    );
    for (const args of [["changes"], ["changes", "diff"], ["changes", "history", "a.txt"], ["blame", "a.txt"]]) {
      await project.json(args, { env });
    }
    const refused = await project.records("--kind", "refused", "--actor", "run:a1.1");
    assert.ok(refused.length >= 8);
  });
}
