// Git at work while an agent is: what git does is never blamed on the agent, and nothing of the person's is lost on the
// way (T2, T3; ABUSE, faults of git).

import assert from "node:assert/strict";
import { test } from "node:test";
import { newProject, takeBack } from "../rig/changes.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n";
const changed = base.replace("4", "four");

test("git stash and pop in the middle", async (t) => {
  const project = await newProject(t, { "a.txt": base, "mine.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  await editor.save("mine.txt", `${base}mine\n`);
  await editor.save("a.txt", `${base}mine\n`);
  project.write("a.txt", `${changed}mine\n`);
  const pending = await project.pending();
  assert.deepEqual(pending, ["a.txt: a1.1 inferred lines +1 −1"]);
  const since = { a: await project.authors("a.txt"), mine: await project.authors("mine.txt") };
  await project.git("stash", "--quiet");
  assert.deepEqual(project.tree(), { "a.txt": base, "mine.txt": base });
  assert.deepEqual(await project.pending(), []);
  await project.git("stash", "pop", "--quiet");
  assert.deepEqual(project.tree(), { "a.txt": `${changed}mine\n`, "mine.txt": `${base}mine\n` });
  const later = [
    ...(await project.authors("a.txt")).slice(since.a.length),
    ...(await project.authors("mine.txt")).slice(since.mine.length),
  ];
  assert.deepEqual([...new Set(later)], ["vcs version-control"], "git is never blamed on the agent");
  // What waited before waits again, and taking it out loses nothing of the person's.
  assert.deepEqual(await project.pending(), pending);
  await takeBack(project, {
    own: { "mine.txt": `${base}mine\n`, "a.txt": `${base}mine\n`.replace("4\n", "").split(/(?<=\n)/) },
    rejected: { "a.txt": `${base}mine\n`, "mine.txt": `${base}mine\n` },
  });
});

test("git stash that stays away loses nothing", async (t) => {
  const project = await newProject(t, { "a.txt": base, "mine.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  await editor.save("mine.txt", `${base}mine\n`);
  project.write("a.txt", changed);
  await project.pending();
  await project.git("stash", "--quiet");
  assert.deepEqual(await project.pending(), []);
  project.write("a.txt", `${base}nine\n`);
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1"]);
  await takeBack(project, { own: { "mine.txt": base }, rejected: { "a.txt": base, "mine.txt": base } });
  assert.match(await project.git("stash", "show", "--patch"), /^\+mine$/m);
});

test("git checkout of another branch and back in the middle", async (t) => {
  const project = await newProject(t, { "a.txt": base, "mine.txt": base });
  await project.git("switch", "--quiet", "--create", "other");
  project.write("mine.txt", `${base}other\n`);
  await project.git("commit", "--quiet", "--all", "--message", "other");
  await project.git("switch", "--quiet", "main");
  await project.agent("edit");
  project.write("a.txt", changed);
  await project.pending();
  await project.git("switch", "--quiet", "other");
  assert.deepEqual(await project.authors("mine.txt"), []);
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  await takeBack(project, {
    own: { "mine.txt": `${base}other\n` },
    rejected: { "a.txt": base, "mine.txt": `${base}other\n` },
  });
  await project.git("switch", "--quiet", "main");
  await takeBack(project, { own: { "mine.txt": base }, rejected: { "a.txt": base, "mine.txt": base } });
});

test("git checkout -- of the person's own file is git's", async (t) => {
  const project = await newProject(t, { "a.txt": base, "mine.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  await editor.save("mine.txt", `${base}mine\n`);
  project.write("a.txt", changed);
  await project.pending();
  await project.git("checkout", "--quiet", "--", "mine.txt");
  assert.deepEqual(await project.lastAuthors("mine.txt"), ["person:ada saved", "vcs version-control"]);
  await takeBack(project, { own: { "mine.txt": base }, rejected: { "a.txt": base, "mine.txt": base } });
});

test("git rebase in the middle", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base, "mine.txt": base });
  await project.git("switch", "--quiet", "--create", "topic");
  project.write("mine.txt", `${base}topic\n`);
  await project.git("commit", "--quiet", "--all", "--message", "topic");
  await project.git("switch", "--quiet", "main");
  project.write("b.txt", `main\n${base}`);
  await project.git("commit", "--quiet", "--all", "--message", "main");
  await project.git("switch", "--quiet", "topic");
  await project.agent("edit");
  project.write("a.txt", changed);
  await project.pending();
  await project.git("rebase", "--quiet", "--autostash", "main");
  const own = { "b.txt": `main\n${base}`, "mine.txt": `${base}topic\n` };
  assert.deepEqual(project.tree(), { "a.txt": changed, ...own });
  await project.pending();
  for (const path of ["b.txt", "mine.txt"]) {
    const authors = await project.authors(path);
    assert.ok(!authors.some((author) => author.startsWith("run:")), `git is blamed on the agent: ${path} ${authors}`);
  }
  await takeBack(project, { own, rejected: { "a.txt": base, ...own }, what: ["--all"] });
});
