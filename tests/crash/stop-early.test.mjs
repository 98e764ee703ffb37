// A run that is stopped while it is still being started: the order comes before there is a process to carry it to, and
// must not be lost. The moment is held open by delaying the call that makes the run's folder.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { newStage } from "../rig/runs.mjs";
import { delayAt } from "../rig/strace.mjs";

test("a stop that comes before the agent's process is there ends it all the same", async (t) => {
  const host = {};
  // It is made in three calls. Two commands have to come and go meanwhile, also on a machine that has much else to do.
  const prepare = async (project) => {
    const files = [join((await project.places()).data, "runs/a1.1")];
    host.command = delayAt({ call: "mkdir", ms: 5_000, files });
  };
  const stage = await newStage(t, { "hello.txt": "hello\n" }, { prepare, host });
  stage.configure({ fake: stage.agents.fake([{ hang: true }], { adapter: "command" }) });
  const { id } = await stage.add("One");
  const started = stage.spawn(["agent", "start", "--agent", "fake", "--task-id", id, "--background"]);
  await eventually("it is claimed", async () => (await stage.task(id)).status === "in-progress");
  assert.deepEqual(stage.processes(), [], "its process is not there yet");
  // The command may answer before the run is over: it waits for that, but not for ever.
  await stage.stop(`${id}.1`);
  const { state } = await stage.until(`${id}.1`, "has ended", ({ ended }) => ended);
  assert.equal(state, "cancelled");
  await started.exit;
  assert.equal((await stage.task(id)).status, "blocked");
  await stage.staysDead(`${id}.1`);
});
