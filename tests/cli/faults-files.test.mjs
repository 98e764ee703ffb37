// Files as they are in the world, and what may have become of them when a decision is carried out: byte for byte what they
// were, or a refusal with a reason (R2, R4, R8, T6).

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { picture, put, repository } from "../rig/changed-files.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const utf16 = (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const marked = (text) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
const latin = (text) => Buffer.from(text, "latin1");
const long = "x".repeat(1_000_000);

/** Before and after, by what is peculiar about them. */
const kinds = {
  "windows line ends": ["one\r\ntwo\r\nthree\r\n", "one\r\nTWO\r\nthree\r\nfour\r\n"],
  "windows line ends that become others": ["one\r\ntwo\r\nthree\r\n", "one\ntwo\nthree\n"],
  "mixed line ends": ["one\r\ntwo\nthree\rfour\n\r\n", "one\r\ntwo\r\nthree\rfive\n\r\n"],
  "old line ends alone": ["one\rtwo\rthree\r", "one\rTWO\rthree\r"],
  "no end of the last line": ["one\ntwo", "one\ntwo\n"],
  "an end of the last line that goes": ["one\ntwo\n", "one\ntwo"],
  "no end, before and after": ["one\ntwo", "one\nthree"],
  "a byte order mark": [marked("one\ntwo\n"), marked("one\nTWO\n")],
  "a byte order mark that goes": [marked("one\ntwo\n"), "one\ntwo\n"],
  "UTF-16": [utf16("one\ntwo\n"), utf16("one\nTWO\n")],
  "UTF-16 that becomes UTF-8": [utf16("one\ntwo\n"), "one\ntwo\n"],
  "bytes that are no text": [latin("gr\xfc\xdfe\ntwo\n"), latin("gr\xfc\xdfe\nTW\xd6\n")],
  "a zero byte": ["one\0\ntwo\n", "one\0\nTWO\n"],
  "a zero byte that comes": ["one\ntwo\n", "one\0\ntwo\n"],
  "nothing that becomes something": ["", "one\n"],
  "something that becomes nothing": ["one\n", ""],
  "one empty line": ["\n", "\n\n"],
  "a very long line": [`${long}\ntwo\n`, `${long}y\ntwo\n`],
  "many equal lines": ["}\n".repeat(5_000), `${"}\n".repeat(2_500)}x\n${"}\n".repeat(2_499)}`],
  binary: [Buffer.alloc(70_000, 7), Buffer.alloc(70_001, 9)],
};

test("content of every kind comes back byte for byte, and so does the change", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  const of = (at) => Object.fromEntries(Object.entries(kinds).map(([name, contents]) => [name, contents[at]]));
  repository(folder, of(0));
  const before = picture(folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(folder, of(1));
  const made = picture(folder);
  const { files } = await workspace.json(["changes", "list"]);
  assert.deepEqual(files.map(({ path }) => path).sort(), Object.keys(kinds).sort());
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(picture(folder), before);
  await workspace.json(["changes", "undo"]);
  assert.deepEqual(picture(folder), made);
  // Hunk by hunk, in a process of its own each time, comes to the same.
  await workspace.cli(["host", "stop"]);
  for (const { hunks } of (await workspace.json(["changes", "list"])).files) {
    for (const { id } of hunks.toReversed()) {
      const { code, stderr } = await workspace.cli(["changes", "reject", id]);
      assert.equal(code, 0, stderr);
    }
  }
  assert.deepEqual(picture(folder), before);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

/** A file with a hole: as long as it says, and almost nothing on the disk. */
function sparse(path, length, text) {
  const file = openSync(path, "w");
  ftruncateSync(file, length);
  writeSync(file, text, length - text.length);
  closeSync(file);
}

for (const [what, length] of [
  ["with a hole", 5_000_000],
  ["of 60 MB", 60_000_000],
]) {
  test(`a file ${what} comes back byte for byte, or it is said why not`, async (t) => {
    const workspace = newWorkspace(t);
    const { folder } = workspace;
    const path = join(folder, "large.bin");
    repository(folder, { "a.txt": "one\n" });
    sparse(path, length, "before");
    const before = picture(folder);
    await workspace.json(["start", "x", "--agent", "goose"]);
    sparse(path, length, "after!");
    put(folder, { "a.txt": "two\n" });
    const made = picture(folder);
    const { files } = await workspace.json(["changes", "list"], { limitMs: 120_000 });
    assert.deepEqual(
      files.map((file) => file.path),
      ["a.txt", "large.bin"],
    );
    const { code, stderr } = await workspace.cli(["changes", "reject", "--file", "large.bin"], { limitMs: 120_000 });
    if (code === 0) {
      assert.equal(picture(folder)["large.bin"], before["large.bin"]);
      await workspace.json(["changes", "undo"]);
    } else {
      assert.match(stderr, /^error: .*large\.bin.*bytes.*\n$/);
    }
    assert.deepEqual(picture(folder), made);
    t.diagnostic(code === 0 ? "it came back" : stderr.trim());
    await workspace.json(["changes", "reject", "--file", "a.txt"]);
    assert.equal(readFileSync(join(folder, "a.txt"), "utf8"), "one\n");
  });
}

const base = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const edited = base.replace("two", "TWO").replace("six", "SIX");

/** A run's two hunks in a.txt, shown; then something happens before one of them is rejected. */
async function shown(t) {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  repository(folder, { "a.txt": base, "b.txt": base });
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(folder, { "a.txt": edited });
  const [{ hunks }] = (await workspace.json(["changes", "list"])).files;
  const path = join(folder, "a.txt");
  return {
    ...workspace,
    path,
    read: () => readFileSync(path, "utf8"),
    reject: (...more) => workspace.cli(["changes", "reject", hunks[0].id, ...more]),
  };
}

test("changed elsewhere since it was shown: it is read again, and both are right", async (t) => {
  const workspace = await shown(t);
  writeFileSync(workspace.path, `zero\n${edited}eight`);
  assert.equal((await workspace.reject()).code, 0);
  assert.equal(workspace.read(), `zero\n${edited.replace("TWO", "two")}eight`);
});

test("changed in the hunk since it was shown: refused, and nothing is overwritten", async (t) => {
  const workspace = await shown(t);
  const now = edited.replace("TWO", "TWO AND A HALF");
  writeFileSync(workspace.path, now);
  const { code, stderr } = await workspace.reject();
  assert.equal(code, 1);
  assert.match(stderr, /^error: There is no pending hunk .*\n$/);
  assert.equal(workspace.read(), now);
});

test("deleted since: refused, and rejecting the deletion brings all of it back", async (t) => {
  const workspace = await shown(t);
  rmSync(workspace.path);
  const { code, stderr } = await workspace.reject();
  assert.equal(code, 1, "a hunk of a file that is gone");
  assert.match(stderr, /^error: .+\n$/);
  assert.equal(existsSync(workspace.path), false);
  await workspace.json(["changes", "reject", "--all", "--yes"]);
  assert.equal(workspace.read(), base);
});

test("renamed since: the hunk goes with it, or it is said why not", async (t) => {
  const workspace = await shown(t);
  const moved = join(workspace.folder, "moved.txt");
  renameSync(workspace.path, moved);
  const { code, stderr } = await workspace.reject();
  if (code === 0) assert.equal(readFileSync(moved, "utf8"), edited.replace("TWO", "two"));
  else assert.match(stderr, /^error: .+\n$/);
  await workspace.json(["changes", "reject", "--all", "--yes"]);
  assert.equal(workspace.read(), base);
  assert.equal(existsSync(moved), false);
});

test("replaced by a link since: the link's target is not touched", async (t) => {
  const workspace = await shown(t);
  rmSync(workspace.path);
  symlinkSync("b.txt", workspace.path);
  const { code } = await workspace.reject();
  assert.equal(code, 1);
  assert.equal(readFileSync(join(workspace.folder, "b.txt"), "utf8"), base);
  await workspace.json(["changes", "reject", "--all", "--yes"]);
  assert.equal(workspace.read(), base);
  assert.equal(readFileSync(join(workspace.folder, "b.txt"), "utf8"), base);
});

test("open for writing in another program: refused by its name, and possible once it is closed", async (t) => {
  const workspace = await shown(t);
  const script = "import sys; f = open(sys.argv[1], 'r+'); print('open', flush=True); sys.stdin.read()";
  const child = spawn("python3", ["-c", script, workspace.path], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const refused = await workspace.reject();
  assert.equal(refused.code, 1);
  assert.match(refused.stdout + refused.stderr, /is open for writing in python3? /);
  assert.equal(workspace.read(), edited);
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdin.end();
  await ended;
  const done = await workspace.reject();
  assert.equal(done.code, 0, done.stdout + done.stderr);
  assert.equal(workspace.read(), edited.replace("TWO", "two"));
});

test("in a folder that may not be written, or on a name that is taken: told, nothing half, and possible later", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  repository(folder, { "gone/a.txt": base, "b.txt": base });
  await workspace.json(["start", "x", "--agent", "goose"]);
  rmSync(join(folder, "gone"), { recursive: true });
  await workspace.json(["changes", "list"]);
  // Its folder has become a file.
  writeFileSync(join(folder, "gone"), "in the way\n");
  const { code, stdout, stderr } = await workspace.cli(["changes", "reject", "--file", "gone/a.txt"]);
  assert.equal(code, 1);
  assert.match(stdout + stderr, /gone is not a folder/);
  assert.equal(readFileSync(join(folder, "gone"), "utf8"), "in the way\n");
  rmSync(join(folder, "gone"));
  await workspace.json(["changes", "reject", "--file", "gone/a.txt"]);
  assert.equal(readFileSync(join(folder, "gone/a.txt"), "utf8"), base);
  assert.ok(statSync(join(folder, "gone")).isDirectory());
});
