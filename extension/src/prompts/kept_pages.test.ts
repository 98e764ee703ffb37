// Pages are kept, but not without end.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptPages } from "./kept_pages";

test("the newest pages are kept, and the oldest are forgotten", () => {
  const pages = new KeptPages();
  const keys = Array.from({ length: 60 }, (_, at) => pages.keep(`page ${at}`));
  const known = keys.map((key) => pages.of(key)).filter((text) => text !== undefined);
  assert.equal(new Set(keys).size, 60);
  assert.deepEqual([known.length, known[0], known.at(-1)], [50, "page 10", "page 59"]);
});
