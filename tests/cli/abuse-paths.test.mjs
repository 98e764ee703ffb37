// Paths and links at rollback, and two who write in one place: nothing outside the workspace is ever touched, nothing
// hangs, and nobody's lines go without a word (ABUSE 9 to 13, 18, 19).

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { leavings, picture, put, repository } from "../rig/changed-files.mjs";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const base = "one\ntwo\nthree\n";
const edited = "one\nTWO\nthree\n";

/** A workspace in which a run has edited these files; what is outside is to stay as it is. */
async function begin(t, files) {
  const workspace = newWorkspace(t);
  const outside = join(workspace.scratch, "outside");
  put(outside, Object.fromEntries(files.map((path) => [path.split("/").at(-1), base])));
  repository(workspace.folder, Object.fromEntries(files.map((path) => [path, base])));
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(workspace.folder, Object.fromEntries(files.map((path) => [path, edited])));
  const { counts } = await workspace.json(["changes", "list"]);
  assert.equal(counts.pendingFiles, files.length);
  return { ...workspace, outside, apart: picture(outside) };
}

/** A process that swaps what is at a path with what is at another one, as quickly as it can, until it is told to end. */
async function swapper(t, one, other) {
  const script = `
import ctypes, sys, signal
libc = ctypes.CDLL(None, use_errno=True)
one, other = (path.encode() for path in sys.argv[1:3])
ended = []
signal.signal(signal.SIGTERM, lambda *_: ended.append(1))
print("begun", flush=True)
rounds = 0
while not ended:
    libc.renameat2(-100, one, -100, other, 2)
    rounds += 1
print(rounds, flush=True)
`;
  const child = spawn("python3", ["-c", script, one, other], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  while (!said.startsWith("begun")) await new Promise((resolve) => child.stdout.once("data", resolve));
  return async () => {
    child.kill("SIGTERM");
    await ended;
    return Number(said.split("\n")[1]);
  };
}

/** Rejects and takes back, again and again; gives how often it was done and how often refused. */
async function backAndForth(workspace, rounds) {
  const told = { done: 0, refused: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const args of [
      ["changes", "reject", "--all", "--yes"],
      ["changes", "undo"],
    ]) {
      const { code, signal, stdout, stderr } = await workspace.cli(args, { limitMs: 60_000 });
      assert.ok(code === 0 || code === 1, `${args.join(" ")}: ${code} ${signal} ${stderr}`);
      if (code === 1) assert.match(stderr + stdout, /\S/);
      told[code === 0 ? "done" : "refused"] += 1;
    }
  }
  return told;
}

test("a file that is swapped with a link to one outside, all the time: outside stays as it is", async (t) => {
  const workspace = await begin(t, ["a.txt", "b.txt"]);
  const { folder, outside } = workspace;
  const spare = join(workspace.scratch, "spare");
  symlinkSync(join(outside, "a.txt"), spare);
  const end = await swapper(t, join(folder, "a.txt"), spare);
  const told = await backAndForth(workspace, 15);
  t.diagnostic(`${await end()} swaps; ${JSON.stringify(told)}`);
  assert.deepEqual(picture(outside), workspace.apart);
  // Whatever is where: a whole file, and the link as it was.
  const ends = [join(folder, "a.txt"), spare];
  const links = ends.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
  for (const path of links) assert.equal(readlinkSync(path), join(outside, "a.txt"));
  const files = ends.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());
  // What was there before and after has been swapped in and out meanwhile, so lines of both may be there; no others.
  for (const path of files) assert.match(readFileSync(path, "utf8"), /^(one\n|two\n|TWO\n|three\n)*$/);
  const left = leavings(picture(folder)).filter((name) => !name.endsWith(".kept"));
  assert.deepEqual(left, []);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
  // Once it is quiet, all goes as ever.
  for (const path of ends) rmSync(path, { force: true });
  writeFileSync(join(folder, "a.txt"), "one\nlast\nthree\n");
  await workspace.json(["changes", "reject", "--all", "--yes"]);
  assert.equal(readFileSync(join(folder, "b.txt"), "utf8"), base);
});

test("a folder on the way that is swapped with a link to one outside, all the time", async (t) => {
  const workspace = await begin(t, ["d/a.txt", "d/b.txt"]);
  const { folder, outside } = workspace;
  writeFileSync(join(outside, "a.txt"), edited);
  const apart = picture(outside);
  const spare = join(workspace.scratch, "spare");
  symlinkSync(outside, spare);
  const end = await swapper(t, join(folder, "d"), spare);
  const told = await backAndForth(workspace, 15);
  t.diagnostic(`${await end()} swaps; ${JSON.stringify(told)}`);
  assert.deepEqual(picture(outside), apart);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

test("a folder on the way that has become a link: nothing is written through it, and the reason is told", async (t) => {
  const workspace = await begin(t, ["d/a.txt"]);
  const { folder, outside } = workspace;
  writeFileSync(join(outside, "a.txt"), edited);
  const apart = picture(outside);
  const { files } = await workspace.json(["changes", "list"]);
  renameSync(join(folder, "d"), join(workspace.scratch, "moved"));
  symlinkSync(outside, join(folder, "d"));
  const rejected = await workspace.cli(["changes", "reject", files[0].hunks[0].id]);
  assert.deepEqual(picture(outside), apart);
  assert.equal(rejected.code, 1, rejected.stdout);
  assert.match(rejected.stderr + rejected.stdout, /d/);
  assert.equal(readlinkSync(join(folder, "d")), outside);
  // Put back, it is as if nothing had been.
  rmSync(join(folder, "d"));
  renameSync(join(workspace.scratch, "moved"), join(folder, "d"));
  await workspace.json(["changes", "reject", "--all", "--yes"]);
  assert.equal(readFileSync(join(folder, "d/a.txt"), "utf8"), base);
});

test("a path that leads out is refused wherever it is said", async (t) => {
  const workspace = await begin(t, ["a.txt"]);
  const client = await dial(workspace);
  const records = (await workspace.records()).length;
  for (const path of ["../../x", "/etc/x", "C:\\x", "a/../../x", "./a.txt/../../x", "", ".", "a\0b", "a//b", "d/"]) {
    for (const [method, params] of [
      ["augment/claim", { path, task: "a1" }],
      ["augment/editor/saved", { path, text: "x", how: "by-hand" }],
      ["augment/changes/file", { path }],
      ["augment/changes/history", { path }],
      ["augment/blame", { path }],
      ["augment/changes/decide", { verdict: "reject", what: { file: path } }],
    ]) {
      const { code, message } = await client.refusal(method, params);
      assert.ok([-32001, -32602].includes(code), `${method} ${JSON.stringify(path)}: ${code} ${message}`);
      assert.match(message, /\S/);
    }
  }
  for (const path of ["../../x", "/etc/x", "C:\\x"]) {
    for (const args of [
      ["claim", path, "--task-id", "a1"],
      ["changes", "reject", "--file", path],
      ["changes", "history", path],
      ["blame", path],
    ]) {
      const { code, stdout, stderr } = await workspace.cli(args);
      assert.ok(code === 1 || code === 2, `${args.join(" ")} ended with ${code}`);
      assert.equal(stdout, "");
      assert.match(stderr, /^error: /);
    }
  }
  const since = (await workspace.records()).slice(0, -records || undefined);
  assert.deepEqual(
    [...new Set(since.map(({ kind }) => kind))].filter((kind) => kind !== "refused"),
    [],
  );
  assert.equal(readFileSync(join(workspace.folder, "a.txt"), "utf8"), edited);
  assert.deepEqual(picture(workspace.outside), workspace.apart);
  client.destroy();
});

// A device can be made by root alone.
const devices = process.getuid() === 0 ? ["device"] : [];
for (const what of ["pipe", "socket", "folder", ...devices]) {
  test(`a ${what} in place of the file: refused in bounded time, and as ever once it is gone`, async (t) => {
    const workspace = await begin(t, ["a.txt", "b.txt"]);
    const path = join(workspace.folder, "a.txt");
    const { files } = await workspace.json(["changes", "list"]);
    const [hunk] = files.find((file) => file.path === "a.txt").hunks;
    rmSync(path);
    if (what === "pipe") execFileSync("mkfifo", [path]);
    if (what === "device") execFileSync("mknod", [path, "c", "1", "7"]);
    if (what === "folder") put(workspace.folder, { "a.txt/inner": "inner\n" });
    if (what === "socket") {
      const server = createServer();
      await new Promise((resolve) => server.listen(path, resolve));
      t.after(() => server.close());
    }
    const type = statSync(path).mode & 0o170000;
    const from = performance.now();
    const rejected = await workspace.cli(["changes", "reject", hunk.id], { limitMs: 20_000 });
    assert.equal(rejected.code, 1, rejected.stdout);
    assert.match(rejected.stderr, /^error: .+\n$/);
    const all = await workspace.cli(["changes", "reject", "--file", "a.txt", "--yes"], { limitMs: 20_000 });
    if (what !== "folder") assert.equal(all.code, 1, all.stdout);
    t.diagnostic(`${(performance.now() - from).toFixed(0)} ms: ${rejected.stderr.trim()}`);
    assert.equal(statSync(path).mode & 0o170000, type, "it is still there");
    await workspace.json(["changes", "reject", "--file", "b.txt"]);
    assert.equal(readFileSync(join(workspace.folder, "b.txt"), "utf8"), base);
    rmSync(path, { recursive: true });
    writeFileSync(path, edited);
    await workspace.json(["changes", "reject", "--all", "--yes"]);
    assert.equal(readFileSync(path, "utf8"), base);
  });
}

test("mode, owner, group and attributes outlive a rollback and its undo", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  const modes = { "run.sh": 0o754, "secret.txt": 0o600, "locked.txt": 0o444, "shared.txt": 0o664, "odd.txt": 0o4711 };
  repository(folder, Object.fromEntries(Object.keys(modes).map((path) => [path, base])));
  const own = process.getuid() === 0 ? [65_534, 65_533] : [process.getuid(), process.getgid()];
  const attribute = (path) =>
    execFileSync("python3", ["-c", "import os,sys; print(os.getxattr(sys.argv[1], 'user.note').decode())", path], {
      encoding: "utf8",
    });
  let attributes = true;
  for (const [path, mode] of Object.entries(modes)) {
    chownSync(join(folder, path), ...own);
    chmodSync(join(folder, path), mode);
    try {
      const set = "import os,sys; os.setxattr(sys.argv[1], 'user.note', b'mine')";
      execFileSync("python3", ["-c", set, join(folder, path)], { stdio: "ignore" });
    } catch {
      attributes = false;
    }
  }
  const kept = () =>
    Object.keys(modes).map((path) => {
      const { mode, uid, gid } = statSync(join(folder, path));
      return [path, (mode & 0o7777).toString(8), uid, gid, attributes ? attribute(join(folder, path)) : ""].join(" ");
    });
  await workspace.json(["start", "x", "--agent", "goose"]);
  const before = kept();
  for (const path of Object.keys(modes)) {
    // Written in place, as most tools do; a file that may not be written is opened up for that.
    chmodSync(join(folder, path), 0o644);
    writeFileSync(join(folder, path), edited);
    chmodSync(join(folder, path), modes[path]);
  }
  const made = picture(folder);
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(kept(), before);
  for (const path of Object.keys(modes)) assert.equal(readFileSync(join(folder, path), "utf8"), base);
  await workspace.json(["changes", "undo"]);
  assert.deepEqual(kept(), before);
  assert.deepEqual(picture(folder), made);
});

test("a person types in the file that an agent edits: their lines stay theirs", async (t) => {
  const workspace = await begin(t, ["a.txt"]);
  const path = join(workspace.folder, "a.txt");
  const client = await dial(workspace);
  const save = async (text) => {
    await client.request("augment/editor/saved", { path: "a.txt", text, how: "by-hand" });
    writeFileSync(path, text);
    await client.request("augment/changes/list", {});
  };
  const write = async (text) => {
    writeFileSync(path, text);
    await client.request("augment/changes/list", {});
  };
  await save("mine above\none\nTWO\nthree\n");
  await write("mine above\none\nTWO\nof the agent\nthree\n");
  await save("mine above\none\nTWO\nof the agent\nthree\nmine below\n");
  await write("mine above\nof the agent, too\none\nTWO\nof the agent\nthree\nmine below\n");
  const typed = (await workspace.json(["blame", "a.txt"])).spans.filter(({ author }) => author.kind === "person");
  assert.deepEqual(
    typed.map(({ start, end }) => [start, end]),
    [
      [0, 1],
      [6, 7],
    ],
  );
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.equal(readFileSync(path, "utf8"), "mine above\none\ntwo\nthree\nmine below\n");
  await workspace.json(["changes", "undo"]);
  assert.equal(
    readFileSync(path, "utf8"),
    "mine above\nof the agent, too\none\nTWO\nof the agent\nthree\nmine below\n",
  );
  client.destroy();
});

test("two agents in one hunk: rejecting one is shown first, never a silent loss", async (t) => {
  const workspace = newWorkspace(t);
  const path = join(workspace.folder, "a.txt");
  repository(workspace.folder, { "a.txt": base });
  const tokens = [];
  for (const agent of ["goose", "codex"]) {
    tokens.push((await workspace.json(["start", `for ${agent}`, "--agent", agent])).token);
  }
  const write = async (token, text) => {
    const env = { AUGMENT_TOKEN: token };
    await workspace.json(["claim", "a.txt", "--content", "-"], { env, input: text });
    writeFileSync(path, text);
    await workspace.json(["changes", "list"]);
  };
  await write(tokens[0], "one\ngoose 1\ngoose 2\ngoose 3\nthree\n");
  await write(tokens[1], "one\ngoose 1\ncodex\ngoose 3\nthree\n");
  const { files } = await workspace.json(["changes", "list"]);
  const inside = files[0].hunks.filter(({ author }) => author.run === "a1.1");
  assert.ok(inside.length > 0 && files[0].hunks.length > inside.length, "both are recorded");
  for (const { entangledWith } of inside)
    assert.deepEqual(
      entangledWith.map(({ run }) => run),
      ["a2.1"],
    );
  const shown = readFileSync(path, "utf8");
  const asked = await workspace.cli(["changes", "reject", "--task-id", "a1"]);
  assert.equal(asked.code, 1, "it was done without a word");
  assert.match(asked.stderr, /^error: The work of run a2\.1 is entangled /);
  assert.equal(readFileSync(path, "utf8"), shown);
  for (const [args, alone] of [
    [["a1", "--yes"], "one\ntwo\ncodex\nthree\n"],
    // Nobody has written into what the second one wrote: taking it out brings back what it had replaced.
    [["a2"], "one\ngoose 1\ngoose 2\ngoose 3\nthree\n"],
  ]) {
    await workspace.json(["changes", "reject", "--task-id", ...args]);
    assert.equal(readFileSync(path, "utf8"), alone);
    await workspace.json(["changes", "undo"]);
    assert.equal(readFileSync(path, "utf8"), shown);
  }
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});
