// Files that cannot be committed here: where nobody named them they are left out, with a word, and the rest goes on.

import assert from "node:assert/strict";
import { truncateSync } from "node:fs";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

const lfs = { ".gitattributes": "*.psd filter=lfs\n", "x.psd": "p\n" };

/** Each with what makes it one, what is said of it, and the refusal where it is named. */
const cases = [
  {
    name: "a file that is too large",
    file: "big.bin",
    async make(repository) {
      repository.write("big.bin", "");
      truncateSync(repository.at("big.bin"), 70 * 1024 * 1024);
    },
    why: "it is too large, or no file; commit it with git or jj",
    code: "not-a-file",
  },
  {
    name: "a file that is ignored since",
    file: "build.log",
    async make(repository) {
      repository.write("build.log", "log\n");
      await repository.hunks();
      repository.write(".gitignore", "*.log\n");
    },
    also: [".gitignore"],
    why: "it is ignored (.gitignore)",
    code: "ignored-file",
  },
  {
    name: "a file under a filter",
    file: "x.psd",
    files: lfs,
    async make(repository) {
      repository.write("x.psd", "pp\n");
    },
    why: "it goes through a filter of git (lfs), which is not run here; commit it with git",
    code: "filtered-file",
  },
];

async function withFilter(t, files) {
  const repository = await newRepository(t, "git", { "a.txt": "one\n", ...files });
  await repository.git("config", "filter.lfs.clean", "cat");
  await repository.git("config", "filter.lfs.smudge", "cat");
  return repository;
}

for (const { name, file, files, make, also = [], why, code } of cases) {
  const note = `${file} is left out: ${why}.`;

  test(`${name} stops no intent that does not name it`, async (t) => {
    const repository = await withFilter(t, files);
    await repository.begin();
    await make(repository);
    repository.write("a.txt", "one\ntwo\n");
    const groups = async () => (await repository.prompt("status")).uncommitted.map(({ files }) => files);
    assert.deepEqual(await groups(), [[...also, "a.txt"]]);
    const { notes, files: committed } = await repository.prompt("intent", "say two");
    assert.deepEqual(committed.map(({ path }) => path).sort(), [...also, "a.txt"]);
    assert.deepEqual(notes, [note]);
    assert.deepEqual(await groups(), []);
    assert.equal((await repository.changed()).includes(file), false);
    await repository.refuses(["intent", "the file", file], code, new RegExp(file));
    await repository.refuses(["intent", "nothing else"], "nothing-to-commit", note);
    const { notes: atEnd } = await repository.finish();
    assert.deepEqual(
      atEnd.filter((one) => one.includes("stay uncommitted")),
      [],
    );
  });

  test(`${name} stops no start that commits what lies there first`, async (t) => {
    const repository = await withFilter(t, files);
    await repository.prompt("status");
    await make(repository);
    repository.write("a.txt", "one\ntwo\n");
    const shown = await repository.prompt("start", "Go on", "--dry-run");
    assert.deepEqual(
      shown.existing.map(({ files }) => files),
      [[...also, "a.txt"]],
    );
    assert.ok(shown.notes.includes(note), shown.notes.join("\n"));
    const { committed, notes } = await repository.begin("Go on", "--commit-first");
    assert.equal(committed.length, 1);
    assert.equal(notes.filter((one) => one === note).length, 1, notes.join("\n"));
    assert.equal((await repository.changed()).includes(file), false);
  });
}

for (const [name, file, make, why] of [
  ["ignores since", cases[1].file, cases[1].make, cases[1].why],
  [
    "finds too large",
    "big.bin",
    async (repository) => repository.write("big.bin", "0123456789abcde\n".repeat(2 ** 17)),
    "it is larger than jj takes of new files (snapshot.max-new-file-size)",
  ],
])
  each(
    test,
    `a new file that jj ${name} stops no intent that does not name it`,
    async (t, kind) => {
      const repository = await newRepository(t, kind);
      await repository.begin();
      await make(repository);
      repository.write("a.txt", "one\ntwo\n");
      const groups = async () => (await repository.prompt("status")).uncommitted.flatMap(({ files }) => files);
      assert.equal((await groups()).includes(file), false);
      const { notes } = await repository.prompt("intent", "say two");
      assert.deepEqual(notes, [`${file} is left out: ${why}.`]);
      assert.match(await repository.changed(), /M a\.txt/);
      assert.deepEqual(await groups(), []);
      // jj was asked to track it, which it notes; nothing is committed.
      const tip = await repository.tip();
      const { code, stderr } = await repository.cli(["prompt", "intent", "the file", file, "--json"]);
      assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "refused-by-others"]);
      assert.equal(await repository.tip(), tip);
    },
    ["jj colocated", "jj"],
  );
