// A text that is brought back is for what it was; another document under its name is for nothing.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BoundTexts } from "./bound_texts";
import { KeptFile } from "./kept_file";

const name = "untitled:Untitled-1";
const text = (value: unknown) => (typeof value === "string" ? value : undefined);

function newWindows(stored?: unknown) {
  let value = stored;
  const kept = {
    read: () => value,
    write: (now: unknown) => {
      value = now;
      return true;
    },
  };
  return { open: () => new BoundTexts(kept, text), stored: () => value };
}

test("what a document is for outlives a reload, whether its tab is there at once or comes with its text", () => {
  for (const tabs of [[name], []]) {
    const windows = newWindows();
    windows.open().bind(name, "h1");
    const next = windows.open();
    next.firstTabs(new Set(tabs));
    assert.equal(next.opened(name, tabs.length > 0 ? "" : "typed"), false);
    assert.equal(next.get(name), "h1");
    assert.equal(
      next.nameOf((purpose) => purpose === "h1"),
      name,
    );
    assert.deepEqual(windows.stored(), { [name]: "h1" });
  }
});

test("a new document under a name that was remembered is for nothing", () => {
  const windows = newWindows({ [name]: "h1" });
  const next = windows.open();
  next.firstTabs(new Set());
  assert.equal(next.opened(name, ""), true);
  assert.equal(next.get(name), undefined);
  assert.deepEqual(windows.stored(), {});
  next.bind(name, "h2");
  assert.equal(next.opened(name, ""), false, "it was opened empty for that");
  assert.equal(next.get(name), "h2");
});

test("a document that is closed is for nothing any more", () => {
  const windows = newWindows({ [name]: "h1", "untitled:Untitled-2": "h2" });
  const next = windows.open();
  assert.equal(next.closed(["untitled:Untitled-2", "file:///a.txt"]), true);
  assert.equal(next.closed(["file:///a.txt"]), false);
  assert.deepEqual(next.names, [name]);
  assert.deepEqual(windows.stored(), { [name]: "h1" });
});

test("what is not understood is not remembered", () => {
  for (const stored of [undefined, null, 7, "x", { [name]: { kind: "h1" } }])
    assert.deepEqual(newWindows(stored).open().names, []);
});

test("a file holds what was written last at once, and says when it cannot", (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "aug-kept-"));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  const complaints: string[] = [];
  const path = join(scratch, "storage", "texts.json");
  const file = (at: string | undefined) => new KeptFile(at, (reason) => complaints.push(reason));
  assert.equal(file(path).read(), undefined);
  file(path).write({ a: 1 });
  assert.deepEqual(file(path).read(), { a: 1 });
  assert.equal(existsSync(`${path}.new`), false);
  writeFileSync(path, "{ broken");
  assert.equal(file(path).read(), undefined);
  file(undefined).write({ a: 1 });
  assert.equal(file(undefined).read(), undefined);
  assert.deepEqual(complaints, []);
  file(join(path, "below-a-file")).write({ a: 1 });
  assert.equal(complaints.length, 1);
});
