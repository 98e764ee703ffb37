// Intents where a folder comes in the place of a file, or a file in the place of a folder: one goes for the other only
// where both were approved (J2).

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

const folder = { "conf/a": "one\n", "conf/deep/b": "two\n" };
const swaps = [
  { name: "a folder in the place of a file", before: { conf: "one\n" }, after: { "conf/a": "new\n" }, stays: "conf" },
  { name: "a file in the place of a folder", before: folder, after: { conf: "new\n" }, stays: "conf/a" },
];

for (const { name, before, after, stays } of swaps) {
  const [[path, content]] = Object.entries(after);
  const all = { "z.txt": "z\n", ...before };
  const words = `${path} is left out: the newest commit has ${stays}, which has to go for it, and that is not part of this. Commit that first, or both together.`;

  /** A prompt in which an agent has put the one in the place of the other. */
  async function swapped(t, kind) {
    const repository = await newRepository(t, kind, all);
    await repository.begin();
    const agent = await repository.agent("swap");
    repository.remove("conf");
    repository.write(path, content);
    const hunks = await repository.hunks();
    await agent.done();
    return { repository, hunk: hunks.find((hunk) => hunk.path === path) };
  }

  each(
    test,
    `${name} is left out while only that is approved`,
    async (t, kind) => {
      const { repository, hunk } = await swapped(t, kind);
      await repository.approve(hunk.id);
      await repository.refuses(["intent", "swap"], "nothing-to-commit", words);
      await repository.refuses(["intent", "swap", path], "nothing-to-commit", words);
      repository.write("z.txt", "z\nmore\n");
      await repository.hunks();
      await repository.json(["changes", "assign", "--unknown", "--to-me"]);
      const { notes } = await repository.prompt("intent", "say more");
      assert.deepEqual(notes, [words]);
      assert.deepEqual(await repository.files(), { ...all, "z.txt": "z\nmore\n" });
      await repository.approve("--all");
      await repository.keepsDisk(() => repository.prompt("intent", "swap"));
      assert.deepEqual(await repository.files(), { "z.txt": "z\nmore\n", ...after });
      await repository.verify();
    },
    ["git", "jj colocated"],
  );

  each(
    test,
    `${name} is committed where both are approved, and taken back`,
    async (t, kind) => {
      const { repository } = await swapped(t, kind);
      await repository.approve("--all");
      const { notes } = await repository.keepsDisk(() => repository.prompt("intent", "swap"));
      assert.deepEqual(notes, []);
      assert.deepEqual(await repository.files(), { "z.txt": "z\n", ...after });
      if (kind === "git") assert.equal(await repository.git("status", "--porcelain"), "");
      await repository.keepsDisk(() => repository.prompt("undo"));
      assert.deepEqual(await repository.files(), all);
    },
    ["git", "jj colocated"],
  );

  test(`${name} that nobody saw come is committed where both are named`, async (t) => {
    const repository = await newRepository(t, "git", all);
    repository.remove("conf");
    repository.write(path, content);
    await repository.begin("Go on", "--commit-first");
    assert.deepEqual(await repository.files(), { "z.txt": "z\n", ...after });
    assert.equal(await repository.git("status", "--porcelain"), "");
  });
}
