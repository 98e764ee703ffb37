// Two installers never work at once, and a dead one holds nobody up.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withInstallLock } from "./install-lock.mjs";

const folder = mkdtempSync(join(tmpdir(), "aug-lock-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("the second waits for the first", async () => {
  const path = join(folder, "shared.lock");
  const order = [];
  let waited;
  const secondWaits = new Promise((resolve) => {
    waited = resolve;
  });
  const first = withInstallLock(path, async () => {
    await secondWaits;
    order.push("first");
  });
  const second = withInstallLock(path, async () => order.push("second"), waited);
  await Promise.all([first, second]);
  assert.deepEqual(order, ["first", "second"]);
  assert.equal(existsSync(path), false);
});

test("a failed install gives the lock back", async () => {
  const path = join(folder, "failed.lock");
  await assert.rejects(
    withInstallLock(path, async () => {
      throw new Error("no network");
    }),
    /no network/,
  );
  assert.equal(await withInstallLock(path, async () => "done"), "done");
});

test("the lock of a dead process is taken over", async () => {
  const path = join(folder, "stale.lock");
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(path, String(pid));
  assert.equal(await withInstallLock(path, async () => "done"), "done");
});
