// Several terminals on one workspace see one truth, live, without asking again and again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const rounds = 20;

/** The times sorted, as a person wants to read them. Told, never judged: the machine may be busy. */
function told(t, what, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  t.diagnostic(`${what}: median ${at(0.5)} ms, worst ${at(1)} ms of ${times.length}`);
}

test("two terminals see what a third one does", async (t) => {
  const workspace = newWorkspace(t);
  const watching = workspace.start(["queue", "list", "--watch", "--json"]);
  const following = workspace.start(["audit", "follow", "--json"]);
  assert.deepEqual(JSON.parse(await watching.line("the list is shown")).tasks, []);
  await following.line("the follower shows what is there");
  const times = { watch: [], follow: [], answered: [] };
  for (let round = 1; round <= rounds; round += 1) {
    const title = `Refactor authentication module ${round}`;
    const from = performance.now();
    const since = (list) => list.push(performance.now() - from);
    const listed = watching.line(`${title} is listed`, (line) =>
      JSON.parse(line).tasks.some((task) => task.title === title),
    );
    const recorded = following.line(`${title} is recorded`, (line) => JSON.parse(line).data.title === title);
    await Promise.all([
      workspace.add(title, "--priority", "high").then(() => since(times.answered)),
      listed.then(() => since(times.watch)),
      recorded.then(() => since(times.follow)),
    ]);
  }
  for (const [what, list] of Object.entries(times)) told(t, `from typing "queue add" to ${what}`, list);
});

test("a person who took a task in one terminal is seen in the other, and so is its end", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  await workspace.add("two");
  const watching = workspace.start(["queue", "list", "--watch", "--json", "--all"]);
  const shows = (id, status, attemptsUsed = 0) =>
    watching.line(`${id} is ${status}`, (line) =>
      JSON.parse(line).tasks.some(
        (task) => task.id === id && task.status === status && task.attemptsUsed === attemptsUsed,
      ),
    );
  await shows("a1", "pending");
  await workspace.next("--agent", "goose", "--lease", "1h");
  await shows("a1", "in-progress", 1);
  await workspace.next("--agent", "goose", "--lease", "1s");
  // Nobody types anything now: the lease runs out by itself, and that is seen, too.
  await shows("a2", "pending", 1);
  await workspace.json(["queue", "cancel", "a1"]);
  await shows("a1", "cancelled", 1);
});

test("a notice comes soon after the change, on a connection that stays", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  const [acting, listening] = [await dial(workspace), await dial(workspace)];
  const times = [];
  for (let round = 1; round <= 50; round += 1) {
    const from = performance.now();
    const { revision } = await acting.request("augment/queue/add", { title: `task ${round}` });
    times.push((await listening.moved(revision)).at - from);
  }
  told(t, "from a request to the other client's notice", times);
  for (const client of [acting, listening]) client.destroy();
});
