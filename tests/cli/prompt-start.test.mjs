// What lies in the tree when a prompt begins: told by whose it is, and committed group by group, or left, as is said (J1).

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

/** Two tasks' approved work and the person's own, all uncommitted; the first two in one file. */
async function dirty(t, kind) {
  const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  const repository = await newRepository(t, kind, { "a.txt": base, "b.txt": "b\n" });
  for (const [title, line] of [
    ["number the first", "2"],
    ["number the last", "8"],
  ]) {
    const agent = await repository.agent(title);
    repository.write("a.txt", repository.text("a.txt").replace(line, `line ${line}`));
    await repository.hunks();
    await agent.done();
  }
  await repository.approve("--all");
  const editor = await repository.editor();
  await editor.save("b.txt", "b\nmine\n");
  await editor.save("own.txt", "own\n");
  const first = base.replace("2", "line 2");
  return { repository, editor, first, both: first.replace("8", "line 8") };
}

const groups = [
  ["task a1", "intent: number the first", ["a.txt"]],
  ["task a2", "intent: number the last", ["a.txt"]],
  ["your own, or from before", "intent: change 2 files", ["b.txt", "own.txt"]],
];

each(
  test,
  "nothing is begun until it is said what becomes of it",
  async (t, kind) => {
    const { repository } = await dirty(t, kind);
    const before = await repository.state();
    const { code, stdout, stderr } = await repository.cli(["prompt", "start", "Go on", "--json"]);
    assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "tree-not-clean"]);
    const { prompt, existing } = JSON.parse(stdout);
    assert.equal(prompt, null);
    assert.deepEqual(
      existing.map(({ about, intent, files }) => [about, intent, files]),
      groups,
    );
    const dry = await repository.json(["prompt", "start", "Go on", "--dry-run"]);
    assert.deepEqual(dry.existing, existing);
    assert.deepEqual(await repository.state(), before);
    assert.deepEqual((await repository.prompt("list")).prompts, []);
  },
  ["git", "jj"],
);

each(
  test,
  "each group becomes a commit of exactly its own, and the prompt begins on top",
  async (t, kind) => {
    const { repository, editor, first, both } = await dirty(t, kind);
    const { committed } = await repository.keepsDisk(() => repository.begin("Go on", "--commit-first"));
    assert.deepEqual(
      committed.map(({ text }) => text),
      groups.map(([, intent]) => intent),
    );
    assert.deepEqual(await repository.titles(), [...groups.map(([, intent]) => intent).reverse(), "first"]);
    const [one, two, own] = committed.map(({ commit }) => commit);
    assert.deepEqual(await repository.files(one), { "a.txt": first, "b.txt": "b\n" });
    assert.deepEqual(await repository.files(two), { "a.txt": both, "b.txt": "b\n" });
    assert.deepEqual(await repository.files(own), { "a.txt": both, "b.txt": "b\nmine\n", "own.txt": "own\n" });
    if (!repository.isJj) assert.equal(await repository.git("status", "--porcelain"), "");
    // They are no part of the session.
    await editor.save("b.txt", "b\nmine\nmore\n");
    await repository.prompt("intent", "say more");
    const { mode, message } = await repository.finish();
    assert.equal(mode, "single");
    assert.match(message, /## Logical Changes\n- say more\n\n/);
    assert.equal((await repository.titles()).length, 5);
  },
  ["git", "jj colocated"],
);

test("what is left stays as it is", async (t) => {
  const { repository } = await dirty(t, "git");
  const before = await repository.state();
  const { prompt, committed } = await repository.begin("Go on", "--leave");
  assert.deepEqual([prompt.state, committed], ["open", []]);
  assert.deepEqual(await repository.state(), before);
});

test("the groups are called as the person says", async (t) => {
  const { repository } = await dirty(t, "git");
  await repository.begin("Go on", "--commit-first", "--before", "one", "--before", "two", "--before", "three");
  assert.deepEqual(await repository.titles(), ["intent: three", "intent: two", "intent: one", "first"]);
});

test("what waits for a decision is told, and is no group", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.agent("say more");
  repository.write("a.txt", "one\ntwo\n");
  await repository.hunks();
  const { existing, notes } = await repository.begin("Go on");
  assert.deepEqual(existing, []);
  assert.deepEqual(notes, [
    "In the tree 1 hunk waits for a decision, and nothing of that is committed before: `augment-cli changes`.",
  ]);
});

test("jj: a bookmark that the end will make is told of, and one that is there is not", async (t) => {
  const repository = await newRepository(t, "jj");
  await repository.jj("bookmark", "delete", repository.branch);
  const told = (name) =>
    `There is no bookmark ${name} yet: the end of this prompt makes it. \`augment-cli config set prompt.branch NAME\` names another one.`;
  const of = async () => (await repository.begin("Go on", "--context", "None.")).notes;
  assert.deepEqual(await of(), [told(repository.branch)]);
  await repository.prompt("drop");
  await repository.json(["config", "set", "prompt.branch", "work"]);
  assert.deepEqual(await of(), [told("work")]);
  await repository.prompt("drop");
  await repository.jj("bookmark", "create", "work", "--revision", "@-");
  assert.deepEqual(await of(), []);
});

test("a file that had gone before is committed whole when it is written again", async (t) => {
  const repository = await newRepository(t, "git");
  repository.write("n.txt", "A\nB\n");
  await repository.prompt("status");
  rmSync(repository.at("n.txt"));
  await repository.prompt("status");
  await repository.begin("Go on");
  repository.write("n.txt", "A\nB\nC\n");
  await repository.prompt("intent", "say n");
  assert.equal((await repository.files())["n.txt"], "A\nB\nC\n");
});

test("a context of nothing that nobody typed takes no context away", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin("Go on", "--context", "Important.");
  const { code, stderr } = await repository.cli(["prompt", "context"], { input: "" });
  assert.equal(code, 1);
  assert.match(stderr, /The context is missing\./);
  assert.equal((await repository.prompt("status")).prompt.context, "Important.");
});

test("one prompt at a time, and one that is given up keeps its commits", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin("Make it better\nin every way");
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  // That comes first, whatever lies in the tree.
  repository.write("a.txt", "one\ntwo\nthree\n");
  for (const start of [
    ["start", "Another", "--dry-run"],
    ["start", "Another"],
  ])
    await repository.refuses(
      start,
      "prompt-under-way",
      'Prompt p1 ("Make it better") is open. Finish it with `augment-cli prompt finish`, or give it up with `augment-cli prompt drop p1`, then repeat.',
    );
  repository.write("a.txt", "one\ntwo\n");
  const tip = await repository.tip();
  await repository.prompt("drop");
  assert.equal(await repository.tip(), tip);
  const { prompts } = await repository.prompt("list");
  assert.deepEqual(
    prompts.map(({ id, state }) => [id, state]),
    [["p1", "dropped"]],
  );
  // In two parts, so that no scanner takes this file for a leak.
  const key = ["AKIA", "Q3EGRIWVZ5KLT7XY"].join("");
  await repository.refuses(
    ["start", `Sign in with ${key}`],
    "credential-in-prompt",
    "The prompt holds what looks like a credential, and would stand in the history for everybody who has it. Take it out, or add --with-credentials if it is none, then repeat.",
  );
});

test("subjects of both trees are found, and paired where that is wanted", async (t) => {
  const files = {
    "Research/high/Parser/note.md": "# Parser\n",
    "Development/low/Printer/plan.md": "# Printer\n",
  };
  const repository = await newRepository(t, "git", files);
  const { subjects } = await repository.begin("Teach the parser comments");
  assert.deepEqual(
    subjects.map(({ subject }) => subject),
    ["Parser"],
  );
  const before = await repository.state();
  await repository.prompt("unify");
  assert.deepEqual(await repository.state(), before);
  await repository.prompt("unify", "--write");
  const folders = Object.keys(repository.disk()).map((path) => path.split("/").slice(0, 3).join("/"));
  assert.deepEqual(
    [...new Set(folders)],
    ["Development/high/Parser", "Development/low/Printer", "Research/high/Parser", "Research/low/Printer"],
  );
});

test("subjects that are paired while no prompt is under way are on record all the same", async (t) => {
  const repository = await newRepository(t, "git", { "Research/high/Parser/note.md": "# Parser\n" });
  const { counterparts } = await repository.prompt("unify", "--write");
  const { records } = await repository.json(["audit", "list", "--kind", "prompt.document"]);
  assert.deepEqual(
    records.map(({ data }) => data.path).sort(),
    counterparts.map(({ path }) => path),
  );
  assert.notEqual(records.length, 0);
});

test("a submodule is told with how it is committed by hand, and its list is committed with it alone", async (t) => {
  const repository = await newRepository(t, "git");
  const other = join(repository.scratch, "other");
  await repository.must(["git", "init", "--quiet", "--initial-branch", "main", other]);
  const commit = ["-c", "user.name=Bea", "-c", "user.email=bea@example.org", "commit", "--quiet", "--allow-empty"];
  await repository.must(["git", "-C", other, ...commit, "--message", "one"]);
  await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "lib");
  repository.write("a.txt", "one\nfrom before\n");

  const told = (words) =>
    `The submodule lib is not as in the newest commit, and none is committed here. Commit by hand what shall be: \`git commit -- ${words}\`.`;
  const shown = await repository.prompt("start", "Make it better", "--dry-run");
  assert.ok(shown.notes.includes(told(".gitmodules lib")), shown.notes.join("\n"));
  assert.deepEqual(
    shown.existing.flatMap(({ files }) => files),
    ["a.txt"],
  );
  const { notes } = await repository.begin("Make it better\n", "--commit-first");
  assert.ok(notes.includes(told(".gitmodules lib")), notes.join("\n"));
  assert.equal(await repository.changed(), "M a.txt");
  assert.equal(
    await repository.git("diff", "--cached", "--name-only"),
    ".gitmodules\nlib\n",
    "what was staged stays so",
  );
  await repository.prompt("drop");
  await repository.git("commit", "--quiet", "--message", "by hand", "--", ".gitmodules", "lib");
  assert.equal(await repository.changed(), "A .gitmodules\nA lib");

  // Its pointer moves on disk alone.
  await repository.git("-C", "lib", ...commit, "--message", "two");
  const moved = await repository.begin("Make it better still\n");
  assert.ok(moved.notes.includes(told("lib")), moved.notes.join("\n"));
  await repository.prompt("drop");
  await repository.git("commit", "--quiet", "--message", "by hand", "--", "lib");
  assert.deepEqual(
    (await repository.begin("And on\n")).notes.filter((note) => note.includes("submodule")),
    [],
  );
  await repository.prompt("drop");

  await repository.git("rm", "--quiet", "lib");
  const gone = await repository.begin("Without it\n", "--commit-first");
  assert.ok(gone.notes.includes(told(".gitmodules lib")), gone.notes.join("\n"));
  assert.deepEqual(gone.existing, []);
});
