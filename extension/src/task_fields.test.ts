// What a person types for a field of a task, and what the host is asked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Task } from "./protocol.gen";
import { durationInput, durationMs, listIn, textFields } from "./task_fields";

const task = {
  title: "Fix the login",
  goal: null,
  labels: ["auth", "urgent"],
  scope: ["src/{core,host}/**", "README.md"],
  capabilities: [],
  assignee: "goose",
  dependsOn: ["a1"],
  timeLimitMs: 5_400_000,
  maxAttempts: 3,
} as unknown as Task;

test("each field reads as it is typed, and what it reads changes nothing", () => {
  const read = textFields.map((field) => [field.name(), field.text(task), field.change(field.text(task))]);
  assert.deepEqual(read, [
    ["Title", "Fix the login", { title: "Fix the login" }],
    ["Goal", "", { goal: "" }],
    ["Labels", "auth, urgent", { labels: ["auth", "urgent"] }],
    ["Scope", "src/{core,host}/**, README.md", { scope: ["src/{core,host}/**", "README.md"] }],
    ["Capabilities", "", { capabilities: [] }],
    ["Assignee", "goose", { assignee: "goose" }],
    ["Depends on", "a1", { dependsOn: ["a1"] }],
    ["Time limit", "90m", { timeLimitMs: 5_400_000 }],
    ["Attempts", "3", { maxAttempts: 3 }],
  ]);
});

test("an empty text clears, except where there must be a value", () => {
  const cleared = textFields.filter(({ name }) => name() !== "Attempts").map(({ change }) => change("  "));
  assert.deepEqual(Object.assign({}, ...cleared), {
    title: "  ",
    goal: "",
    labels: [],
    scope: [],
    capabilities: [],
    assignee: "",
    dependsOn: [],
    timeLimitMs: 0,
  });
  const attempts = textFields.find(({ name }) => name() === "Attempts");
  for (const text of ["", "many", "-1", "1.5", "9999999999"]) {
    assert.throws(() => attempts?.change(text), { message: `"${text}" is not a whole number. Write one, such as 3.` });
  }
});

test("lists are divided by commas outside of braces", () => {
  assert.deepEqual(listIn(" a , b,,c ,"), ["a", "b", "c"]);
  assert.deepEqual(listIn("src/{a,{b,c}}/x, d"), ["src/{a,{b,c}}/x", "d"]);
  assert.deepEqual(listIn("a}, b"), ["a}", "b"]);
});

test("durations are typed as on the command line", () => {
  const cases: [string, number, string][] = [
    ["90s", 90_000, "90s"],
    ["30m", 1_800_000, "30m"],
    [" 2h ", 7_200_000, "2h"],
    ["30", 1_800_000, "30m"],
    ["250ms", 250, "250ms"],
    ["48h", 172_800_000, "2d"],
  ];
  for (const [text, ms, shown] of cases) {
    assert.equal(durationMs(text), ms);
    assert.equal(durationInput(ms), shown);
  }
  for (const text of ["m", "-5m", "1.5h", "2 hours", "99999999999999999999h"]) {
    assert.throws(() => durationMs(text), { message: `"${text}" is not a duration. Write 90s, 30m, 2h or 1d.` });
  }
});
