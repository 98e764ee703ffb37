// A report is written whole or not at all, and nothing that lies in its way is waited for, followed or written over (J6).

import assert from "node:assert/strict";
import { existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { newRepository } from "../rig/prompts.mjs";

const link = "Research/high/Better/Counterpart.md";

/** A prompt with an intent, and something in the place of the link that a report writes beside it. */
async function hindered(t, hinder) {
  const repository = await newRepository(t, "git", { "a.txt": "one\n", "Research/high/Better/note.md": "# Better\n" });
  await hinder(repository);
  await repository.begin("Make it better\n", "--leave");
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  return repository;
}

const report = ["report", "--title", "The answer", "--answer", "Done so.", "--subject", "Better"];

for (const [what, hinder] of [
  ["a pipe", (repository) => repository.must(["mkfifo", repository.at(link)])],
  ["a link", (repository) => symlinkSync("note.md", repository.at(link))],
]) {
  test(`${what} in the way is told before anything is written`, async (t) => {
    const repository = await hindered(t, hinder);
    const { code, stderr } = await repository.cli(["prompt", ...report, "--json"]);
    assert.equal(code, 1);
    const { error } = JSON.parse(stderr);
    assert.deepEqual(error, {
      ...error,
      code: "in-the-way",
      message: `${link} is there already, and is something else. Move it away, then repeat.`,
    });
    assert.equal(existsSync(repository.at("Development")), false);
    const { prompt } = await repository.prompt("status");
    assert.equal(prompt.report, null, "nothing is taken for a report");
    rmSync(repository.at(link));
    const { path } = await repository.prompt(...report);
    assert.ok(existsSync(repository.at(path)));
    assert.ok(existsSync(repository.at(link)));
  });
}

for (const [what, place, words] of [
  ["a link", (path) => symlinkSync("/tmp", path), "a link"],
  ["a file", (path) => writeFileSync(path, ""), "no folder"],
]) {
  test(`${what} in the place of a side's folder is told before anything is written`, async (t) => {
    const repository = await newRepository(t, "git");
    place(repository.at("Development"));
    await repository.begin("Make it better\n", "--leave");
    await repository.intent("say two", { "a.txt": "one\ntwo\n" }, "a.txt");
    const counterpart = "Development/high/Better/Counterpart.md";
    await repository.refuses(
      report,
      "in-the-way",
      `Development is ${words}, so ${counterpart} cannot be written. Move it away, then repeat.`,
    );
    assert.equal((await repository.prompt("status")).prompt.report, null, "nothing is taken for a report");
    rmSync(repository.at("Development"));
    const { path } = await repository.prompt(...report);
    assert.equal((await repository.prompt("status")).prompt.report, path);
    assert.ok(existsSync(repository.at(counterpart)));
  });
}

test("a report that is given again after an undo names only the files that it writes", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  const first = await repository.prompt(...report);
  assert.deepEqual(first.files, [
    first.path,
    "Development/high/Better/Counterpart.md",
    "Research/high/Better/Counterpart.md",
  ]);
  await repository.prompt("undo");
  rmSync(repository.at(link));
  const dry = await repository.prompt(...report, "--dry-run");
  assert.deepEqual([dry.path, dry.files], [first.path, [link]]);
  const again = await repository.prompt(...report);
  assert.deepEqual([again.path, again.files], [first.path, [link]]);
  // What lies there is committed all the same.
  assert.deepEqual(Object.keys(await repository.files()).sort(), ["a.txt", ...first.files].sort());
});
