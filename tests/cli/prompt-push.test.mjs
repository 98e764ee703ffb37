// A session is closed only when the remote has it: pushed, asked for, and only then a fresh child. Nothing is forced, and
// what the remote says is told (J7).

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

async function finished(t, kind) {
  const repository = await newRepository(t, kind);
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  return repository;
}

each(test, "the remote is asked whether it has it, and only then the next one begins", async (t, kind) => {
  const repository = await finished(t, kind);
  await repository.report();
  const tip = await repository.tip();
  const state = await repository.state();
  const dry = await repository.prompt("push", "--dry-run");
  assert.deepEqual(await repository.state(), state, "a dry run writes nothing");
  assert.deepEqual(dry.to, { remote: "origin", branch: repository.branch, commit: tip });
  assert.deepEqual([dry.verified, dry.child], [false, null]);

  const pushed = await repository.prompt("push");
  assert.deepEqual(pushed.to, dry.to);
  assert.deepEqual([pushed.verified, pushed.prompt.state], [true, "closed"]);
  assert.equal(await repository.pushed(), tip);
  assert.equal(await repository.tip(), tip, "what was pushed is what is checked out");
  if (repository.isJj) {
    const working = await repository.peek(
      "log",
      "--no-graph",
      "-r",
      "@",
      "-T",
      'change_id ++ " " ++ empty ++ " " ++ description',
    );
    assert.equal(working, `${pushed.child} true `, "the fresh child is empty and has no words yet");
  } else assert.equal(pushed.child, null);
  await repository.refuses(
    ["push"],
    "prompt-closed",
    `Prompt p1 is on ${repository.branch} of origin, and closed: there is nothing left to push. Begin the next one with \`augment-cli prompt start "…"\`.`,
  );
});

each(
  test,
  "what the remote refuses with is told, and nothing is closed",
  async (t, kind) => {
    const repository = await finished(t, kind);
    repository.remoteRefuses("Only on Thursdays.");
    await repository.refuses(["push"], "refused-by-others", /Only on Thursdays\./);
    const { prompt } = await repository.prompt("status");
    assert.deepEqual([prompt.state, prompt.pushed], ["finished", null]);
    repository.hook("pre-receive", "exit 0", `${repository.remote}/hooks`);
    assert.equal((await repository.prompt("push")).prompt.state, "closed");
  },
  ["git", "jj"],
);

each(
  test,
  "a remote that has moved meanwhile keeps what it has",
  async (t, kind) => {
    const repository = await finished(t, kind);
    const found = await repository.othersPush();
    await repository.refuses(
      ["push"],
      "remote-moved",
      new RegExp(
        `^origin has moved meanwhile: its ${repository.branch} is at ${found.slice(0, 7)}[0-9a-f]*, which your commits do not stand on\\. Fetch it, rebase or merge, then repeat; nothing was pushed\\.$`,
      ),
    );
    assert.equal(await repository.pushed(), found);
  },
  ["git", "jj"],
);

each(
  test,
  "a remote that is not there",
  async (t, kind) => {
    const repository = await finished(t, kind);
    const add = repository.isJj ? "jj git remote add" : "git remote add";
    await repository.refuses(
      ["push", "--remote", "elsewhere"],
      "no-remote",
      `There is no remote elsewhere. Add it (\`${add} elsewhere URL\`), or name another with --remote.`,
    );
    const { notes, to } = await repository.prompt("push", "--to", "release", "--dry-run");
    assert.equal(to.branch, "release");
    assert.equal(notes.includes("origin has no release yet; the push makes it."), true, notes.join("\n"));
    // Whatever goes along is named.
    assert.match(notes.join("\n"), /would go: [0-9a-f]{12} session: It is better\nwould go: [0-9a-f]{12} first$/);
  },
  ["git", "jj"],
);

for (const how of ["rebase", "merge"]) {
  test(`after the remote has moved, a ${how} by the person is the way on`, async (t) => {
    const repository = await finished(t, "git");
    await repository.othersPush();
    await repository.refuses(["push"], "remote-moved", /Fetch it, rebase or merge, then repeat/);
    await repository.git("fetch", "-q", "origin");
    const onto = `origin/${repository.branch}`;
    await (how === "rebase" ? repository.git("rebase", "-q", onto) : repository.git("merge", "-q", "--no-edit", onto));
    const { prompt, verified } = await repository.prompt("push");
    assert.deepEqual([prompt.state, verified], ["closed", true]);
    assert.equal(await repository.pushed(), await repository.tip());
  });
}

test("what is not in the branch that is checked out is not pushed", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.git("checkout", "-q", "-b", "feature");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  await repository.git("checkout", "-q", "main");
  const before = await repository.pushed();
  await repository.refuses(
    ["push"],
    "commit-gone",
    /is not in what is checked out\. Check its branch out, then repeat/,
  );
  // Nor is one that was thrown away, and its report goes nowhere else.
  await repository.refuses(["report", "--title", "T", "--answer", "A", "--subject", "S"], "commit-gone", /./);
  await repository.git("checkout", "-q", "feature");
  await repository.git("reset", "-q", "--hard", "main");
  await repository.refuses(["push"], "commit-gone", /./);
  assert.equal(await repository.pushed(), before);
});

test("after a merge of what others pushed, the session stands on what they have and holds none of it", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  const theirs = await repository.othersPush();
  await repository.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main");
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  repository.write("a.txt", "one\ntwo\nthree\nlater\n");
  const { finished, notes } = await repository.finish("All");
  assert.ok(
    notes.includes(`${theirs.slice(0, 12)} ("others") stands below the session and is no part of it.`),
    notes.join("\n"),
  );
  assert.equal(finished.commit, await repository.tip());
  const titles = await repository.titles();
  assert.match(titles.shift(), /^session: All /);
  assert.deepEqual(titles, ["others", "first"]);
  assert.equal(await repository.changed(), "M a.txt", "what others did is no part of it");
  assert.equal(repository.text("a.txt"), "one\ntwo\nthree\nlater\n");
  assert.equal((await repository.prompt("push")).prompt.state, "closed");
});

test("intents that were shared stay where they are, and the session's commit is made beside them", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  const one = (await repository.intent("say two", { "a.txt": "one\ntwo\n" })).intent;
  const two = (await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" })).intent;
  await repository.git("push", "--quiet", "origin", "main:wip");
  const words = await repository.refuses(
    ["finish", "All"],
    "already-pushed",
    /^[k-z]{12} \("intent: say two"\) is on origin\/wip already, so it is not rewritten\. With /,
  );
  const [, more] = /With (.*) the session's commit is made beside what is there/.exec(words);
  assert.equal(more, `--include ${one.change.slice(0, 12)} --include ${two.change.slice(0, 12)}`);
  await repository.refuses(["finish", "All", "--include", two.change], "already-pushed", /say two/);
  const { notes } = await repository.finish("All", ...more.split(" "));
  assert.match(notes.join("\n"), /is on origin\/wip and stays there; the session's commit stands beside it\./);
  const titles = await repository.titles();
  assert.match(titles.shift(), /^session: All /);
  assert.deepEqual(titles, ["first"]);
  assert.equal((await repository.prompt("push")).prompt.state, "closed");
  assert.equal((await repository.atRemote("rev-parse", "wip")).trim(), two.commit, "nobody's commit was rewritten");
  assert.equal(await repository.pushed(), await repository.tip());
});

test("intents that are on the branch itself come together with the session by a merge", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  const { intent } = await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.git("push", "--quiet", "origin", "main");
  await repository.refuses(["finish", "All"], "already-pushed", /is on origin\/main already/);
  await repository.finish("All", "--include", intent.change);
  await repository.refuses(["push"], "remote-moved", /Fetch it, rebase or merge, then repeat/);
  await repository.git("merge", "--quiet", "--no-edit", "origin/main");
  assert.equal((await repository.prompt("push")).prompt.state, "closed");
  assert.match(await repository.atRemote("log", "--format=%s", "main"), /session: All/);
});

test("what others pushed is no part of the session, also where they call it an intent", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.othersPush("intent: others");
  await repository.git("pull", "--quiet", "--rebase", "origin", "main");
  const { mode, notes } = await repository.finish("All");
  assert.equal(mode, "single", notes.join("\n"));
  assert.equal(await repository.changed(), "M a.txt");
  const [, ...below] = await repository.titles();
  assert.deepEqual(below, ["intent: others", "first"]);
});

each(
  test,
  "what the person committed on top of the session stays on disk when that is pushed",
  async (t, kind) => {
    const repository = await finished(t, kind);
    repository.write("mine.txt", "mine\n");
    await repository.jj("commit", "-m", "wip");
    const wip = await repository.tip();
    const { to, child } = await repository.keepsDisk(() => repository.prompt("push"));
    assert.equal(await repository.pushed(), to.commit, "the session alone is pushed");
    assert.equal(await repository.tip(), wip, "the next one begins on the person's own commit");
    assert.equal(await repository.peek("log", "--no-graph", "-r", "@", "-T", "change_id"), child);
  },
  ["jj colocated", "jj"],
);

test("after the remote has moved, a merge in jj is pushed, and what others did stays on disk", async (t) => {
  const repository = await finished(t, "jj");
  const session = await repository.tip();
  await repository.othersPush();
  await repository.jj("git", "fetch", "--remote", "origin");
  await repository.jj("new", session, "dev@origin", "-m", "merge");
  await repository.jj("new");
  const merge = await repository.tip();
  await repository.keepsDisk(() => repository.prompt("push"));
  assert.deepEqual([await repository.pushed(), await repository.tip()], [merge, merge]);
});

for (const commits of [1, 2]) {
  test(`a session of ${commits} that ends in jj's working copy is closed as any other`, async (t) => {
    const repository = await newRepository(t, "jj");
    await repository.begin();
    if (commits === 2) await repository.intent("say b", { "b.txt": "b\n" });
    repository.write("a.txt", "one\ntwo\n");
    await repository.jj("describe", "-m", "intent: say two");
    const { notes } = await repository.keepsDisk(() => repository.finish());
    assert.doesNotMatch(notes.join("\n"), /stay uncommitted/);
    const session = await repository.tip();
    assert.match(await repository.message(session), /^session: It is better\n/);
    repository.write("later.txt", "later\n");
    const { to } = await repository.keepsDisk(() => repository.prompt("push"));
    assert.deepEqual([to.commit, await repository.pushed()], [session, session]);
    assert.equal("later.txt" in (await repository.files(session)), false, "what came later is in no session");
  });
}

test("a session's commit that jj has checked out itself is pushed, and takes no report into itself", async (t) => {
  const repository = await finished(t, "jj");
  const session = await repository.tip();
  await repository.jj("edit", session);
  await repository.refuses(
    ["report", "--title", "T", "--answer", "A", "--subject", "S"],
    "session-checked-out",
    "The session's commit is `@` itself, so a report would be written into it. Go on from it (`jj new`), then repeat.",
  );
  await repository.keepsDisk(() => repository.prompt("push"));
  assert.deepEqual([await repository.pushed(), await repository.tip()], [session, session]);
});

test("a session that was merged into the branch that is checked out is found there with its report", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.git("checkout", "-q", "-b", "feature");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  await repository.report();
  const report = await repository.tip();
  await repository.git("checkout", "-q", "main");
  await repository.git("merge", "-q", "--no-ff", "--no-edit", "feature");
  const { to, prompt } = await repository.prompt("push");
  assert.deepEqual([to.commit, prompt.state], [report, "closed"]);
});
