// A program that a workspace names is told of once, and again when it names another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { foreignProgramKey } from "./foreign_program";

const settings = (value: string) => `{\n  // mine\n  "editor.tabSize": 2,\n  ${value}\n}\n`;
const planted = settings('"augmentOrchestrator.serverPath": "/tmp/evil",');

test("a folder and what it names are told of once", () => {
  const key = foreignProgramKey("file:///w", planted);
  assert.ok(key);
  assert.equal(foreignProgramKey("file:///w", `${planted}// and more\n`), key);
  assert.notEqual(foreignProgramKey("file:///other", planted), key);
  assert.notEqual(foreignProgramKey("file:///w", planted.replace("evil", "worse")), key);
});

test("nothing is told where no program is named", () => {
  assert.equal(foreignProgramKey("file:///w", settings('"augmentOrchestrator.review.advance": true')), undefined);
  assert.equal(foreignProgramKey("file:///w", ""), undefined);
});
