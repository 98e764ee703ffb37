// Whose work a save is, in an editor that speaks standard LSP alone: the person's where it changed what was on disk, and
// nobody's word where it did not (R4, V9). And several editors on one file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { put, repository } from "../rig/changed-files.mjs";
import { newEditor } from "../rig/editor.mjs";
import { eventually } from "../rig/eventually.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const base = "one\ntwo\nthree\nfour\nfive\n";
const agents = "one\nTWO\nthree\nfour\nfive\n";
const mark = "\ufeff";

/** An editor with two files open, and a run that has written nothing yet. */
async function begin(t, { content = base } = {}) {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "a.txt": content, "b.txt": base });
  const editor = await newEditor(workspace);
  await workspace.json(["start", "Fix the words", "--agent", "goose"]);
  const list = () => workspace.json(["changes", "list"]);
  await list();
  editor.open("a.txt");
  editor.open("b.txt");
  await editor.compared("b.txt");
  return {
    workspace,
    editor,
    list,
    disk: () => readFileSync(join(workspace.folder, "a.txt"), "utf8"),
    /** As an agent's shell does it, and seen. */
    async agentWrites(text) {
      put(workspace.folder, { "a.txt": text });
      await list();
    },
    /** Each pending hunk with its author and evidence. */
    async pending() {
      await editor.compared("b.txt");
      const { files } = await list();
      return files.flatMap(({ path, hunks }) =>
        hunks.map(({ author, evidence, summary }) => `${path}: ${author.kind} ${evidence} ${summary}`),
      );
    },
    async authors() {
      await editor.compared("b.txt");
      await list();
      const { spans } = await workspace.json(["blame", "a.txt"]);
      const lines = readFileSync(join(workspace.folder, "a.txt"), "utf8").replace(mark, "").split("\n");
      return spans
        .filter(({ author }) => author.kind !== "before")
        .flatMap(({ start, end, author }) => lines.slice(start, end).map((line) => `${line}: ${author.kind}`));
    },
  };
}

/** What an editor tells of a save waits for its turn, and another program's question may be answered before. */
const become = (read, expected) =>
  eventually("it is taken in", read, (now) => assert.deepEqual(now, expected) === undefined);

const ways = {
  question: "asks before it saves",
  notice: "tells of saves before and after",
  nothing: "tells of saves afterwards only",
};

for (const [before, how] of Object.entries(ways)) {
  test(`an editor that ${how}: reading an agent's lines and saving them leaves them the agent's`, async (t) => {
    const { editor, agentWrites, pending, workspace, disk } = await begin(t);
    await agentWrites(agents);
    editor.reload("a.txt");
    await editor.compared("b.txt");
    const seen = await pending();
    assert.equal(seen.length, 1);
    assert.match(seen[0], /^a\.txt: run inferred/);
    await editor.save("a.txt", { before });
    assert.deepEqual(await pending(), seen);
    // Typed and taken back is no change either.
    editor.type("a.txt", `x${agents}`);
    editor.type("a.txt", agents);
    await editor.compared("b.txt");
    await editor.save("a.txt", { before });
    editor.close("a.txt");
    assert.deepEqual(await pending(), seen);
    await workspace.json(["changes", "reject", "--task-id", "a1"]);
    assert.equal(disk(), base);
  });

  test(`an editor that ${how}: what is typed and saved is the person's`, async (t) => {
    const { editor, agentWrites, pending, authors, workspace, disk } = await begin(t);
    await agentWrites(agents);
    editor.reload("a.txt");
    editor.type("a.txt", agents.replace("four", "four, mine"));
    await editor.compared("b.txt");
    await editor.save("a.txt", { before });
    await become(authors, ["TWO: run", "four, mine: person"]);
    assert.equal((await pending()).length, 1);
    await workspace.json(["changes", "reject", "--task-id", "a1"]);
    assert.equal(disk(), base.replace("four", "four, mine"));
  });
}

for (const [before, how] of Object.entries(ways)) {
  test(`an editor that ${how}: text of an earlier session that it opens unsaved and saves is the person's`, async (t) => {
    const { editor, agentWrites, pending, authors, workspace, disk } = await begin(t);
    await agentWrites(agents);
    editor.close("a.txt");
    editor.open("a.txt", `mine\n${agents}`);
    await editor.compared("b.txt");
    await editor.save("a.txt", { before });
    await become(authors, ["mine: person", "TWO: run"]);
    assert.equal((await pending()).length, 1);
    await workspace.json(["changes", "reject", "--task-id", "a1"]);
    assert.equal(disk(), `mine\n${base}`);
  });
}

test("saved and closed in one breath, as :wq does it: unchanged text stays the agent's", async (t) => {
  const { editor, agentWrites, pending } = await begin(t);
  await agentWrites(agents);
  editor.reload("a.txt");
  await editor.compared("b.txt");
  editor.save("a.txt", { before: "nothing" });
  editor.close("a.txt");
  const [hunk, ...more] = await pending();
  assert.match(hunk, /^a\.txt: run inferred/);
  assert.deepEqual(more, []);
});

test("a decision that follows a save at once finds the save known", async (t) => {
  const { editor, agentWrites, disk } = await begin(t);
  await agentWrites(agents);
  editor.reload("a.txt");
  editor.type("a.txt", `mine\n${agents}`);
  await editor.compared("b.txt");
  editor.save("a.txt", { before: "nothing" });
  await editor.command("augment.rejectTask", { task: "a1" });
  assert.equal(disk(), `mine\n${base}`);
});

test("a file that is emptied before it is written is the agent's, also while an editor shows what it was", async (t) => {
  const { agentWrites, pending } = await begin(t);
  await agentWrites("");
  await agentWrites(agents);
  const seen = await pending();
  assert.equal(seen.length, 1);
  assert.match(seen[0], /^a\.txt: run inferred/);
});

test("an old text that is forced over an agent's is the person's", async (t) => {
  const { editor, agentWrites, pending, workspace, disk } = await begin(t);
  await agentWrites(agents);
  assert.equal((await pending()).length, 1);
  // The editor still shows what was there before.
  await editor.save("a.txt", { before: "question" });
  assert.equal(disk(), base);
  await become(pending, []);
  const evidence = async () =>
    (await workspace.records("--kind", "file")).find(({ kind }) => /^file\.(changed|attributed)$/.test(kind)).data
      .evidence;
  await become(evidence, "saved");
});

test("a file with a byte order mark: reading and saving it changes nothing, and it is not unsaved", async (t) => {
  const { editor, agentWrites, pending, workspace, disk, list } = await begin(t, { content: mark + base });
  await agentWrites(mark + agents);
  editor.reload("a.txt");
  await editor.save("a.txt", { before: "question", mark });
  const seen = await pending();
  assert.equal(seen.length, 1);
  assert.match(seen[0], /^a\.txt: run inferred/);
  // Open and clean, so what is decided goes to the disk and not through the editor.
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.equal(disk(), mark + base);
  assert.equal((await list()).files.length, 0);
});

test("a save that is told before we could compare is nobody's we know, and waits", async (t) => {
  const { editor, agentWrites, pending } = await begin(t);
  // The text is on disk already when the host hears of it.
  await agentWrites(agents);
  editor.reload("a.txt");
  editor.client.notify("textDocument/didSave", { textDocument: { uri: editor.uri("a.txt") } });
  // What the editor tells waits for its turn; another program's question may be answered before.
  await eventually("it is nobody's we know", pending, ([hunk]) => /^a\.txt: unknown applied/.test(hunk));
});

/** Two editors with the same file open, which a run has changed. */
async function beginTwo(t, how) {
  const started = await begin(t, how);
  await started.agentWrites(`${how?.content ? mark : ""}${agents}`);
  started.editor.reload("a.txt");
  const other = await newEditor(started.workspace);
  other.open("a.txt");
  other.open("b.txt");
  await other.compared("b.txt");
  return { ...started, other };
}

test("two editors, one with unsaved text: that one is asked, whichever was opened or heard last", async (t) => {
  const { editor, other, disk, list } = await beginTwo(t);
  editor.type("a.txt", `mine\n${agents}`);
  await editor.compared("b.txt");
  // The clean one tells of its text after the other.
  other.reload("a.txt");
  await other.compared("b.txt");
  await other.command("augment.rejectTask", { task: "a1" });
  editor.apply("a.txt", await editor.ordered());
  assert.equal(disk(), agents);
  assert.equal((await list()).files.length, 0);
  await editor.save("a.txt");
  assert.equal(disk(), `mine\n${base}`);
});

test("two editors: that the clean one closes the file takes nothing back", async (t) => {
  const { editor, other, disk, list } = await beginTwo(t);
  editor.type("a.txt", `mine\n${agents}`);
  await editor.compared("b.txt");
  await other.command("augment.rejectTask", { task: "a1" });
  editor.apply("a.txt", await editor.ordered());
  other.close("a.txt");
  await other.compared("b.txt");
  other.client.finish();
  await other.client.closed;
  assert.equal((await list()).files.length, 0);
  await editor.save("a.txt");
  assert.equal(disk(), `mine\n${base}`);
  await become(async () => (await list()).files.length, 0);
});

test("two editors with unsaved text: a decision is refused with what to do, and done once one is saved", async (t) => {
  const { editor, other, workspace, disk, list, authors } = await beginTwo(t);
  editor.type("a.txt", `mine\n${agents}`);
  other.type("a.txt", `${agents}also mine\n`);
  await editor.compared("b.txt");
  await other.compared("b.txt");
  const { files } = await other.command("augment.rejectTask", { task: "a1" });
  assert.match(JSON.stringify(files), /a\.txt has unsaved text in 2 editors at once\. Save it in one of them/);
  assert.equal(disk(), agents);
  assert.equal((await list()).files[0].hunks.length, 1, "what was decided is pending again");
  await editor.save("a.txt");
  await become(authors, ["mine: person", "TWO: run"]);
  other.close("a.txt");
  await other.compared("b.txt");
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.equal(disk(), `mine\n${base}`);
});

test("two editors: what is not saved in either is no run's", async (t) => {
  const { editor, other, agentWrites, pending } = await beginTwo(t);
  editor.type("a.txt", `mine\n${agents}`);
  await editor.compared("b.txt");
  other.reload("a.txt");
  await other.compared("b.txt");
  await agentWrites(agents.replace("five", "FIVE"));
  assert.match((await pending()).at(-1), /^a\.txt: unknown nothing/);
});

test("a file with a byte order mark that is being typed in: the editor gets edits of its text, and the mark stays", async (t) => {
  const content = mark + base;
  const { editor, disk, workspace } = await begin(t, { content });
  put(workspace.folder, { "a.txt": content.replace("one", "ONE") });
  await workspace.json(["changes", "list"]);
  editor.reload("a.txt");
  const typed = `${base.replace("one", "ONE")}mine\n`;
  editor.type("a.txt", typed);
  await editor.compared("b.txt");
  await editor.command("augment.rejectTask", { task: "a1" });
  editor.apply("a.txt", await editor.ordered());
  assert.equal(editor.text("a.txt"), `${base}mine\n`);
  await editor.save("a.txt", { mark });
  assert.equal(disk(), `${content}mine\n`);
  await become(async () => (await workspace.json(["changes", "list"])).files, []);
});

test("what the person has typed inside of a hunk and not saved: nothing is done until the result was shown", async (t) => {
  const { editor, agentWrites, disk, workspace, list, authors } = await begin(t);
  const block = base.replace("two\n", "if (two) {\n  leave();\n}\n");
  await agentWrites(block);
  editor.reload("a.txt");
  const mine = block.replace("leave();", "leave(); // mine");
  editor.type("a.txt", mine);
  await editor.compared("b.txt");
  const { files } = await editor.command("augment.rejectTask", { task: "a1" });
  assert.match(
    JSON.stringify(files),
    /a\.txt has unsaved text in an editor, inside of what would be taken out\. Save it, then repeat/,
  );
  assert.deepEqual([disk(), editor.text("a.txt")], [block, mine]);
  assert.equal((await list()).files[0].hunks.length, 1, "it waits as before");
  await editor.save("a.txt");
  const whose = async () => (await authors()).filter((line) => line.endsWith(": person"));
  await become(whose, ["  leave(); // mine: person"]);
  const { code, stderr } = await workspace.cli(["changes", "reject", "--task-id", "a1", "--json"]);
  assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "entangled"]);
  assert.equal(disk(), mine);
});

/** An editor with a line of the person's that is not saved, into which two decisions were carried. */
async function beginCarried(t) {
  const started = await begin(t);
  const { editor, agentWrites, list } = started;
  const twice = agents.replace("five", "FIVE");
  await agentWrites(twice);
  editor.reload("a.txt");
  editor.type("a.txt", `mine\n${twice}`);
  await editor.compared("b.txt");
  const hunks = async () => (await list()).files.flatMap((file) => file.hunks.map(({ id }) => id));
  const waiting = await hunks();
  assert.equal(waiting.length, 2);
  for (const hunk of waiting) {
    await editor.command("augment.rejectHunk", { hunk });
    editor.apply("a.txt", await editor.ordered());
    await editor.compared("b.txt");
  }
  assert.equal(editor.text("a.txt"), `mine\n${base}`);
  assert.deepEqual(await hunks(), []);
  return { ...started, twice, hunks, waiting };
}

test("closed without saving what two decisions had changed: neither was carried out", async (t) => {
  const { editor, disk, twice, hunks, waiting, workspace } = await beginCarried(t);
  editor.close("a.txt");
  await eventually("the marks are back", hunks, ({ length }) => length === 2);
  assert.deepEqual(await hunks(), waiting);
  assert.equal(disk(), twice);
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.equal(disk(), base);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

test("taken back by hand and saved: the file is as it was, and the decisions were not carried out", async (t) => {
  const { editor, disk, twice, hunks, waiting, list } = await beginCarried(t);
  editor.type("a.txt", twice);
  await editor.save("a.txt");
  await eventually("the marks are back", hunks, ({ length }) => length === 2);
  assert.deepEqual(await hunks(), waiting);
  assert.equal(disk(), twice);
  assert.equal((await list()).files[0].awaitsSave, false);
});
