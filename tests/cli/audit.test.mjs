// The ledger from its commands: what is recorded, in which order, and how it is found again (L1, L2).

import assert from "node:assert/strict";
import { test } from "node:test";
import { newWorkspace } from "../rig/workspace.mjs";

/** A ledger with one of everything. */
async function story(t) {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  await workspace.add("two");
  await workspace.json(["queue", "edit", "a2", "--priority", "high"]);
  await workspace.json(["queue", "move", "a1", "--top"]);
  const { token } = await workspace.json(["queue", "claim", "a1", "--agent", "goose"]);
  await workspace.cli(["queue", "add", "x"], { env: { AUGMENT_TOKEN: token } });
  await workspace.json(["queue", "complete", "a1", "--result", "done"], { env: { AUGMENT_TOKEN: token } });
  await workspace.json(["queue", "cancel", "a2", "--reason", "no"]);
  await workspace.json(["queue", "retry", "a2"]);
  await workspace.json(["queue", "remove", "a2"]);
  await workspace.json(["config", "set", "queue.leaseSeconds", "90"]);
  return workspace;
}

const kinds = (records) => records.map(({ kind }) => kind);

test("every command leaves its record, the newest first", async (t) => {
  const workspace = await story(t);
  const records = await workspace.records();
  assert.deepEqual(kinds(records), [
    "setting.changed",
    "task.removed",
    "task.retried",
    "task.cancelled",
    // Work begins a session by itself, and what comes of it is told.
    "session.reported",
    "task.ended",
    "refused",
    "session.reported",
    "session.started",
    "task.claimed",
    "task.moved",
    "task.edited",
    "task.added",
    "task.added",
  ]);
  assert.deepEqual(
    records.map(({ sequence }) => sequence),
    [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  );
  for (const record of records) {
    assert.equal(record.version, 1);
    assert.ok(Math.abs(record.time - Date.now()) < 600_000);
    const before = records.find(({ sequence }) => sequence === record.sequence - 1);
    assert.equal(record.previous, before ? before.hash : "0".repeat(64));
  }
  const ended = records.find(({ kind }) => kind === "task.ended");
  assert.deepEqual(
    [ended.actor, ended.subject, ended.about, ended.data],
    ["run:a1.1", "task:a1", ["run:a1.1", "agent:goose"], { status: "completed", result: "done" }],
  );
  const edited = records.find(({ kind }) => kind === "task.edited");
  assert.deepEqual([edited.actor, edited.data], ["person:ada", { priority: { from: "medium", to: "high" } }]);
});

test("records are found by task, run, agent, actor, kind and time", async (t) => {
  const workspace = await story(t);
  for (const [args, expected] of [
    [
      ["--task", "a1"],
      ["session.reported", "task.ended", "session.started", "task.claimed", "task.moved", "task.added"],
    ],
    [["--task-id", "a1", "--kind", "task.added"], ["task.added"]],
    [
      ["--task", "a2"],
      ["task.removed", "task.retried", "task.cancelled", "task.edited", "task.added"],
    ],
    [
      ["--run", "a1.1"],
      ["task.ended", "task.claimed"],
    ],
    [
      ["--agent", "goose"],
      ["task.ended", "task.claimed"],
    ],
    [
      ["--actor", "run:a1.1"],
      ["task.ended", "refused"],
    ],
    [["--kind", "task"], kinds(await workspace.records()).filter((kind) => kind.startsWith("task."))],
    [["--kind", "setting.changed"], ["setting.changed"]],
    [["--kind", "nothing"], []],
    [["--since", "1h", "--kind", "refused"], ["refused"]],
    [["--until", "1h"], []],
    [["--since", "2999-01-01"], []],
    [
      ["--until", "2999-01-01T10:00", "--limit", "2"],
      ["setting.changed", "task.removed"],
    ],
    [
      ["--before", "3"],
      ["task.added", "task.added"],
    ],
  ]) {
    const { records } = await workspace.json(["audit", "list", ...args]);
    assert.deepEqual(kinds(records), expected, args.join(" "));
  }
  const page = await workspace.json(["audit", "list", "--limit", "4"]);
  assert.deepEqual([page.records.length, page.next], [4, 11]);
});

test("one record is shown whole, for people and for programs", async (t) => {
  const workspace = await story(t);
  const record = await workspace.json(["audit", "show", "5"]);
  assert.deepEqual([record.kind, record.data], ["task.claimed", { agent: "goose", attempt: 1, leaseMs: 60_000 }]);
  const { stdout } = await workspace.cli(["audit", "show", "5"]);
  for (const part of ["task.claimed", "person:ada", record.hash, record.previous, '"agent": "goose"']) {
    assert.ok(stdout.includes(part), part);
  }
});

test("verify says that the chain holds, its head, and what a chain cannot show", async (t) => {
  const workspace = await story(t);
  const [{ hash }] = await workspace.records();
  assert.deepEqual(await workspace.json(["audit", "verify"]), { holds: true, records: 14, head: hash, broken: null });
  const { code, stdout } = await workspace.cli(["audit", "verify"]);
  assert.equal(code, 0);
  assert.match(stdout, /^The ledger is intact: 14 records, each bound to the one before\.\nhead {2}[0-9a-f]{64}\n/);
  assert.match(stdout, /A chain alone cannot show that it was rewritten as a whole, or cut at the end/);
});

test("follow shows the newest, then each record as it is written, with its filters", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  await workspace.add("one");
  const all = workspace.start(["audit", "follow", "--json"]);
  const claims = workspace.start(["audit", "follow", "--json", "--kind", "task.claimed", "--limit", "0"]);
  const next = async (from) => JSON.parse(await from.line("a record comes"));
  assert.deepEqual([(await next(all)).kind, (await next(all)).kind], ["host.started", "task.added"]);
  await workspace.add("two");
  assert.equal((await next(all)).data.title, "two");
  // What the filter leaves out must not come late either, so the first thing that comes is the claim.
  await workspace.next("--agent", "goose");
  assert.equal((await next(all)).kind, "task.claimed");
  // The second follower may have come after the claim; then it has nothing to show yet.
  const second = await Promise.race([next(claims), workspace.next("--agent", "codex").then(() => next(claims))]);
  assert.equal(second.kind, "task.claimed");
  const human = workspace.start(["audit", "follow", "--kind", "task", "--limit", "1"]);
  assert.match(await human.line("a line comes"), /^ +\d+ {2}\d{4}-\d\d-\d\d .* task\.claimed /);
});
