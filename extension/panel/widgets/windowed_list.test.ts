import assert from "node:assert/strict";
import { test } from "node:test";
import { el } from "../dom";
import { makePage } from "../test_page";
import { type Rows, WindowedList } from "./windowed_list";

/** Rows are 20 pixels high and ten of them are seen. */
function listOf(names: readonly string[], more: Partial<Rows<string>> = {}) {
  const body = makePage();
  const list = new WindowedList<string>("Names", {
    key: (name) => name,
    make: (name) => el("div", { text: name }),
    update: () => {},
    ...more,
  });
  body.append(list.element);
  list.show(names);
  return list;
}

const names = (count: number, first = 0) => Array.from({ length: count }, (_, at) => `row ${first + at}`);

test("rows that are looked at stay where they are when others come before them", () => {
  const list = listOf(names(100), { keepsPlace: true });
  list.scrollTop = 410;
  list.show(["new 1", "new 2", ...names(100)]);
  assert.equal(list.scrollTop, 450);
  // The first on screen is gone with one before it: the next one stays where it is.
  list.show(names(100).filter((name) => name !== "row 3" && name !== "row 20"));
  assert.equal(list.scrollTop, 370);
  list.show(names(100, 1_000));
  assert.equal(list.scrollTop, 370, "of what is seen nothing is left");
});

test("at its top a list shows what is new", () => {
  const list = listOf(names(100), { keepsPlace: true });
  list.show(["new 1", ...names(100)]);
  assert.equal(list.scrollTop, 0);
});
