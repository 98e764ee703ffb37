// Leases that run out for real, and holders who speak too late (Q4).

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const becomes = (workspace, id, status) =>
  eventually(
    `${id} is ${status}`,
    () => workspace.task(id),
    (task) => task.status === status,
  );

for (const withHost of [true, false]) {
  const how = withHost ? "with a host" : "without a host";

  test(`a lease that runs out returns the task with one attempt used, ${how}`, async (t) => {
    const workspace = newWorkspace(t);
    if (withHost) await workspace.host();
    await workspace.add("one");
    const { token } = await workspace.next("--agent", "goose", "--lease", "1s");
    const back = await becomes(workspace, "a1", "pending");
    assert.deepEqual([back.attempt, back.attemptsUsed, back.lease], [1, 1, null]);

    const late = "Attempt 1 at a1 has ended: the task is pending now. This word came too late and changed nothing.";
    for (const args of [
      ["heartbeat", "a1"],
      ["complete", "a1", "--result", "done after all"],
      ["fail", "a1"],
    ]) {
      await workspace.refused(["queue", ...args], late, { code: "late-word", env: { AUGMENT_TOKEN: token } });
    }
    await workspace.refused(["queue", "complete", "a1", "--attempt", "1"], late, { code: "late-word" });

    await workspace.next("--agent", "codex");
    const later =
      "Attempt 1 at a1 is not the current one: the task is in-progress, at attempt 2. This word changed nothing.";
    for (const command of ["heartbeat", "complete", "fail"]) {
      await workspace.refused(["queue", command, "a1"], later, { code: "late-word", env: { AUGMENT_TOKEN: token } });
    }
    const task = await workspace.task("a1");
    assert.deepEqual([task.status, task.holder, task.attempt, task.result], ["in-progress", "codex", 2, null]);

    const [returned] = await workspace.records("--kind", "task.returned");
    assert.equal(returned.actor, "host");
    assert.deepEqual(
      [returned.data.attempt, returned.data.reason, returned.data.attemptsLeft],
      [1, "its lease ran out", 2],
    );
    assert.ok(returned.data.silentMs >= 1_000, `silent for ${returned.data.silentMs} ms`);
    const refused = await workspace.records("--kind", "refused", "--actor", "run:a1.1");
    assert.ok(refused.length > 0, "what the late holder said is kept");
  });
}

test("heartbeats keep a lease for longer than its length", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  await workspace.add("one");
  await workspace.add("two");
  // Over a connection that stands, and with a lease that is long enough for a machine that has much else to do: a process
  // for each beat, or the disk that it waits for, may take some seconds.
  const client = await dial(workspace);
  t.after(() => client.destroy());
  const { task } = await client.request("augment/queue/claim", { task: "a1", leaseMs: 10_000 });
  const until = task.lease.lastHeartbeatAt + 12_000;
  await eventually(
    "it was held for more than its length",
    () => client.request("augment/queue/heartbeat", { task: "a1", attempt: 1 }),
    (held) => held.lease.lastHeartbeatAt > until,
  );
  const { task: held } = await client.request("augment/queue/show", { task: "a1" });
  assert.deepEqual([held.status, held.attempt], ["in-progress", 1]);
  await workspace.next("--lease", "1h");
  const { code, stdout } = await workspace.cli(["queue", "heartbeat", "a2", "--attempt", "1"]);
  assert.deepEqual([code, stdout], [0, "a2 stays with ada for another 1h.\n"]);
});

test("attempts that are used up make the task fail, and retry gives all of them back", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  await workspace.add("one", "--max-attempts", "2");
  await workspace.next("--lease", "1s");
  await becomes(workspace, "a1", "pending");
  await workspace.next("--lease", "1s");
  const failed = await becomes(workspace, "a1", "failed");
  assert.deepEqual([failed.attempt, failed.attemptsUsed], [2, 2]);
  assert.equal(failed.result, "Attempt 2 ended without a word: its lease ran out. No attempts are left.");
  assert.equal((await workspace.cli(["queue", "next"])).code, 1);
  const { runs } = await workspace.json(["queue", "show", "a1"]);
  assert.deepEqual(runs.map(({ run, outcome }) => [run, outcome]).sort(), [
    ["a1.1", "disconnected"],
    ["a1.2", "disconnected"],
  ]);
  await workspace.json(["queue", "retry", "a1"]);
  const { task } = await workspace.next();
  assert.deepEqual([task.attempt, task.attemptsUsed], [3, 1]);
});

test("a time limit ends an attempt although it is kept alive", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  await workspace.add("one", "--time-limit", "1s", "--max-attempts", "1");
  const { token } = await workspace.next("--lease", "1h");
  const env = { AUGMENT_TOKEN: token };
  await eventually(
    "heartbeats are refused",
    () => workspace.cli(["queue", "heartbeat", "a1"], { env }),
    ({ code }) => code === 1,
  );
  const failed = await workspace.task("a1");
  assert.deepEqual(
    [failed.status, failed.result],
    ["failed", "Attempt 1 ended without a word: its time limit was reached. No attempts are left."],
  );
});

test("a lease outlives the host that gave it, and one that ran out meanwhile is ended at the next start", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  for (const title of ["long", "short"]) await workspace.add(title);
  await workspace.next("--lease", "1h");
  await workspace.next("--lease", "1s");
  host.kill("SIGKILL");
  await host.exit;
  const returned = await becomes(workspace, "a2", "pending");
  assert.equal(returned.attemptsUsed, 1);
  const held = await workspace.task("a1");
  assert.equal(held.status, "in-progress");
  assert.ok(held.lease.leftMs > 3_500_000);
});
