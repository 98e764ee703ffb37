// A story is fetched page by page, and whatever fails or comes at the same time, no point is missing in it and none is there twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AskTimeline, Timeline, TimelinePoint } from "../../src/protocol.gen";
import type { Host } from "../host";
import { settled } from "../test_page";
import { Lanes, laneId, whoOfLane } from "./lanes";
import { everything } from "./scope";
import { Story } from "./story";

const pointAt = (sequence: number): TimelinePoint => ({
  sequence,
  time: sequence,
  kind: "revision",
  // One in ten is of somebody whose name is not known.
  who: { kind: "person", name: sequence % 10 === 0 ? null : "ada" },
  task: null,
  taskTitle: null,
  run: null,
  session: null,
  file: "a.txt",
  decision: null,
  step: null,
  added: 0,
  removed: 0,
  evidence: null,
  summary: "",
});

/** A ledger of so many records, each of which is a point, and what is asked of it. */
class Ledger {
  readonly asked: AskTimeline[] = [];
  /** Which calls fail, counted from the first. */
  readonly failing = new Set<number>();
  /** Where calls for older points wait until they are let through. */
  gate: Promise<void> = Promise.resolve();

  /** Records before this one are no points. */
  firstPoint = 0;

  constructor(public head: number) {}

  readonly host = {
    read: async (_: string, ask: AskTimeline): Promise<Timeline> => {
      this.asked.push(ask);
      const isFailing = this.failing.has(this.asked.length);
      const { head } = this;
      if (ask.before !== undefined) await this.gate;
      if (isFailing) throw new Error("the connection was lost");
      const found = ask.after === undefined ? this.back(ask, head) : this.forth(ask.after, ask, head);
      const isWanted = ({ who, sequence }: TimelinePoint) =>
        sequence >= this.firstPoint && (ask.name === undefined || who.name === ask.name);
      return { ...found, points: found.points.filter(isWanted) };
    },
  } as unknown as Host;

  private forth(after: number, { limit = 0 }: AskTimeline, head: number): Timeline {
    const last = Math.min(head, after + limit);
    return { points: range(after + 1, last), next: last < head ? last : null, revision: head };
  }

  private back({ before, limit = 0 }: AskTimeline, head: number): Timeline {
    const newest = (before ?? head + 1) - 1;
    const oldest = Math.max(1, newest - limit + 1);
    return { points: range(oldest, newest).reverse(), next: oldest > 1 ? oldest : null, revision: head };
  }
}

function range(first: number, last: number): TimelinePoint[] {
  return Array.from({ length: last - first + 1 }, (_, at) => pointAt(first + at));
}

function checkWhole(story: Story, newest: number): void {
  const found = story.moments.map(({ time }) => time ?? 0);
  assert.deepEqual(
    found,
    found.map((_, at) => newest - at),
    "one after the other, the newest first",
  );
}

test("a page that fails leaves no hole: it is asked for again", async () => {
  const ledger = new Ledger(2_000);
  const story = new Story(ledger.host, everything, undefined);
  await story.refresh();
  ledger.head += 700;
  ledger.failing.add(ledger.asked.length + 2);
  await assert.rejects(story.refresh());
  await story.refresh();
  assert.equal(story.moments.length, 1_200);
  checkWhole(story, 2_700);
});

test("older points that come while the story begins anew are those that follow", async () => {
  const ledger = new Ledger(2_000);
  const story = new Story(ledger.host, everything, undefined);
  await story.refresh();
  ledger.head += 2_500;
  let open = () => {};
  ledger.gate = new Promise((resolve) => {
    open = resolve;
  });
  const both = [story.fetchOlder(), story.refresh()];
  await settled();
  open();
  await Promise.all(both);
  checkWhole(story, 4_500);
  await story.fetchOlder();
  checkWhole(story, 4_500);
});

test("a story that cannot be told anew stays as it was", async () => {
  const ledger = new Ledger(10);
  const story = new Story(ledger.host, everything, undefined);
  await story.refresh();
  ledger.head += 4_000;
  ledger.failing.add(ledger.asked.length + 5);
  await assert.rejects(story.refresh());
  checkWhole(story, 10);
  assert.equal(story.moments.length, 10);
});

test("those whose name is not known are found by their lane, as those who are", async () => {
  const ledger = new Ledger(600);
  const everybody = new Story(ledger.host, everything, undefined);
  await everybody.refresh();
  const lanes = new Lanes();
  lanes.see(everybody.moments.map(({ who }) => who));
  for (const [name, most] of [
    ["ada", 450],
    ["A person", 50],
  ] as const) {
    const lane = lanes.all().find((one) => one.name === name)?.id;
    assert.ok(lane !== undefined);
    // As it is taken up after a reload, before anybody was seen.
    const who = whoOfLane(lane);
    assert.equal(who && laneId(who), lane);
    const story = new Story(ledger.host, { ...everything, lane }, who);
    await story.refresh();
    assert.equal(story.moments.length, most, name);
    assert.deepEqual([...new Set(story.moments.map((moment) => moment.who.name))], [name]);
  }
});

test("that there are no older points is news, once", async () => {
  const ledger = new Ledger(600);
  const story = new Story(ledger.host, everything, undefined);
  await story.refresh();
  ledger.firstPoint = 101;
  assert.equal(story.isWhole, false);
  assert.equal(await story.fetchOlder(), true);
  assert.deepEqual([story.moments.length, story.isWhole], [500, true]);
  assert.equal(await story.fetchOlder(), false);
});
