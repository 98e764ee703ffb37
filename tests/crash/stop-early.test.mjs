// A run that is stopped while it is still being started: the order comes before there is a process to carry it to, and
// must not be lost. The moment is held open by delaying the call that makes the run's folder.

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { newStage } from "../rig/runs.mjs";
import { delayAt } from "../rig/strace.mjs";

test("a stop that comes before the agent's process is there ends it all the same", async (t) => {
  const stage = await newStage(
    t,
    { "hello.txt": "hello\n" },
    { host: { command: delayAt({ call: "mkdir", ms: 1_500 }) } },
  );
  stage.configure({ fake: stage.agents.fake([{ hang: true }], { adapter: "command" }) });
  const { id } = await stage.add("One");
  const started = stage.spawn(["agent", "start", "--agent", "fake", "--task-id", id, "--background"]);
  await eventually("it is claimed", async () => (await stage.task(id)).status === "in-progress");
  assert.deepEqual(stage.processes(), [], "its process is not there yet");
  const { state, ended } = await stage.stop(`${id}.1`);
  assert.deepEqual([state, ended], ["cancelled", true]);
  await started.exit;
  assert.equal((await stage.task(id)).status, "blocked");
  await stage.staysDead(`${id}.1`);
});
