// Intents where files have changed their names: a name in the newest commit is one file's, whoever lies there by now, and
// what is committed is what lay on disk and was approved (J2).

import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { each, newRepository } from "../rig/prompts.mjs";

const old = Array.from({ length: 6 }, (_, at) => `export const of${at} = ${at};\n`).join("");
const shim = 'export * from "./core";\n';
const nothingLeft = "Nothing that is approved is left to commit.";

/** A prompt under way, and moves that are each seen by themselves. */
async function begun(t, kind, files) {
  const repository = await newRepository(t, kind, files);
  await repository.begin();
  return {
    repository,
    async move(from, to) {
      repository.rename(from, to);
      return repository.hunks();
    },
    async put(path, text) {
      repository.write(path, text);
      return repository.hunks();
    },
    /** What is committed is what is on disk, and the index knows of nothing else. */
    async isCommitted(tree) {
      assert.deepEqual(await repository.files(), tree);
      for (const [path, text] of Object.entries(tree)) assert.equal(repository.text(path), text);
      if (kind === "git") assert.equal(await repository.git("status", "--porcelain"), "");
      await repository.verify();
    },
  };
}

each(
  test,
  "a file that is moved away, and another one in its place",
  async (t, kind) => {
    const { repository, move, put, isCommitted } = await begun(t, kind, { "src/index.ts": old });
    const agent = await repository.agent("split");
    await move("src/index.ts", "src/core.ts");
    await put("src/index.ts", shim);
    await agent.done();
    await repository.approve("--all");
    const { notes } = await repository.keepsDisk(() => repository.prompt("intent", "split the index"));
    assert.deepEqual(notes, []);
    await isCommitted({ "src/core.ts": old, "src/index.ts": shim });
    await repository.refuses(["intent", "once more"], "nothing-to-commit", nothingLeft);
  },
  ["git", "jj colocated"],
);

test("the same where the new name comes after the old one", async (t) => {
  const { repository, move, put, isCommitted } = await begun(t, "git", { "a.txt": old });
  await move("a.txt", "b.txt");
  await put("a.txt", "new\n");
  await repository.prompt("intent", "make room");
  await isCommitted({ "a.txt": "new\n", "b.txt": old });
});

test("a name that a file had before is another file's since that was committed", async (t) => {
  const { repository, move, put, isCommitted } = await begun(t, "git", { "b.txt": old });
  await move("b.txt", "a.txt");
  await repository.prompt("intent", "call it a");
  await put("b.txt", "another\n");
  await repository.prompt("intent", "add another");
  await repository.git("rm", "--quiet", "--cached", "a.txt");
  await repository.git("commit", "--quiet", "--message", "intent: forget a");
  await put("a.txt", `${old}more\n`);
  const { files } = await repository.prompt("intent", "say more", "a.txt");
  assert.deepEqual(files, [{ path: "a.txt", change: "added", added: 7, removed: 0, rest: false }]);
  await isCommitted({ "a.txt": `${old}more\n`, "b.txt": "another\n" });
});

each(
  test,
  "two files that change their names with each other",
  async (t, kind) => {
    const { repository, move, isCommitted } = await begun(t, kind, { "a.txt": old, "b.txt": "b\n" });
    await move("a.txt", "t.txt");
    await move("b.txt", "a.txt");
    await move("t.txt", "b.txt");
    await repository.prompt("intent", "change the names");
    await isCommitted({ "a.txt": "b\n", "b.txt": old });
  },
  ["git", "jj colocated"],
);

test("what comes in the place of a file that stays in the commit is left out, and that is said", async (t) => {
  const { repository, move, put, isCommitted } = await begun(t, "git", { "index.ts": old });
  const agent = await repository.agent("move");
  await move("index.ts", "core.ts");
  await agent.done();
  const [moved] = await repository.hunks();
  const other = await repository.agent("shim", "other");
  await put("index.ts", shim);
  await other.done();
  const hunk = (await repository.hunks()).find(({ id }) => id !== moved.id);
  await repository.approve(hunk.id);
  const words =
    "index.ts is left out: what the newest commit has under that name is core.ts by now, and that is not part of this. Commit core.ts first, or both together.";
  await repository.refuses(["intent", "add a shim"], "nothing-to-commit", words);
  await repository.refuses(["intent", "add a shim", "index.ts"], "nothing-to-commit", words);
  await repository.approve(moved.id);
  await repository.prompt("intent", "move it", "--task", agent.task);
  assert.deepEqual(await repository.files(), { "core.ts": old });
  await repository.prompt("intent", "add a shim");
  await isCommitted({ "core.ts": old, "index.ts": shim });
});

test("what is written while a hook runs is still to be committed afterwards", async (t) => {
  const repository = await newRepository(t, "git", { "a.txt": "one\ntwo\n" });
  await repository.begin();
  const [runs, mayEnd] = ["hook-runs", "hook-may-end"].map((name) => join(repository.scratch, name));
  repository.hook("pre-commit", `touch ${runs}; while [ ! -e ${mayEnd} ]; do sleep 0.05; done`);
  await repository.host();
  repository.write("a.txt", "ONE\ntwo\n");
  const committing = repository.prompt("intent", "shout one");
  await eventually("the hook runs", () => existsSync(runs));
  repository.write("a.txt", "ONE\nTWO\n");
  await repository.hunks();
  writeFileSync(mayEnd, "");
  await committing;
  assert.deepEqual(await repository.files(), { "a.txt": "ONE\ntwo\n" });
  await repository.prompt("intent", "shout two");
  assert.deepEqual(await repository.files(), { "a.txt": "ONE\nTWO\n" });
});

each(test, "a renaming that waits is not committed as the person's own deletion", async (t, kind) => {
  const repository = await newRepository(t, kind, { "a.txt": "one\n", "r.txt": old });
  repository.write("a.txt", "one\ntwo\n");
  await repository.hunks();
  const agent = await repository.agent("rename");
  repository.rename("r.txt", "s.txt");
  await repository.hunks();
  await agent.done();
  await repository.begin("Do\n", "--commit-first");
  const unmoved = { "a.txt": "one\ntwo\n", "r.txt": old };
  assert.deepEqual(await repository.files(), unmoved);
  const words =
    "r.txt is left out: it is called s.txt by now. Name s.txt, with which it goes once the renaming is approved.";
  await repository.refuses(["intent", "rename", "r.txt"], "nothing-to-commit", words);
  assert.deepEqual(await repository.files(), unmoved);
  await repository.approve("--all");
  await repository.prompt("intent", "rename", "r.txt", "s.txt");
  assert.deepEqual(await repository.files(), { "a.txt": "one\ntwo\n", "s.txt": old });
});

each(test, "a renaming by hand is committed with both names", async (t, kind) => {
  const repository = await newRepository(t, kind, { "a.txt": "one\n", "r.txt": old });
  repository.rename("r.txt", "s.txt");
  await repository.begin("Do\n", "--commit-first");
  assert.deepEqual(await repository.files(), { "a.txt": "one\n", "s.txt": old });
  repository.rename("a.txt", "b.txt");
  await repository.prompt("intent", "call it b");
  assert.deepEqual(await repository.files(), { "b.txt": "one\n", "s.txt": old });
});

/** A file that is moved, and one in its place that says all that the other said. */
const longer = `${old}five\n`;
const extra = `${old}extra\n`;

each(
  test,
  "a file that is moved is committed whole, also where the one in its place says the same and more",
  async (t, kind) => {
    const { repository, move, put, isCommitted } = await begun(t, kind, { "f.txt": old });
    await move("f.txt", "g.txt");
    await put("f.txt", longer);
    await put("g.txt", extra);
    const { files, notes } = await repository.prompt("intent", "split f");
    assert.deepEqual(notes, []);
    assert.deepEqual(
      files.map(({ path, rest }) => [path, rest]),
      [
        ["f.txt", false],
        ["g.txt", false],
      ],
    );
    await isCommitted({ "f.txt": longer, "g.txt": extra });
    await repository.refuses(["intent", "once more"], "nothing-to-commit", nothingLeft);
  },
  ["git", "jj colocated"],
);

each(
  test,
  "a file that is moved and copied back is committed under both names",
  async (t, kind) => {
    const { repository, move, put, isCommitted } = await begun(t, kind, { "f.txt": old });
    const agent = await repository.agent("copy");
    await move("f.txt", "g.txt");
    await put("f.txt", old);
    await agent.done();
    await repository.approve("--all");
    await repository.prompt("intent", "copy f");
    await isCommitted({ "f.txt": old, "g.txt": old });
    await repository.refuses(["intent", "once more"], "nothing-to-commit", nothingLeft);
  },
  ["git", "jj colocated"],
);

test("a moved file is committed whole also where what took its place was committed by hand", async (t) => {
  const { repository, move, put, isCommitted } = await begun(t, "git", { "f.txt": old });
  await move("f.txt", "g.txt");
  await put("f.txt", longer);
  await put("g.txt", extra);
  await repository.git("commit", "--quiet", "--message", "by hand", "--", "f.txt");
  await repository.hunks();
  await repository.prompt("intent", "move it");
  await isCommitted({ "f.txt": longer, "g.txt": extra });
});

test("two files that move on by one name, the second saying what the first said and more", async (t) => {
  for (const second of [longer, old]) {
    const { repository, move, put, isCommitted } = await begun(t, "git", { "f.txt": old, "h.txt": second });
    await move("f.txt", "g.txt");
    await move("h.txt", "f.txt");
    await put("g.txt", extra);
    await repository.prompt("intent", "move on");
    await isCommitted({ "f.txt": second, "g.txt": extra });
  }
});

test("once both are committed each is its own, whatever becomes of the other", async (t) => {
  const { repository, move, put, isCommitted } = await begun(t, "git", { "f.txt": old });
  await move("f.txt", "g.txt");
  await put("f.txt", old);
  await repository.prompt("intent", "copy f");
  await put("f.txt", longer);
  await put("g.txt", extra);
  await repository.prompt("intent", "say more in g", "g.txt");
  assert.deepEqual(await repository.files(), { "f.txt": old, "g.txt": extra });
  await repository.prompt("intent", "say more in f");
  await isCommitted({ "f.txt": longer, "g.txt": extra });
  await put("f.txt", old);
  repository.remove("g.txt");
  await repository.hunks();
  await repository.prompt("intent", "forget g");
  await isCommitted({ "f.txt": old });
  await put("g.txt", extra);
  await put("f.txt", longer);
  await repository.prompt("intent", "g again", "g.txt");
  assert.deepEqual(await repository.files(), { "f.txt": old, "g.txt": extra });
  await repository.prompt("intent", "f again");
  await isCommitted({ "f.txt": longer, "g.txt": extra });
});

/** `a.txt` was renamed and that is committed; `b.txt` says more since. A new `a.txt` was made, committed and deleted unseen. */
async function madeAgainUnseen(t, kind) {
  const repository = await newRepository(t, kind, { "a.txt": old });
  const byHand = async (title, ...paths) => {
    if (repository.isJj) return repository.jj("commit", "--message", title, ...paths);
    await repository.git("add", "--all", "--", ...paths);
    await repository.git("commit", "--quiet", "--message", title);
  };
  await repository.hunks();
  repository.rename("a.txt", "b.txt");
  await repository.hunks();
  await byHand("call it b", "a.txt", "b.txt");
  repository.write("b.txt", extra);
  await repository.hunks();
  await repository.unhosted();
  repository.write("a.txt", "another\n");
  await byHand("add another", "a.txt");
  assert.deepEqual(await repository.files(), { "a.txt": "another\n", "b.txt": old });
  return repository;
}

each(
  test,
  "a file that is deleted is no renamed one because another had its name before",
  async (t, kind) => {
    const repository = await madeAgainUnseen(t, kind);
    repository.remove("a.txt");
    const started = await repository.begin("Do\n", "--commit-first");
    assert.deepEqual(
      started.existing.flatMap(({ files }) => files),
      ["a.txt", "b.txt"],
    );
    assert.deepEqual(await repository.files(), { "b.txt": extra });
  },
  ["git", "jj colocated"],
);

each(
  test,
  "the same where both are named, or that one alone",
  async (t, kind) => {
    for (const [names, tree] of [
      [["a.txt"], { "b.txt": old }],
      [["a.txt", "b.txt"], { "b.txt": extra }],
    ]) {
      const repository = await madeAgainUnseen(t, kind);
      repository.remove("a.txt");
      await repository.begin("Do\n", "--leave");
      await repository.prompt("intent", "forget a", ...names);
      assert.deepEqual(await repository.files(), tree);
      await repository.unhosted();
    }
  },
  ["git", "jj colocated"],
);

test("what becomes of it is committed without the other", async (t) => {
  const repository = await madeAgainUnseen(t, "git");
  await repository.begin("Do\n", "--leave");
  repository.write("a.txt", "another\nmore\n");
  await repository.hunks();
  await repository.prompt("intent", "say more", "a.txt");
  assert.deepEqual(await repository.files(), { "a.txt": "another\nmore\n", "b.txt": old });
});

test("a name that is left out because its renaming waits is told, also beside the new one", async (t) => {
  const repository = await newRepository(t, "git", { "a.txt": "one\n", "r.txt": old });
  await repository.begin();
  repository.write("a.txt", "one\ntwo\n");
  await repository.hunks();
  const agent = await repository.agent("rename");
  repository.rename("r.txt", "s.txt");
  await repository.hunks();
  await agent.done();
  const { notes } = await repository.prompt("intent", "say two", "a.txt", "r.txt", "s.txt");
  assert.deepEqual(notes, [
    "r.txt is left out: it is called s.txt by now, with which it goes once the renaming is approved.",
  ]);
  assert.deepEqual(await repository.files(), { "a.txt": "one\ntwo\n", "r.txt": old });
});
