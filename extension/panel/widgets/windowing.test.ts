import assert from "node:assert/strict";
import { test } from "node:test";
import { type ListPlace, rowsBelow, type Step, scrollToRow, shownRows, stepFrom } from "./windowing";

const place = (of: Partial<ListPlace> = {}): ListPlace => ({
  scrollTop: 0,
  viewHeight: 100,
  rowHeight: 10,
  count: 10_000,
  ...of,
});

test("only the rows on screen and some beside them are there, wherever the list is scrolled to", () => {
  const check = (scrollTop: number, first: number, end: number) =>
    assert.deepEqual(shownRows(place({ scrollTop }), 2), { first, end }, `scrolled to ${scrollTop}`);
  check(0, 0, 12);
  check(5, 0, 13);
  check(5_000, 498, 512);
  check(99_900, 9_988, 10_000);
  // A list that has become shorter than where it was scrolled to.
  check(200_000, 9_999, 10_000);
});

test("a short list is there as a whole, an empty one and one that is not laid out yet not at all", () => {
  assert.deepEqual(shownRows(place({ count: 3 })), { first: 0, end: 3 });
  assert.deepEqual(shownRows(place({ count: 0 })), { first: 0, end: 0 });
  assert.deepEqual(shownRows(place({ rowHeight: 0 })), { first: 0, end: 0 });
});

test("a row is scrolled to only as far as it takes to be seen", () => {
  const at = place({ scrollTop: 200 });
  assert.equal(scrollToRow(25, at), 200);
  assert.equal(scrollToRow(5, at), 50);
  assert.equal(scrollToRow(30, at), 210);
});

test("keys lead from row to row and never out of the list", () => {
  const check = (row: number, step: Step, to: number) =>
    assert.equal(stepFrom(row, step, place()), to, `${step} from ${row}`);
  check(0, "ArrowDown", 1);
  check(0, "ArrowUp", 0);
  check(9_999, "ArrowDown", 9_999);
  check(20, "PageDown", 29);
  check(20, "PageUp", 11);
  check(3, "PageUp", 0);
  check(20, "Home", 0);
  check(20, "End", 9_999);
});

test("how many rows lie below the screen is known, so that more is fetched in time", () => {
  assert.equal(rowsBelow(place({ count: 200 })), 190);
  assert.equal(rowsBelow(place({ count: 200, scrollTop: 1_900 })), 0);
  assert.equal(rowsBelow(place({ count: 5 })), 0);
});
