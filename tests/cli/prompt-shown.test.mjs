// A yes is for what was shown: the session's commit as the dry run had it, and the very commit that is taken back.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";
import { typingAt } from "../rig/terminal.mjs";

/** A prompt with one intent, and an editor's connection beside the person's shell. */
async function begun(t, kind) {
  const repository = await newRepository(t, kind);
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.host();
  const { client } = await repository.editor();
  const environment = Object.fromEntries(Object.entries(repository.env).filter(([, value]) => value !== undefined));
  const finish = { summary: "It is better", environment };
  return { repository, client, environment, finish };
}

each(test, "a yes to a session's commit is for the message and the commits that were shown", async (t, kind) => {
  const { repository, client, finish } = await begun(t, kind);
  const shown = await client.request("augment/prompt/finish", { ...finish, dryRun: true });
  const again = await client.request("augment/prompt/finish", { ...finish, dryRun: true });
  assert.equal(shown.confirm, again.confirm, "what is the same is called the same");
  // Meanwhile somebody commits one more.
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  const before = await repository.state();
  const stale = await client.refusal("augment/prompt/finish", { ...finish, confirm: shown.confirm });
  assert.equal(
    stale.message,
    "What finishing prompt p1 would write is no longer what was shown. Look at it again, then say yes to that.",
  );
  const { code, finish: fresh } = stale.data;
  assert.deepEqual([code, fresh.finished, fresh.intents.length], ["shown-otherwise", null, 2]);
  assert.deepEqual(await repository.state(), before, "nothing was written");
  // Another summary is another message.
  const other = await client.refusal("augment/prompt/finish", {
    ...finish,
    summary: "Worse",
    confirm: fresh.confirm,
  });
  assert.equal(other.data.code, "shown-otherwise");
  const { finished, message } = await client.request("augment/prompt/finish", { ...finish, confirm: fresh.confirm });
  assert.notEqual(finished, null);
  assert.equal(message, fresh.message);
  assert.equal((await repository.message(finished.commit)).trimEnd(), message.trimEnd());
});

each(test, "what is taken back is the commit that was shown", async (t, kind) => {
  const { repository, client, environment } = await begun(t, kind);
  const shown = await client.request("augment/prompt/undo", { dryRun: true, environment });
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  const before = await repository.state();
  const stale = await client.refusal("augment/prompt/undo", { commit: shown.commit, environment });
  assert.equal(
    stale.message,
    "What would be taken back for prompt p1 is no longer what was shown. Look at it again, then say yes to that.",
  );
  const { code, undo: fresh } = stale.data;
  assert.deepEqual([code, fresh.what, fresh.done], ["shown-otherwise", "the commit `intent: say three`", false]);
  assert.deepEqual(await repository.state(), before, "nothing was taken back");
  const undone = await client.request("augment/prompt/undo", { commit: fresh.commit, environment });
  assert.deepEqual([undone.what, undone.done], [fresh.what, true]);
});

test("the program takes both words, and does without them what it is told", async (t) => {
  const { repository } = await begun(t, "git");
  const { confirm } = await repository.finish("It is better", "--dry-run");
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  await repository.refuses(
    ["finish", "It is better", "--confirm", confirm],
    "shown-otherwise",
    /no longer what was shown/,
  );
  const { stdout, stderr } = await repository.cli(["prompt", "finish", "It is better", "--dry-run"]);
  assert.match(stdout, /^session: It is better$/m);
  const [, word] = stderr.match(/^Nothing was written\. --confirm ([0-9a-f]{32}) makes exactly this\.$/m) ?? [];
  const { finished } = await repository.finish("It is better", "--confirm", word);
  const { commit } = await repository.prompt("undo", "--dry-run");
  assert.equal(commit, finished.commit);
  const parent = (await repository.git("rev-parse", "HEAD~1")).trim();
  await repository.refuses(["undo", "--commit", parent], "shown-otherwise", /no longer what was shown/);
  await repository.refuses(["undo", "--commit", ""], "shown-otherwise", /no longer what was shown/);
  assert.equal((await repository.prompt("undo", "--commit", commit.slice(0, 12))).done, true);
  assert.equal((await repository.prompt("undo")).done, true);
});

/** Something of the person's own in the tree, as a client is shown it before a prompt begins. */
async function lying(t, kind) {
  const repository = await newRepository(t, kind, { "a.txt": "one\n", "b.txt": "b\n" });
  await repository.prompt("status");
  repository.write("a.txt", "one\ntwo\n");
  await repository.host();
  const editor = await repository.editor();
  const environment = Object.fromEntries(Object.entries(repository.env).filter(([, value]) => value !== undefined));
  const start = { text: "Go on", context: "So.", environment };
  return { repository, editor, client: editor.client, start };
}

const otherwise = "What lies in the tree is no longer what was shown. Look at it again, then say yes to that.";

each(
  test,
  "what lies in the tree is committed first as it was shown, or shown again",
  async (t, kind) => {
    const { repository, client, start } = await lying(t, kind);
    const shown = await client.request("augment/prompt/start", { ...start, dryRun: true });
    const again = await client.request("augment/prompt/start", start);
    assert.deepEqual([again.prompt, again.confirm], [null, shown.confirm], "what is the same is called the same");
    const yes = (confirm) => ({ ...start, existing: "commit", existingIntents: ["fix a"], confirm });
    // Another file, then another content of one that was shown.
    let { confirm } = shown;
    for (const [path, content, files] of [
      ["private.txt", "mine alone\n", ["a.txt", "private.txt"]],
      ["a.txt", "one\nhalf done\n", ["a.txt", "private.txt"]],
    ]) {
      repository.write(path, content);
      const before = await repository.state();
      const stale = await client.refusal("augment/prompt/start", yes(confirm));
      assert.equal(stale.message, otherwise);
      const { code, start: fresh } = stale.data;
      assert.deepEqual(
        [code, fresh.prompt, fresh.existing.map(({ files }) => files)],
        ["shown-otherwise", null, [files]],
      );
      assert.deepEqual(await repository.state(), before, "nothing was written");
      confirm = fresh.confirm;
    }
    const { committed } = await client.request("augment/prompt/start", yes(confirm));
    assert.deepEqual(
      committed.map(({ text }) => text),
      ["intent: fix a"],
    );
    assert.equal(await repository.changed(), "M a.txt\nA private.txt");
  },
  ["git", "jj"],
);

test("what a prompt leaves in the tree is what was shown", async (t) => {
  const { repository, client, start } = await lying(t, "git");
  const { confirm } = await client.request("augment/prompt/start", start);
  repository.write("b.txt", "b\nmore\n");
  const leave = { ...start, existing: "leave" };
  const stale = await client.refusal("augment/prompt/start", { ...leave, confirm });
  assert.equal(stale.data.code, "shown-otherwise");
  const { prompt } = await client.request("augment/prompt/start", { ...leave, confirm: stale.data.start.confirm });
  assert.equal(prompt.state, "open");
});

test("what comes while the first group is committed is not taken with the next", async (t) => {
  const { repository, editor, client, start } = await lying(t, "git");
  const agent = await repository.agent("say c");
  await agent.declares("b.txt", "b\nc\n");
  await repository.hunks();
  await agent.done();
  await repository.approve("--task-id", agent.task);
  // While the hook runs, somebody writes into what was shown.
  const [runs, goes] = ["runs", "goes"].map((name) => join(repository.scratch, name));
  await repository.must(["mkfifo", runs, goes]);
  repository.hook("pre-commit", `echo > '${runs}'\ncat '${goes}' >&2`);
  const shown = await client.request("augment/prompt/start", start);
  assert.equal(shown.existing.length, 2);
  const going = client.refusal("augment/prompt/start", { ...start, existing: "commit", confirm: shown.confirm });
  await readFile(runs);
  await editor.save("a.txt", "one\ntwo\nlater\n");
  assert.deepEqual(await repository.hunks(), []);
  await writeFile(goes, "");
  const stale = await going;
  assert.deepEqual([stale.data.code, stale.data.start.existing.length], ["shown-otherwise", 1]);
  assert.equal(await repository.changed(), "M b.txt");
  // It goes on with a yes to what is there now.
  repository.hook("pre-commit", "exit 0");
  const { confirm } = stale.data.start;
  const rest = { ...start, existing: "commit", existingIntents: ["the rest"], confirm };
  const { prompt, committed } = await client.request("augment/prompt/start", rest);
  assert.deepEqual([prompt.id, committed.map(({ text }) => text)], ["p1", ["intent: say c", "intent: the rest"]]);
  assert.equal((await repository.files())["a.txt"], "one\ntwo\nlater\n");
});

test("names go to the groups that there are, one for each", async (t) => {
  const { repository } = await lying(t, "git");
  const agent = await repository.agent("say c");
  await agent.declares("b.txt", "b\nc\n");
  await repository.hunks();
  await agent.done();
  const dry = await repository.prompt("start", "Go on", "--dry-run");
  assert.equal(dry.existing.length, 1);
  await repository.approve("--all");
  const first = ["start", "Go on", "--context", "So.", "--commit-first"];
  await repository.refuses([...first, "--before", "fix a", "--confirm", dry.confirm], "shown-otherwise", otherwise);
  await repository.refuses(
    [...first, "--before", "fix a"],
    "names-do-not-fit",
    "1 name is given, and 2 groups of changes lie in the tree. Name each of them, in their order (`augment-cli prompt start --dry-run` shows them), or none, then repeat.",
  );
  const { prompt } = await repository.prompt(...first, "--before", "say c", "--before", "fix a");
  assert.equal(prompt.state, "open");
  assert.deepEqual(await repository.titles(), ["intent: fix a", "intent: say c", "first"]);
});

test("the terminal asks again where something else lies in the tree by then", async (t) => {
  const { repository } = await lying(t, "git");
  // What is written between the question and the answer is written by the answer's own hand.
  const writes = { "b.txt": "b\nhalf done\n" };
  const steps = [
    ["[commit/leave/STOP]", "commit", writes],
    ["[commit/leave/STOP]", "stop"],
  ];
  const { code, stdout } = await repository.cli(["prompt", "start", "Go on", "--context", "So."], {
    command: typingAt(...steps),
    env: { TERM: "dumb" },
  });
  assert.equal(code, 1, stdout);
  assert.match(stdout, /no longer what was shown[\s\S]*a\.txt\s+b\.txt[\s\S]*Nothing was begun\./);
  assert.deepEqual(await repository.titles(), ["first"]);
});
