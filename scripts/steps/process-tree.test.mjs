// Ending a tree leaves nothing of it: not a child that ignores the polite signal, not one that detached itself.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { descendants, endTree, isAlive, marked, processes } from "./process-tree.mjs";

const linuxOnly = { skip: process.platform !== "linux" };

async function start(script, env = {}) {
  const child = spawn(process.execPath, ["-e", script], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

const forever = "setInterval(() => {}, 1000);";
const parentOf = (script, options = "{}") =>
  `const { spawn } = require("node:child_process");
   const child = spawn(process.execPath, ["-e", ${JSON.stringify(`${script};process.stdout.write("up")`)}], { stdio: ["ignore", "pipe", "ignore"], ...${options} });
   child.stdout.once("data", () => process.stdout.write("up"));
   ${forever}`;

test("a child that ignores SIGTERM is ended too", linuxOnly, async () => {
  const parent = await start(parentOf(`process.on("SIGTERM", () => {}); ${forever}`));
  const [child] = descendants(parent.pid);
  await endTree(parent.pid, { graceMs: 100 });
  assert.equal(isAlive(child), false);
  assert.equal(
    processes().some(({ pid }) => pid === parent.pid),
    false,
  );
});

test("a child that left the tree is found by its mark", linuxOnly, async () => {
  const id = randomUUID();
  const parent = await start(parentOf(forever, "{ detached: true }"), { AUGMENT_TEST_MARK: id });
  const all = marked("AUGMENT_TEST_MARK", id);
  assert.equal(all.length, 2);
  process.kill(parent.pid, "SIGKILL");
  await once(parent, "exit");
  assert.equal(marked("AUGMENT_TEST_MARK", id).length, 1);
  await endTree(parent.pid, { graceMs: 1000, alsoMarked: ["AUGMENT_TEST_MARK", id] });
  assert.deepEqual(all.filter(isAlive), []);
});
