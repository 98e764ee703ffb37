// From intents to a session's commit on git and on jj: one, several, parallel branches, none at all, conflicts, a HEAD on
// no branch. The files on disk stay as they are, with their times (J3, J4).

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

each(test, "what lies on disk stays as it is, from the first intent to the push", async (t, kind) => {
  const repository = await newRepository(t, kind);
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.intent("add a file", { "b.txt": "b\n", "loose.txt": "loose\n" }, "b.txt");
  const { notes } = await repository.keepsDisk(() => repository.finish());
  assert.deepEqual(notes, ["1 file holds approved changes that are in no intent and stay uncommitted."]);
  assert.deepEqual(await repository.files(), { "a.txt": "one\ntwo\n", "b.txt": "b\n" });
  await repository.report();
  await repository.keepsDisk(() => repository.prompt("push"));
  const left = repository.isJj
    ? await repository.jj("diff", "--summary")
    : await repository.git("status", "--porcelain");
  assert.equal(left, repository.isJj ? "A loose.txt\n" : "?? loose.txt\n");
});

each(
  test,
  "without an intent there is no session, and the report is one",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    const { stamp } = await repository.begin("What is it?");
    await repository.refuses(
      ["finish", "It is answered"],
      "nothing-to-finish",
      "Prompt p1 has no intents, so there is nothing to make a session of. Write its report (`augment-cli prompt report --title … --answer …`), which is then its one intent, or give it up with `augment-cli prompt drop p1`.",
    );
    await repository.report("--subject", "Questions");
    const { mode } = await repository.finish("It is answered");
    assert.equal(mode, "single");
    assert.deepEqual(await repository.titles(), [`session: It is answered ${stamp}`, "first"]);
    assert.match(await repository.changed(), /^A Research\/high\/Questions\/\d{12}_answer_the-answer\.md$/m);
  },
  ["git", "jj colocated"],
);

/** A second line of work beside what is checked out, with an intent of its own, and an intent here. */
async function besides(t, kind) {
  const repository = await newRepository(t, kind, { "a.txt": "one\n", "c.txt": "c\n" });
  await repository.begin();
  if (repository.isJj) {
    await repository.jj("new", "@-", "--message", "intent: change c");
    repository.write("c.txt", "C\n");
    await repository.jj("bookmark", "create", "side", "--revision", "@");
    await repository.jj("new", "dev");
  } else {
    await repository.git("switch", "--quiet", "--create", "side");
    repository.write("c.txt", "C\n");
    await repository.git("commit", "--quiet", "--all", "--message", "intent: change c");
    await repository.git("switch", "--quiet", "main");
  }
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  return repository;
}

each(test, "a parallel branch is brought in by the person first", async (t, kind) => {
  const repository = await besides(t, kind);
  const merge = repository.isJj ? "jj new @- side" : "git merge side";
  await repository.refuses(
    ["finish", "Both"],
    "parallel-branch",
    `side has intents that are not in what is checked out. Bring them in (\`${merge}\`), or leave them out with --leave side, then repeat.`,
  );
  if (repository.isJj) {
    await repository.jj("new", "@-", "side");
    await repository.jj("commit", "--message", "together");
  } else await repository.git("merge", "--quiet", "--no-edit", "side");
  const { message, mode } = await repository.keepsDisk(() => repository.finish("Both"));
  assert.equal(mode, "multi");
  const changes = /## Logical Changes\n([^#]*)\n/.exec(message)[1].trim().split("\n");
  assert.deepEqual(changes.sort(), ["- change c", "- say two"]);
  assert.deepEqual(await repository.files(), { "a.txt": "one\ntwo\n", "c.txt": "C\n" });
  assert.equal((await repository.titles()).length, 2, "it stands on the first commit");
});

each(
  test,
  "a parallel branch is left out where that is said",
  async (t, kind) => {
    const repository = await besides(t, kind);
    const { mode, notes } = await repository.finish("One", "--leave", "side");
    assert.deepEqual([mode, notes], ["single", ["The intents of side stay out of it."]]);
    assert.deepEqual(await repository.files(), { "a.txt": "one\ntwo\n", "c.txt": "c\n" });
  },
  ["git", "jj"],
);

test("a merge under way is finished first (git)", async (t) => {
  const repository = await besides(t, "git");
  await repository.git("switch", "--quiet", "side");
  repository.write("a.txt", "ONE\n");
  await repository.git("commit", "--quiet", "--all", "--message", "intent: shout");
  await repository.git("switch", "--quiet", "main");
  await assert.rejects(repository.git("merge", "--quiet", "side"), /CONFLICT/);
  await repository.refuses(["intent", "bring it in", "a.txt"], "git-under-way", /^A merge is under way/);
  await repository.refuses(["finish", "Both", "--leave", "side"], "git-under-way", /^A merge is under way/);
});

each(
  test,
  "a conflict in a commit is resolved first",
  async (t, kind) => {
    const repository = await besides(t, kind);
    const here = await repository.tip();
    await repository.jj("new", "side", "--message", "intent: shout");
    repository.write("a.txt", "ONE\n");
    await repository.jj("bookmark", "set", "side", "--revision", "@");
    await repository.jj("new", here, "side");
    await repository.jj("commit", "--message", "together");
    await repository.refuses(
      ["finish", "Both"],
      "conflicts",
      /holds unresolved conflicts\. Resolve them first, then repeat\.$/,
    );
  },
  ["jj"],
);

test("a HEAD on no branch goes on, and is pushed where it is said", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.git("checkout", "--quiet", "--detach");
  const main = await repository.git("rev-parse", "main");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  await repository.keepsDisk(() => repository.finish());
  await repository.report();
  assert.equal(await repository.git("rev-parse", "main"), main, "no branch is moved");
  await repository.refuses(
    ["push"],
    "no-branch",
    "HEAD is on no branch, so it is not known where to. Name one (--to, for guard --branch), or set prompt.branch with `augment-cli config set`.",
  );
  const { verified } = await repository.prompt("push", "--to", "main");
  assert.deepEqual([verified, await repository.pushed()], [true, await repository.tip()]);
});

test("a commit that is no intent is counted in, or stands below", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  repository.write("c.txt", "c\n");
  await repository.git("add", "c.txt");
  await repository.git("commit", "--quiet", "--message", "by hand");
  const hand = (await repository.tip()).slice(0, 12);
  await repository.refuses(
    ["finish", "All"],
    "foreign-commit",
    `${hand} ("by hand") is no intent and stands among the intents. Count it in with --include ${hand}, call it \`intent: …\`, or move it away, then repeat.`,
  );
  const { message } = await repository.finish("All", "--include", hand);
  assert.match(message, /## Logical Changes\n- say two\n- by hand\n\n/);
});

each(
  test,
  "what was committed before the prompt is no part of the session, wherever a rebase has put it",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    repository.write("before.txt", "before\n");
    await repository.begin("Make it better\n", "--commit-first");
    const others = await repository.othersPush();
    if (repository.isJj) {
      await repository.jj("git", "fetch");
      await repository.jj("rebase", "--branch", "@", "--destination", `${repository.branch}@origin`);
    } else await repository.git("pull", "--quiet", "--rebase", "origin", repository.branch);
    await repository.intent("say two", { "a.txt": "one\ntwo\n" });
    const { mode, notes } = await repository.finish();
    assert.equal(mode, "single", notes.join("\n"));
    const [, ...below] = await repository.titles();
    assert.deepEqual(below, ["intent: change before.txt", "others", "first"]);
    assert.equal(await repository.changed(), "M a.txt");
    assert.equal((await repository.git("rev-parse", `${await repository.tip()}~2`)).trim(), others);
  },
  ["git", "jj colocated"],
);
