// A real Neovim and what can come between it and its server: questions, findings, hostile names and titles, a server that is
// killed, files that are nobody's business (V9, R3, R4).

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { put, repository } from "../rig/changed-files.mjs";
import { eventually } from "../rig/eventually.mjs";
import { newNeovim } from "../rig/neovim.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const edited = base.replace("two", "TWO");
/** Cut in two, so that this repository itself holds nothing to be found. */
const token = ["gh", "p_9fK2mQ7xLr4TzW8vBn3YcJ6hSd1GpEaUo5Xt"].join("");
const escapes = /(?!\n)[\p{Cc}\u202e]/u;

async function begin(t, { title = "Fix the words", files = { "a.txt": base }, file = "a.txt" } = {}) {
  const workspace = newWorkspace(t);
  repository(workspace.folder, files);
  const editor = await newNeovim(workspace, { file });
  await workspace.json(["start", title, "--agent", "goose"]);
  const disk = (path = "a.txt") => readFileSync(join(workspace.folder, path), "utf8");
  const serves = () => workspace.processes().filter(({ command }) => command.includes("serve --stdio"));
  const hosts = () => workspace.processes().filter(({ command }) => command.includes(" host run"));
  return { workspace, editor, disk, serves, hosts };
}

test("what is entangled with the person's work is shown first, and done only on a yes", async (t) => {
  const { workspace, editor, disk } = await begin(t);
  put(workspace.folder, { "new.txt": "agent one\nagent two\n" });
  await editor.diagnostics(({ length }) => length === 1, { all: true });
  await editor.keys(":edit new.txt<CR>");
  await editor.until("the server is attached", "return rig.is_attached()");
  await editor.keys("ggomine<Esc>:w<CR>");
  const written = "agent one\nmine\nagent two\n";
  await eventually("it is saved as the person's", async () => {
    const { spans } = await workspace.json(["blame", "new.txt"]);
    return spans.some(({ author }) => author.kind === "person");
  });
  assert.equal(disk("new.txt"), written);
  await editor.at(0);
  assert.deepEqual(await editor.choose("Cancel", 'vim.api.nvim_input("\\\\hr")'), ["Reject", "Cancel"]);
  await editor.told(/Nothing was changed\./);
  const question = await editor.asked();
  assert.match(question, /entangled with what you reject in 1 file/);
  assert.match(question, /^-agent one$/m, "the result is shown");
  assert.equal(disk("new.txt"), written);
  await editor.choose("Reject", 'vim.api.nvim_input("\\\\hr")');
  await eventually(
    "it is rejected",
    () => disk("new.txt"),
    (now) => now === "mine\n",
  );
  await editor.until("the buffer follows", "return rig.lines()", (lines) => lines.join() === "mine");
  await editor.told(/1 hunk in 1 file rejected\./);
});

test("a secret in an agent's line is a diagnostic at its place, and stops the approval with a sentence", async (t) => {
  const { workspace, editor } = await begin(t, { files: { "a.txt": "const é = 1;\n" } });
  put(workspace.folder, { "a.txt": `const é = 1;\nconst 😀 = "${token}";\n` });
  // Columns are bytes in Neovim: a letter that is two units of UTF-16 is four of them.
  const start = Buffer.byteLength('const 😀 = "');
  const isAtItsPlace = ({ source, line, column }) => source === "augment scan" && line === 1 && column === start;
  const found = await editor.diagnostics((all) => all.length === 2 && all.some(isAtItsPlace));
  const { severity, message } = found.find(isAtItsPlace);
  assert.equal(severity, 1, "a secret is an error");
  assert.doesNotMatch(message, /9fK2mQ7/);
  await editor.until("the text is there", "return rig.lines()", ({ length }) => length === 2);
  await editor.at(1);
  await editor.keys("\\ha");
  await editor.told(/github|token|found/i);
  const { counts } = await workspace.json(["changes", "list"]);
  assert.equal(counts.pendingHunks, 1);
  assert.doesNotMatch(await editor.messages(), /9fK2mQ7/);
});

test("hostile titles and names are text: nothing in them reaches the screen as it is", async (t) => {
  const title = "[x](command:evil) <img src=x> `tick`";
  const name = "ev\u001b]0;x\u0007il\u202e %41#?' 名.txt";
  const { workspace, editor, disk } = await begin(t, {
    title,
    files: { [name]: base, "old\u001b[2J": base },
    file: name,
  });
  put(workspace.folder, { [name]: edited });
  renameSync(join(workspace.folder, "old\u001b[2J"), join(workspace.folder, "b.txt"));
  const waiting = await editor.diagnostics(({ length }) => length === 2, { all: true });
  for (const { message } of waiting) assert.doesNotMatch(message, escapes);
  assert.match(waiting.find(({ file }) => file === "b.txt").message, /^renamed from old\\u\{1b\}\[2J by goose/);
  const [lens] = await editor.lenses(({ length }) => length === 1);
  assert.equal(lens.text, `Approve · +1 −1 by goose for a1 “${title}” | Reject`);
  await editor.at(1);
  await editor.lua("vim.lsp.buf.hover()");
  const [said] = await editor.until("the hover is shown", "return rig.windows()", ({ length }) => length === 1);
  assert.doesNotMatch(said, escapes);
  assert.match(said, /`` \[x\]\(command:evil\) <img src=x> `tick` ``/, "what could be a link stands in a code span");
  const offered = await editor.choose("Reject +1", "vim.lsp.buf.code_action()");
  assert.doesNotMatch(offered.join("\n"), escapes);
  await eventually(
    "it is rejected",
    () => disk(name),
    (now) => now === base,
  );
  await editor.diagnostics(({ length }) => length === 0);
  assert.doesNotMatch(await editor.messages(), escapes);
});

test("a server that is killed is told, comes back by itself, and shows what waits", async (t) => {
  const { workspace, editor, disk, serves, hosts } = await begin(t);
  put(workspace.folder, { "a.txt": edited });
  await editor.diagnostics(({ length }) => length === 1);
  const [{ pid }] = serves();
  process.kill(pid, "SIGKILL");
  await editor.told(/The server has ended \(signal 9\) and is started again\./);
  await eventually("another one runs", serves, ([serve]) => serve && serve.pid !== pid);
  await editor.until("it is attached", "return rig.is_attached()");
  await editor.diagnostics(({ length }) => length === 1);
  await editor.lenses(({ length }) => length === 1);

  // The host behind it, with what is typed not saved: nothing of it goes.
  await editor.keys("Gomine<Esc>");
  process.kill(hosts()[0].pid, "SIGKILL");
  await editor.told(/The server has ended \(code 1\) and is started again\./);
  await editor.until("it is attached again", "return rig.is_attached()");
  await editor.diagnostics(({ length }) => length === 1);
  await editor.at(1);
  await editor.keys("\\hr");
  const shown = await editor.until("the hunk goes", "return rig.lines()", (lines) => lines[1] === "two");
  assert.deepEqual(shown, [...base.trim().split("\n"), "mine"]);
  assert.equal(disk(), edited);
});

test("a server that dies again and again is left alone, until it is asked for", async (t) => {
  const { editor, serves } = await begin(t);
  const kill = () => process.kill(serves()[0].pid, "SIGKILL");
  // As if it had died often before.
  await editor.lua('require("augment").setup({ restarts = 1 })');
  kill();
  await editor.told(/\(signal 9\) and is started again\./);
  await editor.until("it is attached", "return rig.is_attached()");
  kill();
  await editor.told(/The server has ended again \(signal 9\)\. `:Augment start` starts it\./);
  assert.equal(serves().length, 0);
  await editor.keys(":Augment start<CR>");
  await editor.until("it is attached", "return rig.is_attached()");
});

test("stopped by the person it ends in order, stays away, and comes back when it is asked for", async (t) => {
  const { workspace, editor, serves } = await begin(t, { files: { "a.txt": base, "b.txt": base } });
  put(workspace.folder, { "a.txt": edited, "b.txt": edited });
  await editor.diagnostics(({ length }) => length === 2, { all: true });
  await editor.keys(":Augment stop<CR>");
  await eventually("no server runs", serves, ({ length }) => length === 0);
  // Also those of a file that is not open.
  await editor.diagnostics(({ length }) => length === 0, { all: true });
  await editor.keys(":edit!<CR>");
  await editor.keys(":Augment next<CR>");
  await editor.told(/Nothing is reviewed in this buffer\. `:Augment start` starts the server for it\./);
  assert.doesNotMatch(await editor.messages(), /exit code|has ended/);
  assert.equal(serves().length, 0);
  await editor.keys(":Augment start<CR>");
  await editor.until("it is attached", "return rig.is_attached()");
  await editor.diagnostics(({ length }) => length === 1);
});

test("a file outside of any repository starts no server, and one of another repository has its own", async (t) => {
  const { workspace, editor, serves } = await begin(t);
  const outside = join(workspace.scratch, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "x.txt"), "x\n");
  await editor.keys(`:edit ${outside}/x.txt<CR>`);
  await editor.until("it is in front", 'return vim.fn.expand("%:t")', (name) => name === "x.txt");
  assert.equal(await editor.lua("return rig.is_attached()"), false);
  const other = repository(join(workspace.scratch, "other"), { "y.txt": "y\n" });
  await editor.keys(`:edit ${other}/y.txt<CR>`);
  await eventually("two servers run", serves, ({ length }) => length === 2);
});
