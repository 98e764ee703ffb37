// Which folder is the workspace, what is written where, and what the program tells about itself (X1, X3).

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newWorkspace, run } from "../rig/workspace.mjs";

const everything = (folder) => readdirSync(folder, { recursive: true }).sort();

test("nothing is written into the workspace's folder, whatever is done", async (t) => {
  const workspace = newWorkspace(t);
  writeFileSync(join(workspace.folder, "notes.txt"), "mine\n");
  const before = everything(workspace.folder);
  await workspace.host();
  await workspace.add("one");
  await workspace.next();
  await workspace.json(["config", "set", "queue.leaseSeconds", "90"]);
  await workspace.json(["audit", "verify"]);
  await workspace.cli(["doctor"]);
  await workspace.json(["host", "stop"]);
  await workspace.add("two");
  assert.deepEqual(everything(workspace.folder), before);
  for (const path of Object.entries(await workspace.places())) {
    const [name, place] = path;
    if (["program", "workspace", "policy", "workspaceAgents"].includes(name)) continue;
    assert.ok(place.startsWith(`${workspace.home}/`), `${name} is ${place}`);
  }
});

test("the whole machine is no workspace, and nothing is kept of the try", async (t) => {
  const workspace = newWorkspace(t);
  const told =
    "Everything on this machine lies below /, so it is no workspace. Go to the folder of your project, or name it with -C.";
  await workspace.refused(["-C", "/", "queue", "list"], told);
  const { code, stderr } = await workspace.cli(["queue", "list"], { cwd: "/" });
  assert.deepEqual([code, stderr], [1, `error: ${told}\n`]);
  assert.deepEqual(everything(workspace.home), []);
});

test("the data is the user's alone", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { data, database, token, lock } = await workspace.places();
  assert.equal(statSync(data).mode & 0o777, 0o700);
  for (const file of [database, `${database}-wal`, token, lock]) assert.equal(statSync(file).mode & 0o777, 0o600, file);
});

test("a command in a folder below finds the workspace that has been used", async (t) => {
  const workspace = newWorkspace(t);
  const below = join(workspace.folder, "src", "auth");
  mkdirSync(below, { recursive: true });
  await workspace.add("one");
  assert.equal((await workspace.json(["where"], { cwd: below })).workspace, workspace.folder);
  await workspace.json(["queue", "add", "two"], { cwd: below });
  assert.deepEqual(
    (await workspace.tasks()).map(({ title }) => title),
    ["one", "two"],
  );
  const link = join(workspace.scratch, "link");
  symlinkSync(workspace.folder, link);
  assert.equal((await workspace.json(["where"], { cwd: link })).workspace, workspace.folder);
});

test("before any use the repository is the workspace, else the folder itself", async (t) => {
  const workspace = newWorkspace(t);
  const below = join(workspace.folder, "src");
  mkdirSync(below);
  assert.equal((await workspace.json(["where"], { cwd: below })).workspace, below);
  mkdirSync(join(workspace.folder, ".git"));
  assert.equal((await workspace.json(["where"], { cwd: below })).workspace, workspace.folder);
});

test("a workspace can be named, by -C and by AUGMENT_WORKSPACE", async (t) => {
  const workspace = newWorkspace(t);
  const named = async (args, env) => (await workspace.json([...args, "where"], { cwd: "/", env })).workspace;
  assert.equal(await named(["-C", workspace.folder]), workspace.folder);
  assert.equal(await named(["--workspace", workspace.folder]), workspace.folder);
  assert.equal(await named([], { AUGMENT_WORKSPACE: workspace.folder }), workspace.folder);
  assert.equal(await named(["-C", workspace.home], { AUGMENT_WORKSPACE: workspace.folder }), workspace.home);
});

test("workspaces know nothing of each other", async (t) => {
  const workspace = newWorkspace(t);
  const other = join(workspace.scratch, "other");
  mkdirSync(other);
  await workspace.add("one");
  assert.deepEqual((await workspace.json(["queue", "list"], { cwd: other })).tasks, []);
});

test("a socket's path that would be too long goes to a private folder elsewhere", async (t) => {
  const workspace = newWorkspace(t);
  const home = join(workspace.scratch, "h".repeat(90));
  const env = { AUGMENT_HOME: home };
  const { socket } = await workspace.json(["where"], { env });
  assert.ok(socket.length <= 100, socket);
  const host = workspace.start(["host", "run"], { env });
  t.after(async () => {
    host.kill("SIGTERM");
    await host.exit;
    rmSync(join(socket, "..", ".."), { recursive: true, force: true });
  });
  assert.equal(await host.line("it is ready"), "ready");
  for (const folder of [join(socket, ".."), join(socket, "..", "..")])
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal((await workspace.json(["status"], { env })).host.pid, host.pid);
});

test("where names every place, for people and for programs", async (t) => {
  const workspace = newWorkspace(t);
  const places = await workspace.places();
  assert.deepEqual(Object.keys(places).sort(), [
    "data",
    "database",
    "lock",
    "log",
    "policy",
    "program",
    "socket",
    "token",
    "userAgents",
    "userSettings",
    "workspace",
    "workspaceAgents",
  ]);
  const { stdout } = await workspace.cli(["where"]);
  for (const place of Object.values(places)) assert.ok(stdout.includes(`  ${place}\n`), place);
  assert.deepEqual(everything(workspace.home), [], "looking makes nothing");
});

test("doctor says that all is well, and what is not with what to do", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const fine = await workspace.json(["doctor"]);
  assert.equal(fine.fine, true);
  const names = fine.checks.map(({ name }) => name);
  for (const name of [
    "program",
    "workspace",
    "data folder",
    "disk",
    "token",
    "host",
    "database",
    "ledger",
    "settings",
    "git",
    "role",
  ]) {
    assert.ok(names.includes(name), `${name} is not among ${names}`);
  }
  await workspace.host();
  const { checks } = await workspace.json(["doctor"]);
  assert.match(checks.find(({ name }) => name === "host").found, /, 1 client$/);
  const { data } = await workspace.places();
  chmodSync(data, 0o755);
  const { code, stdout } = await workspace.cli(["doctor"]);
  assert.equal(code, 1);
  assert.match(stdout, /data folder +fail/);
  assert.ok(stdout.includes(`chmod 700 ${data}`), stdout);
});

for (const shell of ["bash", "zsh", "fish"]) {
  test(`completions for ${shell}`, async (t) => {
    const workspace = newWorkspace(t);
    const { code, stdout, stderr } = await workspace.cli(["completions", shell]);
    assert.deepEqual([code, stderr], [0, ""]);
    for (const word of ["augment-cli", "queue", "heartbeat", "priority"]) assert.ok(stdout.includes(word), word);
    if (shell === "bash") assert.equal((await run(["bash", "-n"], { input: stdout })).code, 0);
  });
}

test("bash completes subcommands with them", async (t) => {
  const workspace = newWorkspace(t);
  const { stdout: script } = await workspace.cli(["completions", "bash"]);
  const [, completer] = script.match(/complete -F (\S+)/);
  const ask = `${script}
COMP_WORDS=(augment-cli queue he); COMP_CWORD=2; COMP_LINE="augment-cli queue he"; COMP_POINT=20
${completer} augment-cli he queue
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { code, stdout, stderr } = await run(["bash", "-s"], { input: ask });
  assert.equal(code, 0, stderr);
  assert.ok(stdout.split("\n").includes("heartbeat"), stdout);
});

test("manual pages, one or all", async (t) => {
  const workspace = newWorkspace(t);
  const { code, stdout } = await workspace.cli(["man"]);
  assert.equal(code, 0);
  assert.match(stdout, /^\.ie .*|^\.TH augment-cli 1/m);
  assert.match(stdout, /augment\\?-cli/);
  const dir = mkdtempSync(join(workspace.scratch, "man-"));
  assert.equal((await workspace.cli(["man", "--dir", dir])).stdout, `The manual pages are in ${dir}.\n`);
  for (const page of [
    "augment-cli.1",
    "augment-cli-queue.1",
    "augment-cli-queue-add.1",
    "augment-cli-audit-verify.1",
  ]) {
    assert.ok(readdirSync(dir).includes(page), `${page} is not among ${readdirSync(dir)}`);
  }
});

test("help has examples, the version is one line, and both go to stdout with 0", async (t) => {
  const workspace = newWorkspace(t);
  const help = await workspace.cli(["--help"]);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  assert.match(help.stdout, /Examples:\n {2}augment-cli queue add --title/);
  assert.match(help.stdout, /Exit codes: 0 done, 1 refused or failed, 2 not understood\./);
  const version = await workspace.cli(["--version"]);
  assert.deepEqual([version.code, /^augment-cli \d+\.\d+\.\d+\n$/.test(version.stdout)], [0, true]);
  assert.match((await workspace.cli(["queue", "add", "--help"])).stdout, /--title <TITLE>/);
});
