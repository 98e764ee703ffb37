// What was written last is taken back with one command, and a dry run writes nothing: the files on disk stay as they are
// either way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

/** What the branches hold: the tip, and in jj where the bookmark is. */
const place = async (repository) => ({
  tip: await repository.tip(),
  titles: await repository.titles(),
  files: await repository.files(),
  branch: repository.isJj
    ? await repository.peek("log", "--no-graph", "-r", "dev", "-T", "commit_id")
    : await repository.git("symbolic-ref", "HEAD"),
});

const left = (repository) =>
  repository.isJj ? repository.jj("diff", "--summary", "--git") : repository.git("status", "--porcelain");

each(
  test,
  "intent, session and report are taken back one by one",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.begin();
    const steps = [];
    const step = async (work) => {
      steps.push(await place(repository));
      await work();
    };
    repository.write("a.txt", "one\ntwo\n");
    await step(() => repository.prompt("intent", "say two"));
    repository.write("b.txt", "b\n");
    await step(() => repository.prompt("intent", "add a file"));
    await step(() => repository.finish());
    await step(() => repository.report());

    const whats = [];
    for (const before of steps.reverse()) {
      const state = await repository.state();
      const dry = await repository.prompt("undo", "--dry-run");
      assert.deepEqual(await repository.state(), state);
      assert.equal(dry.done, false);
      const { what, done } = await repository.keepsDisk(() => repository.prompt("undo"));
      assert.deepEqual([what, done], [dry.what, true]);
      whats.push(what);
      const now = await place(repository);
      assert.deepEqual({ titles: now.titles, files: now.files }, { titles: before.titles, files: before.files });
      if (!repository.isJj) assert.deepEqual(now, before);
    }
    assert.match(whats[0], /^the commit `intent: report \d{12} answer`$/);
    assert.deepEqual(whats.slice(1), [
      "the session's commit `session: It is better`",
      "the commit `intent: add a file`",
      "the commit `intent: say two`",
    ]);
    await repository.refuses(
      ["undo"],
      "nothing-to-undo",
      "Nothing that was written for prompt p1 is left to be taken back.",
    );
    // What was taken back is uncommitted again, and can be committed once more.
    assert.match(await left(repository), /a\.txt/);
    const { files } = await repository.prompt("intent", "say two once more", "a.txt");
    assert.deepEqual(
      files.map(({ path, added }) => [path, added]),
      [["a.txt", 1]],
    );
    assert.deepEqual(await repository.files(), { "a.txt": "one\ntwo\n" });
  },
  ["git", "jj colocated"],
);

each(
  test,
  "dry runs write nothing",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.begin();
    await repository.intent("say two", { "a.txt": "one\ntwo\n" });
    repository.write("b.txt", "b\n");
    const before = await repository.state();
    const { intent } = await repository.prompt("intent", "add a file", "--dry-run");
    assert.equal(intent, null);
    const { finished } = await repository.finish("It is better", "--dry-run");
    assert.equal(finished, null);
    await repository.report("--dry-run");
    assert.deepEqual((await repository.prompt("unify")).prompt, undefined);
    assert.deepEqual(await repository.state(), before);
    await repository.finish();
    const done = await repository.state();
    await repository.prompt("push", "--dry-run");
    await repository.prompt("undo", "--dry-run");
    assert.deepEqual(await repository.state(), done);
  },
  ["git", "jj"],
);

test("what is pushed is not taken back", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.closed();
  await repository.refuses(["undo"], "already-pushed", /^Prompt p1 is on main of origin already/);
});

each(
  test,
  "what was taken back can be committed again, also what was committed first",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    repository.write("a.txt", "one\ndirty\n");
    await repository.begin("Make it better\n", "--commit-first");
    await repository.prompt("undo");
    await repository.intent("say two", { "b.txt": "two\n" });
    await repository.prompt("undo");
    const { files } = await repository.prompt("intent", "say two in other words");
    assert.deepEqual(
      files.map(({ path }) => path),
      ["b.txt"],
      "what lay there before stays out",
    );
    await repository.finish();
    assert.equal(await repository.changed(await repository.tip()), "A b.txt");
  },
  ["git", "jj"],
);

each(
  test,
  "an intent whose session was taken back is taken back as well",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.begin();
    await repository.intent("say two", { "a.txt": "one\ntwo\n" });
    await repository.finish();
    await repository.prompt("undo");
    const { prompt } = await repository.keepsDisk(() => repository.prompt("undo"));
    assert.deepEqual([prompt.state, prompt.intents], ["open", []]);
    assert.deepEqual(await repository.titles(), ["first"]);
  },
  ["git", "jj"],
);

for (const intents of [1, 2])
  each(
    test,
    `a session of ${intents} that was described anew is not taken back with those words, and is once it has its own`,
    async (t, kind) => {
      const repository = await newRepository(t, kind);
      await repository.begin();
      for (let number = 1; number <= intents; number += 1)
        await repository.intent(`say ${number}`, { "a.txt": `one\n${number}\n` });
      await repository.finish();
      await repository.jj("describe", "-r", "@-", "-m", "my own words");
      const said = await repository.refuses(
        ["undo"],
        "refused-by-others",
        /^Taking it back was refused: [k-z]{32} was described anew since \("my own words"\), and these words would be lost\./,
      );
      assert.deepEqual((await repository.titles())[0], "my own words");
      await repository.must(["sh", "-c", said.match(/`(jj log [^`]+)`/)[1]]);
      await repository.keepsDisk(() => repository.prompt("undo"));
      const titles = Array.from({ length: intents }, (_, at) => `intent: say ${intents - at}`);
      assert.deepEqual(await repository.titles(), [...titles, "first"]);
      assert.doesNotMatch(await repository.peek("log", "--no-graph", "-r", "all()", "-T", "description"), /session:/);
    },
    ["jj colocated", "jj"],
  );

test("the story tells of a prompt from its start to its end, also of what was taken back", async (t) => {
  const repository = await newRepository(t, "git");
  const first = await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  await repository.prompt("undo");
  await repository.finish();
  await repository.prompt("push");
  const second = await repository.begin("And now this\n");
  await repository.prompt("drop");
  const { points } = await repository.json(["history", "--oldest", "--limit", "1000"]);
  const told = points.filter(({ kind, who }) => ["session", "commit"].includes(kind) && who.kind === "person");
  assert.deepEqual(
    told.map(({ kind, summary }) => `${kind} ${summary}`),
    [
      `session prompt started: ${first.stamp}`,
      "commit intent committed: intent: say two",
      "commit session commit made: It is better",
      "commit taken back: session: It is better",
      "commit session commit made: It is better",
      "commit pushed to main of origin",
      `session prompt started: ${second.stamp}`,
      "session prompt given up",
    ],
  );
});

test("on another branch than the prompt began on, both are named, and its own keeps no commit that is taken back", async (t) => {
  const repository = await newRepository(t, "git");
  const at = async (branch) => (await repository.git("rev-parse", branch)).trim();
  const first = await at("main");
  await repository.begin();
  const { intent } = await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  const short = intent.commit.slice(0, 12);

  // The same commit on two branches, then on none that is checked out.
  for (const [way, words] of [
    [
      ["switch", "--quiet", "--create", "other"],
      ["other is checked out", "other"],
    ],
    [
      ["switch", "--quiet", "--detach"],
      ["no branch is checked out", "HEAD"],
    ],
  ]) {
    await repository.git(...way);
    const message =
      `Prompt p1 began on main, and ${words[0]}: ${short} would be taken back from ${words[1]} alone, and main would keep it. ` +
      "Check main out (`git switch main`), then repeat.";
    await repository.refuses(["undo"], "other-branch", message);
    await repository.refuses(["undo", "--dry-run"], "other-branch", message);
  }

  await repository.git("switch", "--quiet", "other");
  const made =
    "Prompt p1 began on main, and other is checked out: the session's commit is made on other, and main stays where it is.";
  assert.ok((await repository.finish("It is better", "--dry-run")).notes.includes(made));
  assert.ok((await repository.finish()).notes.includes(made));
  assert.equal(await at("main"), intent.commit);

  const moves = ["Prompt p1 began on main, and other is checked out: only other moves, and main stays where it is."];
  assert.deepEqual((await repository.prompt("undo", "--dry-run")).notes, moves);
  assert.deepEqual((await repository.prompt("undo")).notes, moves);
  assert.deepEqual([await at("main"), await at("other")], [intent.commit, intent.commit]);

  await repository.git("switch", "--quiet", "main");
  assert.deepEqual((await repository.prompt("undo")).notes, []);
  assert.equal(await at("main"), first);
});

test("what the person had staged is staged again once its intent is taken back", async (t) => {
  const repository = await newRepository(t, "git", { "a.txt": "one\n", "b.txt": "b\n", "gone.txt": "gone\n" });
  await repository.begin();
  repository.write("a.txt", "one\ntwo\n");
  repository.write("b.txt", "b\nc\n");
  repository.write("new.txt", "new\n");
  await repository.git("rm", "--quiet", "gone.txt");
  await repository.git("add", "a.txt", "new.txt");
  const status = await repository.git("status", "--porcelain");
  assert.equal(status, "M  a.txt\n M b.txt\nD  gone.txt\nA  new.txt\n");
  await repository.prompt("intent", "say two");
  assert.equal(await repository.git("status", "--porcelain"), "");
  // What lies on disk by then is another matter.
  repository.write("new.txt", "newer\n");
  await repository.prompt("undo");
  assert.equal(await repository.git("status", "--porcelain"), status.replace("A  new", "AM new"));
  assert.equal(await repository.git("show", ":new.txt"), "new\n");
  // What the index notes of folders is what its entries come to.
  assert.equal(
    await repository.git("ls-tree", "--name-only", (await repository.git("write-tree")).trim()),
    "a.txt\nb.txt\nnew.txt\n",
  );
});

const jjs = ["jj colocated", "jj"];

for (const [what, kinds, hinder, code, words, free] of [
  [
    "a commit of somebody on top",
    ["git"],
    ({ git }) => git("commit", "--quiet", "--allow-empty", "--message", "theirs"),
    "moved",
    /^The repository has moved since: /,
    ({ git }) => git("reset", "--quiet", "--soft", "HEAD~1"),
  ],
  [
    "what was pushed by hand",
    ["git"],
    ({ git }) => git("push", "--quiet", "origin", "main"),
    "already-pushed",
    /^[k-z]{32} is on origin\/main already, so it is neither rewritten nor taken back\./,
  ],
  [
    "what was pushed by hand",
    ["jj colocated", "jj"],
    async ({ jj }) => {
      await jj("bookmark", "set", "dev", "--revision", "@-");
      await jj("git", "push", "--bookmark", "dev");
    },
    "already-pushed",
    /^[k-z]{32} is on origin already, so it is neither rewritten nor taken back\./,
  ],
  [
    "a git at work on the branch",
    ["git"],
    (repository) => repository.write(".git/refs/heads/main.lock", ""),
    "git-busy",
    /^Another git command is at work here \(there is a \.git\/refs\/heads\/main\.lock\)\./,
    (repository) => repository.remove(".git/refs/heads/main.lock"),
  ],
  [
    "a tag",
    jjs,
    ({ jj }) => jj("tag", "set", "v1", "--revision", "@-"),
    "refused-by-others",
    /^Taking it back was refused: [k-z]{32} stays as it is, since the tag v1 holds it\./,
    ({ jj }) => jj("tag", "delete", "v1"),
  ],
  [
    "the working copy of another workspace",
    jjs,
    ({ jj }) => jj("workspace", "add", "--name", "other", "--revision", "@-", "../other"),
    "refused-by-others",
    /^Taking it back was refused: the working copy of the workspace "other" stands on [k-z]{32}\. Go elsewhere there \(`jj new [0-9a-f]{12}` in that workspace\), then repeat\.$/,
    ({ jj }) => jj("workspace", "forget", "other"),
  ],
])
  for (const isSession of [false, true])
    each(
      test,
      `${what} keeps ${isSession ? "a session" : "an intent"} from being taken back, and a dry run says so as well`,
      async (t, kind) => {
        const repository = await newRepository(t, kind);
        await repository.begin();
        await repository.intent("say two", { "a.txt": "one\ntwo\n" });
        await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
        if (isSession) await repository.finish();
        await hinder(repository);
        const foreseen = await repository.refuses(["undo", "--dry-run"], code, words);
        assert.equal(await repository.refuses(["undo"], code, words), foreseen);
        if (!free) return;
        await free(repository);
        const { done } = await repository.prompt("undo", "--dry-run");
        assert.equal(done, false);
        assert.equal((await repository.prompt("undo")).done, true);
      },
      kinds,
    );

test("a git at work on the index keeps an intent from being taken back, and a dry run says so as well", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  repository.write(".git/index.lock", "");
  // A session is taken back without it.
  assert.equal((await repository.prompt("undo", "--dry-run")).done, false);
  assert.equal((await repository.prompt("undo")).done, true);
  const words = /^Another git command is at work here \(there is an index\.lock\)\./;
  await repository.refuses(["undo", "--dry-run"], "git-busy", words);
  await repository.refuses(["undo"], "git-busy", words);
  repository.remove(".git/index.lock");
  assert.equal((await repository.prompt("undo")).done, true);
});
const lines = (...more) =>
  ["1", "2", "3", "4", "5", "6", "7", "8", "9"]
    .flatMap((line) => [
      ...(line === "2" && more.includes("A") ? ["NEW-A"] : []),
      ...(line === "9" && more.includes("B") ? ["NEW-B"] : []),
      line,
    ])
    .join("\n")
    .concat("\n");

for (const [what, left] of [
  ["taken a line out of", lines("B")],
  ["reverted", lines()],
  ["deleted", null],
  ["rewritten", "else\n"],
])
  each(
    test,
    `what the person has ${what} since stays so on disk when its intent is taken back`,
    async (t, kind) => {
      const repository = await newRepository(t, kind, { "a.txt": lines(), "tool.sh": "tool\n" });
      await repository.begin();
      repository.write("a.txt", lines("A", "B"));
      repository.write("new.txt", lines("A", "B"));
      repository.chmod("tool.sh", 0o755);
      await repository.prompt("intent", "say more");
      repository.chmod("tool.sh", 0o644);
      for (const file of ["a.txt", "new.txt"])
        if (left === null) repository.remove(file);
        else repository.write(file, left);
      const { done } = await repository.keepsDisk(() => repository.prompt("undo"));
      assert.equal(done, true);
      assert.deepEqual(await repository.titles(), ["first"]);
      await repository.keepsDisk(() => repository.jj("status"));
    },
    jjs,
  );

each(
  test,
  "a report that the person has deleted stays deleted when it is taken back",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    await repository.begin();
    await repository.intent("say two", { "a.txt": "one\ntwo\n" });
    await repository.finish();
    await repository.report();
    repository.remove("Research");
    const { what } = await repository.keepsDisk(() => repository.prompt("undo"));
    assert.match(what, /^the commit `intent: report /);
    assert.doesNotMatch(Object.keys(repository.disk()).join(), /Research/);
  },
  jjs,
);

for (const intents of [1, 2])
  for (const at of ["@", "root()"])
    each(
      test,
      `a session of ${intents} whose bookmark was at ${at} is taken back once \`@\` has gone on`,
      async (t, kind) => {
        const repository = await newRepository(t, kind);
        await repository.begin();
        for (let number = 1; number <= intents; number += 1)
          await repository.intent(`say ${number}`, { "a.txt": `one\n${number}\n` });
        await repository.jj("bookmark", "create", "mine", "--revision", at);
        await repository.finish("It is better", "--bookmark", "mine");
        await repository.jj("new", "mine");
        const { done } = await repository.keepsDisk(() => repository.prompt("undo"));
        assert.equal(done, true);
        const titles = Array.from({ length: intents }, (_, number) => `intent: say ${intents - number}`);
        assert.deepEqual(await repository.titles(), [...titles, "first"]);
        const mine = await repository.peek("log", "--no-graph", "-r", "mine", "-T", 'description ++ "."');
        assert.equal(mine, at === "@" ? "first\n." : ".");
        assert.doesNotMatch(await repository.peek("log", "--no-graph", "-r", "all()", "-T", "description"), /session:/);
      },
      jjs,
    );

test("the person's bookmarks on what is taken back go below it, and that is said", async (t) => {
  const repository = await newRepository(t, "jj");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.jj("bookmark", "create", "mine", "--revision", "@-");
  const first = (await repository.peek("log", "--no-graph", "-r", "dev", "-T", "change_id.short(12)")).trim();
  const told = [`the bookmark mine goes to ${first} "first"`];
  assert.deepEqual((await repository.prompt("undo", "--dry-run")).notes, told);
  assert.deepEqual((await repository.prompt("undo")).notes, told);
  assert.equal((await repository.peek("log", "--no-graph", "-r", "mine", "-T", "change_id.short(12)")).trim(), first);
});
