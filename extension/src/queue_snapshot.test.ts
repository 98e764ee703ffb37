// A picture of the queue is of one moment, and a later one is never overtaken by an earlier one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { OneAtATime } from "./one_at_a_time";
import type { Counts, ListTasks, Task, TaskList } from "./protocol.gen";
import type { Group } from "./queue_group";
import { drawnText, fetchSnapshot } from "./queue_snapshot";

/** A host whose revision at each call is the next of these, and then the last. */
function host(...revisions: number[]) {
  const asked: ListTasks[] = [];
  const list = async (params: ListTasks): Promise<TaskList> => {
    const revision = revisions[Math.min(asked.length, revisions.length - 1)] ?? 0;
    asked.push(params);
    const tasks = [{ id: `${params.statuses?.[0] ?? "any"}@${revision}` } as Task];
    return { tasks, next: null, counts: { pending: revision } as Counts, revision };
  };
  return { asked, list };
}

const wanted = new Map<Group, number>([
  ["in-progress", 200],
  ["pending", 200],
]);

async function ids(list: (params: ListTasks) => Promise<TaskList>): Promise<string[]> {
  const { counts, tasks } = await fetchSnapshot(list, wanted);
  return [String(counts.pending), ...[...tasks.values()].flat().map(({ id }) => id)];
}

test("pages of one revision make a picture at once", async () => {
  const { asked, list } = host(7);
  assert.deepEqual(await ids(list), ["7", "in-progress@7", "pending@7"]);
  assert.equal(asked.length, 3);
});

test("pages of several revisions are fetched again", async () => {
  const { asked, list } = host(7, 8, 8, 8);
  assert.deepEqual(await ids(list), ["8", "in-progress@8", "pending@8"]);
  assert.equal(asked.length, 6);
});

test("a queue that never rests is shown after three rounds", async () => {
  const { asked, list } = host(1, 2, 3, 4, 5, 6, 7, 8, 9);
  assert.deepEqual(await ids(list), ["7", "in-progress@8", "pending@9"]);
  assert.equal(asked.length, 9);
});

test("a group is fetched page by page up to what is wanted", async () => {
  const asked: ListTasks[] = [];
  const list = async (params: ListTasks): Promise<TaskList> => {
    asked.push(params);
    const tasks = Array.from({ length: params.limit ?? 0 }, () => ({ id: "a1" }) as Task);
    return { tasks, next: "a1", counts: {} as Counts, revision: 1 };
  };
  const { tasks } = await fetchSnapshot(list, new Map([["pending", 1_200]]));
  assert.equal(tasks.get("pending")?.length, 1_200);
  assert.deepEqual(
    asked.map(({ limit, after }) => [limit, after]),
    [
      [1, undefined],
      [1_000, undefined],
      [200, "a1"],
    ],
  );
});

test("a lease that is renewed draws nothing anew, whatever else moves does", () => {
  const picture = (facts: Partial<Task>, pending = 1) => ({
    counts: { pending } as Counts,
    tasks: new Map<Group, Task[]>([["in-progress", [{ id: "a1", title: "One", revision: 3, ...facts } as Task]]]),
  });
  const lease = (leftMs: number) => ({ lengthMs: 60_000, leftMs, lastHeartbeatAt: 60_000 - leftMs });
  const drawn = drawnText(picture({ lease: lease(60_000) }));
  assert.equal(drawnText(picture({ lease: lease(41_250) })), drawn);
  for (const other of [picture({ title: "Two" }), picture({ revision: 4 }), picture({}, 2)])
    assert.notEqual(drawnText(other), drawn);
  assert.notEqual(drawnText({ ...picture({}), tasks: new Map() }), drawn);
});

test("runs come one after the other, and who asks meanwhile shares the next", async () => {
  const ends: ((failed?: Error) => void)[] = [];
  const work = new OneAtATime(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = ends.length + 1;
        ends.push((failed) => (failed ? reject(failed) : resolve(number)));
      }),
  );
  const first = work.run();
  const [second, third] = [work.run(), work.run()];
  assert.equal(ends.length, 1, "the second waits for the first");
  ends[0]?.(new Error("lost"));
  await assert.rejects(first, /lost/);
  assert.equal(ends.length, 2, "a failure does not hold up what follows");
  const fourth = work.run();
  ends[1]?.();
  assert.deepEqual(await Promise.all([second, third]), [2, 2]);
  ends[2]?.();
  assert.equal(await fourth, 3, "asked while the second ran, so it may not share its answer");
  const fifth = work.run();
  ends[3]?.();
  assert.equal(await fifth, 4);
});
