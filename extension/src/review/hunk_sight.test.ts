// A key decides what a person has before their eyes, and nothing that is not drawn yet or was scrolled away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HunkSight, type Viewed } from "./hunk_sight";

/** A file in an editor. `a [b c] d` has four hunks, of which two have visible lines. */
function view(text: string, { editor = {}, isMarked = true, ...among }: Partial<Viewed> = {}): Viewed {
  const ids = (of: string) => new Set(of.match(/\w+/g) ?? []);
  return { editor, isMarked, placed: ids(text), visible: ids(text.match(/\[(.*)\]/)?.[1] ?? ""), ...among };
}

test("a key that comes before the marks are drawn is not heard", () => {
  const sight = new HunkSight();
  const file = view("[a b]");
  assert.equal(sight.isSeen("a", [file], false), false);
  sight.drew(file.editor, ["a"]);
  assert.equal(sight.isSeen("a", [file], false), true);
  assert.equal(sight.isSeen("b", [file], false), false, "one that has come since");
});

test("marks that another editor has drawn are not this one's", () => {
  const sight = new HunkSight();
  sight.drew(view("[a]").editor, ["a"]);
  assert.equal(sight.isSeen("a", [view("[a]")], false), false, "a tab that was left and is shown again");
});

test("what was scrolled away is not seen", () => {
  const sight = new HunkSight();
  const file = view("[a] b");
  sight.drew(file.editor, ["a", "b"]);
  assert.equal(sight.isSeen("a", [file], false), true);
  assert.equal(sight.isSeen("b", [file], false), false);
  assert.equal(
    sight.isSeen("b", [file, view("a [b]", { isMarked: false })], false),
    true,
    "the other side of a diff shows it",
  );
});

test("what was revealed is seen before VS Code tells so, and what it tells then is believed", () => {
  const sight = new HunkSight();
  const editor = {};
  const file = (text: string) => view(text, { editor });
  sight.drew(editor, ["a", "b"]);
  sight.reveal("b", [file("[a] b")]);
  assert.equal(sight.isSeen("b", [file("[a] b")], false), true, "the lines are told of late");
  sight.look([file("[a] b")]);
  assert.equal(sight.isSeen("b", [file("[a] b")], false), true, "a word from before it was revealed");
  sight.look([file("a [b]")]);
  assert.equal(sight.isSeen("b", [file("a [b]")], false), true);
  sight.look([file("[a] b")]);
  assert.equal(sight.isSeen("b", [file("[a] b")], false), false, "and then scrolled away");
});

test("what was in sight when it was revealed is lost by scrolling", () => {
  const sight = new HunkSight();
  const editor = {};
  sight.drew(editor, ["a"]);
  sight.reveal("a", [view("[a]", { editor })]);
  assert.equal(sight.isSeen("a", [view("a", { editor })], false), false);
});

test("a hunk without text is seen where one was led to, and one of a text only in an editor that shows it", () => {
  for (const views of [[], [view("[b]")]]) {
    assert.equal(new HunkSight().isSeen("a", views, true), true);
    assert.equal(new HunkSight().isSeen("a", views, false), false);
  }
});

test("among the diffs of many files, one is seen while they show what they did when somebody came to it", () => {
  const sight = new HunkSight();
  const led = view("[a]", { among: "a 0-9" });
  const next = view("[b]", { among: "b 0-9" });
  sight.drew(led.editor, ["a"]);
  assert.equal(sight.isSeen("a", [led, next], false), false, "nobody has come there");
  sight.reveal("a", [led, next]);
  assert.equal(sight.isSeen("a", [next, led], false), true);
  assert.equal(sight.isSeen("a", [led], false), false, "the keys keep one that is scrolled away; another has gone");
  assert.equal(sight.isSeen("a", [led, next, view("[c]", { among: "c 0-9" })], false), false, "another has come");
  assert.equal(sight.isSeen("a", [led, view("[b]", { among: "b 4-13" })], false), false, "other lines");
  sight.settle([led]);
  assert.equal(sight.isSeen("a", [led], false), true, "somebody has moved the cursor since");
  const own = view("[a]");
  sight.drew(own.editor, ["a"]);
  assert.equal(sight.isSeen("a", [led, next, own], false), true, "an editor of its own shows it, too");
});
