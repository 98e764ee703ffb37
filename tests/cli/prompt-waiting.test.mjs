// What waits for a decision and is committed all the same, by an agent or by hand: the end says so, and asks first.

import assert from "node:assert/strict";
import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

/** A prompt with an intent of the person's own, and an agent that has written into another file. */
async function begun(t, kind, write) {
  const repository = await newRepository(t, kind, { "a.txt": "one\n", "b.txt": "b\n" });
  await repository.begin();
  await repository.intent("say c", { "b.txt": "b\nc\n" }, "b.txt");
  const agent = await repository.agent("say two");
  await write(repository);
  await repository.hunks();
  const commitsItself = async (message) => {
    await (repository.isJj
      ? repository.jj("commit", "--message", message)
      : repository.git("commit", "--quiet", "--all", "--message", message));
    await repository.hunks();
    await agent.done();
    const shown = repository.isJj
      ? (await repository.peek("log", "--no-graph", "-r", "@-", "-T", "change_id")).trim()
      : await repository.tip();
    return shown.slice(0, 12);
  };
  return { repository, agent, commitsItself };
}

const told = (files) =>
  `The commits hold what waits for a decision in ${files}, as after an approval that was taken back. Decide it (\`augment-cli changes\`), and commit what comes of it; or take the commit back with \`augment-cli prompt undo\`.`;

for (const [what, write] of [
  ["has written", (repository) => repository.write("a.txt", "one\nUNAPPROVED\n")],
  ["has removed", (repository) => rmSync(repository.at("a.txt"))],
])
  each(
    test,
    `what an agent ${what} and commits itself is in no session without a yes while it waits`,
    async (t, kind) => {
      const { repository, commitsItself } = await begun(t, kind, write);
      const name = await commitsItself("intent: small fix");
      const asked = `${name} ("intent: small fix") was not made by \`prompt intent\`, and a.txt, which it changes, holds what waits for a decision. Decide it (\`augment-cli changes\`) and commit what comes of it, then repeat; or count it in as it is with --include ${name}.`;
      for (const args of [["--dry-run"], []])
        await repository.refuses(["finish", "It is better", ...args], "foreign-commit", asked);
      const { notes, finished } = await repository.finish("It is better", "--include", name);
      assert.notEqual(finished, null);
      assert.ok(notes.includes(told("a.txt")), notes.join("\n"));
    },
    ["git", "jj"],
  );

test("what was decided meanwhile asks nothing", async (t) => {
  const { repository, agent, commitsItself } = await begun(t, "git", (repository) =>
    repository.write("a.txt", "one\ntwo\n"),
  );
  await commitsItself("intent: small fix");
  await repository.approve("--task-id", agent.task);
  const { notes } = await repository.finish();
  assert.deepEqual(
    notes.filter((note) => note.includes("waits")),
    [],
  );
});

test("an intent into which an agent has put what waits is asked about by its name", async (t) => {
  const { repository, agent } = await begun(t, "git", (repository) => repository.write("a.txt", "one\nUNAPPROVED\n"));
  await repository.git("commit", "--quiet", "--all", "--amend", "--no-edit");
  await repository.hunks();
  await agent.done();
  await repository.refuses(["finish", "It is better"], "foreign-commit", /a\.txt, which it changes, holds what waits/);
});

test("a file whose making is rejected after its commit goes out with the next intent, and is told until then", async (t) => {
  for (const kind of ["git", "jj"]) {
    const repository = await newRepository(t, kind);
    await repository.begin();
    await repository.agent("Make a file");
    repository.write("evil.txt", "evil line\n");
    await repository.approve("--all");
    await repository.prompt("intent", "make a file");
    await repository.undo();
    await repository.reject("--all");
    assert.equal(existsSync(repository.at("evil.txt")), false);
    const { notes } = await repository.finish("It is better", "--dry-run");
    assert.ok(
      notes.some((note) => note.startsWith("1 file holds approved changes")),
      `${kind}: ${notes}`,
    );
    const { files } = await repository.prompt("intent", "take it out");
    assert.deepEqual(
      files.map(({ path, change }) => `${change} ${path}`),
      ["removed evil.txt"],
      kind,
    );
  }
});

each(
  test,
  "what an intent took away comes back with the next one once that was rejected, and is told until then",
  async (t, kind) => {
    const base = { "a.txt": "a\nb\nc\n", "gone.txt": "g\n", "k.txt": "k1\nk2\nk3\n", "run.sh": "x\n" };
    const repository = await newRepository(t, kind, base);
    const began = await repository.files();
    await repository.begin();
    await repository.agent("Take away");
    repository.write("a.txt", "a\nB\n");
    rmSync(repository.at("gone.txt"));
    renameSync(repository.at("k.txt"), repository.at("m.txt"));
    chmodSync(repository.at("run.sh"), 0o755);
    await repository.approve("--all");
    await repository.prompt("intent", "take it away");
    assert.notDeepEqual(await repository.files(), began);
    await repository.undo();
    await repository.reject("--all");
    const { notes } = await repository.finish("It is better", "--dry-run");
    assert.ok(
      notes.some((note) => note.startsWith("4 files hold approved changes")),
      notes.join("\n"),
    );
    await repository.keepsDisk(() => repository.prompt("intent", "give it back"));
    assert.deepEqual(await repository.files(), began);
    assert.doesNotMatch(await repository.git("ls-tree", "-r", await repository.tip()), /^100755/m);
  },
  ["git", "jj colocated"],
);

each(
  test,
  "what is written right after a commit of less is another change, and no save that was seen in the middle",
  async (t, kind) => {
    const repository = await newRepository(t, kind, { "a.txt": "a\nb\nc\n" });
    await repository.begin();
    await repository.intent("cut", { "a.txt": "a\n" });
    await repository.intent("write on", { "a.txt": "a\nb\nc\nd\n" });
    assert.equal((await repository.files())["a.txt"], "a\nb\nc\nd\n");
  },
  ["git"],
);
