// What was saved without a connection is told later, with how long ago that was.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SavedHow } from "../protocol.gen";
import { UntoldSaves } from "./untold_saves";

const save = (path: string, text: string, how: SavedHow = "by-hand") => ({ path, text, how });

function newSaves() {
  const clock = { nowMs: 1_000 };
  return { clock, saves: new UntoldSaves(() => clock.nowMs) };
}

test("the last save of each file is told, with its age, and once", () => {
  const { clock, saves } = newSaves();
  saves.keep(save("a", "one"));
  saves.keep(save("b", "one"));
  clock.nowMs += 500;
  saves.keep(save("a", "two"));
  clock.nowMs += 70.4;
  assert.deepEqual(saves.take().saves, [
    { ...save("b", "one"), agoMs: 570 },
    { ...save("a", "two"), agoMs: 70 },
  ]);
  assert.deepEqual(saves.take().saves, []);
});

test("a save without a change says nothing, but leaves standing what was said of this text", () => {
  const { saves } = newSaves();
  const told = () => saves.take().saves.map(({ text, how }) => `${text} ${how}`);
  saves.keep(save("a", "one", "unchanged"));
  assert.deepEqual(told(), []);
  saves.keep(save("a", "one"));
  saves.keep(save("a", "one", "unchanged"));
  assert.deepEqual(told(), ["one by-hand"]);
  // Somebody else wrote it meanwhile.
  saves.keep(save("a", "one"));
  saves.keep(save("a", "two", "unchanged"));
  assert.deepEqual(told(), []);
});

test("what could not be told once more keeps its age, and gives way to a newer save", () => {
  const { clock, saves } = newSaves();
  saves.keep(save("a", "one"));
  clock.nowMs += 500;
  const [first] = saves.take().saves;
  assert.ok(first);
  clock.nowMs += 100;
  saves.keep(first);
  clock.nowMs += 100;
  assert.deepEqual(
    saves.take().saves.map(({ agoMs }) => agoMs),
    [600],
  );
  saves.keep(save("a", "two"));
  saves.keep(first);
  assert.deepEqual(
    saves.take().saves.map(({ text }) => text),
    ["two"],
  );
});

test("more files than can be kept are not kept, and how many saves that were is told once", () => {
  const { saves } = newSaves();
  for (let number = 0; number < 150; number += 1) saves.keep(save(`${number}`, "x"));
  saves.keep(save("0", "known already"));
  saves.keep(save("new", "x", "unchanged"));
  const { saves: kept, missed } = saves.take();
  assert.deepEqual([kept.length, missed], [100, 50]);
  assert.deepEqual(saves.take(), { saves: [], missed: 0 });
});
