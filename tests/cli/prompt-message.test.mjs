// The message of a session's commit, byte by byte: what was asked stands in it as it was asked, and git and jj read it as
// it was meant (J1, J3, J4).

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

/** All that a prompt can do to whoever looks for its end. */
const wild =
  "Make it better 🦀 ünd mit CRLF\r\n\r\n## Agent Context\nnot the context\n\n## Logical Changes\n- none\nChange-Id: no\n\n\n";

/** The ids of commits between the first and a tip, oldest first, as they are named in the message. */
async function names(repository, tip) {
  const list = (await repository.git("rev-list", "--reverse", tip, `^${await first(repository)}`)).trim().split("\n");
  const found = [];
  for (const commit of list) found.push((await changeOf(repository, commit)).slice(0, 12));
  return found;
}

const first = async (repository) => repository.pushed();

/** The change id of a commit: a trailer in git, jj's own in jj. */
async function changeOf(repository, commit) {
  if (repository.isJj) {
    return (await repository.peek("log", "--no-graph", "-r", commit, "-T", "change_id")).trim();
  }
  const trailers = await repository.must(["git", "interpret-trailers", "--parse"], {
    input: await repository.message(commit),
  });
  const [, change] = /^Change-Id: ([k-z]{32})\n$/.exec(trailers) ?? assert.fail(`not one change id: ${trailers}`);
  return change;
}

async function reads(repository, commit, prompt) {
  const message = await repository.message(commit);
  if (repository.isJj) {
    assert.equal(await repository.peek("log", "--no-graph", "-r", commit, "-T", "description"), message);
  }
  const { prompt: id } = await repository.prompt("show", "p1");
  assert.equal(id.id, "p1");
  for (const name of ["p1", commit]) {
    const { code, stdout } = await repository.cli(["prompt", "show", name, "--prompt"]);
    assert.deepEqual([code, stdout], [0, prompt], `prompt show ${name} --prompt`);
  }
  return message;
}

each(test, "of one intent", async (t, kind) => {
  const repository = await newRepository(t, kind);
  const { stamp, prompt } = await repository.begin(wild, "--context", "Better is what is meant.\n\nIn two paragraphs.");
  assert.match(stamp, /^[♈-♓]︎\.\d+\.\d+\.\d+ \d{4}AM$/u);
  assert.equal(prompt.stamp, stamp);
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  const change = await changeOf(repository, await repository.tip());
  const shown = await repository.finish("It is better", "--dry-run");
  const { mode, message, finished } = await repository.finish();
  const trailer = repository.isJj ? "" : `\nChange-Id: ${change}\n`;
  const expected = `session: It is better
${stamp}

## Original Prompt
${wild}

## Agent Context
Better is what is meant.

In two paragraphs.

## Logical Changes
- say two

intent: say two
${trailer}`;
  assert.equal(mode, "single");
  assert.equal(message, expected);
  assert.equal(shown.message, expected, "the dry run shows what is written");
  const tip = await repository.tip();
  assert.equal(finished.commit, tip);
  assert.equal(await reads(repository, tip, wild), expected);
  assert.equal(await changeOf(repository, tip), change, "the change keeps its id");
});

each(test, "of several intents", async (t, kind) => {
  const repository = await newRepository(t, kind);
  const { stamp } = await repository.begin(wild, "--context", "Better is what is meant.");
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.intent("intent: add a file", { "b.txt": "b\n" });
  const [two, file] = await names(repository, await repository.tip());
  const files = await repository.files();
  const words = ["It is better", "--context", "It was understood anew."];
  const shown = await repository.finish(...words, "--dry-run");
  const { mode, message } = await repository.finish(...words);
  assert.equal(shown.message, message, "the dry run shows what is written");
  const tip = await repository.tip();
  const trailer = repository.isJj ? "" : `\nChange-Id: ${await changeOf(repository, tip)}\n`;
  const expected = `session: It is better
${stamp}

## Original Prompt
${wild}

## Agent Context
It was understood anew.

## Logical Changes
- say two
- add a file

## Squashed Change IDs
- ${two}
- ${file}
${trailer}`;
  assert.equal(mode, "multi");
  assert.equal(message, expected);
  assert.equal(await reads(repository, tip, wild), expected);
  assert.deepEqual(await repository.files(), files);
  assert.deepEqual(await repository.titles(), [`session: It is better ${stamp}`, "first"]);
  // Every commit that it names is still there, with its own words.
  for (const [name, title] of [
    [two, "intent: say two"],
    [file, "intent: add a file"],
  ]) {
    const found = repository.isJj
      ? await repository.peek("log", "--no-graph", "-r", name, "-T", "description.first_line()")
      : await repository.git(
          "log",
          "--all",
          "--no-walk",
          "--format=%s",
          `--grep=^Change-Id: ${name}`,
          "--glob=refs/augment",
        );
    assert.deepEqual([...new Set(found.trim().split("\n"))], [title]);
  }
});

test("a prompt that ends a message for git's own tools", async (t) => {
  const repository = await newRepository(t, "git");
  const prompt = "Patch it:\n---\n a.txt | 1 +\n";
  await repository.begin(prompt);
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  const change = await changeOf(repository, await repository.tip());
  await repository.finish();
  const message = await reads(repository, await repository.tip(), prompt);
  const trailers = await repository.must(["git", "interpret-trailers", "--parse", "--no-divider"], { input: message });
  assert.equal(trailers, `Change-Id: ${change}\n`);
  assert.equal(await repository.git("log", "-1", "--format=%(trailers)"), `Change-Id: ${change}\n\n`);
});
