import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresFileName } from "./figures_file";

test("a file of figures is called by the person's own day", () => {
  const zone = process.env.TZ;
  try {
    process.env.TZ = "Pacific/Auckland";
    assert.equal(figuresFileName(Date.UTC(2026, 10, 16, 20)), "augment-analytics-2026-11-17.csv");
    process.env.TZ = "America/Los_Angeles";
    assert.equal(figuresFileName(Date.UTC(2026, 10, 16, 5)), "augment-analytics-2026-11-15.csv");
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});
