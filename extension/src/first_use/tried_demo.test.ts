import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isBegun, TriedDemo } from "./tried_demo";

test("that the demo was tried is known in every window, and from the confirmed scope on", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "aug-tried-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "storage", "demo-tried");
  assert.equal(new TriedDemo(path).isTried, false);
  new TriedDemo(path).note();
  new TriedDemo(path).note();
  assert.equal(new TriedDemo(path).isTried, true);
  assert.deepEqual((["start", "confirm", "start-agent", "done"] as const).map(isBegun), [false, false, true, true]);
});

test("the walkthrough ticks the demo by that, and the agent's step says what it is ticked for", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const texts = JSON.parse(readFileSync("package.nls.json", "utf8"));
  const step = (wanted: string) =>
    manifest.contributes.walkthroughs[0].steps.find(({ id }: { id: string }) => id === wanted);
  assert.ok(step("demo").completionEvents.includes("onContext:augmentOrchestrator.triedDemo"));
  assert.ok(step("agent").completionEvents.includes("onContext:augmentOrchestrator.hasRun"));
  assert.equal(texts[step("agent").title.slice(1, -1)], "Start an agent on a task");
});
