// Review in a real Neovim, set up as its page in docs says: what waits is shown where it stands, decided by lens, code action and
// key, and the text in front of the person follows (V9, R1, R4, R5, R7).

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { put, repository } from "../rig/changed-files.mjs";
import { eventually } from "../rig/eventually.mjs";
import { newNeovim } from "../rig/neovim.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const edited = "one\nTWO\nthree\nfour\nfive\nsix\nSEVEN\nEIGHT\n";
const lines = (text) => text.replace(/\n$/, "").split("\n");

/** Neovim on a file while a task is worked on, and an agent that writes to it. */
async function begin(t, { title = "Fix the words", files = { "a.txt": base }, agent = { "a.txt": edited } } = {}) {
  const workspace = newWorkspace(t);
  repository(workspace.folder, files);
  const editor = await newNeovim(workspace);
  await workspace.json(["start", title, "--agent", "goose"]);
  put(workspace.folder, agent);
  const list = (...args) => workspace.json(["changes", "list", ...args]);
  const count = (await list()).counts.pendingHunks;
  await editor.diagnostics(({ length }) => length >= count, { all: true });
  return {
    workspace,
    editor,
    list,
    disk: (path = "a.txt") => readFileSync(join(workspace.folder, path), "utf8"),
    /** Each hunk with how it stands, as the terminal tells it. */
    async standings() {
      const { files: found } = await list("--decided");
      return found.flatMap(({ hunks }) => hunks.map(({ summary, standing }) => `${summary} ${standing}`)).sort();
    },
  };
}

/** The text in front is this, saved or not. */
const shows = (editor, text, isModified = false) =>
  editor.until(
    `the buffer shows ${JSON.stringify(text)}`,
    "return { lines = rig.lines(), modified = vim.bo.modified }",
    (shown) => shown.lines.join("\n") === lines(text).join("\n") && shown.modified === isModified,
  );

test("what an agent writes is shown as it happens: text, diagnostics, and lenses above each hunk", async (t) => {
  const { editor } = await begin(t);
  await shows(editor, edited);
  const diagnostics = await editor.diagnostics(({ length }) => length === 2);
  assert.deepEqual(
    diagnostics.map(({ line, message, source }) => [line, message, source]),
    [
      [1, "+1 −1 by goose for a1 “Fix the words” waits for a decision", "augment"],
      [6, "+2 −1 by goose for a1 “Fix the words” waits for a decision", "augment"],
    ],
  );
  assert.deepEqual(await editor.lenses(({ length }) => length === 2), [
    { line: 1, text: "Approve · +1 −1 by goose for a1 “Fix the words” | Reject" },
    { line: 6, text: "Approve · +2 −1 by goose for a1 “Fix the words” | Reject" },
  ]);
});

test("a lens is run: approved is approved, and what was shown about it goes", async (t) => {
  const { editor, disk, standings } = await begin(t);
  await editor.lenses(({ length }) => length === 2);
  await editor.at(1);
  const offered = await editor.choose("Approve ·", "vim.lsp.codelens.run()");
  // Newer ones say whose they are.
  const titles = offered.map((title) => title.replace(/ \[augment\]$/, ""));
  assert.deepEqual(titles, ["Approve · +1 −1 by goose for a1 “Fix the words”", "Reject"]);
  await editor.diagnostics(({ length }) => length === 1);
  assert.deepEqual(
    (await editor.lenses(({ length }) => length === 1)).map(({ line }) => line),
    [6],
  );
  assert.deepEqual(await standings(), ["+1 −1 approved", "+2 −1 pending"]);
  assert.equal(disk(), edited);
  await editor.told(/1 hunk in 1 file approved\./);
  // The last one: nothing is left on the screen.
  await editor.at(6);
  await editor.choose("Reject", "vim.lsp.codelens.run()");
  await editor.diagnostics(({ length }) => length === 0);
  await editor.lenses(({ length }) => length === 0);
  assert.equal(disk(), edited.replace("SEVEN\nEIGHT", "seven"));
});

test("a code action rejects: file and buffer are byte for byte what they were", async (t) => {
  const { editor, disk, standings } = await begin(t);
  await shows(editor, edited);
  await editor.at(7);
  const offered = await editor.choose("Reject all 2", "vim.lsp.buf.code_action()");
  assert.deepEqual(offered, [
    "Approve +2 −1 by goose for a1 “Fix the words”",
    "Reject +2 −1 by goose for a1 “Fix the words”",
    "Approve all 2 changes in this file",
    "Reject all 2 changes in this file",
    "Approve everything of a1 “Fix the words”",
    "Reject everything of a1 “Fix the words”",
    "Undo the last decision",
  ]);
  await shows(editor, base);
  assert.equal(disk(), base);
  assert.deepEqual(await standings(), ["+1 −1 rejected", "+2 −1 rejected"]);
  await editor.diagnostics(({ length }) => length === 0);
});

test("rejected while something typed is not saved: the typed text stays, the hunk goes, the disk follows the save", async (t) => {
  const { workspace, editor, disk } = await begin(t);
  await shows(editor, edited);
  await editor.lua('vim.api.nvim_buf_set_lines(0, 3, 4, true, { "four, mine" })');
  await editor.at(1);
  await editor.keys("\\hr");
  const mine = edited.replace("four", "four, mine").replace("TWO", "two");
  await shows(editor, mine, true);
  assert.equal(disk(), edited, "nothing is written behind the person's back");
  await editor.told(/save to keep it/);
  await editor.lua('vim.cmd("write")');
  await shows(editor, mine);
  assert.equal(disk(), mine);
  await eventually(
    "the save is known",
    async () => {
      const { spans } = await workspace.json(["blame", "a.txt"]);
      const text = lines(disk());
      return spans
        .filter(({ author }) => author.kind !== "before")
        .flatMap(({ start, end, author }) => text.slice(start, end).map((line) => `${line}: ${author.kind}`));
    },
    (authors) => authors.join() === ["four, mine: person", "SEVEN: run", "EIGHT: run"].join(),
  );
});

test("with unsaved lines above it, the hunk under the cursor is shown there, and that one is decided", async (t) => {
  const { editor, disk, standings } = await begin(t);
  await shows(editor, edited);
  await editor.lua('vim.api.nvim_buf_set_lines(0, 0, 0, true, { "a", "b", "c", "d", "e" })');
  const told = await editor.diagnostics((found) => found.some(({ line }) => line === 11));
  assert.deepEqual(told.map(({ line }) => line).sort(), [11, 6]);
  // Where the second hunk is in the file, nothing waits in the text.
  await editor.at(3);
  await editor.keys("\\hr");
  await editor.told(/No hunk waits for a decision here/);
  await editor.at(6);
  await editor.lua("vim.lsp.buf.hover()");
  const [said] = await editor.until("the hover is shown", "return rig.windows()", ({ length }) => length === 1);
  assert.match(said, /Written by `goose`/);
  await editor.keys("\\hr");
  const typed = (text) => `a\nb\nc\nd\ne\n${text}`;
  await shows(editor, typed(edited.replace("TWO", "two")), true);
  assert.deepEqual(await standings(), ["+1 −1 rejected", "+2 −1 pending"]);
  assert.equal(disk(), edited);
});

test("what is typed and saved is the person's, and a rejection leaves it alone", async (t) => {
  const { workspace, editor, disk } = await begin(t);
  await shows(editor, edited);
  await editor.keys("Gomine<Esc>:w<CR>");
  await shows(editor, `${edited}mine\n`);
  await eventually("it is the person's", async () => {
    const { spans } = await workspace.json(["blame", "a.txt"]);
    return spans.at(-1).author.kind === "person";
  });
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.equal(disk(), `${base}mine\n`);
  await shows(editor, `${base}mine\n`);
});

test("hover says who wrote the line, for which task, and what waits", async (t) => {
  const { editor } = await begin(t);
  await shows(editor, edited);
  await editor.at(1);
  await editor.lua("vim.lsp.buf.hover()");
  const [said] = await editor.until("the hover is shown", "return rig.windows()", ({ length }) => length === 1);
  assert.match(said, /Written by `goose` for `a1` `Fix the words`/);
  assert.match(said, /Known because only this run was active/);
  assert.match(said, /Waits for a decision: `\+1 −1`/);
});

test("a decision is undone by key, and the buffer follows", async (t) => {
  const { editor, disk, standings } = await begin(t);
  await shows(editor, edited);
  await editor.at(1);
  await editor.keys("\\hr");
  await shows(editor, edited.replace("TWO", "two"));
  await editor.keys("\\hu");
  await shows(editor, edited);
  assert.equal(disk(), edited);
  assert.deepEqual(await standings(), ["+1 −1 pending", "+2 −1 pending"]);
  await editor.lenses(({ length }) => length === 2);
  await editor.at(1);
  await editor.keys("\\ha");
  await editor.diagnostics(({ length }) => length === 1);
  assert.deepEqual(await standings(), ["+1 −1 approved", "+2 −1 pending"]);
});

test("keys go to the next and the previous pending hunk, across files and round", async (t) => {
  const files = { "a.txt": base, "b/c.txt": base, "z.txt": base };
  const { editor } = await begin(t, { files, agent: { "a.txt": edited, "b/c.txt": edited } });
  const here = 'return vim.fn.expand("%:t") .. ":" .. vim.fn.line(".")';
  const goes = async (key, place) => {
    await editor.keys(key);
    assert.equal(await editor.until(`${key} leads to ${place}`, here, (at) => at === place), place);
  };
  await editor.diagnostics(({ length }) => length === 4, { all: true });
  await editor.at(0);
  await goes("]h", "a.txt:2");
  await goes("]h", "a.txt:7");
  await goes("]h", "c.txt:2");
  await editor.told(/3 of 4: \+1 −1 by goose/);
  await goes("]h", "c.txt:7");
  await goes("]h", "a.txt:2");
  await goes("[h", "c.txt:7");
  await goes("[h", "c.txt:2");
  // What was only listed before is reviewed like any other file once one is there.
  await editor.until("the server is attached", "return rig.is_attached()");
  await editor.keys("\\hr");
  await editor.diagnostics(({ length }) => length === 3, { all: true });
  await editor.keys("\\hq");
  const listed = "return vim.tbl_map(function(one) return one.lnum end, vim.fn.getqflist())";
  assert.deepEqual(await editor.until("they are listed", listed, ({ length }) => length === 3), [2, 7, 7]);
});

test("the way leads on from lines that were removed at the end of a file", async (t) => {
  const files = { "a.txt": base, "z.txt": base };
  const { editor } = await begin(t, { files, agent: { "a.txt": base.replace("seven\n", ""), "z.txt": edited } });
  const here = 'return vim.fn.expand("%:t") .. ":" .. vim.fn.line(".")';
  const goes = async (key, place) => {
    await editor.keys(key);
    assert.equal(await editor.until(`${key} leads to ${place}`, here, (at) => at === place), place);
  };
  await shows(editor, base.replace("seven\n", ""));
  await editor.at(0);
  await goes("]h", "a.txt:6");
  await goes("]h", "z.txt:2");
  await goes("[h", "a.txt:6");
  await goes("[h", "z.txt:7");
});

test("what an agent writes to a file with unsaved text leaves the text alone, and nothing is asked", async (t) => {
  const { workspace, editor } = await begin(t);
  await shows(editor, edited);
  await editor.lua(`
    vim.api.nvim_buf_set_lines(0, 3, 4, true, { "four, mine" })
    vim.api.nvim_create_autocmd("FileChangedShell", { callback = function() asked_for = vim.v.fcs_reason end })`);
  put(workspace.folder, { "a.txt": edited.replace("one", "ONE") });
  await editor.diagnostics((all) => all.some(({ line }) => line === 0));
  await shows(editor, edited.replace("four", "four, mine"), true);
  assert.equal(await editor.lua("return asked_for"), undefined);
});

test("Windows line ends, no line end at the end, and letters beyond the basic plane come through", async (t) => {
  const before = "👩‍👩‍👧 one\r\nzwei 𝒳\r\ndrei\r\n";
  const after = before.replace("zwei 𝒳", "zwei 𝒳𝒴 mehr\r\nund noch eine");
  const bare = (content) => content.replace(/\r\n$/, "");
  const files = { "a.txt": before, "b.txt": bare(before) };
  const { editor, disk } = await begin(t, { files, agent: { "a.txt": after, "b.txt": bare(after) } });
  const text = (content) => content.replaceAll("\r\n", "\n");
  await shows(editor, text(after));
  await editor.lua('vim.api.nvim_buf_set_lines(0, 0, 0, true, { "👍 mine" })');
  await editor.at(2);
  await editor.keys("\\hr");
  await shows(editor, `👍 mine\n${text(before)}`, true);
  await editor.lua('vim.cmd("write")');
  assert.equal(disk(), `👍 mine\r\n${before}`);
  await editor.keys("]h");
  await editor.until("the other file is in front", 'return vim.fn.expand("%:t")', (name) => name === "b.txt");
  await shows(editor, text(after));
  await editor.until("the server is attached", "return rig.is_attached()");
  await editor.keys("\\hr");
  await shows(editor, text(before));
  assert.equal(disk("b.txt"), bare(before));
});

test("a file that an agent deleted comes back, and one that it made goes", async (t) => {
  const files = { "a.txt": base, "gone.txt": "kept\nhere\n" };
  const { workspace, editor, disk } = await begin(t, { files, agent: { "new.txt": "agent\n" } });
  rmSync(join(workspace.folder, "gone.txt"));
  await editor.diagnostics(({ length }) => length === 2, { all: true });
  await editor.keys("]h");
  await editor.until("it is in front", 'return vim.fn.expand("%:t")', (name) => name === "gone.txt");
  await editor.until("the server is attached", "return rig.is_attached()");
  assert.match((await editor.lenses(({ length }) => length === 1))[0].text, /^Approve · file deleted by goose/);
  await editor.keys("\\hr");
  await shows(editor, "kept\nhere\n");
  assert.equal(disk("gone.txt"), "kept\nhere\n");
  await editor.keys("]h");
  await editor.until("the other is in front", 'return vim.fn.expand("%:t")', (name) => name === "new.txt");
  await editor.until("the server is attached", "return rig.is_attached()");
  await editor.keys("\\hr");
  await editor.diagnostics(({ length }) => length === 0, { all: true });
  assert.equal(existsSync(join(workspace.folder, "new.txt")), false);
});
