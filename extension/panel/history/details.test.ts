// The point that is looked at: what is told of it, and the diff of that point and no other.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HistoryStep, StepDiff } from "../../src/protocol.gen";
import type { PageContext } from "../page";
import { makePage, settled } from "../test_page";
import { Details } from "./details";
import { stepMoment } from "./moment";

const step: HistoryStep = {
  step: 1,
  time: 1_000,
  kind: "revision",
  author: { kind: "person", name: "ada", run: null, task: null, taskTitle: null },
  evidence: "saved",
  added: 1,
  removed: 0,
  summary: "+1 −0",
};

/** The diffs that are asked for, each answered when the test says so. */
function shown() {
  makePage();
  const asked: { path: string; step: number; answer(line: string): void }[] = [];
  let now = 61_000;
  const read = (_: string, { path, step }: { path: string; step: number }) =>
    new Promise<StepDiff>((resolve) => {
      const answer = (line: string) =>
        resolve({ path, before: 0, step, diff: `@@ -1 +1 @@\n+${line}\n`, cut: false } satisfies StepDiff);
      asked.push({ path, step, answer });
    });
  const context = { host: { read, now: () => now } } as unknown as PageContext;
  const details = new Details(context, () => {});
  const text = () => details.element.textContent ?? "";
  const later = (ms: number) => {
    now += ms;
  };
  return { details, asked, text, later };
}

test("the same step of another file is shown with its own diff", async () => {
  const { details, asked, text } = shown();
  for (const path of ["a.txt", "b.txt"]) {
    details.show(stepMoment(path, step), true);
    asked.at(-1)?.answer(`of ${path}`);
    await settled();
  }
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["a.txt", "b.txt"],
  );
  assert.match(text(), /b\.txt.*\+of b\.txt/);
  assert.doesNotMatch(text(), /a\.txt/);
});

test("what went and came back with a branch has no diff, and none of another step is shown for it", async () => {
  for (const kind of ["parked", "came-back"] as const) {
    const { details, asked, text } = shown();
    details.show(stepMoment("a.txt", { ...step, kind, author: { ...step.author, kind: "vcs" } }), true);
    await settled();
    assert.deepEqual(asked, [], kind);
    assert.doesNotMatch(text(), /diff/i);
    assert.match(text(), /Open File/);
  }
});

test("of the points that the bar is drawn past one diff is read at a time, and the last is shown", async () => {
  const { details, asked, text } = shown();
  for (let at = 1; at <= 50; at += 1) details.show(stepMoment("a.txt", { ...step, step: at }), true);
  const steps = () => asked.map((one) => one.step);
  assert.deepEqual(steps(), [1]);
  asked[0]?.answer("the first");
  await settled();
  assert.deepEqual(steps(), [1, 50]);
  assert.doesNotMatch(text(), /the first/);
  asked[1]?.answer("the last");
  await settled();
  assert.match(text(), /\+the last/);
});

test("how long ago the point was goes on while it is looked at", () => {
  const { details, text, later } = shown();
  details.show(stepMoment("a.txt", step), true);
  assert.match(text(), /, 1 min ago/);
  later(60_000);
  details.tick();
  assert.match(text(), /, 2 min ago/);
});
