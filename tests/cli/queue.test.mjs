// The queue from its commands: each changes what it says and nothing else, and the next command finds it (Q1–Q3, Q7).

import assert from "node:assert/strict";
import { test } from "node:test";
import { newWorkspace } from "../rig/workspace.mjs";

const titles = async (workspace, ...args) => (await workspace.tasks(...args)).map((task) => task.title);

test("a task keeps all that it was added with", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("first");
  const added = await workspace.json(
    [
      ...["queue", "add", "--title", "Write tests", "--description", "-", "--priority", "low"],
      ...["--label", "auth", "--label", "tests", "--goal", "G2", "--scope", "src/auth/**", "--scope", "tests/*"],
      ...["--capability", "rust", "--assignee", "goose", "--depends-on", "a1", "--time-limit", "30m"],
      ...["--max-attempts", "5", "--origin", "discovered"],
    ],
    { input: "All of them,\n\tin two lines." },
  );
  const { createdAt, revision, ...rest } = await workspace.task("a2");
  assert.ok(Math.abs(createdAt - Date.now()) < 600_000);
  assert.equal(revision, added.revision);
  assert.deepEqual(rest, {
    id: "a2",
    title: "Write tests",
    description: "All of them,\n\tin two lines.",
    priority: "low",
    status: "pending",
    origin: "discovered",
    goal: "G2",
    scope: ["src/auth/**", "tests/*"],
    labels: ["auth", "tests"],
    capabilities: ["rust"],
    assignee: "goose",
    dependsOn: ["a1"],
    waitsFor: 1,
    timeLimitMs: 1_800_000,
    attempt: 0,
    attemptsUsed: 0,
    maxAttempts: 5,
    startedAt: null,
    endedAt: null,
    holder: null,
    result: null,
    lease: null,
  });
});

test("edit changes what is named and clears what is empty", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  await workspace.add("two", "--description", "why", "--label", "x", "--depends-on", "a1", "--time-limit", "1h");
  const before = await workspace.task("a2");
  await workspace.json(["queue", "edit", "a2", "--title", "two, better", "--priority", "high"]);
  const edited = await workspace.task("a2");
  assert.deepEqual([edited.title, edited.priority, edited.description], ["two, better", "high", "why"]);
  assert.ok(edited.revision > before.revision);
  await workspace.json([
    "queue",
    "edit",
    "a2",
    "--description",
    "",
    "--label",
    "",
    "--depends-on",
    "--time-limit",
    "0",
  ]);
  const cleared = await workspace.task("a2");
  assert.deepEqual(
    [cleared.description, cleared.labels, cleared.dependsOn, cleared.waitsFor, cleared.timeLimitMs],
    ["", [], [], 0, null],
  );
});

test("edit with the revision that was shown is refused once the task has changed", async (t) => {
  const workspace = newWorkspace(t);
  const { revision } = await workspace.add("one");
  const { revision: now } = await workspace.json(["queue", "edit", "a1", "--title", "two"]);
  await workspace.refused(
    ["queue", "edit", "a1", "--title", "three", "--revision", String(revision)],
    `a1 has changed since it was shown (revision ${revision}, now ${now}). Look at it again, then repeat.`,
  );
  assert.equal((await workspace.task("a1")).title, "two");
  await workspace.json(["queue", "edit", "a1", "--title", "three", "--revision", String(now)]);
});

test("move puts a task anywhere in the order, and next takes that order", async (t) => {
  const workspace = newWorkspace(t);
  for (const title of ["one", "two", "three", "four"]) await workspace.add(title);
  await workspace.add("urgent", "--priority", "high");
  await workspace.json(["queue", "move", "a3", "--top"]);
  assert.deepEqual(await titles(workspace), ["urgent", "three", "one", "two", "four"]);
  await workspace.json(["queue", "move", "a1", "--bottom"]);
  assert.deepEqual(await titles(workspace), ["urgent", "three", "two", "four", "one"]);
  await workspace.json(["queue", "move", "a4", "--before", "a2"]);
  await workspace.json(["queue", "move", "a1", "--after", "a5"]);
  assert.deepEqual(await titles(workspace), ["urgent", "one", "three", "four", "two"]);
  assert.equal((await workspace.task("a1")).priority, "high");
  const taken = [];
  for (let count = 0; count < 5; count += 1) taken.push((await workspace.next()).task.title);
  assert.deepEqual(taken, ["urgent", "one", "three", "four", "two"]);
});

test("next with nothing ready says so and ends with 1", async (t) => {
  const workspace = newWorkspace(t);
  assert.deepEqual(await workspace.cli(["queue", "next"]), {
    code: 1,
    signal: null,
    stdout: "No task is ready. `augment-cli queue list` shows what waits and for what.\n",
    stderr: "",
  });
  const { code, stdout } = await workspace.cli(["queue", "next", "--json"]);
  assert.deepEqual([code, JSON.parse(stdout)], [1, { taken: null }]);
});

test("dependencies hold a task back until all of them are completed", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("walls");
  await workspace.add("roof", "--priority", "high", "--depends-on", "a1");
  await workspace.add("paint", "--priority", "high", "--depends-on", "a1,a2");
  assert.deepEqual(await titles(workspace, "--ready"), ["walls"]);
  await workspace.refused(
    ["queue", "claim", "a3"],
    "a3 waits for a1, a2. Complete that first, or take it out with `augment-cli queue edit a3 --depends-on`.",
    { code: "not-ready" },
  );
  await workspace.next();
  assert.equal((await workspace.cli(["queue", "next"])).code, 1);
  await workspace.json(["queue", "complete", "a1", "--attempt", "1"]);
  assert.equal((await workspace.next()).task.title, "roof");
  await workspace.refused(["queue", "claim", "a3"], await waiting("a3", "a2"), { code: "not-ready" });
  await workspace.json(["queue", "complete", "a2", "--attempt", "1"]);
  assert.equal((await workspace.next()).task.title, "paint");
  const { dependencies, dependents } = await workspace.json(["queue", "show", "a2"]);
  assert.deepEqual(dependencies, [{ id: "a1", title: "walls", status: "completed" }]);
  assert.deepEqual(dependents, [{ id: "a3", title: "paint", status: "in-progress" }]);
});

const waiting = async (task, others) =>
  `${task} waits for ${others}. Complete that first, or take it out with \`augment-cli queue edit ${task} --depends-on\`.`;

test("a dependency that failed holds its dependents back", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("walls");
  await workspace.add("roof", "--depends-on", "a1");
  await workspace.next();
  await workspace.json(["queue", "fail", "a1", "--attempt", "1", "--reason", "no bricks"]);
  assert.equal((await workspace.cli(["queue", "next"])).code, 1);
  await workspace.json(["queue", "retry", "a1"]);
  assert.equal((await workspace.next()).task.title, "walls");
});

test("capabilities and an assignee keep a task for those who can", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("rusty", "--priority", "high", "--capability", "rust", "--capability", "gpu");
  await workspace.add("for goose", "--priority", "high", "--assignee", "goose");
  await workspace.add("for all");
  const next = async (...args) => (await workspace.next(...args)).task.title;
  await workspace.refused(
    ["queue", "claim", "a1", "--agent", "codex", "--capability", "rust"],
    "codex cannot take a1: it requires the capability gpu. Name what the agent can do with --capability.",
    { code: "not-for-agent" },
  );
  await workspace.refused(
    ["queue", "claim", "a2", "--agent", "codex"],
    "codex cannot take a2: it is assigned to goose. Change that with `augment-cli queue edit a2 --assignee`.",
    { code: "not-for-agent" },
  );
  assert.equal(await next("--agent", "codex", "--capability", "rust"), "for all");
  assert.equal(await next("--agent", "goose"), "for goose");
  assert.equal(await next("--agent", "codex", "--capability", "rust", "--capability", "gpu"), "rusty");
});

test("a task can be completed, partly done, blocked or failed, with a result that stays", async (t) => {
  const workspace = newWorkspace(t);
  // The fourth would wait for the answer to a checkpoint.
  await workspace.json(["config", "set", "session.protocol", "off"]);
  for (const [at, [args, status, words]] of [
    [["complete", "--result", "-"], "completed", "Completed"],
    [["complete", "--outcome", "partial", "--result", "half"], "partial", "Partly done"],
    [["complete", "--outcome", "blocked", "--result", "no key"], "blocked", "Blocked"],
    [["fail", "--reason", "it broke"], "failed", "Failed"],
  ].entries()) {
    const id = `a${at + 1}`;
    await workspace.add(`task ${id}`);
    const { token, task } = await workspace.json(["queue", "claim", id, "--agent", "goose"]);
    assert.match(token, /^[0-9a-f]{64}$/);
    assert.deepEqual([task.holder, task.status], ["goose", "in-progress"]);
    const [command, ...options] = args;
    const { code, stdout } = await workspace.cli(["queue", command, id, "--attempt", "1", ...options], {
      input: "From stdin,\nin two lines.",
    });
    assert.deepEqual([code, stdout.startsWith(`${words} ${id}  task ${id}`)], [0, true], stdout);
    const ended = await workspace.task(id);
    assert.deepEqual([ended.status, ended.lease, ended.endedAt >= ended.startedAt], [status, null, true]);
    assert.equal(ended.result, args.at(-1) === "-" ? "From stdin,\nin two lines." : args.at(-1));
  }
  const { counts, troubles } = await workspace.json(["status"]);
  assert.deepEqual([counts.completed, counts.partial, counts.blocked, counts.failed], [1, 1, 1, 1]);
  assert.deepEqual(troubles.map(({ task }) => task).sort(), ["a2", "a3", "a4"]);
});

test("an ended task is not ended, edited or taken again, and completed ones are not retried", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  await workspace.json(["queue", "complete", "a1"]);
  for (const [args, message] of [
    [["complete", "a1"], "a1 is completed, so it cannot be ended again. Add a new task for what is left to do."],
    [["edit", "a1", "--title", "x"], "a1 is completed, so it cannot be edited. Retry it first, or add a new task."],
    [["claim", "a1"], "a1 is completed, so it cannot be taken. Add a new task for what is left to do."],
    [["cancel", "a1"], "a1 is completed, so it cannot be cancelled. There is nothing to cancel."],
    [["retry", "a1"], "a1 is completed, so it cannot be retried. Add a new task for what is left to do."],
  ]) {
    await workspace.refused(["queue", ...args], message, { code: "wrong-status" });
  }
});

test("cancel ends a task, and retry puts it back with all its attempts", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one", "--max-attempts", "2");
  await workspace.next();
  await workspace.json(["queue", "cancel", "a1", "--reason", "- not now"]);
  const cancelled = await workspace.task("a1");
  assert.deepEqual([cancelled.status, cancelled.result, cancelled.attemptsUsed], ["cancelled", "- not now", 1]);
  assert.deepEqual(await titles(workspace), []);
  assert.deepEqual(await titles(workspace, "--all"), ["one"]);
  await workspace.json(["queue", "retry", "a1"]);
  const back = await workspace.task("a1");
  assert.deepEqual([back.status, back.result, back.attemptsUsed, back.attempt], ["pending", null, 0, 1]);
});

test("cancelling a held task makes its holder's next word a late one", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { token } = await workspace.json(["queue", "claim", "a1", "--agent", "goose"]);
  await workspace.json(["queue", "cancel", "a1"]);
  const late = "Attempt 1 at a1 has ended: the task is cancelled now. This word came too late and changed nothing.";
  for (const command of ["heartbeat", "complete", "fail"]) {
    await workspace.refused(["queue", command, "a1"], late, { code: "late-word", env: { AUGMENT_TOKEN: token } });
  }
  assert.equal((await workspace.task("a1")).status, "cancelled");
  const { runs } = await workspace.json(["queue", "show", "a1"]);
  assert.deepEqual(
    runs.map(({ run, agent, outcome }) => [run, agent, outcome]),
    [["a1.1", "goose", "cancelled"]],
  );
});

test("remove takes a task away for good, but not one that is held or needed, and its id is never given again", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  await workspace.add("two", "--depends-on", "a1");
  await workspace.add("three");
  await workspace.json(["queue", "claim", "a3", "--agent", "goose"]);
  await workspace.refused(
    ["queue", "remove", "a1"],
    "a1 is needed by a2. Remove those first, or edit what they depend on.",
    { code: "needed" },
  );
  await workspace.refused(
    ["queue", "remove", "a3"],
    "a3 is being worked on by goose (attempt 1), so it cannot be removed. Wait for it, or `augment-cli queue cancel a3` first.",
    { code: "held" },
  );
  await workspace.json(["queue", "complete", "a3", "--attempt", "1"]);
  for (const id of ["a3", "a2"]) {
    const { code, stdout } = await workspace.cli(["queue", "remove", id]);
    assert.deepEqual([code, stdout], [0, `Removed ${id}. Its content stays in the ledger.\n`]);
  }
  await workspace.json(["queue", "remove", "a1"]);
  assert.deepEqual(await titles(workspace, "--all"), []);
  assert.equal((await workspace.add("four")).id, "a4");
  const [removed] = await workspace.records("--kind", "task.removed", "--task", "a1");
  assert.equal(removed.data.title, "one");
});

test("a held task is not handed to another, and a person has to say which attempt they mean", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  await workspace.json(["queue", "claim", "a1", "--agent", "goose"]);
  await workspace.refused(
    ["queue", "claim", "a1", "--agent", "codex"],
    "a1 is being worked on by goose (attempt 1), so it cannot be taken. Wait for it, or `augment-cli queue cancel a1` first.",
    { code: "held" },
  );
  await workspace.refused(
    ["queue", "complete", "a1"],
    "a1 is held by goose. Say --attempt 1 to speak for that attempt, or `augment-cli queue cancel a1` to end it.",
    { code: "attempt-not-said" },
  );
  await workspace.refused(
    ["queue", "edit", "a1", "--assignee", "codex"],
    "a1 is being worked on by goose (attempt 1), so it cannot be given to others. Wait for it, or `augment-cli queue cancel a1` first.",
    { code: "held" },
  );
  await workspace.json(["queue", "edit", "a1", "--description", "a hint for the one who works on it"]);
  await workspace.json(["queue", "complete", "a1", "--attempt", "1"]);
});

test("list filters by status, priority, label, goal, assignee and text, and goes page by page", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("Fix the LOGIN page", "--priority", "high", "--label", "auth", "--goal", "G1");
  await workspace.add("two", "--description", "about the login", "--assignee", "goose");
  await workspace.add("three", "--label", "auth");
  await workspace.json(["queue", "cancel", "a3"]);
  await workspace.add("four");
  await workspace.json(["queue", "claim", "a4", "--agent", "codex"]);
  for (const [args, expected] of [
    [[], ["a4", "a1", "a2"]],
    [["--all"], ["a4", "a1", "a2", "a3"]],
    [["--status", "cancelled"], ["a3"]],
    [
      ["--status", "cancelled,in-progress"],
      ["a4", "a3"],
    ],
    [
      ["--status", "pending", "--status", "cancelled"],
      ["a1", "a2", "a3"],
    ],
    [["--priority", "high"], ["a1"]],
    [["--label", "auth"], ["a1"]],
    [
      ["--label", "auth", "--all"],
      ["a1", "a3"],
    ],
    [["--goal", "G1"], ["a1"]],
    [["--assignee", "goose"], ["a2"]],
    [["--assignee", "codex"], ["a4"]],
    [
      ["--text", "login"],
      ["a1", "a2"],
    ],
    [["--ready"], ["a1", "a2"]],
    [["--text", "login", "--priority", "medium"], ["a2"]],
  ]) {
    const { tasks } = await workspace.json(["queue", "list", ...args]);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      expected,
      args.join(" "),
    );
  }
  const first = await workspace.json(["queue", "list", "--all", "--limit", "2"]);
  assert.deepEqual([first.tasks.map(({ id }) => id), first.next], [["a4", "a1"], "a1"]);
  const second = await workspace.json(["queue", "list", "--all", "--limit", "2", "--after", first.next]);
  assert.deepEqual([second.tasks.map(({ id }) => id), second.next], [["a2", "a3"], null]);
});
