// What goes into the VSIX is what .vscodeignore lets in, and nothing that is made for it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { letIn } from "./vsix.mjs";

test("files, folders and names with a star are let in", () => {
  const ignore = "# all\n**\n!package.json\n!package.nls*.json\n!l10n/**\n!dist/bin/**\n!README.md\n";
  const top = ["package.json", "package.nls.json", "package.nls.de.json", "package-lock.json"];
  const expected = [".vscodeignore", "package.json", "package.nls.json", "package.nls.de.json", "l10n"];
  assert.deepEqual(letIn(ignore, top), expected);
});
