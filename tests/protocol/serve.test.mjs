// `serve --stdio`, what an editor starts: it lives as long as both its sides, and the host outlives it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isAlive } from "../../scripts/steps/process-tree.mjs";
import { eventually } from "../rig/eventually.mjs";
import { dial, serve } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const hostOf = (workspace) => workspace.processes().find(({ command }) => command.includes(" host run"));

test("it starts a host, introduces it and passes everything through", async (t) => {
  const workspace = newWorkspace(t);
  const client = serve(workspace);
  const { protocol, role, pid, workspace: folder, revision } = await client.initialize();
  assert.deepEqual([protocol, role, folder, revision], [1, "person", workspace.folder, 1]);
  assert.equal(pid, hostOf(workspace).pid);
  const added = await client.request("augment/queue/add", { title: "one" });
  await client.moved(added.revision);
  // A command in a terminal uses the same host, and the editor hears of it.
  const { revision: theirs } = await workspace.add("two");
  await client.moved(theirs);
  assert.deepEqual(
    (await client.request("augment/queue/list", {})).tasks.map(({ title }) => title),
    ["one", "two"],
  );
  const big = "ä".repeat(60_000);
  const { id } = await client.request("augment/queue/add", { title: "three", description: big });
  assert.equal((await client.request("augment/queue/show", { task: id })).task.description, big);
});

test("the end of its input ends it with 0, and leaves the host", async (t) => {
  const workspace = newWorkspace(t);
  const client = serve(workspace);
  const { pid } = await client.initialize();
  client.finish();
  assert.deepEqual(await client.process.exit, { code: 0, signal: null, stderr: "" });
  assert.equal((await dial(workspace)).introduction.pid, pid);
});

test("an editor that says goodbye as it should ends it with 0; exit alone with 1", async (t) => {
  const workspace = newWorkspace(t);
  const polite = serve(workspace);
  await polite.initialize();
  assert.equal(await polite.request("shutdown"), null);
  polite.notify("exit");
  assert.deepEqual(await polite.process.exit, { code: 0, signal: null, stderr: "" });
  const abrupt = serve(workspace);
  await abrupt.initialize();
  abrupt.notify("exit");
  const { code, stderr } = await abrupt.process.exit;
  assert.equal(code, 1);
  assert.match(stderr, /the editor said exit without shutdown/);
});

test("what was asked right before the end of its input is still answered", async (t) => {
  const workspace = newWorkspace(t);
  const client = serve(workspace);
  await client.initialize();
  const answer = client.request("augment/queue/add", { title: "last words" });
  client.finish();
  assert.equal((await answer).title, "last words");
  assert.equal((await client.process.exit).code, 0);
});

test("the host's death ends it with a sentence, and the next one finds everything", async (t) => {
  const workspace = newWorkspace(t);
  const client = serve(workspace);
  const { pid } = await client.initialize();
  await client.request("augment/queue/add", { title: "one" });
  process.kill(pid, "SIGKILL");
  assert.deepEqual(await client.process.exit, {
    code: 1,
    signal: null,
    stderr: "error: The connection to the host broke: the host went away. Try again.\n",
  });
  const next = serve(workspace);
  const again = await next.initialize();
  assert.notEqual(again.pid, pid);
  assert.equal((await next.request("augment/queue/list", {})).tasks.length, 1);
  const { records } = await next.request("augment/audit/list", { kind: "host.started", limit: 1 });
  assert.equal(records[0].data.previous, "killed");
});

test("the host survives kill -9 of serve, and of its whole process group", async (t) => {
  const workspace = newWorkspace(t);
  const first = serve(workspace, { detached: true });
  const { pid } = await first.initialize();
  const host = hostOf(workspace);
  assert.equal(host.pid, pid);
  first.process.kill("SIGKILL");
  await first.process.exit;
  const second = serve(workspace, { detached: true });
  assert.equal((await second.initialize()).pid, pid);
  await second.request("augment/queue/add", { title: "one" });
  process.kill(-second.process.pid, "SIGKILL");
  await second.process.exit;
  const third = serve(workspace);
  assert.equal((await third.initialize()).pid, pid);
  assert.ok(isAlive(host));
  assert.equal((await third.request("augment/queue/list", {})).tasks.length, 1);
  await eventually(
    "the dead are forgotten",
    () => third.request("augment/status", {}),
    ({ host: { clients } }) => clients === 1,
  );
});

test("two editors on one workspace share one host and see each other's changes", async (t) => {
  const workspace = newWorkspace(t);
  const editors = [serve(workspace), serve(workspace), serve(workspace), serve(workspace)];
  const pids = await Promise.all(editors.map(async (editor) => (await editor.initialize()).pid));
  assert.equal(new Set(pids).size, 1);
  const { revision } = await editors[0].request("augment/queue/add", { title: "one" });
  for (const editor of editors) {
    await editor.moved(revision);
    assert.equal((await editor.request("augment/queue/list", {})).tasks.length, 1);
  }
});

test("a run's token stays a run's through serve, and never reaches the host's environment", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { token } = await workspace.next("--agent", "goose", "--lease", "1h");
  const client = serve(workspace, { env: { AUGMENT_TOKEN: token } });
  assert.equal((await client.initialize()).role, "run");
  assert.equal((await client.refusal("augment/queue/add", { title: "x" })).data.code, "role-may-not");
  const environment = readFileSync(`/proc/${hostOf(workspace).pid}/environ`, "utf8");
  assert.ok(!environment.includes(token));
});

test("a broken frame through serve is answered by the host and ends both sides in order", async (t) => {
  const workspace = newWorkspace(t);
  const client = serve(workspace);
  await client.initialize();
  client.raw("Content-Length: ten\r\n\r\n");
  const { error } = await client.until("the host complains", () => client.complaints[0]);
  assert.equal(error.message, `The frame's Content-Length is not a number: "ten".`);
  assert.equal((await client.process.exit).code, 1);
});
