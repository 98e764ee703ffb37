// `augment/config/inspect`: a file of settings or agents as it stands in an editor, told as `config check` tells it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

async function inspecting(t) {
  const workspace = newWorkspace(t);
  await workspace.host();
  const client = await dial(workspace);
  t.after(() => client.destroy());
  const { userSettings, policy } = await workspace.places();
  const inspect = (path, text) => client.request("augment/config/inspect", { path, text });
  return { workspace, client, inspect, policy, userSettings };
}

test("which file it is, what is wrong in it and where", async (t) => {
  const { inspect, policy, userSettings } = await inspecting(t);
  const text = "[queue]\nmaxAttempts = 99\n";
  const asPolicy = await inspect(policy, text);
  assert.equal(asPolicy.file, "policy");
  assert.deepEqual(asPolicy.problems, [
    {
      start: 8,
      end: 19,
      message:
        "queue.maxAttempts = 99 would widen what you allow; a policy may only tighten. 3 stays in force; take the line out.",
      isWish: true,
      instead: null,
    },
  ]);
  assert.deepEqual((await inspect(userSettings, text)).problems, []);
  assert.deepEqual(await inspect(join(policy, "..", "other.toml"), text), { file: null, problems: [], keys: [] });
});

test("nothing comes into force and nothing is written by looking", async (t) => {
  const { workspace, inspect, policy } = await inspecting(t);
  const before = await workspace.json(["audit", "list"]);
  await inspect(policy, "[queue]\nmaxAttempts = 1\n");
  assert.equal((await workspace.json(["config", "get", "queue.maxAttempts"])).value, "3");
  assert.deepEqual(await workspace.json(["audit", "list"]), before);
});

test("whatever the text is, it is answered", async (t) => {
  const { client, inspect, policy } = await inspecting(t);
  for (const text of [
    "",
    "\u0000",
    "[[[",
    "a".repeat(70_000),
    '"\\ud800"',
    "x = 1\nx = 2",
    "[a]\n[a]",
    "é = 'ü'",
    "a.b.c.d = {}",
  ])
    assert.ok(Array.isArray((await inspect(policy, text)).problems), JSON.stringify(text.slice(0, 20)));
  await assert.rejects(client.request("augment/config/inspect", { path: policy }), ({ code }) => code === -32_602);
});
