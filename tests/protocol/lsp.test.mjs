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
  assert.equal(capabilities.positionEncoding, "utf-16");
  assert.deepEqual(codeActionProvider.codeActionKinds, ["quickfix", "source"]);
  assert.deepEqual(textDocumentSync, {
    openClose: true,
    change: 1,
    willSave: true,
    willSaveWaitUntil: true,
    save: { includeText: true },
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
  // What the editor tells of a save waits for its turn; until then nobody can say whose the lines are.
  const left = await eventually("the person's lines are theirs", hunks, ({ length }) => length === 1);
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
  // Another connection may be heard before this one.
  await editor.lenses("a.txt");
  const [{ id }] = await hunks();
  await other.command("augment.rejectHunk", { hunk: id });
  editor.apply("a.txt", await editor.ordered());
  assert.equal(disk(), edited);
  await editor.save("a.txt");
  await eventually("the person's line is theirs", hunks, ({ length }) => length === 1);
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
  const waiting = async () => (await workspace.json(["changes", "list"])).counts.pendingFiles;
  await eventually("the person's line is theirs", waiting, (count) => count === 0);
  assert.equal(readFileSync(join(workspace.folder, "a.txt"), "utf8"), `👍 mine\r\n${windows}`);
});

test("files that are not open are told of as well, each change once, and cleared when they are decided", async (t) => {
  const { workspace, editor } = await begin(t);
  await editor.diagnosed("a.txt", 2);
  put(workspace.folder, { "b.txt": edited });
  await editor.diagnosed("b.txt", 2);
  await editor.command("augment.rejectFile", { file: "b.txt" });
  assert.deepEqual(await editor.diagnosed("b.txt", 0), []);
  const published = editor.client.notices.filter(({ method }) => method === "textDocument/publishDiagnostics");
  const told = (path) => published.filter(({ params }) => params.uri === editor.uri(path));
  assert.ok(told("a.txt").length <= 2, "what has not changed is told again only where the file is opened");
  assert.equal(new Set(told("b.txt").map(({ params }) => JSON.stringify(params))).size, told("b.txt").length);
  // Requests of ours have ids of their own.
  const ids = editor.client.notices.filter(({ id }) => id !== undefined).map(({ id }) => id);
  assert.ok(ids.length > 1);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(editor.client.notices.filter(({ method }) => method === "augment/moved").length, 0);
});

test("a file that is opened again is told of again: editors let go of what they knew when they read it anew", async (t) => {
  const { editor } = await begin(t);
  await editor.diagnosed("a.txt", 2);
  const count = () => editor.client.notices.filter(({ params }) => params?.uri === editor.uri("a.txt")).length;
  // The one of the first opening may come after the one of the change itself.
  for (const _ of [1, 2]) {
    const before = count();
    editor.close("a.txt");
    editor.open("a.txt");
    await editor.client.until("it is told again", () => count() > before);
  }
  await editor.diagnosed("a.txt", 2);
});

test("what came of a decision is told in a message", async (t) => {
  const { editor, hunks } = await begin(t);
  const [first] = await hunks();
  await editor.command("augment.approveHunk", { hunk: first.id });
  const { params } = await editor.told(/approved/);
  assert.deepEqual(params, { type: 3, message: "1 hunk in 1 file approved." });
  await editor.command("augment.undoDecision");
  await editor.told(/undone/);
});

test("an entangled hunk: the person is asked with the result in front, and only a yes does it", async (t) => {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "a.txt": base });
  const editor = await newEditor(workspace);
  await workspace.json(["start", "Make it", "--agent", "goose"]);
  put(workspace.folder, { "new.txt": "agent one\nagent two\n" });
  await workspace.json(["changes", "list"]);
  editor.open("new.txt");
  editor.type("new.txt", "agent one\nmine\nagent two\n");
  await editor.save("new.txt");
  // What was saved is looked at first: a lens from before names a hunk that is another one by then.
  await workspace.json(["changes", "list"]);
  const disk = () => readFileSync(join(workspace.folder, "new.txt"), "utf8");
  const reject = async () => {
    const { command } = (await editor.lenses("new.txt")).find((lens) => lens.command.title === "Reject");
    return editor.command(command.command, ...command.arguments);
  };
  assert.equal(await reject(), null);
  const first = await editor.asked();
  assert.match(first.params.message, /is entangled with what you reject in 1 file\./);
  assert.match(first.params.message, /^-agent one$/m);
  assert.deepEqual(first.params.actions, [{ title: "Reject" }, { title: "Cancel" }]);
  editor.answer(first, null);
  await editor.told(/^Nothing was changed\.$/);
  assert.equal(disk(), "agent one\nmine\nagent two\n");
  // An answer to a question that was answered is none.
  editor.answer(first, { title: "Reject" });
  await reject();
  const second = await editor.asked(2);
  assert.notEqual(second.id, first.id);
  // What has changed since is shown in its turn.
  editor.type("new.txt", "agent one\nmine\nmore of mine\nagent two\n");
  await editor.save("new.txt");
  await workspace.json(["changes", "list"]);
  editor.answer(second, { title: "Reject" });
  const third = await editor.asked(3);
  assert.match(third.params.message, /The result is no longer what was shown\./);
  editor.answer(third, { title: "Reject" });
  await editor.told(/1 hunk in 1 file rejected\./);
  assert.equal(disk(), "mine\nmore of mine\n");
});

test("an editor that says little of itself gets what it can show", async (t) => {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "a.txt": base });
  const editor = await newEditor(workspace, { abilities: { workspace: { applyEdit: true } } });
  await workspace.json(["start", "Fix `it`", "--agent", "goose"]);
  put(workspace.folder, { "a.txt": edited });
  await workspace.json(["changes", "list"]);
  editor.open("a.txt");
  await editor.diagnosed("a.txt", 2);
  const { kind, value } = (await editor.hover("a.txt", 1)).contents;
  assert.equal(kind, "plaintext");
  assert.match(value, /^Written by goose for a1 “Fix `it`”\nIn run a1\.1\n/);
  const [first] = await editor.actions("a.txt", 1);
  assert.equal(first.command, "augment.approveHunk", "commands alone");
  assert.deepEqual(await editor.actions("a.txt", 1, { only: ["refactor"] }), []);
  assert.equal((await editor.actions("a.txt", 1, { only: ["quickfix"] })).length, 6);
  assert.equal(editor.client.notices.filter(({ method }) => method === "workspace/codeLens/refresh").length, 0);
  editor.type("a.txt", `mine\n${edited}`);
  await editor.command("augment.rejectFile", { file: "a.txt" });
  const { params } = await editor.ordered();
  assert.deepEqual(Object.keys(params.edit), ["changes"]);
  assert.deepEqual(Object.keys(params.edit.changes), [editor.uri("a.txt")]);
});

test("an editor that cannot be asked to change its text: nothing is done, and that is told", async (t) => {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "a.txt": base });
  const editor = await newEditor(workspace, { abilities: {} });
  await workspace.json(["start", "Fix it", "--agent", "goose"]);
  put(workspace.folder, { "a.txt": edited });
  await workspace.json(["changes", "list"]);
  editor.open("a.txt");
  editor.type("a.txt", `mine\n${edited}`);
  await editor.command("augment.rejectFile", { file: "a.txt" });
  await eventually(
    "it waits as before",
    () => workspace.json(["changes", "list"]),
    ({ counts }) => counts.pendingHunks === 2,
  );
  assert.equal(readFileSync(join(workspace.folder, "a.txt"), "utf8"), edited);
});

test("a finding stands at its place, counted as LSP counts, and never tells the value", async (t) => {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "a.txt": "one\n" });
  const editor = await newEditor(workspace);
  await workspace.json(["start", "Leak it", "--agent", "goose"]);
  const token = ["gh", "p_9fK2mQ7xLr4TzW8vBn3YcJ6hSd1GpEaUo5Xt"].join("");
  put(workspace.folder, { "a.txt": `one\nconst 😀 = "${token}";\n` });
  editor.open("a.txt");
  const diagnostics = await editor.diagnosed("a.txt", 2);
  const { range, severity, message } = diagnostics.find(({ source }) => source === "augment scan");
  const start = 'const 😀 = "'.length;
  assert.deepEqual(range, { start: { line: 1, character: start }, end: { line: 1, character: start + token.length } });
  assert.equal(severity, 1);
  assert.doesNotMatch(JSON.stringify(diagnostics), /9fK2mQ7/);
  assert.match(message, /\S/);
});

test("a save that is told before the text: what is not clear is never called the agent's", async (t) => {
  const { workspace, editor } = await begin(t);
  // Texts are compared with the disk one after the other: once this one was, the one that was opened before it has been.
  editor.open("b.txt");
  const b = { textDocument: { uri: editor.uri("b.txt") }, reason: 1 };
  await editor.client.request("textDocument/willSaveWaitUntil", b);
  const mine = `${edited}mine\n`;
  editor.client.notify("textDocument/didSave", { textDocument: { uri: editor.uri("a.txt") }, text: mine });
  // What is answered after it was heard after it: the word is there before the disk is looked at, however busy the machine is.
  await editor.client.request("textDocument/willSaveWaitUntil", b);
  put(workspace.folder, { "a.txt": mine });
  const { spans } = await eventually(
    "it is known",
    () => workspace.json(["blame", "a.txt"]),
    (blame) => blame.spans.at(-1).end === mine.split("\n").length - 1,
  );
  assert.notEqual(spans.at(-1).author.kind, "run");
});
