// What a purge lets go of: decisions, the stories of files that are done, and content that nothing refers to any more. What
// may still be asked for stays, to the byte.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { newProject } from "../rig/changes.mjs";
import { copyDatabase, sql } from "../rig/database.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n";
/** Content that is decided as a whole; it does not pack well. */
const binary = (seed) => {
  let state = seed;
  const bytes = Array.from({ length: 4_096 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 16;
  });
  return Buffer.from([0, ...bytes]);
};

/** How many contents are kept. */
async function contents(project) {
  const { database } = await project.places();
  const copy = copyDatabase(database, join(project.scratch, "looked-into", "state.db"));
  const [[number]] = await sql(copy, "SELECT count(*) FROM blob");
  return number;
}

for (const git of [true, false]) {
  test(`content that only a purged decision needed goes, ${git ? "in a repository" : "in a plain folder"}`, async (t) => {
    const project = await newProject(t, {}, { git });
    project.write("a.bin", binary(1));
    if (git) {
      await project.git("add", "--all");
      await project.git("commit", "--quiet", "--message", "binary");
    }
    await project.agent("one");
    await project.pending();
    project.write("a.bin", binary(2));
    assert.equal((await project.pending()).length, 1);
    await project.reject("--all");
    const before = await contents(project);
    const told = await project.cli(["changes", "purge", "--json"]);
    const { bytes } = JSON.parse(told.stdout);
    assert.equal(await contents(project), before, "telling changes nothing");
    const purged = await project.json(["changes", "purge", "--yes"]);
    assert.deepEqual([purged.done, purged.decisions, purged.files, purged.bytes], [true, 1, 1, bytes]);
    assert.ok(bytes > 4_096, `the content is counted: ${bytes}`);
    assert.equal(await contents(project), before - 1);
    // What is in the file can still be brought back.
    assert.deepEqual(project.read("a.bin"), binary(1));
    project.write("a.bin", binary(3));
    await project.reject("--all");
    assert.deepEqual(project.read("a.bin"), binary(1));
    await project.undo();
    assert.deepEqual(project.read("a.bin"), binary(3));
    await project.verify();
  });
}

test("content that another file, a pending hunk or a newer decision needs stays", async (t) => {
  const project = await newProject(t, {});
  for (const path of ["a.bin", "b.bin", "c.bin"]) project.write(path, binary(1));
  await project.git("add", "--all");
  await project.git("commit", "--quiet", "--message", "binary");
  await project.agent("one");
  project.write("a.bin", binary(2));
  project.write("b.bin", binary(2));
  assert.equal((await project.pending()).length, 2);
  await project.reject("--file", "a.bin");
  const before = await contents(project);
  await project.json(["changes", "purge", "--yes"]);
  assert.equal(await contents(project), before, "b.bin still waits with the same content");
  await project.reject("--file", "b.bin");
  assert.deepEqual(project.read("b.bin"), binary(1));
  await project.undo();
  assert.deepEqual(project.read("b.bin"), binary(2));
});

test("in a plain folder what every file was stays, also after a new start", async (t) => {
  const project = await newProject(t, {}, { git: false });
  for (const at of [1, 2, 3]) project.write(`${at}.txt`, `${at}\n${base}`);
  await project.agent("one");
  assert.deepEqual(await project.pending(), []);
  project.write("1.txt", "other\n");
  await project.reject("--all");
  await project.json(["changes", "purge", "--yes"]);
  await project.unhosted();
  await project.json(["changes", "purge", "--yes"]);
  const { task } = await project.json(["start", "two"]);
  assert.equal(task.status, "in-progress");
  project.write("2.txt", "other\n");
  project.remove("3.txt");
  assert.equal((await project.pending()).length, 2);
  await project.reject("--all");
  assert.deepEqual(project.tree(), { "1.txt": `1\n${base}`, "2.txt": `2\n${base}`, "3.txt": `3\n${base}` });
});

test("the story of a file that is done becomes short, and one that is not stays", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  await project.agent("one");
  const editor = await project.editor();
  for (const number of ["one", "two", "three", "four"]) {
    await editor.save("a.txt", base.replace("4", number));
    await project.pending();
  }
  project.write("b.txt", base.replace("4", "four"));
  assert.equal((await project.pending()).length, 1);
  const steps = async (path) => (await project.json(["changes", "history", path])).steps.length;
  assert.deepEqual([await steps("a.txt"), await steps("b.txt")], [5, 2]);
  assert.equal((await project.json(["changes", "purge", "--older-than", "1h", "--yes"])).files, 0);
  const asked = await project.cli(["changes", "purge"]);
  assert.match(asked.stdout, /^This would let go of what nothing needs any more in 1 file, \d+ bytes\.\n$/);
  const { decisions, files } = await project.json(["changes", "purge", "--yes"]);
  assert.deepEqual([decisions, files], [0, 1]);
  assert.deepEqual([await steps("a.txt"), await steps("b.txt")], [1, 2]);
  assert.equal((await project.cli(["changes", "purge"])).stdout, "There is nothing to purge.\n");
  assert.deepEqual(await project.blame("a.txt").then((lines) => lines[3]), "four: ada saved");
  await project.reject("--all");
  assert.deepEqual(project.tree(), { "a.txt": base.replace("4", "four"), "b.txt": base });
  await project.verify();
});
