// An order is for what was shown with it: the files of an intent as they were, the commit that goes to the remote, the prompt
// that the person had before them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

/** A prompt under way, and an editor's connection beside the person's shell. */
async function underWay(t, kind) {
  const repository = await newRepository(t, kind, { "a.txt": "one\n", "b.txt": "b\n" });
  await repository.begin();
  await repository.host();
  const { client } = await repository.editor();
  const environment = Object.fromEntries(Object.entries(repository.env).filter(([, value]) => value !== undefined));
  return { repository, client, environment };
}

const paths = (files) => files.map(({ path }) => path);

each(test, "an intent takes the files that were shown, as they were, or shows them again", async (t, kind) => {
  const { repository, client, environment } = await underWay(t, kind);
  repository.write("a.txt", "one\ntwo\n");
  // It is looked at while nobody has named it yet.
  const shown = await client.request("augment/prompt/intent", { dryRun: true, environment });
  const named = await client.request("augment/prompt/intent", { text: "say two", dryRun: true, environment });
  assert.deepEqual([shown.intent, shown.message, paths(shown.files)], [null, "", ["a.txt"]]);
  assert.equal(named.confirm, shown.confirm, "what is the same is called the same, whatever its name");
  // Another file, then another content of one that was shown.
  let { confirm } = shown;
  for (const [path, content] of [
    ["b.txt", "b\nmore\n"],
    ["a.txt", "one\nhalf done\n"],
  ]) {
    repository.write(path, content);
    const before = await repository.state();
    const stale = await client.refusal("augment/prompt/intent", { text: "say two", confirm, environment });
    assert.equal(
      stale.message,
      "What would be committed for prompt p1 is no longer what was shown. Look at it again, then say yes to that.",
    );
    const { code, intent: fresh } = stale.data;
    assert.deepEqual([code, fresh.intent, paths(fresh.files)], ["shown-otherwise", null, ["a.txt", "b.txt"]]);
    assert.deepEqual(await repository.state(), before, "nothing was committed");
    confirm = fresh.confirm;
  }
  const done = await client.request("augment/prompt/intent", { text: "say two", confirm, environment });
  assert.deepEqual([done.intent.text, paths(done.files)], ["intent: say two", ["a.txt", "b.txt"]]);
  assert.equal((await repository.files())["a.txt"], "one\nhalf done\n");
});

test("an intent that was shown on one commit is not made on another one", async (t) => {
  const { repository, client, environment } = await underWay(t, "git");
  repository.write("a.txt", "one\ntwo\n");
  const only = { files: ["a.txt"], environment };
  const { confirm } = await client.request("augment/prompt/intent", { ...only, dryRun: true });
  await repository.intent("say more", { "b.txt": "b\nmore\n" }, "b.txt");
  const stale = await client.refusal("augment/prompt/intent", { ...only, text: "say two", confirm });
  assert.equal(stale.data.code, "shown-otherwise");
  const yes = { ...only, text: "say two", confirm: stale.data.intent.confirm };
  assert.equal((await client.request("augment/prompt/intent", yes)).intent.text, "intent: say two");
});

test("the same files for another prompt are another intent", async (t) => {
  const { repository, client, environment } = await underWay(t, "git");
  repository.write("a.txt", "one\ntwo\n");
  const only = { files: ["a.txt"], environment };
  const { confirm } = await client.request("augment/prompt/intent", { ...only, dryRun: true });
  await repository.prompt("drop");
  await repository.begin("Something else\n", "--leave");
  const stale = await client.refusal("augment/prompt/intent", { ...only, text: "say two", confirm });
  assert.deepEqual([stale.data.code, stale.data.intent.prompt.id], ["shown-otherwise", "p2"]);
  assert.deepEqual(await repository.titles(), ["first"]);
});

test("the program commits what a dry run has shown with its word, and without one what it is told", async (t) => {
  const { repository } = await underWay(t, "git");
  repository.write("a.txt", "one\ntwo\n");
  const { stdout, stderr } = await repository.cli(["prompt", "intent", "say two", "--dry-run"]);
  assert.match(stdout, /^intent: say two$/m);
  const [, word] = stderr.match(/^--confirm ([0-9a-f]{32}) commits exactly this\.$/m) ?? [];
  repository.write("b.txt", "b\nmore\n");
  await repository.refuses(["intent", "say two", "--confirm", word], "shown-otherwise", /no longer what was shown/);
  repository.write("b.txt", "b\n");
  const { files } = await repository.prompt("intent", "say two", "--confirm", word);
  assert.deepEqual(paths(files), ["a.txt"]);
  const more = await repository.intent("say more", { "b.txt": "b\nmore\n" });
  assert.deepEqual(paths(more.files), ["b.txt"]);
  await repository.refuses(["intent", ""], "empty-text", /./);
});

each(test, "what is pushed is the commit that was shown, or it is shown again", async (t, kind) => {
  const { repository, client, environment } = await underWay(t, kind);
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  const { to: shown } = await client.request("augment/prompt/push", { dryRun: true, environment });
  // Meanwhile somebody writes the report on top of it.
  await repository.report();
  const before = await repository.state();
  const stale = await client.refusal("augment/prompt/push", { ...shown, environment });
  assert.equal(
    stale.message,
    "What would be pushed for prompt p1 is no longer what was shown. Look at it again, then say yes to that.",
  );
  const { code, push: fresh } = stale.data;
  assert.deepEqual([code, fresh.verified, fresh.to.commit], ["shown-otherwise", false, await repository.tip()]);
  assert.match(fresh.notes.join("\n"), /^would go: .* intent: report/m);
  assert.deepEqual(await repository.state(), before, "nothing was pushed");
  const pushed = await client.request("augment/prompt/push", { ...fresh.to, environment });
  assert.deepEqual([pushed.verified, pushed.to], [true, fresh.to]);
  assert.equal(await repository.pushed(), fresh.to.commit);
});

test("the program pushes the commit that it is told, and without one what there is", async (t) => {
  const { repository } = await underWay(t, "git");
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  const { commit } = (await repository.prompt("push", "--dry-run")).to;
  await repository.report();
  await repository.refuses(["push", "--commit", commit], "shown-otherwise", /no longer what was shown/);
  await repository.refuses(["push", "--commit", ""], "shown-otherwise", /no longer what was shown/);
  const tip = await repository.tip();
  assert.equal((await repository.prompt("push", "--commit", tip.slice(0, 12))).to.commit, tip);
});

test("an order that names its prompt is for no other one", async (t) => {
  const { repository, client, environment } = await underWay(t, "git");
  await repository.prompt("drop");
  await repository.begin("Something else\n");
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  const before = [await repository.state(), await repository.prompt("status")];
  const report = { answer: "Done so.", title: "The answer", subject: "Better", environment };
  const orders = [
    ["context", { context: "For the first one." }],
    ["finish", { summary: "It is better", dryRun: true, environment }],
    ["finish", { summary: "It is better", context: "For the first one.", environment }],
    ["report", { ...report, dryRun: true }],
    ["report", report],
  ];
  for (const [order, params] of orders) {
    const refused = await client.refusal(`augment/prompt/${order}`, { ...params, prompt: "p1" });
    assert.deepEqual(
      [refused.data.code, refused.message],
      [
        "other-prompt",
        'Prompt p2 ("Something else") is under way, and this was for p1, so nothing was changed. Look at what is under way with `augment-cli prompt status`, then repeat it for that one.',
      ],
    );
    const unknown = await client.refusal(`augment/prompt/${order}`, { ...params, prompt: "the first" });
    assert.equal(unknown.data.code, "unknown-prompt");
  }
  assert.deepEqual([await repository.state(), await repository.prompt("status")], before, "nothing was changed");
  for (const [order, params] of orders.filter(([, { dryRun }]) => !dryRun)) {
    const { prompt } = await client.request(`augment/prompt/${order}`, { ...params, prompt: "p2" });
    assert.equal(prompt.id, "p2");
  }
});

test("the program names the prompt of an order, too", async (t) => {
  const { repository } = await underWay(t, "git");
  const report = ["report", "--title", "The answer", "--answer", "Done so.", "--subject", "Better"];
  for (const order of [["context", "So."], ["finish", "It is better"], report])
    await repository.refuses([...order, "--prompt", "p7"], "other-prompt", /^Prompt p1 .* this was for p7, so nothing/);
  const { prompt } = await repository.prompt("context", "So.", "--prompt", "p1");
  assert.equal(prompt.context, "So.");
  assert.equal((await repository.prompt(...report, "--prompt", "p1")).intent.role, "report");
  assert.equal((await repository.finish("It is better", "--prompt", "p1")).prompt.state, "finished");
  await repository.prompt("push");
  await repository.refuses(["context", "So.", "--prompt", "p1"], "no-prompt", /No prompt is under way/);
});

for (const [what, hinder, files, code, words, free] of [
  [
    "a merge under way",
    async (repository) => {
      await repository.git("switch", "--quiet", "--create", "side", "main");
      await repository.git("commit", "--quiet", "--allow-empty", "--message", "aside");
      await repository.git("switch", "--quiet", "main");
      await repository.git("merge", "--quiet", "--no-commit", "--no-ff", "side");
    },
    [],
    "git-under-way",
    "A merge is under way in the repository. Finish it with git first, then repeat.",
    (repository) => repository.git("merge", "--quit"),
  ],
  [
    "something staged in the way",
    async (repository) => {
      const blob = (await repository.git("rev-parse", "HEAD:a.txt")).trim();
      await repository.git("update-index", "--add", "--cacheinfo", `100644,${blob},new/x`);
      repository.write("new", "new\n");
    },
    ["new"],
    "staged-in-the-way",
    /^new\/x is staged, and new cannot be in git's index beside it/,
    (repository) => repository.git("rm", "--quiet", "--cached", "new/x"),
  ],
  [
    "a word to git to leave the file alone",
    (repository) => repository.git("update-index", "--skip-worktree", "a.txt"),
    ["a.txt"],
    "refused-by-others",
    /^The commit of a\.txt was refused: git was told to leave this file alone/,
    (repository) => repository.git("update-index", "--no-skip-worktree", "a.txt"),
  ],
  [
    "a git at work",
    (repository) => repository.write(".git/index.lock", ""),
    [],
    "git-busy",
    /^Another git command is at work here/,
    (repository) => repository.remove(".git/index.lock"),
  ],
])
  test(`${what} keeps an intent from being made, and a dry run says so as well`, async (t) => {
    const { repository } = await underWay(t, "git");
    await hinder(repository);
    repository.write("a.txt", "one\ntwo\n");
    const intent = ["intent", "say two", ...files];
    const foreseen = await repository.refuses([...intent, "--dry-run"], code, words);
    assert.equal(await repository.refuses(intent, code, words), foreseen);
    await free(repository);
    const objects = await repository.git("count-objects");
    const { confirm } = await repository.prompt(...intent, "--dry-run");
    assert.equal(await repository.git("count-objects"), objects, "not even what nothing leads to is written");
    const { files: made } = await repository.prompt(...intent, "--confirm", confirm);
    assert.deepEqual(paths(made), files.length ? files : ["a.txt"]);
  });

for (const intents of [1, 2]) {
  each(
    test,
    `a bookmark on other work keeps a session of ${intents} from being made, and a dry run says so as well`,
    async (t, kind) => {
      const { repository } = await underWay(t, kind);
      for (let number = 1; number <= intents; number += 1)
        await repository.intent(`say ${number}`, { "a.txt": `one\n${number}\n` });
      await repository.jj("new", "--no-edit", "--message", "else", "root()");
      await repository.jj("bookmark", "create", "oth", "--revision", 'description(exact:"else\n")');
      const finish = ["finish", "It is better", "--bookmark"];
      const words =
        /^The session's commit was refused: the bookmark "oth" is at [k-z]{12} "else", which is other work\./;
      await repository.refuses([...finish, "oth", "--dry-run"], "refused-by-others", words);
      await repository.refuses([...finish, "oth"], "refused-by-others", words);
      const { confirm } = await repository.prompt(...finish, "dev", "--dry-run");
      const { finished } = await repository.prompt(...finish, "dev", "--confirm", confirm);
      assert.notEqual(finished, null);
    },
    ["jj colocated", "jj"],
  );

  test(`a git at work keeps a session of ${intents} from being made, and a dry run says so as well`, async (t) => {
    const { repository } = await underWay(t, "git");
    for (let number = 1; number <= intents; number += 1)
      await repository.intent(`say ${number}`, { "a.txt": `one\n${number}\n` });
    for (const lock of [".git/index.lock", ".git/refs/heads/main.lock"]) {
      repository.write(lock, "");
      const words = /^Another git command is at work here/;
      await repository.refuses(["finish", "It is better", "--dry-run"], "git-busy", words);
      await repository.refuses(["finish", "It is better"], "git-busy", words);
      repository.remove(lock);
    }
    const { confirm } = await repository.finish("It is better", "--dry-run");
    assert.notEqual((await repository.finish("It is better", "--confirm", confirm)).finished, null);
  });
}
