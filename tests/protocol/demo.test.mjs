// How far a person has come in a demo, as every client is told: from what is so, whoever did it; and nothing of the kind in a
// workspace that is no demo.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

test("a workspace that is no demo has no stage", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  const client = await dial(workspace);
  t.after(() => client.destroy());
  const status = await client.request("augment/demo/status", {});
  assert.deepEqual(status, { stage: null, agent: "demo", task: null, question: null, pending: 0 });
});

test("each step of the demo leads to the next", async (t) => {
  const workspace = newWorkspace(t);
  const { folder, task } = await workspace.json(["demo"]);
  const host = workspace.start(["-C", folder, "host", "run"]);
  assert.equal(await host.line("the host is ready"), "ready");
  const places = await workspace.json(["-C", folder, "where"]);
  const client = await dial({ places: () => places, token: () => readFileSync(places.token, "utf8").trim() });
  t.after(() => client.destroy());
  const call = (method, params = {}) => client.request(`augment/${method}`, params);
  const reaches = (stage) =>
    eventually(
      `the stage is ${stage}`,
      () => call("demo/status"),
      (status) => status.stage === stage,
    );

  assert.deepEqual(await call("demo/status"), { stage: "start", agent: "demo", task, question: null, pending: 0 });
  await call("session/start");
  await reaches("confirm");
  await call("session/confirm");
  await reaches("start-agent");
  await call("agent/start", { agent: "demo", task, timeLimitMs: null });
  const { question } = await reaches("answer");
  await call("question/answer", { question, choice: "day", text: null });
  await reaches("watch");
  const { pending, task: left } = await reaches("review");
  assert.deepEqual([pending, left], [6, null]);
  const { flags } = await call("session/status");
  for (const { id } of flags) await call("session/flag", { flag: id, answer: "log" });
  await call("changes/decide", { verdict: "approve", what: { task } });
  await reaches("end");
  await call("session/end", { decisions: [] });
  await reaches("done");
});
