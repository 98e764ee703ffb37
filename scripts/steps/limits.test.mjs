// What is too large does not pass, and is told with its size and the limit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { limits, mustFit } from "./limits.mjs";

test("what fits passes, a byte more does not", () => {
  for (const [what, { bytes }] of Object.entries(limits)) {
    mustFit(what, bytes);
    assert.throws(() => mustFit(what, bytes + 1), { name: "StepFailed" });
  }
  assert.throws(() => mustFit("the VSIX", 16_200_000), /^StepFailed: The VSIX has 16\.2 MB; 15 MB is the most/);
  assert.throws(() => mustFit("the extension's bundle", 310 * 1024), /has 310\.0 kB; 300 kB is the most/);
});
