// Nobody's description is replaced by one that was made from another, unless the person was asked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DescriptionBase } from "./description_base";

const at = (revision: number, description: string) => ({ revision, description });

function readFirst(): DescriptionBase {
  const base = new DescriptionBase();
  base.wasRead(at(3, "one"));
  return base;
}

test("an edit is bound to what was read, and comparing does not move that", () => {
  const base = readFirst();
  base.wasCompared(at(5, "another"));
  assert.equal(base.revision, 3);
  base.wasWritten(at(6, "mine"));
  assert.equal(base.revision, 6);
});

test("what else changes of a task does not keep its description from being saved", () => {
  const base = readFirst();
  base.wasCompared(at(4, "one"));
  assert.equal(base.mayReplace("one"), true);
});

test("a description of the same size, which VS Code does not notice, is refused once", () => {
  const base = readFirst();
  base.wasCompared(at(4, "two"));
  assert.equal(base.mayReplace("two"), false);
  assert.equal(base.mayReplace("two"), true);
  assert.equal(base.mayReplace("six"), false);
});

test("one that VS Code has asked about is replaced, but none that came after the question", () => {
  const base = readFirst();
  base.wasCompared(at(4, "three"));
  assert.equal(base.mayReplace("three"), true);
  assert.equal(base.mayReplace("seven and more"), false);
});

test("after a reload VS Code compares by the revision, and what comes after that is refused", () => {
  const base = new DescriptionBase();
  assert.equal(base.revision, undefined);
  base.wasCompared(at(7, "theirs"));
  assert.equal(base.revision, 7);
  assert.equal(base.mayReplace("theirs"), true);
  assert.equal(base.mayReplace("newer"), false);
});

test("nothing is sent only where the very text is there by now", () => {
  const base = readFirst();
  assert.equal(base.isThere("one"), true);
  base.wasCompared(at(4, "three"));
  assert.equal(base.isThere("one"), false);
  assert.equal(base.revision, 3);
  assert.equal(base.isThere("three"), true);
  assert.equal(base.revision, 4);
});

test("the time of what was saved is told once", () => {
  const base = readFirst();
  assert.equal(base.takeWritten(), undefined);
  base.wasWritten(at(4, "mine"));
  assert.deepEqual(base.takeWritten(), at(4, "mine"));
  assert.equal(base.takeWritten(), undefined);
});
