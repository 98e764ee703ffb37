// Whatever a program answers, it is told in a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";
import { folderIn, reasonIn } from "./demo_answer";

test("the folder is what the answer names, and nothing where it is no answer", () => {
  assert.equal(folderIn('{"folder":"/demo"}\n'), "/demo");
  for (const said of ["", "not JSON", "null", "[]", "{}", '{"folder":1}', '{"folder":"/de']) {
    assert.equal(folderIn(said), undefined, said);
  }
});

test("the reason is the program's sentence, or what it said", () => {
  assert.equal(reasonIn('{"error":{"message":"The disk is full."}}'), "The disk is full.");
  assert.equal(reasonIn("  killed\n"), "killed");
  assert.equal(reasonIn("null"), "null");
});
