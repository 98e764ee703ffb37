// What a board asks the host for: each column's first page, and one page more where its end comes near.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Host } from "../host";
import type { Card } from "../messages";
import { fetchBoard, fetchMore, PAGE_SIZE } from "./board_fetch";
import { NO_FILTER } from "./filter";

const counts = { pending: 450, inProgress: 0, completed: 0, failed: 0, partial: 0, blocked: 0, cancelled: 0 };

/** A host with these pending tasks that notes which pages it was asked for. */
function hostWith(ids: readonly string[]) {
  const asked: string[] = [];
  const read = async (method: string, params: { statuses: string[]; after?: string; limit: number }) => {
    if (method !== "augment/queue/list") return { questions: [], runs: [] };
    const all = params.statuses.includes("pending") ? ids : [];
    const from = params.after === undefined ? 0 : all.indexOf(params.after) + 1;
    const tasks = all.slice(from, from + params.limit).map((id) => ({ id, status: "pending" }) as Card);
    if (all.length > 0) asked.push(`${from}+${tasks.length}`);
    return { tasks, counts, next: from + tasks.length < all.length ? (tasks.at(-1)?.id ?? null) : null };
  };
  return { host: { read } as unknown as Pick<Host, "read">, asked };
}

test("the end of a column fetches one page more, and nothing again", async () => {
  const ids = Array.from({ length: 450 }, (_, at) => `a${at}`);
  const { host, asked } = hostWith(ids);
  let data = await fetchBoard(host, NO_FILTER, new Map());
  while (data.next.has("pending")) data = await fetchMore(host, NO_FILTER, data, "pending");
  assert.deepEqual(
    data.cards.get("pending")?.map(({ id }) => id),
    ids,
  );
  assert.deepEqual(asked, [`0+${PAGE_SIZE}`, `${PAGE_SIZE}+${PAGE_SIZE}`, `${2 * PAGE_SIZE}+50`]);
  assert.equal(await fetchMore(host, NO_FILTER, data, "pending"), data);
});

test("a task that was moved down meanwhile is there once", async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `a${at}`);
  const data = await fetchBoard(hostWith(ids).host, NO_FILTER, new Map());
  const moved = [...ids.slice(1, 220), "a0", ...ids.slice(220)];
  const more = await fetchMore(hostWith(moved).host, NO_FILTER, data, "pending");
  const shown = more.cards.get("pending")?.map(({ id }) => id) ?? [];
  assert.equal(new Set(shown).size, shown.length);
  assert.equal(shown.length, 250);
});
