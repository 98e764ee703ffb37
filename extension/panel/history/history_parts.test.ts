// The parts of the history that need no page: lanes, points in words, lines of a diff, what was kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryStep, TimelinePoint } from "../../src/protocol.gen";
import type { Host } from "../host";
import { diffLines } from "./diff_view";
import { LANES, Lanes } from "./lanes";
import { pointMoment, stepMoment, type Who } from "./moment";
import { everything, wantedIn } from "./scope";
import { MOST_MOMENTS, Story } from "./story";
import { clockWords } from "./time_words";

const point: TimelinePoint = {
  sequence: 7,
  time: 1_000,
  kind: "revision",
  who: { kind: "agent", name: "goose" },
  task: "a1",
  taskTitle: "Fix\nit",
  run: "a1.1",
  session: null,
  file: "src/a.rs",
  decision: null,
  step: 3,
  added: 1,
  removed: 0,
  evidence: "inferred",
  summary: "+1 −0",
};

test("a point is named by its file, else by its task, on one line", () => {
  const { key, what, where, who, step, group } = pointMoment(point);
  assert.deepEqual([key, what, where, who.name, step, group], ["r7", "Changed", "src/a.rs", "goose", 3, "changes"]);
  assert.equal(pointMoment({ ...point, kind: "task-taken", file: null }).where, "a1 Fix it");
  assert.equal(pointMoment({ ...point, who: { kind: "vcs", name: null } }).who.name, "Version control");
  assert.equal(pointMoment({ ...point, who: { kind: "host", name: null } }).who.name, "The host");
});

test("a step of a file knows its author, and when what was there before came about is not told", () => {
  const author = { kind: "before", name: null, run: null, task: null, taskTitle: null } as const;
  const step: HistoryStep = {
    step: 0,
    time: 0,
    kind: "base",
    author,
    evidence: null,
    added: 0,
    removed: 0,
    summary: "what was there before",
  };
  const { time, who, told, file, key } = stepMoment("a.txt", step);
  assert.deepEqual([time, who.name, told, file], [null, "Before tracking", "What was there before", "a.txt"]);
  assert.notEqual(stepMoment("b.txt", step).key, key, "the same step of another file is another point");
});

test("lanes are people, then agents, then the rest, and keep their colours", () => {
  const lanes = new Lanes();
  const who = (kind: Who["kind"], name: string): Who => ({ kind, name, known: name });
  const seen = [who("unknown", "Unknown"), who("agent", "goose"), who("person", "ada"), who("agent", "codex")];
  assert.equal(lanes.see(seen), true);
  assert.equal(lanes.see(seen), false);
  assert.deepEqual(
    lanes.all().map(({ name }) => name),
    ["ada", "goose", "codex", "Unknown"],
  );
  assert.equal(lanes.placeOf(who("agent", "codex")), 2);
  const color = lanes.colorFor(who("agent", "goose"));
  lanes.see(Array.from({ length: 20 }, (_, at) => who("agent", `agent ${at}`)));
  assert.equal(lanes.colorFor(who("agent", "goose")), color);
  assert.equal(lanes.placeOf(who("agent", "agent 19")), LANES - 1, "those that are too many share the last lane");
});

test("the lines of a diff are told apart, also where they look like its head", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n same\n--- was\n+++ is\n";
  assert.deepEqual(
    diffLines(diff).map(({ kind, text }) => `${kind} ${text}`),
    ["place @@ -1,3 +1,3 @@", "same  same", "removed --- was", "added +++ is"],
  );
  assert.deepEqual(diffLines(""), []);
});

test("what another version kept is not trusted", () => {
  for (const value of [undefined, null, 3, "x", [], { scope: { kind: "file" } }, { group: "made-up", lane: 3 }])
    assert.deepEqual(wantedIn(value), everything);
  const kept = { scope: { kind: "file", file: "a.txt" }, group: "changes", lane: "agent:goose" };
  assert.deepEqual(wantedIn(kept), kept);
});

/** Answers with so many points of a ledger, the newest first, as the sidecar does. */
function ledger(size: number) {
  const asked: number[] = [];
  const read = async (_: string, { before = size + 1, after = 0, limit = 0 }) => {
    const isNew = after > 0;
    const first = isNew ? after + 1 : Math.max(1, before - limit);
    const last = isNew ? Math.min(size, after + limit) : before - 1;
    const sequences = Array.from({ length: Math.max(0, last - first + 1) }, (_none, at) => first + at);
    const points = (isNew ? sequences : sequences.reverse()).map((sequence) => ({ ...point, sequence }));
    asked.push(points.length);
    return { points, next: isNew ? (last < size ? last : null) : first > 1 ? first : null, revision: size };
  };
  const grow = (by: number) => {
    size += by;
  };
  return { host: { read } as unknown as Host, asked, grow };
}

test("a story is fetched page by page, and what is new comes in front", async () => {
  const { host, asked, grow } = ledger(1_200);
  const story = new Story(host, everything, undefined);
  await story.refresh();
  assert.deepEqual([story.moments.length, story.moments[0]?.key, story.isWhole], [500, "r1200", false]);
  grow(2);
  await story.refresh();
  assert.deepEqual([story.moments.length, story.moments[0]?.key, story.isWhole], [502, "r1202", false]);
  while (await story.fetchOlder());
  assert.deepEqual([story.moments.length, story.moments.at(-1)?.key], [1_202, "r1"]);
  assert.deepEqual([story.isWhole, story.isCut], [true, false]);
  assert.deepEqual(asked, [500, 2, 500, 200]);
});

test("of a story that is too long the oldest points are left out, and that is known", async () => {
  const { host, grow } = ledger(MOST_MOMENTS + 700);
  const story = new Story(host, everything, undefined);
  await story.refresh();
  while (await story.fetchOlder());
  assert.deepEqual([story.moments.length, story.moments.at(-1)?.key], [MOST_MOMENTS, "r701"]);
  assert.deepEqual([story.isWhole, story.isCut], [true, true]);
  grow(3);
  await story.refresh();
  assert.deepEqual([story.moments.length, story.moments[0]?.key], [MOST_MOMENTS, `r${MOST_MOMENTS + 703}`]);
});

test("times of today are a clock, others have their day", () => {
  const noon = new Date(2026, 10, 16, 12, 0, 5).getTime();
  assert.equal(clockWords(noon, noon + 1_000), "12:00:05");
  assert.equal(clockWords(noon, noon + 86_400_000), "11-16 12:00");
});
