// Paths travel as text and come back exactly, or not at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { folderOf, lastName, namesIn, pathBelow } from "./path_text";

test("names of a path", () => {
  const rows: [string, string[] | undefined][] = [
    ["src/main.rs", ["src", "main.rs"]],
    ["a\\\\b", ["a\\b"]],
    ["a\\\\xff", ["a\\xff"]],
    ["caf\\xc3\\xa9", ["café"]],
    ["\\xff/x", undefined],
    ["a\\b", undefined],
    ["a\\xzz", undefined],
    ["../x", undefined],
    ["a/../x", undefined],
    ["/etc/x", undefined],
    ["", undefined],
    ["-rf $(x)", ["-rf $(x)"]],
  ];
  for (const [path, names] of rows) assert.deepEqual(namesIn(path), names, path);
});

test("a file of the workspace has a path, any other has none", () => {
  assert.equal(pathBelow("/w", "/w/src/a.ts"), "src/a.ts");
  assert.equal(pathBelow("/w/", "/w/a"), "a");
  assert.equal(pathBelow("/", "/a"), "a");
  assert.equal(pathBelow("/w", "/w/a\\b"), "a\\\\b");
  assert.equal(pathBelow("/w", "/workspace/a"), undefined);
  assert.equal(pathBelow("/w", "/w"), undefined);
  assert.deepEqual(namesIn(pathBelow("/w", "/w/x/a\\xffb") ?? ""), ["x", "a\\xffb"]);
});

test("the parts that are shown", () => {
  assert.deepEqual([lastName("a/b/c.ts"), folderOf("a/b/c.ts")], ["c.ts", "a/b"]);
  assert.deepEqual([lastName("c.ts"), folderOf("c.ts")], ["c.ts", ""]);
});
