// A run on the socket: its token opens the door, and most of what is behind it stays closed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

test("a run's connection looks and reports, and may do nothing that a person decides", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  const person = await dial(workspace);
  for (const title of ["one", "two", "three"]) await person.request("augment/queue/add", { title });
  const { taken } = await person.request("augment/queue/next", { agent: "goose" });
  await person.request("augment/queue/next", { agent: "codex" });
  const run = await dial(workspace, { token: taken.token });
  assert.equal(run.introduction.role, "run");

  for (const [method, params, action] of [
    ["queue/add", { title: "x" }, "queue add"],
    ["queue/edit", { task: "a1", title: "x" }, "queue edit"],
    ["queue/move", { task: "a3", place: "top" }, "queue move"],
    ["queue/remove", { task: "a3" }, "queue remove"],
    ["queue/cancel", { task: "a1" }, "queue cancel"],
    ["queue/retry", { task: "a1" }, "queue retry"],
    ["queue/next", {}, "queue next"],
    ["queue/claim", { task: "a3" }, "queue claim"],
    ["config/set", { key: "queue.maxAttempts", value: "9" }, "config set"],
    ["host/stop", {}, "host stop"],
  ]) {
    const { code, message, data } = await run.refusal(`augment/${method}`, params);
    assert.deepEqual(
      [code, message, data.code],
      [-32001, `A run may not do \`${action}\`. A person decides that.`, "role-may-not"],
    );
  }
  for (const method of ["heartbeat", "complete", "fail"]) {
    const { message, data } = await run.refusal(`augment/queue/${method}`, { task: "a2", attempt: 1 });
    assert.deepEqual([message, data.code], ["This run works on a1 and cannot speak for a2. Name a1.", "not-its-task"]);
  }
  for (const method of ["status", "queue/list", "audit/list", "audit/verify", "config/list"]) {
    await run.request(`augment/${method}`, {});
  }
  // Saying another attempt than its own changes nothing: the token says which one it is.
  assert.equal((await run.request("augment/queue/heartbeat", { task: "a1", attempt: 99 })).attempt, 1);
  assert.equal((await run.request("augment/queue/complete", { task: "a1", result: "Done." })).status, "completed");
  assert.equal((await run.refusal("augment/queue/complete", { task: "a1" })).data.code, "late-word");
  assert.equal(host.ended, undefined);
  assert.equal((await person.request("augment/queue/show", { task: "a2" })).task.status, "in-progress");
  for (const client of [person, run]) client.destroy();
});

test("a run whose lease is gone still gets in to hear so, and nothing it says counts", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  const person = await dial(workspace);
  await person.request("augment/queue/add", { title: "one" });
  const { taken } = await person.request("augment/queue/next", { agent: "goose", leaseMs: 1_000 });
  const run = await dial(workspace, { token: taken.token });
  await person.until("the lease has run out", () =>
    person.notices.some(({ params }) => params.revision > taken.task.revision),
  );
  const { message } = await run.refusal("augment/queue/complete", { task: "a1", result: "late" });
  assert.equal(
    message,
    "Attempt 1 at a1 has ended: the task is pending now. This word came too late and changed nothing.",
  );
  const again = await dial(workspace, { token: taken.token });
  assert.equal((await again.refusal("augment/queue/heartbeat", { task: "a1" })).data.code, "late-word");
  const second = (await person.request("augment/queue/next", { agent: "codex" })).taken;
  assert.notEqual(second.token, taken.token);
  assert.equal((await again.refusal("augment/queue/fail", { task: "a1" })).data.code, "late-word");
  assert.equal((await person.request("augment/queue/show", { task: "a1" })).task.holder, "codex");
  for (const client of [person, run, again]) client.destroy();
});
