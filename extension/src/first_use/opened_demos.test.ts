import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { OpenedDemos } from "./opened_demos";

test("a demo begins by itself once, in the window that it was opened for", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "aug-demos-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "storage", "demos.json");
  assert.equal(new OpenedDemos(path).take("/a"), false);
  new OpenedDemos(path).add("/a");
  new OpenedDemos(path).add("/b");
  assert.equal(new OpenedDemos(path).has("/a"), true);
  assert.equal(new OpenedDemos(path).take("/a"), true);
  assert.equal(new OpenedDemos(path).take("/a"), false);
  assert.equal(new OpenedDemos(path).has("/b"), true);
  writeFileSync(path, "{");
  assert.equal(new OpenedDemos(path).has("/b"), false);
});
