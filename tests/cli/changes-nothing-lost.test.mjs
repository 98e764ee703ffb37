// Where other tools lose people's work: each case counts the bytes that are the person's, and demands that none of them
// is missing after a rejection, after its undo, and after both again (T3, T5, T6, R2, R5, R8; ABUSE 18, 19).

import assert from "node:assert/strict";
import { lstatSync, mkdirSync } from "node:fs";
import { test } from "node:test";
import { executable, link, lostBytes, newProject, takeBack } from "../rig/changes.mjs";

const lines = (...all) => all.map((line) => `${line}\n`).join("");
const base = lines("1", "2", "3", "4", "5", "6", "7", "8");
const changed = base.replace("4", "four");

test("an edit of the person's in an unrelated file", async (t) => {
  const project = await newProject(t, { "agent.txt": base, "mine.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("agent.txt", changed);
  await editor.save("mine.txt", `${base}mine\n`);
  assert.deepEqual(await project.pending(), ["agent.txt: a1.1 inferred lines +1 −1"]);
  await takeBack(project, {
    own: { "mine.txt": `${base}mine\n` },
    rejected: { "agent.txt": base, "mine.txt": `${base}mine\n` },
  });
  assert.deepEqual(await project.lastAuthors("mine.txt"), ["person:ada saved"]);
});

test("an edit of the person's in the same file, above, below and beside the agent's lines", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  await editor.save("a.txt", lines("0", "1", "2", "3", "4", "5", "6", "7", "8"));
  await project.shell("sed -i 's/^4$/four/; s/^7$/seven/' a.txt");
  await project.pending();
  await editor.save("a.txt", lines("0", "1", "2", "3", "mine", "four", "5", "6", "seven", "8", "9"));
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1", "a.txt: a1.1 inferred lines +1 −1"]);
  await takeBack(project, {
    own: { "a.txt": lines("0", "1", "2", "3", "mine", "5", "6", "8", "9").split(/(?<=\n)/) },
    rejected: { "a.txt": lines("0", "1", "2", "3", "mine", "4", "5", "6", "7", "8", "9") },
  });
});

test("uncommitted work and untracked files that were there before the agent came", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const dirty = base.replace("2", "two, mine");
  project.write("a.txt", dirty);
  project.write("notes.md", "my notes\n");
  project.write("staged.txt", "staged\n");
  await project.git("add", "staged.txt");
  await project.agent("edit");
  project.write("a.txt", dirty.replace("7", "seven"));
  project.write("notes.md", "the agent's notes\n");
  project.remove("staged.txt");
  await takeBack(project, {
    own: {},
    rejected: { "a.txt": dirty, "notes.md": "my notes\n", "staged.txt": "staged\n" },
  });
  await project.redo();
  assert.equal(lostBytes(project, { "a.txt": dirty, "notes.md": "my notes\n", "staged.txt": "staged\n" }), 0);
});

test("an untracked file that the person makes while the agent works, beside one of the agent's", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  await editor.save("new/mine.txt", "mine\n");
  project.write("new/agents.txt", "agent\n");
  await takeBack(project, {
    own: { "new/mine.txt": "mine\n", "a.txt": base },
    rejected: { "a.txt": base, "new/mine.txt": "mine\n" },
  });
});

test("a file of the person's without an editor is told as inferred, and given to them it stays", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  project.write("a.txt", changed);
  project.write("vim.txt", "typed elsewhere\n");
  assert.deepEqual(await project.pending("--file", "vim.txt"), ["vim.txt: a1.1 inferred created new file, +1"]);
  // Even taken for the agent's it can be brought back with one command.
  await project.reject("--task-id", "a1");
  assert.equal(lostBytes(project, { "vim.txt": "typed elsewhere\n" }), 16);
  await project.undo();
  assert.equal(lostBytes(project, { "vim.txt": "typed elsewhere\n" }), 0);
  await project.json(["changes", "assign", "--file", "vim.txt", "--to-me"]);
  await takeBack(project, {
    own: { "vim.txt": "typed elsewhere\n" },
    rejected: { "a.txt": base, "vim.txt": "typed elsewhere\n" },
  });
});

test("a commit of the person's in between", async (t) => {
  const project = await newProject(t, { "a.txt": base, "mine.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("a.txt", changed);
  await editor.save("mine.txt", `${base}mine\n`);
  await project.git("commit", "--quiet", "--message", "mine", "mine.txt");
  const head = await project.git("rev-parse", "HEAD");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  await takeBack(project, {
    own: { "mine.txt": `${base}mine\n` },
    rejected: { "a.txt": base, "mine.txt": `${base}mine\n` },
  });
  assert.equal(await project.git("rev-parse", "HEAD"), head);
  assert.equal(await project.git("show", "HEAD:mine.txt"), `${base}mine\n`);
  assert.equal(await project.git("status", "--porcelain"), " M a.txt\n");
});

test("a commit of everything, the agent's lines too, while the agent is at work", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  project.write("a.txt", changed);
  await project.git("commit", "--quiet", "--all", "--message", "all of it");
  const head = await project.git("rev-parse", "HEAD");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  await takeBack(project, { own: {}, rejected: { "a.txt": base } });
  assert.equal(await project.git("rev-parse", "HEAD"), head);
});

test("a .gitignore that is not committed hides what it names and nothing else", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  project.write(".gitignore", "*.log\nbuild/\n");
  project.write("mine.log", "my log\n");
  project.write("build/mine.o", "my object\n");
  await project.agent("edit");
  project.write("a.txt", changed);
  project.write("mine.log", "my log\nlonger\n");
  project.write("build/more.o", "object\n");
  const kept = { ".gitignore": "*.log\nbuild/\n", "build/mine.o": "my object\n", "build/more.o": "object\n" };
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  await takeBack(project, {
    own: { ...kept, "mine.log": "my log\nlonger\n" },
    rejected: { ...kept, "a.txt": base, "mine.log": "my log\nlonger\n" },
  });
});

test("a .gitignore that the agent writes does not make the person's files the agent's, nor lose them", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  project.write("secret.env", "mine\n");
  await project.agent("edit");
  project.write(".gitignore", "*.env\n");
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), [
    ".gitignore: a1.1 inferred created new file, +1",
    "a.txt: a1.1 inferred lines +1 −1",
  ]);
  await takeBack(project, {
    own: { "secret.env": "mine\n" },
    rejected: { "a.txt": base, "secret.env": "mine\n" },
  });
});

test("a nested repository", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.git("init", "--quiet", "nested");
  project.write("nested/committed.txt", base);
  await project.git("-C", "nested", "add", "--all");
  await project.git("-C", "nested", "commit", "--quiet", "--message", "inside");
  project.write("nested/dirty.txt", "mine\n");
  await project.agent("edit");
  const editor = await project.editor();
  project.write("nested/committed.txt", changed);
  project.write("nested/made.txt", "agent\n");
  project.write("a.txt", changed);
  await editor.save("nested/dirty.txt", "mine\nand more\n");
  assert.deepEqual(await project.pending(), [
    "a.txt: a1.1 inferred lines +1 −1",
    "nested/committed.txt: a1.1 inferred lines +1 −1",
    "nested/made.txt: a1.1 inferred created new file, +1",
  ]);
  await takeBack(project, {
    own: { "nested/dirty.txt": "mine\nand more\n" },
    rejected: { "a.txt": base, "nested/committed.txt": base, "nested/dirty.txt": "mine\nand more\n" },
  });
  assert.equal(await project.git("-C", "nested", "log", "--format=%s"), "inside\n");
});

test("a repository that the person clones into the folder while the agent works", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  project.write("a.txt", changed);
  await project.git("clone", "--quiet", "--no-checkout", ".", "copy");
  await project.pending();
  await project.git("-C", "copy", "checkout", "--quiet");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  assert.deepEqual(await project.authors("copy/a.txt"), [], "what git wrote is not the agent's");
  await takeBack(project, { own: { "copy/a.txt": base }, rejected: { "a.txt": base, "copy/a.txt": base } });
  assert.equal(await project.git("-C", "copy", "status", "--porcelain"), "");
});

test("a repository that is cloned into the folder in one go", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  project.write("a.txt", changed);
  await project.git("clone", "--quiet", ".", "copy");
  await project.reject("--task-id", "a1");
  assert.equal(lostBytes(project, { "copy/a.txt": base }), 0, "what git wrote is not the agent's");
  assert.equal(await project.git("-C", "copy", "status", "--porcelain"), "");
});

test("a file that the person moves in during the agent's step", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("a.txt", changed);
  // As an editor does it: written beside and renamed over.
  project.write(".mine.txt.tmp", "moved in\n");
  project.rename(".mine.txt.tmp", "mine.txt");
  await editor.says("mine.txt", "moved in\n");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred lines +1 −1"]);
  await takeBack(project, { own: { "mine.txt": "moved in\n" }, rejected: { "a.txt": base, "mine.txt": "moved in\n" } });
});

test("the agent's shell writes into a file that the person has open with unsaved text", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  editor.open("a.txt");
  editor.type("a.txt", `${base}unsaved\n`);
  await editor.heard();
  await project.shell("sed -i 's/^4$/four/' a.txt");
  // The person is at work on this very file, and nobody said who wrote it: it is not guessed.
  assert.deepEqual(await project.pending(), ["a.txt: unknown nothing lines +1 −1"]);
  // They keep both: their unsaved line, and what they find on disk.
  editor.type("a.txt", `${changed}unsaved\n`);
  project.write("a.txt", `${changed}unsaved\n`);
  await editor.says("a.txt", `${changed}unsaved\n`);
  await editor.close("a.txt");
  assert.deepEqual(await project.pending(), ["a.txt: unknown nothing lines +1 −1"]);
  assert.deepEqual(await project.lastAuthors("a.txt"), ["unknown nothing", "person:ada saved"]);
  await takeBack(project, {
    own: { "a.txt": lines("1", "2", "3", "5", "6", "7", "8", "unsaved").split(/(?<=\n)/) },
    rejected: { "a.txt": `${base}unsaved\n` },
    what: ["--unknown"],
  });
});

test("a save of the person's that the agent overwrites at once", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const agent = await project.agent("edit");
  const editor = await project.editor();
  // Both within one look: what was saved is known from the editor, so it is a step of its own.
  await editor.says("a.txt", `${base}saved\n`);
  await agent.declares("a.txt", changed);
  assert.deepEqual(await project.authors("a.txt"), ["person:ada saved", "run:a1.1 declared-content"]);
  assert.deepEqual(await project.pending(), [
    "a.txt: a1.1 declared-content lines +1 −1",
    "a.txt: a1.1 declared-content lines −1",
  ]);
  await project.reject("--task-id", "a1", "--yes");
  assert.equal(project.text("a.txt"), `${base}saved\n`);
  assert.equal(lostBytes(project, { "a.txt": `${base}saved\n` }), 0);
  await project.verify();
});

test("a formatter that runs within a second of the agent", async (t) => {
  const own = "fn mine( ) {\n  one( );\n}\n";
  const project = await newProject(t, { "a.rs": own });
  const agent = await project.agent("edit");
  await agent.declares("a.rs", `${own}fn agents( ) {}\n`);
  await project.shell("sed -i 's/( )/()/g; s/^  /    /' a.rs");
  assert.equal(project.text("a.rs"), "fn mine() {\n    one();\n}\nfn agents() {}\n");
  await takeBack(project, { own: {}, rejected: { "a.rs": own } });
  await project.redo();
  assert.equal(lostBytes(project, { "a.rs": own }), 0);
});

test("the person's own formatter after the agent's write keeps what was the person's", async (t) => {
  const own = "fn mine( ) {\n  one( );\n}\n";
  const project = await newProject(t, { "a.rs": own });
  const agent = await project.agent("edit");
  const editor = await project.editor();
  await agent.declares("a.rs", `${own}fn agents( ) {\n    two();\n}\n`);
  await project.pending();
  await agent.done();
  const formatted = "fn mine() {\n    one();\n}\nfn agents() {\n    two();\n}\n";
  await editor.save("a.rs", formatted, "applied");
  assert.deepEqual(await project.lastAuthors("a.rs"), ["run:a1.1 declared-content", "unknown applied"]);
  await project.reject("--task-id", "a1", "--yes");
  assert.equal(lostBytes(project, { "a.rs": ["fn mine() {\n", "    one();\n", "}\n"] }), 0);
  await project.undo();
  assert.equal(project.text("a.rs"), formatted);
  await project.verify();
});

test("two agents in one hunk, and the person's lines around it", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const [one, two] = [await project.agent("one"), await project.agent("two", "codex")];
  const editor = await project.editor();
  await editor.save("a.txt", `mine\n${base}`);
  await one.declares("a.txt", `mine\n${base.replace("4\n5\n", "four\nfive\n")}`);
  await project.pending();
  await two.declares("a.txt", `mine\n${base.replace("4\n5\n", "four\nFIVE\nmore\n")}`);
  const hunks = await project.hunks();
  assert.deepEqual(
    hunks.map(({ author, entangledWith }) => [author.run, entangledWith.map(({ run }) => run)]),
    [
      ["a1.1", ["a2.1"]],
      // Rejecting the second brings the first one's line back, so nothing of it is at stake.
      ["a2.1", []],
    ],
  );
  const written = project.tree();
  const { code, stdout, stderr } = await project.cli(["changes", "reject", "--task-id", "a1"]);
  assert.equal(code, 1);
  assert.match(stdout, /entangled with codex for a2 “two”/);
  assert.match(stderr, /^error: The work of run a2\.1 is entangled .* Nothing was changed; --yes does it\.\n$/);
  assert.deepEqual(project.tree(), written, "it is shown first");
  await takeBack(project, {
    own: { "a.txt": ["mine\n", "1\n", "2\n", "3\n", "6\n", "7\n", "8\n"] },
    // What the first replaced comes back, and what the second wrote stays.
    rejected: { "a.txt": `mine\n${base.replace("5\n", "5\nFIVE\nmore\n")}` },
    what: ["--task-id", "a1", "--yes"],
  });
  await project.reject("--task-id", "a1", "--yes");
  await project.reject("--task-id", "a2", "--yes");
  assert.equal(project.text("a.txt"), `mine\n${base}`);
});

test("a redo among what the person wrote since is shown first, and done on a yes to that", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("a.txt", base.replace("4\n", "four\nfour and a half\n"));
  await project.reject("--task-id", "a1");
  await project.undo();
  // Nothing has happened since, so it is the result that was decided on.
  await project.redo();
  assert.equal(project.text("a.txt"), base);
  await project.undo();
  const among = base.replace("4\n", "four\nmine\nfour and a half\n");
  await editor.save("a.txt", among);
  const refused = await project.cli(["changes", "redo"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /entangled with ada/);
  assert.match(refused.stderr, /^error: The work of ada is entangled .* Nothing was changed; --yes does it\.\n$/);
  const { code, data } = JSON.parse((await project.cli(["changes", "redo", "--json"])).stderr).error;
  const [{ path, diff }] = data.preview.files;
  assert.deepEqual([code, path, data.preview.asks], ["entangled", "a.txt", true]);
  assert.match(diff, /^ mine$/m);
  assert.equal(project.text("a.txt"), among, "it is shown first");
  await project.redo("--yes");
  assert.equal(project.text("a.txt"), base.replace("4\n", "4\nmine\n"));
  await project.verify();
});

test("created by the agent, edited by the person, then rejected", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("new.txt", lines("agent one", "agent two"));
  await project.pending();
  await editor.save("new.txt", lines("agent one", "mine", "agent two"));
  const refused = await project.cli(["changes", "reject", "--task-id", "a1"]);
  assert.equal(refused.code, 1, "it is entangled, so it is shown first");
  assert.equal(project.text("new.txt"), lines("agent one", "mine", "agent two"));
  await takeBack(project, {
    own: { "new.txt": ["mine\n"] },
    rejected: { "a.txt": base, "new.txt": "mine\n" },
    what: ["--task-id", "a1", "--yes"],
  });
});

test("deleted by the agent, made anew by the person, then rejected", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": "b\n" });
  await project.agent("edit");
  const editor = await project.editor();
  project.remove("a.txt");
  assert.deepEqual(await project.pending(), ["a.txt: a1.1 inferred deleted file deleted"]);
  await editor.save("a.txt", "mine\n");
  // The lines that were there went by the agent's hand, not by the person's: they still can be brought back.
  await project.reject("--task-id", "a1", "--yes");
  assert.equal(lostBytes(project, { "a.txt": ["mine\n"] }), 0);
  assert.equal(lostBytes(project, { "a.txt": base.split(/(?<=\n)/) }), 0);
  await project.undo();
  assert.equal(project.text("a.txt"), "mine\n");
  await project.verify();
});

test("deleted by the agent while the person has it open, who saves it again", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.remove("a.txt");
  await project.pending();
  await editor.save("a.txt", `${base}mine\n`);
  assert.deepEqual(await project.pending(), []);
  assert.deepEqual(await project.blame("a.txt"), [
    ...["1", "2", "3", "4", "5", "6", "7", "8"].map((line) => `${line}: before`),
    "mine: ada saved",
  ]);
  await project.verify();
});

test("deleted and made anew by the agent", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  project.write("a.txt", `${base}mine\n`);
  await project.agent("edit");
  project.remove("a.txt");
  await project.pending();
  project.write("a.txt", lines("all", "new"));
  await takeBack(project, { own: {}, rejected: { "a.txt": `${base}mine\n` } });
  await project.redo();
  assert.equal(lostBytes(project, { "a.txt": `${base}mine\n` }), 0);
});

test("a folder of the person's that the agent deletes, and one that it makes", async (t) => {
  const files = { "src/a.txt": base, "src/deep/b.txt": base, "keep.txt": "k\n" };
  const project = await newProject(t, files);
  project.write("src/deep/untracked.txt", "mine\n");
  await project.agent("edit");
  project.remove("src");
  project.write("made/by/agent.txt", "agent\n");
  await takeBack(project, { own: {}, rejected: { ...files, "src/deep/untracked.txt": "mine\n" } });
  await project.redo();
  assert.equal(lostBytes(project, { ...files, "src/deep/untracked.txt": "mine\n" }), 0);
});

test("a folder of the person's that is empty, in which the agent makes a file", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  mkdirSync(project.at("docs/mine"), { recursive: true });
  await project.agent("edit");
  project.write("docs/mine/agent.txt", "agent\n");
  project.write("docs/mine/deeper/agent.txt", "agent\n");
  await takeBack(project, { own: {}, rejected: { "a.txt": base } });
  await project.redo();
  assert.ok(lstatSync(project.at("docs/mine")).isDirectory(), "the folder was there before the agent came");
});

test("a rename with an edit", async (t) => {
  const project = await newProject(t, { "old.txt": base.repeat(4) });
  await project.agent("edit");
  const editor = await project.editor();
  project.rename("old.txt", "new.txt");
  await project.pending();
  project.write("new.txt", base.repeat(4).replace("4", "four"));
  await project.pending();
  await editor.save("new.txt", `${base.repeat(4).replace("4", "four")}mine\n`);
  assert.deepEqual(
    (await project.hunks()).map(({ path, kind }) => [path, kind]),
    [
      ["new.txt", "renamed"],
      ["new.txt", "lines"],
    ],
  );
  await takeBack(project, {
    own: {},
    rejected: { "old.txt": `${base.repeat(4)}mine\n` },
    what: ["--task-id", "a1", "--yes"],
  });
  await project.redo();
  assert.equal(lostBytes(project, { "old.txt": ["mine\n"] }), 0);
});

test("a rename with an edit in one step", async (t) => {
  const project = await newProject(t, { "old.txt": base.repeat(4) });
  await project.agent("edit");
  await project.shell("sed 's/^4$/four/' old.txt > new.txt && rm old.txt");
  await takeBack(project, { own: {}, rejected: { "old.txt": base.repeat(4) } });
});

test("a rename over a file of the person's", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  project.write("mine.txt", "mine\n");
  await project.agent("edit");
  project.rename("a.txt", "mine.txt");
  await takeBack(project, { own: {}, rejected: { "a.txt": base, "mine.txt": "mine\n" }, what: ["--all", "--yes"] });
});

test("binary content", async (t) => {
  const bytes = Buffer.from(Array.from({ length: 1024 }, (_, at) => (at * 7) % 256)).toString("latin1");
  const project = await newProject(t, { "a.bin": bytes });
  const mine = `mine\0${bytes}`;
  project.write("mine.bin", Buffer.from(mine, "latin1"));
  await project.agent("edit");
  project.write("a.bin", Buffer.from(`${bytes}\0agent`, "latin1"));
  project.write("mine.bin", Buffer.from("\0agent", "latin1"));
  project.write("new.bin", Buffer.from([0, 1, 2, 255]));
  await takeBack(project, { own: {}, rejected: { "a.bin": bytes, "mine.bin": mine } });
  await project.redo();
  assert.equal(lostBytes(project, { "mine.bin": mine, "a.bin": bytes }), 0);
});

test("text is bytes: line ends, marks and encodings come back exactly", async (t) => {
  const files = {
    "crlf.txt": "1\r\n2\r\n3\r\n",
    "mixed.txt": "1\r\n2\n3\r4\n",
    "unended.txt": "1\n2\n3",
    "bom.txt": "\u00ef\u00bb\u00bf1\n2\n",
    "latin1.txt": "caf\u00e9\n\u00fc\n",
    "empty.txt": "",
    "long.txt": `${"x".repeat(100_000)}\ny\n`,
  };
  const project = await newProject(t, files);
  await project.agent("edit");
  for (const [path, content] of Object.entries(files)) {
    project.write(path, Buffer.from(`${content.replace("2", "two")}agent`, "latin1"));
  }
  await takeBack(project, { own: {}, rejected: files });
});

test("the executable bit", async (t) => {
  const project = await newProject(t, { "run.sh": executable("#!/bin/sh\n"), "data.txt": base });
  await project.agent("edit");
  project.chmod("run.sh", 0o644);
  project.chmod("data.txt", 0o755);
  assert.deepEqual(await project.pending(), [
    "data.txt: a1.1 inferred mode mode 644 → 755",
    "run.sh: a1.1 inferred mode mode 755 → 644",
  ]);
  await takeBack(project, { own: {}, rejected: { "run.sh": executable("#!/bin/sh\n"), "data.txt": base } });
  // A mode of the person's survives a rejection of lines in the same file.
  project.chmod("data.txt", 0o644);
  project.write("run.sh", "#!/bin/sh\necho agent\n");
  await project.reject("--all");
  assert.deepEqual(project.tree(), { "run.sh": executable("#!/bin/sh\n"), "data.txt": base });
});

test("symbolic links", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base, "to-a": link("a.txt"), gone: link("nowhere") });
  await project.agent("edit");
  project.remove("to-a");
  project.link("to-a", "b.txt");
  project.remove("gone");
  project.link("made", "a.txt");
  project.remove("b.txt");
  project.link("b.txt", "a.txt");
  const files = { "a.txt": base, "b.txt": base, "to-a": link("a.txt"), gone: link("nowhere") };
  await takeBack(project, { own: { "a.txt": base }, rejected: files });
});

test("a file that the person changes between the look and the decision is read again first", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("a.txt", changed);
  const [{ id }] = await project.hunks();
  await editor.save("a.txt", `mine\n${changed}`);
  await project.reject(id);
  assert.equal(project.text("a.txt"), `mine\n${base}`);
  assert.equal(lostBytes(project, { "a.txt": `mine\n${base}` }), 0);
  await project.verify();
});

test("a plain folder without git", async (t) => {
  const files = { "a.txt": base, "sub/mine.txt": "mine\n" };
  const project = await newProject(t, files, { git: false });
  await project.agent("edit");
  project.write("a.txt", changed);
  project.remove("sub");
  project.write("new.txt", "agent\n");
  await takeBack(project, { own: {}, rejected: files });
  await project.redo();
  assert.equal(lostBytes(project, files), 0);
});

test("the person edits the agent's own line", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("a.txt", base.replace("4\n", "four\nfive\nsix\n"));
  await project.pending();
  await editor.save("a.txt", base.replace("4\n", "four\nfive, mine\nsix\n"));
  const refused = await project.cli(["changes", "reject", "--task-id", "a1"]);
  assert.equal(refused.code, 1, "it is entangled, so it is shown first");
  assert.match(refused.stdout, /entangled with ada/);
  await takeBack(project, {
    own: { "a.txt": ["3\n", "five, mine\n", "5\n"] },
    rejected: { "a.txt": base.replace("4\n", "4\nfive, mine\n") },
    what: ["--task-id", "a1", "--yes"],
  });
});

test("approved, edited by the person, the approval undone, then rejected", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("a.txt", changed);
  await project.approve("--all");
  await editor.save("a.txt", `mine\n${changed}mine too\n`);
  await project.pending();
  await project.undo();
  assert.equal(project.text("a.txt"), `mine\n${changed}mine too\n`);
  await takeBack(project, {
    own: { "a.txt": ["mine\n", "1\n", "2\n", "3\n", "5\n", "6\n", "7\n", "8\n", "mine too\n"] },
    rejected: { "a.txt": `mine\n${base}mine too\n` },
  });
});

test("rejected, edited by the person, then the rejection undone and redone", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  project.write("a.txt", changed);
  await project.reject("--all");
  await editor.save("a.txt", `${base}mine\n`);
  await project.undo();
  assert.equal(project.text("a.txt"), `${changed}mine\n`);
  await project.redo();
  assert.equal(project.text("a.txt"), `${base}mine\n`);
  // The line that came back is edited by the person; undoing the rejection keeps theirs.
  await editor.save("a.txt", `${base.replace("4", "4, mine")}mine\n`);
  await project.undo();
  assert.equal(lostBytes(project, { "a.txt": ["4, mine\n", "mine\n"] }), 0);
  await project.verify();
});

test("two files that the agent swaps", async (t) => {
  const files = { "a.txt": base, "b.txt": "b\n" };
  const project = await newProject(t, files);
  project.write("b.txt", "b\nmine\n");
  await project.agent("edit");
  await project.shellUnseen("mv a.txt c.tmp && mv b.txt a.txt && mv c.tmp b.txt");
  await takeBack(project, { own: {}, rejected: { "a.txt": base, "b.txt": "b\nmine\n" }, what: ["--all", "--yes"] });
});

test("a folder that the agent replaces by a file, and a file by a folder", async (t) => {
  const files = { "a.txt": base, "src/b.txt": "b\n" };
  const project = await newProject(t, files);
  project.write("src/mine.txt", "mine\n");
  await project.agent("edit");
  project.remove("src");
  project.write("src", "a file\n");
  project.remove("a.txt");
  project.write("a.txt/inside.txt", "inside\n");
  await takeBack(project, { own: {}, rejected: { ...files, "src/mine.txt": "mine\n" }, what: ["--all", "--yes"] });
});

test("a burst over many files with the person's among them", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 80 }, (_, at) => [`src/${at % 20}/${at}.txt`, base.replace("1", `file ${at}`)]),
  );
  const project = await newProject(t, files);
  await project.agent("edit");
  const editor = await project.editor();
  await project.shell(
    "sed -i 's/^4$/four/' src/?/*.txt && rm -r src/1? && mkdir -p made/by/agent && cp src/0/*.txt made/by/agent/",
  );
  await editor.save("src/0/mine.txt", "mine\n");
  await editor.save("made/by/agent/mine.txt", "mine\n");
  const own = { "src/0/mine.txt": "mine\n", "made/by/agent/mine.txt": "mine\n" };
  await takeBack(project, { own, rejected: { ...files, ...own } });
  await project.redo();
  assert.equal(lostBytes(project, { ...files, ...own }), 0);
});

test("a save of the person's that is seen half-way", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("edit");
  const editor = await project.editor();
  await project.writeSlowly("a.txt", `${base}mine\n`, () => project.pending());
  await editor.says("a.txt", `${base}mine\n`);
  // The file was empty for a moment. Nobody has deleted the person's lines, so nothing of that is left to decide.
  assert.deepEqual(await project.pending(), []);
  assert.deepEqual((await project.blame("a.txt")).slice(-2), ["8: before", "mine: ada saved"]);
});
