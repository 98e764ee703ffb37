// An intent commits exactly what is approved, down to the lines of a file: what waits stays on disk and waits on (J2).

import assert from "node:assert/strict";
import { test } from "node:test";
import { each, newRepository } from "../rig/prompts.mjs";

const lines = Array.from({ length: 30 }, (_, at) => `${at + 1}\n`);
const base = lines.join("");
/** The file with these lines of it shouted. */
const shouted = (...which) => lines.map((line, at) => (which.includes(at + 1) ? `line ${line}` : line)).join("");

/** An agent has written three hunks in one file, and a new one; nothing is decided. */
async function written(t, kind = "git") {
  const repository = await newRepository(t, kind, { "a.txt": base, "b.txt": "b\n" });
  await repository.begin();
  const agent = await repository.agent("shout");
  repository.write("a.txt", shouted(3, 15, 28));
  repository.write("new.txt", "new\n");
  const hunks = await repository.hunks();
  assert.deepEqual(
    hunks.map(({ path }) => path),
    ["a.txt", "a.txt", "a.txt", "new.txt"],
  );
  return { repository, agent, hunks };
}

each(
  test,
  "two hunks of three are committed, and the third waits on",
  async (t, kind) => {
    const { repository, hunks } = await written(t, kind);
    await repository.refuses(
      ["intent", "say it louder"],
      "nothing-to-commit",
      "Nothing that is approved is left to commit; 4 hunks wait. Decide about them with `augment-cli changes`, then repeat.",
    );
    await repository.approve(hunks[0].id, hunks[2].id);
    const dry = await repository.prompt("intent", "say it louder", "--dry-run");
    assert.equal(dry.intent, null);
    const { intent, files, message } = await repository.keepsDisk(() => repository.prompt("intent", "say it louder"));
    assert.deepEqual(files, dry.files);
    assert.deepEqual(files, [{ path: "a.txt", change: "changed", added: 2, removed: 2, rest: true }]);
    assert.deepEqual([message, intent.commit], ["intent: say it louder", await repository.tip()]);
    assert.deepEqual(await repository.files(), { "a.txt": shouted(3, 28), "b.txt": "b\n" });
    assert.equal(repository.text("a.txt"), shouted(3, 15, 28));
    const left = await repository.hunks();
    assert.deepEqual(
      left.map(({ id, path }) => [id, path]),
      [
        [hunks[1].id, "a.txt"],
        [hunks[3].id, "new.txt"],
      ],
    );
    await repository.approve("--all");
    await repository.prompt("intent", "say the rest");
    assert.deepEqual(await repository.files(), {
      "a.txt": shouted(3, 15, 28),
      "b.txt": "b\n",
      "new.txt": "new\n",
    });
    await repository.verify();
  },
  ["git", "jj colocated"],
);

const brace = (count) => `q\n${"}\n".repeat(count)}s\n`;

each(
  test,
  "in the next prompt, a line like one that is committed is another one",
  async (t, kind) => {
    const repository = await newRepository(t, kind, { "f.txt": brace(0) });
    await repository.begin();
    const one = await repository.agent("close it");
    repository.write("f.txt", brace(1));
    await repository.approve((await repository.hunks())[0].id);
    await repository.prompt("intent", "close it");
    await one.done();
    await repository.finish();
    await repository.report();
    await repository.prompt("push");

    await repository.begin("And once more\n");
    const two = await repository.agent("close it again", "other");
    repository.write("f.txt", brace(2));
    await repository.approve((await repository.hunks())[0].id);
    await repository.refuses(
      ["intent", "whose", "--task", one.task],
      "nothing-to-commit",
      "Nothing that is approved is left to commit.",
    );
    const { files } = await repository.prompt("intent", "close it again", "--task", two.task);
    assert.deepEqual(files, [{ path: "f.txt", change: "changed", added: 1, removed: 0, rest: false }]);
    assert.equal((await repository.files())["f.txt"], brace(2));
  },
  ["git", "jj colocated"],
);

test("after an intent was taken back, a line like one that is committed is another one", async (t) => {
  const repository = await newRepository(t, "git", { "f.txt": brace(0) });
  const more = (count) => `${brace(count)}more\n`;
  await repository.begin();
  const one = await repository.agent("close it");
  const approved = async (text) => {
    repository.write("f.txt", text);
    await repository.hunks();
    await repository.approve("--all");
  };
  await approved(brace(1));
  await repository.prompt("intent", "close it", "--task", one.task);
  await approved(more(1));
  await repository.prompt("intent", "say more", "--task", one.task);
  await repository.prompt("undo");
  await one.done();
  const two = await repository.agent("close it again", "other");
  await approved(more(2));
  await repository.prompt("intent", "close it again", "--task", two.task);
  assert.equal((await repository.files())["f.txt"], brace(2));
  await repository.prompt("intent", "say more", "--task", one.task);
  assert.equal((await repository.files())["f.txt"], more(2));
});

test("the work of one task", async (t) => {
  const { repository, agent } = await written(t);
  await agent.done();
  const other = await repository.agent("whisper", "other");
  repository.write("b.txt", "b\nwhispered\n");
  await repository.hunks();
  await other.done();
  await repository.approve("--all");
  const { files } = await repository.prompt("intent", "whisper it", "--task", other.task);
  assert.deepEqual(
    files.map(({ path }) => path),
    ["b.txt"],
  );
  assert.equal(await repository.changed(), "M b.txt");
  await repository.prompt("intent", "say it louder", "--task", agent.task);
  assert.equal(await repository.changed(), "M a.txt\nA new.txt");
});

test("what one decision approved", async (t) => {
  const { repository, hunks } = await written(t);
  await repository.approve(hunks[0].id);
  const { decision } = await repository.approve(hunks[1].id);
  await repository.prompt("intent", "say it louder", "--decision", decision);
  assert.deepEqual(await repository.files(), { "a.txt": shouted(15), "b.txt": "b\n" });
  await repository.refuses(
    ["intent", "say it louder", "--decision", "x"],
    "unknown-decision",
    'There is no decision "x". Approving prints its name, as in d12; `augment-cli changes history FILE` shows those of a file.',
  );
});

test("only in the files that are named", async (t) => {
  const { repository } = await written(t);
  await repository.approve("--all");
  await repository.prompt("intent", "add the new one", "new.txt");
  assert.equal(await repository.changed(), "A new.txt");
  await repository.prompt("intent", "say it louder", "--path", "a.txt");
  assert.equal(await repository.changed(), "M a.txt");
});

/** Lines of the person's own from before the prompt and since, and an agent's, in one file; a yes to leave what was there. */
async function mixed(t, kind) {
  const repository = await newRepository(t, kind, { "a.txt": base, "b.txt": "b\n" });
  repository.write("a.txt", shouted(3));
  repository.write("b.txt", "b\nbefore\n");
  await repository.begin("Make it better\n", "--leave");
  repository.write("a.txt", shouted(3, 28));
  assert.deepEqual(await repository.hunks(), []);
  const agent = await repository.agent("shout");
  repository.write("a.txt", shouted(3, 15, 28));
  await repository.hunks();
  await agent.done();
  await repository.approve("--all");
  return { repository, agent };
}

each(
  test,
  "one's own since the prompt began is neither a task's nor from before",
  async (t, kind) => {
    const { repository, agent } = await mixed(t, kind);
    const { uncommitted } = await repository.prompt("status");
    assert.deepEqual(
      uncommitted.map(({ task, about, files }) => [task, about, files]),
      [
        [agent.task, `task ${agent.task}`, ["a.txt"]],
        [null, "your own", ["a.txt"]],
      ],
    );
    const { files, notes } = await repository.keepsDisk(() =>
      repository.prompt("intent", "say the end louder", "--own", "a.txt"),
    );
    assert.deepEqual(files, [{ path: "a.txt", change: "changed", added: 1, removed: 1, rest: true }]);
    assert.deepEqual(notes, []);
    assert.deepEqual(await repository.files(), { "a.txt": shouted(28), "b.txt": "b\n" });
    await repository.prompt("intent", "say the middle louder", "--task", agent.task);
    assert.deepEqual(await repository.files(), { "a.txt": shouted(15, 28), "b.txt": "b\n" });
    await repository.refuses(["intent", "say more", "--own"], "nothing-to-commit", /^Nothing that is approved is left/);
    // Whoever names the file means all of it.
    await repository.prompt("intent", "say the rest louder", "a.txt");
    assert.deepEqual(await repository.files(), { "a.txt": shouted(3, 15, 28), "b.txt": "b\n" });
  },
  ["git", "jj colocated"],
);

test("one's own is asked for in all files as well, and with neither a task nor a decision", async (t) => {
  const { repository, agent } = await mixed(t, "git");
  const { code, stderr } = await repository.cli(["prompt", "intent", "say it", "--own", "--task", agent.task]);
  assert.equal(code, 2, stderr);
  await repository.prompt("intent", "say the end louder", "--own");
  assert.deepEqual(await repository.files(), { "a.txt": shouted(28), "b.txt": "b\n" });
});

test("an intent is in its own words", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin("Make the parser read comments as tokens of their own kind\n");
  repository.write("a.txt", "one\ntwo\n");
  await repository.refuses(
    ["intent", "make the parser read comments as tokens of their own kind"],
    "prompt-text-in-intent",
    '"make the parser read comments as tokens of their own kind" is text of the prompt, which stands in the session\'s own commit only. Say in other words what was changed.',
  );
  await repository.refuses(
    ["intent", "say two\n\n## Original Prompt\nMake it"],
    "session-block-in-intent",
    '"## Original Prompt" belongs to the session\'s own commit, which is written when the prompt is finished. Say only what was changed.',
  );
  await repository.refuses(
    ["intent", "session: all done"],
    "session-block-in-intent",
    '"session: all done" belongs to the session\'s own commit, which is written when the prompt is finished. Say only what was changed.',
  );
  await repository.refuses(
    ["intent", "say two\nand three"],
    "several-lines",
    "An intent is one line, and this has 2. Keep the first thing said, and commit other changes on their own.",
  );
});

test("where it is set, an approval commits by itself", async (t) => {
  const { repository, hunks } = await written(t);
  await repository.json(["config", "set", "prompt.intents", "approved"]);
  await repository.approve(hunks[0].id, hunks[1].id);
  assert.deepEqual(await repository.titles(), ["intent: shout", "first"]);
  assert.deepEqual(await repository.files(), { "a.txt": shouted(3, 15), "b.txt": "b\n" });
  await repository.approve("--all");
  assert.deepEqual(await repository.titles(), ["intent: shout", "intent: shout", "first"]);
  assert.deepEqual(await repository.files(), { "a.txt": shouted(3, 15, 28), "b.txt": "b\n", "new.txt": "new\n" });
});

test("what an agent wrote in a repository below this one is left out, and that is told", async (t) => {
  const repository = await newRepository(t, "git", { "a.txt": "a\n" });
  repository.write("inner/c.txt", "c\n");
  await repository.git("init", "--quiet", "inner");
  await repository.begin("Say it louder\n", "--leave");
  await repository.agent("shout");
  repository.write("a.txt", "A\n");
  repository.write("inner/c.txt", "C\n");
  await repository.hunks();
  await repository.approve("--all");
  const { files, notes } = await repository.prompt("intent", "use capitals");
  assert.deepEqual(
    files.map(({ path }) => path),
    ["a.txt"],
  );
  assert.ok(
    notes.some((note) => note.startsWith("inner/c.txt is left out: it lies in a repository of its own")),
    notes.join("\n"),
  );
  assert.equal(repository.text("inner/c.txt"), "C\n");
  await repository.refuses(
    ["intent", "use capitals below", "inner/c.txt"],
    "other-repository",
    "inner/c.txt is not in the repository that the workspace lies in. Commit it with git.",
  );
});

each(
  test,
  "in a file that lay changed before, what was written since stands where it was written",
  async (t, kind) => {
    const repository = await newRepository(t, kind, { "f.txt": "x1\nx2\nx3\n", "g.txt": "h\nx1\nx2\nx3\nt\n" });
    repository.write("f.txt", "y1\ny2\ny3\n");
    repository.write("g.txt", "h\ny1\ny2\ny3\nt\n");
    await repository.begin("Add a line\n", "--leave");
    await repository.intent("add a line to both", {
      "f.txt": "y1\ny2\ny3\nnew\n",
      "g.txt": "h\ny1\ny2\ny3\nnew\nt\n",
    });
    assert.deepEqual(await repository.files(), {
      "f.txt": "x1\nx2\nx3\nnew\n",
      "g.txt": "h\nx1\nx2\nx3\nnew\nt\n",
    });
    assert.equal(repository.text("f.txt"), "y1\ny2\ny3\nnew\n");
  },
  ["git", "jj colocated"],
);

test("an intent that was taken back by hand is told, and what it held can be committed again", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.intent("add q", { "q.txt": "q\n" });
  await repository.git("reset", "--quiet", "HEAD~1");
  const { uncommitted } = await repository.prompt("status");
  assert.deepEqual(
    uncommitted.flatMap(({ files }) => files),
    ["q.txt"],
  );
  const gone = "`intent: add q` is not in what is checked out any more.";
  const { notes } = await repository.finish("It is better", "--dry-run");
  assert.ok(
    notes.some((note) => note.startsWith(gone)),
    notes.join("\n"),
  );
  const again = await repository.prompt("intent", "add q again");
  assert.ok(
    again.notes.some((note) => note.startsWith(gone)),
    again.notes.join("\n"),
  );
  assert.equal(await repository.changed(), "A q.txt");
  await repository.finish();
  const [title, ...below] = await repository.titles();
  assert.ok(title.startsWith("session: It is better"), title);
  assert.deepEqual(below, ["first"]);
  assert.doesNotMatch(await repository.message(), /^- add q$/m);
});

test("an approval that is taken back after its commit is told at the end", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  const agent = await repository.agent("say two");
  repository.write("a.txt", "one\ntwo\n");
  await repository.hunks();
  await repository.approve("--task-id", agent.task);
  await repository.prompt("intent", "say two");
  const told = async () =>
    (await repository.finish("It is better", "--dry-run")).notes.filter((note) =>
      note.includes("waits for a decision"),
    );
  assert.deepEqual(await told(), []);
  await repository.undo();
  assert.deepEqual(await told(), [
    "The commits hold what waits for a decision in a.txt, as after an approval that was taken back. Decide it (`augment-cli changes`), and commit what comes of it; or take the commit back with `augment-cli prompt undo`.",
  ]);
  await repository.reject("--file", "a.txt");
  assert.deepEqual(await told(), []);
});

test("the same where another hunk of the file was never committed", async (t) => {
  const { repository, hunks } = await written(t);
  const told = async () =>
    (await repository.finish("It is better", "--dry-run")).notes.some((note) => note.includes("decision in a.txt"));
  await repository.approve(hunks[0].id);
  await repository.prompt("intent", "say it louder");
  assert.equal(await told(), false, "the others wait, and no commit holds them");
  await repository.undo();
  assert.equal(await told(), true);
});
