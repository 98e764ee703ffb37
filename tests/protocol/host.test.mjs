// The host as a process: one a workspace, reachable by its user alone, gone when nobody needs it, and honest about how
// the one before it ended (ABUSE 16, 32).

import assert from "node:assert/strict";
import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { dial } from "../rig/frames.mjs";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

const mode = (path) => statSync(path).mode & 0o777;

test("the socket, its folders and the token are the user's alone", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  const { socket, token, data, database, log } = await workspace.places();
  assert.equal(mode(socket), 0o600);
  for (const folder of [dirname(socket), dirname(dirname(socket)), data]) assert.equal(mode(folder), 0o700, folder);
  for (const file of [token, database, log]) assert.equal(mode(file), 0o600, file);
});

test("folders that were open to others are closed before they are used", async (t) => {
  const workspace = newWorkspace(t);
  const { socket, data } = await workspace.places();
  for (const folder of [dirname(socket), data]) mkdirSync(folder, { recursive: true, mode: 0o777 });
  await workspace.host();
  for (const folder of [dirname(socket), data]) assert.equal(mode(folder), 0o700, folder);
});

test("a second host for the same workspace leaves at once, and the first goes on", async (t) => {
  const workspace = newWorkspace(t);
  const first = await workspace.host();
  const client = await dial(workspace);
  const second = await workspace.cli(["host", "run"]);
  assert.deepEqual(second, { code: 0, signal: null, stdout: "ready\n", stderr: "" });
  assert.equal((await client.request("augment/status", {})).host.pid, first.pid);
  assert.equal((await workspace.records("--kind", "host.started")).length, 1);
  assert.equal((await dial(workspace)).introduction.pid, first.pid);
});

test("a stale socket, or a file in its place, is no obstacle", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { socket } = await workspace.places();
  const killed = await workspace.host();
  killed.kill("SIGKILL");
  await killed.exit;
  assert.ok(existsSync(socket), "a host that was killed leaves its socket");
  // A single command works past it, and leaves it.
  assert.equal((await workspace.tasks()).length, 1);
  const next = await workspace.host();
  assert.equal((await dial(workspace)).introduction.pid, next.pid);
  next.kill("SIGTERM");
  await next.exit;
  assert.equal(existsSync(socket), false, "a host that leaves takes its socket along");
  writeFileSync(socket, "not a socket");
  assert.equal((await workspace.tasks()).length, 1);
  const third = await workspace.host();
  assert.equal((await dial(workspace)).introduction.pid, third.pid);
});

test("a socket that is a link is replaced, not followed", async (t) => {
  const workspace = newWorkspace(t);
  const { socket } = await workspace.places();
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const elsewhere = `${workspace.scratch}/precious`;
  writeFileSync(elsewhere, "mine");
  symlinkSync(elsewhere, socket);
  const host = await workspace.host();
  assert.equal((await dial(workspace)).introduction.pid, host.pid);
  assert.equal(statSync(elsewhere).size, 4);
});

test("a socket that somebody else listens on without a word does not hold a command for ever", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { socket } = await workspace.places();
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const imposter = createServer((stream) => stream.on("error", () => {}).end("nonsense\n"));
  await new Promise((resolve) => imposter.listen(socket, resolve));
  t.after(() => imposter.close());
  const asked = workspace.cli(["queue", "list"], { limitMs: 60_000 });
  // It goes away, as a host that is leaving does; then the command does its work by itself.
  await eventually(
    "it was called",
    () => new Promise((resolve) => imposter.getConnections((_, count) => resolve(count >= 0))),
  );
  imposter.close();
  assert.equal((await asked).code, 0);
});

test("SIGTERM and SIGINT end the host cleanly, with its record and without its socket", async (t) => {
  const workspace = newWorkspace(t);
  const { socket } = await workspace.places();
  for (const [signal, reason] of [
    ["SIGTERM", "it was told to terminate"],
    ["SIGINT", "it was interrupted"],
  ]) {
    const host = await workspace.host();
    const client = await dial(workspace);
    await client.request("augment/queue/add", { title: signal });
    host.kill(signal);
    assert.equal((await host.exit).code, 0);
    await client.closed;
    assert.equal(existsSync(socket), false);
    const [stopped] = await workspace.records();
    assert.deepEqual([stopped.kind, stopped.actor, stopped.data], ["host.stopped", "host", { reason }]);
  }
  assert.equal((await workspace.tasks()).length, 2);
});

test("each start says how the host before ended", async (t) => {
  const workspace = newWorkspace(t);
  for (const [previous, signal] of [
    ["none", "SIGKILL"],
    ["killed", "SIGTERM"],
    ["clean", "SIGKILL"],
  ]) {
    const host = await workspace.host();
    const [started] = await workspace.records("--kind", "host.started");
    assert.deepEqual([started.data.previous, started.data.pid], [previous, host.pid]);
    host.kill(signal);
    await host.exit;
    // A single command in between is no host and hides nothing.
    await workspace.add("between");
  }
  await workspace.host();
  assert.equal((await workspace.records("--kind", "host.started"))[0].data.previous, "killed");
});

test("host stop asks it to leave, and there is nothing to stop afterwards", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  assert.equal((await workspace.cli(["host", "stop"])).stdout, "The host was asked to leave.\n");
  assert.equal((await host.exit).code, 0);
  assert.equal((await workspace.records())[0].data.reason, "a person asked for it");
  const again = await workspace.cli(["host", "stop"]);
  assert.deepEqual([again.code, again.stdout], [0, "No host is running.\n"]);
});

test("an idle host leaves by itself, but neither while a client is there nor while a lease stands", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.json(["config", "set", "host.idleSeconds", "1"]);
  const idle = await workspace.host();
  assert.equal((await idle.exit).code, 0);
  assert.equal((await workspace.records())[0].data.reason, "nobody needed it any more");

  // It becomes impatient once somebody is there, so that it cannot leave before.
  await workspace.json(["config", "set", "host.idleSeconds", "300"]);
  await workspace.add("one");
  const host = await workspace.host();
  const client = await dial(workspace);
  await client.request("augment/config/set", { key: "host.idleSeconds", value: "1" });
  // With a client: as long as it takes for a lease of two seconds to come and go.
  await client.request("augment/queue/claim", { task: "a1", agent: "goose", leaseMs: 2_000 });
  await eventually(
    "the lease has run out",
    () => client.request("augment/queue/show", { task: "a1" }),
    ({ task }) => task.status === "pending",
  );
  assert.equal(host.ended, undefined);
  // Without a client, but with a lease that is longer than its patience.
  await client.request("augment/queue/claim", { task: "a1", agent: "goose", leaseMs: 3_000 });
  client.destroy();
  assert.equal((await host.exit).code, 0);
  const [stopped, returned] = await workspace.records();
  assert.deepEqual([stopped.kind, returned.kind], ["host.stopped", "task.returned"]);
  assert.equal(stopped.data.reason, "nobody needed it any more");
});

test("a host is in a session of its own: the end of its starter's group does not take it along", async (t) => {
  const workspace = newWorkspace(t);
  const watching = workspace.start(["queue", "list", "--watch", "--json"], { detached: true });
  await watching.line("the list is shown");
  const { host } = await workspace.json(["status"]);
  process.kill(-watching.pid, "SIGKILL");
  await watching.exit;
  const client = await dial(workspace);
  assert.equal(client.introduction.pid, host.pid);
  client.destroy();
});

// Only root can be somebody else; without it the modes above are all that can be checked.
const asRoot = process.getuid() === 0 ? test : () => {};

asRoot("another user's process is turned away at the door", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  const { socket } = await workspace.places();
  const script = `
    const socket = require("node:net").connect(process.argv[1]);
    socket.on("connect", () => socket.write(process.argv[2] + "\\n"));
    let said = "";
    socket.on("data", (text) => { said += text; });
    socket.on("error", (error) => { said += error.code; });
    socket.on("close", () => { console.log(said || "turned away"); });`;
  const line = JSON.stringify({ protocol: 1, token: await workspace.token(), version: "0.1.0", client: "x" });
  const call = () => run([process.execPath, "-e", script, socket, line], { cwd: "/", uid: 65_534, gid: 65_534 });
  assert.equal((await call()).stdout, "EACCES\n");
  // Even if every folder on the way is opened and the right token is known.
  for (const folder of [workspace.scratch, workspace.home, dirname(dirname(socket)), dirname(socket)])
    chmodSync(folder, 0o755);
  chmodSync(socket, 0o666);
  assert.match((await call()).stdout, /^(turned away|ECONNRESET|EPIPE)\n$/, "not a word");
  // And the other way round: a command does not speak to a socket of somebody else.
  const theirs = `${workspace.scratch}/cli`;
  copyFileSync(program, theirs);
  chmodSync(theirs, 0o755);
  const env = { PATH: process.env.PATH, AUGMENT_HOME: workspace.home, AUGMENT_WORKSPACE: workspace.folder };
  chmodSync(workspace.folder, 0o755);
  const { code, stderr } = await run([theirs, "queue", "list"], { cwd: "/", env, uid: 65_534, gid: 65_534 });
  assert.equal(code, 1);
  assert.match(stderr, /^error: (Another user owns the socket .*|.*(Permission denied|belongs to another user).*)\n$/);
});
