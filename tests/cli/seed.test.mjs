// Every spelling of the seed for the queue and the status, and the opposite of what its implementation did: there a
// second process overwrote the first one's tasks, nothing was kept, and commands hung.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { newWorkspace } from "../rig/workspace.mjs";

const title = "Refactor authentication module";

for (const spelling of [
  ["--title", title, "--priority", "high"],
  ["--task", title, "--priority", "high"],
  [title, "--priority", "high"],
  ["--priority", "high", "--title", title],
  [`--task=${title}`, "--priority=high"],
]) {
  test(`queue add ${spelling.join(" ")}`, async (t) => {
    const workspace = newWorkspace(t);
    assert.deepEqual(await workspace.cli(["queue", "add", ...spelling]), {
      code: 0,
      signal: null,
      stdout: `Added a1  ${title}  (high)\n`,
      stderr: "",
    });
    const [task, ...others] = await workspace.tasks();
    assert.deepEqual([task.id, task.title, task.priority, task.status], ["a1", title, "high", "pending"]);
    assert.deepEqual(others, []);
  });
}

test("status tells about one task, by every spelling of its id", async (t) => {
  const workspace = newWorkspace(t);
  for (let number = 1; number <= 12; number += 1) await workspace.add(`task ${number}`);
  for (const spelling of [
    ["status", "--task-id", "b12"],
    ["status", "--id", "b12"],
    ["status", "b12"],
    ["status", "--task-id", "12"],
    ["status", "--task-id", "B12"],
    ["queue", "show", "b12"],
    ["queue", "show", "--task-id", "b12"],
    ["queue", "show", "--id", "b12"],
  ]) {
    assert.equal((await workspace.json(spelling)).task.title, "task 12", spelling.join(" "));
  }
  const { code, stdout } = await workspace.cli(["status", "--task-id", "b12"]);
  assert.equal(code, 0);
  assert.match(stdout, /b12/);
  assert.match(stdout, /task 12/);
});

test("queue list shows all in the order they will be taken", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("later", "--priority", "low");
  await workspace.add("first", "--priority", "high");
  await workspace.add("usual");
  const { code, stdout, stderr } = await workspace.cli(["queue", "list"]);
  assert.deepEqual([code, stderr], [0, ""]);
  const rows = stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 4));
  assert.deepEqual(rows.slice(0, 4), [
    ["ID", "PRIORITY", "STATUS", "TITLE"],
    ["a2", "high", "pending", "first"],
    ["a3", "medium", "pending", "usual"],
    ["a1", "low", "pending", "later"],
  ]);
  assert.equal(stdout.trimEnd().split("\n").at(-1), "3 pending, 0 in progress");
});

test("a second add keeps the first, and each command finds what the one before it did", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  await workspace.add("two");
  assert.deepEqual(
    (await workspace.tasks()).map((task) => task.title),
    ["one", "two"],
  );
  await workspace.next();
  const [held] = await workspace.tasks("--status", "in-progress");
  assert.deepEqual([held.title, held.holder, held.attempt], ["one", "ada", 1]);
});

test("commands end by themselves and leave neither a process nor a socket", async (t) => {
  const workspace = newWorkspace(t);
  for (const args of [["queue", "add", "one"], ["queue", "list"], ["status"], ["queue", "next"], ["audit", "list"]]) {
    assert.equal((await workspace.cli(args, { limitMs: 20_000 })).code, 0, args.join(" "));
    assert.deepEqual(workspace.processes(), []);
  }
  const { host } = await workspace.json(["status"]);
  assert.equal(host.lasting, false);
  assert.equal(existsSync((await workspace.places()).socket), false);
});
