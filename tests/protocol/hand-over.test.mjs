// A newer program makes an older host leave, and nobody else can.

import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { within } from "../rig/deadline.mjs";
import { dial, greeting, hello, serve } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

test("a newer program's hello makes the host leave, with its record", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  const { socket } = await workspace.places();
  const client = await dial(workspace);
  await client.request("augment/queue/add", { title: "one" });
  const { answer } = await hello(socket, greeting(await workspace.token(), { version: "99.0.0", handOver: true }));
  assert.deepEqual(answer, { answer: "handingOver" });
  assert.equal((await host.exit).code, 0);
  await client.closed;
  const [stopped] = await workspace.records();
  assert.deepEqual([stopped.kind, stopped.data.reason], ["host.stopped", "a newer program takes over"]);
  assert.equal((await workspace.tasks()).length, 1);
});

test("a newer program of another protocol is let take over, too", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  const { socket } = await workspace.places();
  const words = greeting(await workspace.token(), { version: "99.0.0", handOver: true, protocol: 2 });
  assert.deepEqual((await hello(socket, words)).answer, { answer: "handingOver" });
  assert.equal((await host.exit).code, 0);
});

test("an equal or older program, a run and a stranger cannot make it leave", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  const { socket } = await workspace.places();
  const token = await workspace.token();
  const { version } = (await hello(socket, greeting(token))).answer;
  await workspace.add("one");
  const run = await workspace.next("--agent", "goose", "--lease", "1h");
  const notNewer = (said) => `The host of this workspace is ${version}, not older than ${said}. Update the caller.`;
  for (const [words, code, message] of [
    [{ token, version }, "not-newer", notNewer(version)],
    [{ token, version: "0.0.1" }, "not-newer", notNewer("0.0.1")],
    [{ token, version: "nonsense" }, "not-newer", notNewer("nonsense")],
    [
      { token: run.token, version: "99.0.0" },
      "role-may-not",
      "A run may not ask the host to leave. A person decides that.",
    ],
    [
      { token: "0".repeat(64), version: "99.0.0" },
      "foreign-token",
      "The token is not known in this workspace. Use the person's token, or the one that came with the task.",
    ],
  ]) {
    const { answer } = await hello(socket, greeting(words.token, { version: words.version, handOver: true }));
    assert.deepEqual(answer, { answer: "refused", code, message });
  }
  assert.equal((await dial(workspace)).introduction.pid, host.pid);
});

/** A host of an older version that does as it is asked: says welcome, and leaves when a newer one wants its place. */
async function olderHost(t, workspace, { version = "0.0.1", obeys = true } = {}) {
  const { socket } = await workspace.places();
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const hellos = [];
  const streams = new Set();
  let heard;
  const frames = new Promise((resolve) => {
    heard = resolve;
  });
  const server = createServer((stream) => {
    streams.add(stream);
    stream.on("error", () => {});
    createInterface({ input: stream }).once("line", (line) => {
      const words = JSON.parse(line);
      hellos.push(words);
      const say = (answer) => stream.write(`${JSON.stringify(answer)}\n`);
      if (!words.handOver) {
        stream.on("data", (bytes) => heard(bytes.toString()));
        return say({ answer: "welcome", protocol: 1, version, role: "person", pid: process.pid });
      }
      if (!obeys) return say({ answer: "refused", code: "not-newer", message: "No." });
      say({ answer: "handingOver" });
      server.close();
      rmSync(socket, { force: true });
      for (const open of streams) open.end();
    });
  });
  await new Promise((resolve) => server.listen(socket, resolve));
  t.after(() => {
    server.close();
    for (const open of streams) open.destroy();
  });
  return { hellos, frames };
}

test("a command that stays asks an older host to hand over, and goes on with one of its own", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { hellos } = await olderHost(t, workspace);
  const watching = workspace.start(["queue", "list", "--watch", "--json"]);
  const { tasks } = JSON.parse(await watching.line("the list is shown"));
  assert.equal(tasks.length, 1);
  assert.deepEqual(
    hellos.map(({ handOver, token, version }) => [handOver ?? false, token.length, version]),
    [
      [false, 64, hellos[0].version],
      [true, 64, hellos[0].version],
    ],
  );
});

test("an editor's serve asks an older host to hand over, and starts its own", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { hellos } = await olderHost(t, workspace);
  const client = serve(workspace);
  const { pid } = await client.initialize();
  assert.notEqual(pid, process.pid);
  assert.equal(hellos.at(-1).handOver, true);
  assert.equal((await client.request("augment/queue/list", {})).tasks.length, 1);
  client.finish();
  assert.equal((await client.process.exit).code, 0);
});

test("an older host that will not leave is told about", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { hellos } = await olderHost(t, workspace, { obeys: false });
  await workspace.refused(["queue", "list", "--watch"], "No.");
  assert.equal(hellos.at(-1).handOver, true);
});

for (const [what, version, args] of [
  ["a newer host is not asked to leave", "99.0.0", ["queue", "list", "--watch"]],
  ["a single command takes an older host as it is", "0.0.1", ["queue", "list"]],
]) {
  test(what, async (t) => {
    const workspace = newWorkspace(t);
    await workspace.add("one");
    const { hellos, frames } = await olderHost(t, workspace, { version });
    // It says no more than its welcome here, so what is asked of it next is all there is to see.
    const asked = workspace.start(args);
    assert.match(await within(frames, "it is spoken to"), /"method":"initialize"/);
    asked.kill();
    await asked.exit;
    assert.deepEqual(
      hellos.map(({ handOver }) => handOver ?? false),
      [false],
    );
  });
}
