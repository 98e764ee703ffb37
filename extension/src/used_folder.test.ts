// Whether somebody uses a folder by now, asked as often as one likes.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { UsedFolder } from "./used_folder";

function newFolder(t: TestContext) {
  const scratch = mkdtempSync(join(tmpdir(), "aug-used-"));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  const data = join(scratch, "data");
  const program = { asked: 0, fault: undefined as Error | undefined };
  const clock = { nowMs: 1_000 };
  const folder = new UsedFolder(
    async () => {
      program.asked += 1;
      if (program.fault !== undefined) throw program.fault;
      return data;
    },
    () => clock.nowMs,
  );
  return { data, program, clock, folder };
}

test("a folder is used from the moment that it has data, and the program is asked once where that is", async (t) => {
  const { data, program, folder } = newFolder(t);
  assert.deepEqual([await folder.look(), await folder.look()], [false, false]);
  writeFileSync(data, "no folder");
  assert.equal(await folder.look(), false);
  rmSync(data);
  mkdirSync(data);
  assert.equal(await folder.look(), true);
  assert.equal(program.asked, 1);
});

test("whoever asks while it is looked gets an answer that is not older than the question", async (t) => {
  const { data, folder } = newFolder(t);
  const first = folder.look();
  mkdirSync(data);
  assert.equal(await folder.look(), true);
  await first;
});

test("a program that cannot say it is asked again after a minute, and until then nothing is known", async (t) => {
  const { data, program, clock, folder } = newFolder(t);
  mkdirSync(data);
  program.fault = new Error("out of order");
  await assert.rejects(folder.look(), /out of order/);
  clock.nowMs += 59_000;
  assert.deepEqual([await folder.look(), program.asked], [undefined, 1]);
  clock.nowMs += 1_000;
  program.fault = undefined;
  assert.deepEqual([await folder.look(), program.asked], [true, 2]);
});
