// What a session of jj stands on, and what is none of its business: a trunk that moved, what somebody holds, what stands
// beside, a step that fails, line ends that are turned (J3, J4, J7).

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

const jjKinds = ["jj colocated", "jj"];

/** Two intents; the remote's branch is the trunk, as after `jj git clone`. */
async function begun(t, kind) {
  const repository = await newRepository(t, kind);
  await repository.jj("config", "set", "--repo", "revset-aliases.'trunk()'", "dev@origin");
  await repository.begin();
  await repository.intent("say p", { "p.txt": "p\n" });
  await repository.intent("say q", { "q.txt": "q\n" });
  return repository;
}

/** The change of a revision, as it is told. */
const change = async (repository, revision) =>
  repository.peek("log", "--no-graph", "-r", revision, "-T", "change_id.short()");

async function rebaseOntoOthers(repository, title) {
  const mate = await repository.othersPush(title);
  await repository.jj("git", "fetch");
  await repository.jj("rebase", "--destination", "dev@origin");
  return mate;
}

for (const title of ["others", "intent: of somebody else", "session: of somebody else"]) {
  each(
    test,
    `what was pushed meanwhile is the ground, and no part of it: ${title}`,
    async (t, kind) => {
      const repository = await begun(t, kind);
      const mate = await rebaseOntoOthers(repository, title);
      const name = await change(repository, mate);
      const { message, notes } = await repository.keepsDisk(() => repository.finish());
      assert.deepEqual(notes, [`${name} ("${title}") stands below the session and is no part of it.`]);
      assert.match(message, /## Logical Changes\n- say p\n- say q\n\n/);
      assert.equal(await repository.changed(), "A p.txt\nA q.txt");
      assert.equal((await repository.git("rev-parse", `${await repository.tip()}^`)).trim(), mate);
      const { prompt } = await repository.prompt("push");
      assert.deepEqual([prompt.state, await repository.pushed()], ["closed", await repository.tip()]);
    },
    title === "others" ? jjKinds : ["jj"],
  );
}

test("a trunk that was merged in is the ground as well", async (t) => {
  const repository = await begun(t, "jj");
  const mate = await repository.othersPush();
  await repository.jj("git", "fetch");
  await repository.jj("new", "@-", "dev@origin");
  await repository.jj("commit", "--message", "together");
  await repository.finish();
  assert.equal(await repository.changed(), "A p.txt\nA q.txt");
  assert.equal((await repository.git("rev-parse", `${await repository.tip()}^`)).trim(), mate);
  assert.equal((await repository.prompt("push")).prompt.state, "closed");
});

test("what was committed before the prompt stays below it, also rebased", async (t) => {
  const repository = await newRepository(t, "jj");
  repository.write("before.txt", "before\n");
  await repository.begin("Go on", "--commit-first");
  await repository.intent("say p", { "p.txt": "p\n" });
  await repository.intent("say q", { "q.txt": "q\n" });
  await rebaseOntoOthers(repository);
  await repository.finish();
  assert.equal(await repository.changed(), "A p.txt\nA q.txt");
});

test("a session that is rebased onto what the remote has is pushed", async (t) => {
  const repository = await begun(t, "jj colocated");
  await repository.finish();
  const mate = await repository.othersPush();
  await repository.refuses(["push"], "remote-moved", /Fetch it, rebase or merge, then repeat/);
  await repository.jj("git", "fetch");
  await repository.jj("rebase", "--destination", "dev@origin");
  assert.equal((await repository.prompt("push")).prompt.state, "closed");
  assert.equal((await repository.atRemote("rev-parse", "dev^")).trim(), mate);
});

test("a report that follows a rebase names what the session stands on", async (t) => {
  const repository = await begun(t, "jj");
  const mate = await rebaseOntoOthers(repository);
  const { text } = await repository.report();
  assert.equal(text.includes(`Parent change: ${await change(repository, mate)}`), true, text);
});

test("an intent that is tagged is not rewritten, and not left out silently", async (t) => {
  const repository = await begun(t, "jj colocated");
  await repository.intent("say r", { "r.txt": "r\n" });
  const first = await change(repository, "@---");
  await repository.git(
    "tag",
    "v1",
    (await repository.peek("log", "--no-graph", "-r", first, "-T", "commit_id")).trim(),
  );
  await repository.jj("git", "import");
  await repository.refuses(
    ["finish", "All"],
    "held",
    `${first} ("intent: say p") is not rewritten, since the tag v1 holds it. Delete the tag (\`jj tag delete v1\`), or leave it out of the session, with what it stands on (--leave ${first}), then repeat.`,
  );
  const { message, notes } = await repository.finish("The rest", "--leave", first);
  assert.deepEqual(notes, [`${first} ("intent: say p") stands below the session and is no part of it.`]);
  assert.match(message, /## Logical Changes\n- say q\n- say r\n\n/);
  assert.equal(await repository.changed(), "A q.txt\nA r.txt");
});

test("intents that are all held are never said not to be there", async (t) => {
  const repository = await newRepository(t, "jj");
  await repository.begin();
  await repository.intent("say p", { "p.txt": "p\n" });
  const only = await change(repository, "@-");
  await repository.jj("git", "push", "--named", "wip=@-");
  await repository.refuses(
    ["finish", "All"],
    "held",
    `${only} ("intent: say p") is not rewritten, since wip@origin has it. Leave it out of the session, with what it stands on (--leave ${only}), then repeat.`,
  );
  await repository.refuses(
    ["finish", "All", "--leave", only],
    "nothing-to-finish",
    new RegExp(`^None of the intents of prompt p1 is left to make a session of here: ${only} `),
  );
});

test("what stands beside without a bookmark is told as what has one", async (t) => {
  const repository = await begun(t, "jj");
  await repository.jj("new", "dev", "--message", "intent: side experiment");
  repository.write("side.txt", "side\n");
  const side = await change(repository, "@");
  await repository.jj("new", "dev", "--message", "no intent at all");
  repository.write("notes.txt", "notes\n");
  await repository.jj("workspace", "add", "--revision", "dev", join(repository.scratch, "another"));
  writeFileSync(join(repository.scratch, "another", "theirs.txt"), "theirs\n");
  await repository.jj("--repository", join(repository.scratch, "another"), "status");
  await repository.jj("new", 'description(substring:"say q")');
  await repository.refuses(
    ["finish", "All"],
    "parallel-branch",
    `${side} has intents that are not in what is checked out. Bring them in (\`jj new @- ${side}\`), or leave them out with --leave ${side}, then repeat.`,
  );
  const { message, notes } = await repository.finish("All", "--leave", side);
  assert.deepEqual(notes, [`The intents of ${side} stay out of it.`]);
  assert.match(message, /## Logical Changes\n- say p\n- say q\n\n## Squashed Change IDs\n(- [k-z]{12}\n){2}/);
  assert.equal(await repository.changed(), "A p.txt\nA q.txt");
});

test("what is empty and says nothing is passed over", async (t) => {
  const repository = await begun(t, "jj");
  await repository.jj("new");
  await repository.intent("say r", { "r.txt": "r\n" });
  await repository.jj("new");
  const { message } = await repository.finish();
  assert.match(message, /## Logical Changes\n- say p\n- say q\n- say r\n\n## Squashed Change IDs\n(- [k-z]{12}\n){3}/);
  assert.equal(await repository.changed(), "A p.txt\nA q.txt\nA r.txt");
});

/** A jj in front of the real one that fails at these commands. */
function failing(repository, ...names) {
  const folder = join(repository.scratch, "failing");
  mkdirSync(folder, { recursive: true });
  const patterns = names.map((name) => `*" --quiet ${name} "*`).join("|");
  const real = join(repository.env.PATH.split(delimiter)[0], "jj");
  const script = `case " $* " in ${patterns}) echo "disk full" >&2; exit 1;; esac\nexec '${real}' "$@"`;
  writeFileSync(join(folder, "jj"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "jj"), 0o755);
  return { env: { PATH: `${folder}${delimiter}${repository.env.PATH}` } };
}

test("a step that fails leaves nothing, and the same command then works", async (t) => {
  const repository = await begun(t, "jj");
  const seen = () => repository.peek("log", "--no-graph", "-r", "all()", "-T", 'commit_id ++ bookmarks ++ "\n"');
  const before = await seen();
  const { code, stderr } = await repository.cli(["prompt", "finish", "s"], failing(repository, "rebase"));
  assert.deepEqual([code === 0, stderr], [false, "error: jj failed: disk full\n"]);
  assert.equal(await seen(), before);
  const { notes } = await repository.finish("s");
  assert.deepEqual(notes, []);
  assert.equal(await repository.changed(), "A p.txt\nA q.txt");
});

test("where nothing can be taken back either, the same command goes on", async (t) => {
  const repository = await begun(t, "jj");
  const { code, stderr } = await repository.cli(["prompt", "finish", "s"], failing(repository, "rebase", "abandon"));
  assert.equal(code === 0, false);
  assert.match(stderr, /give the same command again: it goes on from there\.$/m);
  const { notes, prompt } = await repository.finish("s");
  assert.deepEqual([notes, prompt.state], [["The session's commit, which was interrupted, is made."], "finished"]);
  assert.equal(await repository.changed(), "A p.txt\nA q.txt");
  assert.equal((await repository.peek("log", "--no-graph", "-r", 'subject("session: s")', "-T", '"x"')).length, 1);
});

each(
  test,
  "line ends that jj turns are turned",
  async (t, kind) => {
    const repository = await newRepository(t, kind, { "crlf.txt": "l1\nl2\n" });
    await repository.jj("config", "set", "--repo", "working-copy.eol-conversion", "input-output");
    repository.write("crlf.txt", "l1\r\nl2\r\n");
    assert.equal(await repository.jj("diff", "--summary"), "");
    await repository.begin();
    await repository.intent("say three", { "crlf.txt": "l1\r\nl2\r\nl3\r\n" });
    assert.deepEqual(await repository.files(), { "crlf.txt": "l1\nl2\nl3\n" });
    assert.equal(await repository.jj("diff", "--summary"), "", "the disk is what was committed");
    assert.equal(readFileSync(repository.at("crlf.txt"), "utf8"), "l1\r\nl2\r\nl3\r\n");
  },
  jjKinds,
);

test("what was typed since jj last looked is no part of the session, and not in its way (jj)", async (t) => {
  const repository = await newRepository(t, "jj");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  repository.write("z.txt", "z\n");
  await repository.jj("status");
  repository.write("z.txt", "zz\n");
  const { mode } = await repository.finish("All");
  assert.equal(mode, "single");
  assert.equal(await repository.changed(), "M a.txt");
  assert.equal(repository.text("z.txt"), "zz\n");
});

test("in the middle of a rebase nothing is finished, and that is said", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.git("config", "sequence.editor", "sed -i 1s/pick/edit/");
  await repository.git("rebase", "--quiet", "--interactive", "HEAD~1");
  await repository.refuses(["finish", "All"], "git-under-way", /^A rebase is under way/);
});
