// Review in an editor that knows nothing of us and speaks standard LSP alone: lenses, code actions, hovers, diagnostics,
// commands, and changes of a text that is not saved through `workspace/applyEdit` (R4, V9).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { put, repository } from "../rig/changed-files.mjs";
import { newEditor } from "../rig/editor.mjs";
import { eventually } from "../rig/eventually.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const edited = "one\nTWO\nthree\nfour\nfive\nsix\nSEVEN\nEIGHT\n";

/** An editor with a file open that a run has changed in two places. */
async function begin(t, { title = "Fix the words" } = {}) {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "a.txt": base, "b.txt": base });
  const editor = await newEditor(workspace);
  await workspace.json(["start", title, "--agent", "goose"]);
  put(workspace.folder, { "a.txt": edited });
  await workspace.json(["changes", "list"]);
  editor.open("a.txt");
  const disk = () => readFileSync(join(workspace.folder, "a.txt"), "utf8");
  const hunks = async () => (await workspace.json(["changes", "list"])).files.flatMap((file) => file.hunks);
  const carriedOut = async () => (await workspace.records("--kind", "review.carried-out"))[0].data;
  return { workspace, editor, disk, hunks, carriedOut };
}

test("the host introduces itself as a language server", async (t) => {
  const workspace = newWorkspace(t);
  const { capabilities } = await newEditor(workspace);
  const { textDocumentSync, codeLensProvider, codeActionProvider, hoverProvider, executeCommandProvider } =
    capabilities;
  assert.deepEqual(textDocumentSync, {
    openClose: true,
    change: 1,
    willSave: true,
    willSaveWaitUntil: true,
    save: true,
  });
  assert.ok(codeLensProvider && codeActionProvider && hoverProvider);
  const commands = [
    "approveHunk",
    "rejectHunk",
    "previewHunk",
    "approveFile",
    "rejectFile",
    "approveTask",
    "rejectTask",
  ];
  assert.deepEqual(
    executeCommandProvider.commands,
    [...commands, "undoDecision"].map((name) => `augment.${name}`),
  );
});

test("a change is shown by diagnostics, lenses, actions and hovers as it happens, and decided by commands", async (t) => {
  const { workspace, editor, disk, hunks } = await begin(t);
  const [first, second] = await hunks();
  await editor.diagnosed("a.txt", 2);
  const lenses = await editor.lenses("a.txt");
  assert.deepEqual(
    lenses.map(({ range, command }) => [range.start.line, command.title, command.command, command.arguments]),
    [
      [1, "Approve · +1 −1 by goose for a1 “Fix the words”", "augment.approveHunk", [{ hunk: first.id }]],
      [1, "Reject", "augment.rejectHunk", [{ hunk: first.id }]],
      [6, "Approve · +2 −1 by goose for a1 “Fix the words”", "augment.approveHunk", [{ hunk: second.id }]],
      [6, "Reject", "augment.rejectHunk", [{ hunk: second.id }]],
    ],
  );
  const actions = await editor.actions("a.txt", 1);
  assert.deepEqual(
    actions.map(({ command }) => command.command),
    ["approveHunk", "rejectHunk", "approveFile", "rejectFile", "approveTask", "rejectTask", "undoDecision"].map(
      (name) => `augment.${name}`,
    ),
  );
  assert.match((await editor.hover("a.txt", 1)).contents.value, /`goose`.*`a1` `Fix the words`/);
  assert.equal(await editor.hover("a.txt", 3), null);

  // What changes is told without being asked for.
  put(workspace.folder, { "a.txt": edited.replace("four", "FOUR") });
  const three = await editor.diagnosed("a.txt", 3);
  assert.deepEqual(
    three.map(({ range, severity, source }) => [range.start.line, severity, source]),
    [
      [1, 3, "augment"],
      [3, 3, "augment"],
      [6, 3, "augment"],
    ],
  );
  editor.reload("a.txt");
  /** Sends a command, and has the editor see what came of it on disk. */
  const order = async (command, ...args) => {
    const answer = await editor.command(command, ...args);
    editor.reload("a.txt");
    return answer;
  };
  // Whatever an editor offers is what it sends back.
  const { command, arguments: args } = (await editor.lenses("a.txt"))[3].command;
  await order(command, ...args);
  assert.equal(disk(), edited);
  await editor.diagnosed("a.txt", 2);
  const { decision } = await order("augment.rejectHunk", { hunk: first.id });
  assert.equal(disk(), edited.replace("TWO", "two"));
  await editor.diagnosed("a.txt", 1);
  await order("augment.undoDecision", { decision });
  assert.equal(disk(), edited);
  await editor.diagnosed("a.txt", 2);
  await order("augment.approveHunk", { hunk: second.id });
  assert.equal(disk(), edited);
  await editor.diagnosed("a.txt", 1);
  await order("augment.rejectTask", { task: "a1" });
  assert.equal(disk(), edited.replace("TWO", "two"));
  assert.deepEqual(await editor.diagnosed("a.txt", 0), []);
  assert.deepEqual(await editor.lenses("a.txt"), []);
});

test("what is not understood decides nothing", async (t) => {
  const { workspace, editor, disk, hunks } = await begin(t);
  const [{ id }] = await hunks();
  for (const [command, ...args] of [
    ["augment.approveEverything", { hunk: id }],
    ["augment.rejectHunk"],
    ["augment.rejectHunk", { hunk: "ffffffffff" }],
    ["augment.rejectHunk", { hunk: id, extra: 1 }],
    ["augment.rejectHunk", id],
    ["augment.rejectFile", { file: "../../etc/passwd" }],
    ["augment.rejectFile", { file: "/etc/passwd" }],
    ["augment.undoDecision", { decision: "d99" }],
  ]) {
    const { message } = await editor.client
      .request("workspace/executeCommand", { command, arguments: args })
      .catch((error) => error);
    assert.match(message ?? "", /\S/, `${command} ${JSON.stringify(args)} was not refused`);
  }
  assert.equal(disk(), edited);
  assert.equal((await hunks()).length, 2);
  // Texts from elsewhere have nothing to show, and do no harm.
  for (const uri of ["file:///etc/passwd", "untitled:Untitled-1", `${editor.uri("a.txt")}/../../../../etc/passwd`]) {
    editor.client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "x", version: 1, text: "x" } });
    assert.equal(await editor.client.request("textDocument/codeLens", { textDocument: { uri } }), null);
  }
  assert.deepEqual(workspace.processes().length > 0, true);
});

test("a hostile title is text in lenses, actions, hovers and diagnostics", async (t) => {
  const title = '[x](command:evil) <img src=x onerror=alert(1)> `tick` \u0027"';
  const { editor } = await begin(t, { title });
  const lenses = await editor.lenses("a.txt");
  const actions = await editor.actions("a.txt", 1);
  const titles = [...lenses.map(({ command }) => command.title), ...actions.map((action) => action.title)];
  assert.ok(titles.some((shown) => shown.includes(title)));
  const { kind, value } = (await editor.hover("a.txt", 1)).contents;
  assert.equal(kind, "markdown");
  // With its code spans taken out, nothing of it is left.
  assert.doesNotMatch(value.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, ""), /command:|<img/);
});

test("a text that is not saved is changed by the editor; the disk follows when it is saved", async (t) => {
  const { workspace, editor, disk, hunks, carriedOut } = await begin(t);
  const [first] = await hunks();
  const typed = `mine\n${edited.replace("five", "five, mine")}`;
  editor.type("a.txt", typed);
  await editor.command("augment.rejectHunk", { hunk: first.id });
  const order = await editor.ordered();
  assert.equal(disk(), edited, "the disk is not touched");
  editor.apply("a.txt", order);
  const changed = typed.replace("TWO", "two");
  assert.equal(editor.text("a.txt"), changed);
  assert.equal((await carriedOut()).inEditor, 1);
  assert.equal((await workspace.json(["changes", "list"])).files[0].awaitsSave, true);
  assert.equal(disk(), edited);
  await editor.save("a.txt");
  assert.equal(disk(), changed);
  const left = await hunks();
  assert.deepEqual(
    left.map(({ id, standing }) => [id, standing]),
    [[(await editor.lenses("a.txt"))[0].command.arguments[0].hunk, "pending"]],
  );
  assert.equal((await workspace.json(["changes", "list"])).files[0].awaitsSave, false);
  const blame = await workspace.json(["blame", "a.txt"]);
  const kinds = changed.split("\n").map((_, line) => {
    const span = blame.spans.find(({ start, end }) => start <= line && line < end);
    return span?.author.kind;
  });
  assert.deepEqual(kinds.slice(0, 3), ["person", "before", "before"]);
  assert.deepEqual(kinds.slice(5, 9), ["person", "before", "run", "run"]);
  // The other hunk, now that all is saved, is taken out on disk; nothing of the person's goes.
  await editor.command("augment.rejectTask", { task: "a1" });
  assert.equal(disk(), `mine\n${base.replace("five", "five, mine")}`);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

test("an editor that refuses: the marks come back, and it is told", async (t) => {
  const { editor, disk, hunks, carriedOut } = await begin(t);
  const before = await hunks();
  const typed = `mine\n${edited}`;
  editor.type("a.txt", typed);
  await editor.command("augment.rejectHunk", { hunk: before[0].id });
  const order = await editor.ordered();
  editor.answer(order, { applied: false, failureReason: "It was typed in meanwhile" });
  const data = await eventually("it is recorded", carriedOut, ({ notWritten }) => notWritten === 1);
  const now = await hunks();
  assert.deepEqual(
    now.map(({ id, standing }) => [id, standing]),
    before.map(({ id }) => [id, "pending"]),
  );
  assert.equal(disk(), edited);
  assert.equal(editor.text("a.txt"), typed);
  assert.match(data.reasons[0], /It was typed in meanwhile/);
  // Saved, it can be decided on disk; the line that was typed stays.
  await editor.save("a.txt");
  await editor.command("augment.rejectTask", { task: "a1" });
  assert.equal(disk(), `mine\n${base}`);
});

test("closed without saving: the decision was not carried out, and the marks come back", async (t) => {
  const { editor, disk, hunks } = await begin(t);
  const before = await hunks();
  editor.type("a.txt", `mine\n${edited}`);
  await editor.command("augment.rejectFile", { file: "a.txt" });
  editor.apply("a.txt", await editor.ordered());
  assert.equal(editor.text("a.txt"), `mine\n${base}`);
  editor.close("a.txt");
  const now = await eventually("the marks are back", hunks, ({ length }) => length === before.length);
  assert.deepEqual(
    now.map(({ id, standing }) => [id, standing]),
    before.map(({ id }) => [id, "pending"]),
  );
  assert.equal(disk(), edited);
  await editor.command("augment.rejectFile", { file: "a.txt" });
  assert.equal(disk(), base);
});

test("an editor that is killed with an order in it: the marks come back", async (t) => {
  const { workspace, editor, disk, hunks } = await begin(t);
  const before = await hunks();
  editor.type("a.txt", `mine\n${edited}`);
  await editor.command("augment.rejectFile", { file: "a.txt" });
  await editor.ordered();
  editor.client.process.kill("SIGKILL");
  await editor.client.process.exit;
  const next = await newEditor(workspace);
  next.open("a.txt");
  await next.diagnosed("a.txt", before.length);
  const now = await eventually("the marks are back", hunks, ({ length }) => length === before.length);
  assert.deepEqual(
    now.map(({ id, standing }) => [id, standing]),
    before.map(({ id }) => [id, "pending"]),
  );
  assert.equal(disk(), edited);
  await next.command("augment.rejectFile", { file: "a.txt" });
  assert.equal(disk(), base);
});

test("two editors on one file: the one with unsaved text is asked, and the other sees the disk", async (t) => {
  const { workspace, editor, disk, hunks } = await begin(t);
  const other = await newEditor(workspace);
  other.open("b.txt");
  editor.type("a.txt", `mine\n${edited}`);
  const [{ id }] = await hunks();
  await other.command("augment.rejectHunk", { hunk: id });
  editor.apply("a.txt", await editor.ordered());
  assert.equal(disk(), edited);
  await editor.save("a.txt");
  assert.equal((await hunks()).length, 1);
  assert.equal(disk(), `mine\n${edited.replace("TWO", "two")}`);
});

test("an editor with Windows line ends and letters beyond the basic plane gets edits at the right places", async (t) => {
  const workspace = newWorkspace(t);
  const windows = "👩‍👩‍👧 one\r\nzwei 𝒳\r\ndrei\r\n";
  repository(workspace.folder, { "a.txt": windows });
  const editor = await newEditor(workspace);
  await workspace.json(["start", "x", "--agent", "goose"]);
  const made = windows.replace("zwei 𝒳", "zwei 𝒳𝒴 mehr");
  put(workspace.folder, { "a.txt": made });
  await workspace.json(["changes", "list"]);
  editor.open("a.txt");
  editor.type("a.txt", `👍 mine\r\n${made}`);
  await editor.command("augment.rejectFile", { file: "a.txt" });
  editor.apply("a.txt", await editor.ordered());
  assert.equal(editor.text("a.txt"), `👍 mine\r\n${windows}`);
  await editor.save("a.txt");
  assert.equal((await workspace.json(["changes", "list"])).counts.pendingFiles, 0);
  assert.equal(readFileSync(join(workspace.folder, "a.txt"), "utf8"), `👍 mine\r\n${windows}`);
});
