// Watching that fails: no events, too few of them, the folder gone, nobody there. What happened is found all the same, and
// the status says what is not seen (T1).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { picture, put, repository } from "../rig/changed-files.mjs";
import { eventually } from "../rig/eventually.mjs";
import { dial } from "../rig/frames.mjs";
import { stopped } from "../rig/stopped.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const base = "one\ntwo\nthree\n";
const edited = "one\nTWO\nthree\n";

async function begin(t, { host, files = { "a.txt": base } } = {}) {
  const workspace = newWorkspace(t);
  repository(workspace.folder, files);
  const running = host ? await workspace.host(host) : undefined;
  await workspace.json(["start", "x", "--agent", "goose"]);
  return Object.assign(workspace, { running });
}

/** Waits for a notice that changes have moved; nobody asks for them meanwhile. */
const changed = (client, since) =>
  client.until("a change is told", () =>
    client.notices.find(({ method, params }) => method === "augment/moved" && params.revision > since),
  );

test("polling, where events cannot be trusted: changes are found without being asked for", async (t) => {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "a.txt": base });
  await workspace.json(["config", "set", "changes.pollSeconds", "1"]);
  await workspace.json(["start", "x", "--agent", "goose"]);
  const { watching } = await workspace.json(["status"]);
  assert.equal(watching.state, "polling", JSON.stringify(watching));
  const client = await dial(workspace);
  const { revision } = await client.request("augment/changes/list", {});
  put(workspace.folder, { "a.txt": edited });
  await changed(client, revision);
  const { files } = await client.request("augment/changes/list", {});
  assert.deepEqual(
    files.map(({ path }) => path),
    ["a.txt"],
  );
  await workspace.json(["changes", "reject", "--all"]);
  assert.equal(readFileSync(join(workspace.folder, "a.txt"), "utf8"), base);
  client.destroy();
});

const namespace = (limit) => [
  "unshare",
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  `echo ${limit} > /proc/sys/user/max_inotify_watches && exec "$@"`,
  "sh",
];
const [unshare, ...rest] = namespace(5);
const limits = spawnSync(unshare, [...rest, "true"]).status === 0;

// A limit of its own needs a user namespace; without one the test would have to lower it for the whole machine.
(limits ? test : test.skip)(
  "fewer watches than folders: told, and what is not watched is found by looking",
  async (t) => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`folder-${at}/a.txt`, base]));
    const workspace = await begin(t, { host: { command: namespace(10) }, files });
    const { watching } = await workspace.json(["status"]);
    assert.notEqual(watching.state, "watching", JSON.stringify(watching));
    assert.match(watching.message, /watch/);
    const before = picture(workspace.folder);
    put(workspace.folder, Object.fromEntries(Object.keys(files).map((path) => [path, edited])));
    const { counts } = await workspace.json(["changes", "list"]);
    assert.equal(counts.pendingFiles, 40);
    await workspace.json(["changes", "reject", "--task-id", "a1"]);
    assert.deepEqual(picture(workspace.folder), before);
  },
);

test("the workspace's folder is moved away and comes back", async (t) => {
  const workspace = await begin(t);
  const away = join(workspace.scratch, "away");
  renameSync(workspace.folder, away);
  const status = await workspace.cli(["status", "--workspace", workspace.folder], { cwd: "/" });
  assert.match(status.stdout + status.stderr, /\S/);
  writeFileSync(join(away, "a.txt"), edited);
  renameSync(away, workspace.folder);
  const { files } = await workspace.json(["changes", "list"]);
  assert.deepEqual(
    files.map(({ path }) => path),
    ["a.txt"],
  );
  await workspace.json(["changes", "reject", "--all"]);
  assert.equal(readFileSync(join(workspace.folder, "a.txt"), "utf8"), base);
  // And it goes on seeing by itself.
  const client = await dial(workspace);
  const { revision } = await client.request("augment/changes/list", {});
  put(workspace.folder, { "b/new.txt": "new\n" });
  await changed(client, revision);
  client.destroy();
});

test("another folder in the workspace's place is not taken for it", async (t) => {
  const workspace = await begin(t);
  put(workspace.folder, { "a.txt": edited });
  await workspace.json(["changes", "list"]);
  const away = join(workspace.scratch, "away");
  renameSync(workspace.folder, away);
  put(workspace.folder, { "a.txt": "somebody else's\n" });
  const rejected = await workspace.cli(["changes", "reject", "--all", "--yes"]);
  // Whatever it says: what is there now is nobody's to overwrite, and what was there before is as it was.
  const here = readFileSync(join(workspace.folder, "a.txt"), "utf8");
  assert.ok(here === "somebody else's\n" || rejected.code === 0, rejected.stderr);
  assert.equal(readFileSync(join(away, "a.txt"), "utf8"), edited);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

test("a new folder that is filled at once: no file of it is missed", async (t) => {
  const workspace = await begin(t);
  const before = picture(workspace.folder);
  for (let round = 0; round < 5; round += 1) {
    mkdirSync(join(workspace.folder, `new/${round}/deep/er`), { recursive: true });
    for (let at = 0; at < 100; at += 1) {
      writeFileSync(join(workspace.folder, `new/${round}/${at % 2 ? "" : "deep/er/"}${at}`), `${at}\n`);
    }
  }
  const client = await dial(workspace);
  // By itself, without the look that a list takes.
  await eventually(
    "all are seen",
    () => client.request("augment/status", {}),
    ({ changes }) => changes.pendingFiles === 500,
  );
  client.destroy();
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(picture(workspace.folder), before);
});

test("what happens while the host is dead is found, and nobody is blamed for it", async (t) => {
  const workspace = await begin(t, { host: {}, files: { "a.txt": base, "b.txt": base, "c.txt": base } });
  const before = picture(workspace.folder);
  put(workspace.folder, { "a.txt": edited });
  await workspace.json(["changes", "list"]);
  workspace.running.kill("SIGKILL");
  await workspace.running.exit;
  put(workspace.folder, { "b.txt": edited, "new.txt": "new\n" });
  rmSync(join(workspace.folder, "c.txt"));
  const { files } = await workspace.json(["changes", "list"]);
  assert.deepEqual(
    files.map(({ path, hunks }) => [path, hunks[0].author.kind, hunks[0].evidence]),
    [
      ["a.txt", "run", "inferred"],
      ["b.txt", "unknown", "unwatched"],
      ["c.txt", "unknown", "unwatched"],
      ["new.txt", "unknown", "unwatched"],
    ],
  );
  const host = await workspace.host();
  assert.equal((await workspace.records("--kind", "host.started"))[0].data.previous, "killed");
  await workspace.json(["changes", "reject", "--unknown"]);
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(picture(workspace.folder), before);
  host.kill();
});

test("more at once than the system keeps events for: a look around finds the rest", async (t) => {
  const workspace = await begin(t);
  const before = picture(workspace.folder);
  const { host } = await workspace.json(["status"]);
  const most = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
  mkdirSync(join(workspace.folder, "many"));
  await workspace.json(["changes", "list"]);
  // Stopped, it takes no event, so they pile up until the system throws them away.
  try {
    await stopped(host.pid);
    writeFileSync(join(workspace.folder, "a.txt"), edited);
    for (let at = 0; at < most / 2 + 1_000; at += 1)
      writeFileSync(join(workspace.folder, `many/${at % 400}`), `${at}\n`);
    writeFileSync(join(workspace.folder, "many/last"), "last\n");
  } finally {
    process.kill(host.pid, "SIGCONT");
  }
  const { counts } = await workspace.json(["changes", "list"]);
  assert.equal(counts.pendingFiles, 402);
  const rescanned = await workspace.records("--kind", "watch.rescanned");
  t.diagnostic(`rescans: ${rescanned.map(({ data }) => data.why)}`);
  assert.ok(rescanned.length > 0, "it is told");
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(picture(workspace.folder), before);
});
