import assert from "node:assert/strict";
import { test } from "node:test";
import { READS } from "../messages";
import { type Filter, filterIn, filterParams, isFilter, NO_FILTER } from "./filter";

const check = (typed: string, expected: object, priority: Filter["priority"] = "any") =>
  assert.deepEqual(filterParams({ typed, priority }), expected, JSON.stringify(typed));

test("words are looked for in texts, labels and priorities by their names", () => {
  check("", {});
  check("  door ", { text: "door" });
  check("the door", { text: "the door" });
  check("label:ui door", { text: "door", label: "ui" });
  check('label:"two words" door', { text: "door", label: "two words" });
  check("priority:high", { priority: "high" });
  check("Priority:HI", { priority: "high" });
  check("priority:none", {});
  check("label:", { text: "label:" });
  check("http://a:b", { text: "http://a:b" });
});

test("the priority of the list comes before one that is typed", () => {
  check("priority:high", { priority: "low" }, "low");
  check("door", { text: "door", priority: "medium" }, "medium");
});

test("what was kept is taken only if it is a filter", () => {
  assert.deepEqual(filterIn({ typed: "door", priority: "low" }), { typed: "door", priority: "low" });
  for (const other of [undefined, null, 7, "door", { typed: 7, priority: "urgent" }])
    assert.deepEqual(filterIn(other), NO_FILTER);
  assert.equal(isFilter(NO_FILTER), false);
  assert.equal(isFilter({ typed: " x", priority: "any" }), true);
});

test("what is typed or was kept is never longer than the sidecar is asked with", () => {
  const long = "x".repeat(1_000);
  for (const typed of [long, `label:${long}`])
    assert.ok(READS["augment/queue/list"](filterParams(filterIn({ typed }))), typed.slice(0, 8));
  assert.ok(!READS["augment/queue/list"]({ text: long }));
});
