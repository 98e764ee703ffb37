// A key decides what a person has before their eyes, and nothing that is not drawn yet or was scrolled away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HunkSight, type Viewed } from "./hunk_sight";

/** A file in an editor. `a [b c] d` has four hunks, of which two have visible lines. */
function view(text: string, { editor = {}, isMarked = true }: Partial<Viewed> = {}): Viewed {
  const ids = (of: string) => new Set(of.match(/\w+/g) ?? []);
  return { editor, isMarked, placed: ids(text), visible: ids(text.match(/\[(.*)\]/)?.[1] ?? "") };
}

test("a key that comes before the marks are drawn is not heard", () => {
  const sight = new HunkSight();
  const file = view("[a b]");
  assert.equal(sight.isSeen("a", [file]), false);
  sight.drew(file.editor, ["a"]);
  assert.equal(sight.isSeen("a", [file]), true);
  assert.equal(sight.isSeen("b", [file]), false, "one that has come since");
});

test("marks that another editor has drawn are not this one's", () => {
  const sight = new HunkSight();
  sight.drew(view("[a]").editor, ["a"]);
  assert.equal(sight.isSeen("a", [view("[a]")]), false, "a tab that was left and is shown again");
});

test("what was scrolled away is not seen", () => {
  const sight = new HunkSight();
  const file = view("[a] b");
  sight.drew(file.editor, ["a", "b"]);
  assert.equal(sight.isSeen("a", [file]), true);
  assert.equal(sight.isSeen("b", [file]), false);
  assert.equal(
    sight.isSeen("b", [file, view("a [b]", { isMarked: false })]),
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
  assert.equal(sight.isSeen("b", [file("[a] b")]), true, "the lines are told of late");
  sight.look([file("[a] b")]);
  assert.equal(sight.isSeen("b", [file("[a] b")]), true, "a word from before it was revealed");
  sight.look([file("a [b]")]);
  assert.equal(sight.isSeen("b", [file("a [b]")]), true);
  sight.look([file("[a] b")]);
  assert.equal(sight.isSeen("b", [file("[a] b")]), false, "and then scrolled away");
});

test("what was in sight when it was revealed is lost by scrolling", () => {
  const sight = new HunkSight();
  const editor = {};
  sight.drew(editor, ["a"]);
  sight.reveal("a", [view("[a]", { editor })]);
  assert.equal(sight.isSeen("a", [view("a", { editor })]), false);
});

test("a hunk without text is seen where one was led to", () => {
  assert.equal(new HunkSight().isSeen("a", []), true);
  assert.equal(new HunkSight().isSeen("a", [view("[b]")]), true);
});
