// Disks that are full, broken or read-only while a decision is carried out: what cannot be written is told, no file is
// half, and everything works again when the disk does (R2, Z1).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { leavings, picture, put, repository } from "../rig/changed-files.mjs";
import { checkWhole, endHost, newLane, placesOf, reject, sample, undo } from "../rig/crash-review.mjs";
import { eachPlace } from "../rig/lanes.mjs";
import { failAt, spaceTaking } from "../rig/strace.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const tried = 16;
const nothingLeft = /^error: There is no decision to undo\..*\n$/;

describe("a decision about fifty files, where one write fails", () => {
  let lanes;
  before(async () => {
    lanes = [await newLane(), await newLane()];
  });
  after(async () => {
    for (const lane of lanes) await lane.end();
  });

  for (const [error, calls] of [
    ["ENOSPC", [...spaceTaking, "symlinkat", "mkdirat"]],
    ["EIO", ["fsync", "fdatasync"]],
  ]) {
    test(`${error} at a ${calls.join(", ")}: told, nothing half, and the next try works`, async (t) => {
      const [first] = lanes;
      first.back("reject");
      const places = await placesOf(
        first,
        calls,
        (command) => first.workspace.host({ command }),
        async (host) => {
          assert.equal((await first.workspace.cli(reject)).code, 0);
          await endHost(first.workspace, host);
        },
      );
      const free = [...lanes];
      const told = { all: 0, some: 0, none: 0 };
      await eachPlace(sample(places, tried), async (place) => {
        const lane = free.pop();
        const { workspace, made, without } = lane;
        lane.back("reject");
        const host = await workspace.host({ command: failAt(error, place) });
        const { code, stdout, stderr } = await workspace.cli(reject);
        const left = picture(workspace.folder);
        assert.deepEqual(leavings(left), []);
        checkWhole(left, made, without, []);
        if (code === 0) {
          told.all += 1;
          assert.deepEqual(left, without);
        } else if (stderr) {
          told.none += 1;
          assert.match(stderr, /^error: .*(disk|space).*\n$/);
          assert.deepEqual(left, made, "it said that nothing was changed");
        } else {
          told.some += 1;
          assert.match(stdout, /not written .*(no space left|could not be)/);
        }
        // The next try, by the same host, on a disk that works again.
        const { counts } = await workspace.json(["changes", "list"]);
        if (counts.pendingFiles > 0) assert.equal((await workspace.cli(reject)).code, 0);
        assert.deepEqual(picture(workspace.folder), without);
        assert.equal((await workspace.json(["audit", "verify"])).holds, true);
        await endHost(workspace, host);
        // And all of it can be taken back, decision by decision.
        for (let again = true; again; ) {
          const undone = await workspace.cli(undo);
          again = undone.code === 0;
          if (!again) assert.match(undone.stderr, nothingLeft, undone.stdout + undone.stderr);
        }
        assert.deepEqual(picture(workspace.folder), made);
        free.push(lane);
      });
      t.diagnostic(`${places.length} places, ${tried} of them tried: ${JSON.stringify(told)}`);
      assert.ok(told.some + told.none > 5, JSON.stringify(told));
    });
  }
});

const mount = (...args) => spawnSync("mount", args).status === 0;

const probe = newWorkspace();
const mounts = mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", probe.folder);
if (mounts) spawnSync("umount", [probe.folder]);
await probe.end();

// Small and read-only disks can be made by root alone.
const onOwnDisk = mounts ? test : test.skip;

/** A workspace whose folder a disk is mounted on, and let go of before it is removed. */
function onDisk(t) {
  const workspace = newWorkspace();
  t.after(async () => {
    for (const { pid } of workspace.processes()) process.kill(pid, "SIGKILL");
    spawnSync("umount", ["--lazy", workspace.folder]);
    await workspace.end();
  });
  return workspace;
}

onOwnDisk("a full disk under the workspace: told, nothing half, and as before when there is space", async (t) => {
  const workspace = onDisk(t);
  const { folder } = workspace;
  assert.ok(mount("-t", "tmpfs", "-o", "size=3m", "tmpfs", folder));
  const large = Buffer.alloc(400_000, "large and gone\n");
  repository(folder, { "large.txt": large, "a.txt": "one\n", "b.txt": "b\n" });
  const without = picture(folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  rmSync(join(folder, "large.txt"));
  put(folder, { "a.txt": "two\n", "new.txt": "new\n" });
  await workspace.json(["changes", "list"]);
  mkdirSync(join(folder, ".git/ballast"));
  const fill = (size) => {
    for (let at = 0; ; at += 1) {
      try {
        writeFileSync(join(folder, `.git/ballast/${size}-${at}`), Buffer.alloc(size));
      } catch (error) {
        assert.equal(error.code, "ENOSPC");
        return;
      }
    }
  };
  fill(65_536);
  fill(4_096);
  const full = await workspace.cli(reject);
  assert.equal(full.code, 1);
  assert.match(full.stdout, /large\.txt +not written +There is no space left for large\.txt\. Nothing was changed\./);
  const left = picture(folder);
  assert.deepEqual(leavings(left), []);
  assert.equal(left["large.txt"], undefined);
  for (const name of readdirSync(join(folder, ".git/ballast"))) rmSync(join(folder, ".git/ballast", name));
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(picture(folder), without);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

onOwnDisk("a workspace on a read-only disk: told, and as before when it may be written", async (t) => {
  const workspace = onDisk(t);
  const { folder } = workspace;
  assert.ok(mount("--bind", folder, folder));
  repository(folder, { "a.txt": "one\n", "gone.txt": "gone\n" });
  const without = picture(folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(folder, { "a.txt": "two\n", "new.txt": "new\n" });
  rmSync(join(folder, "gone.txt"));
  const made = picture(folder);
  await workspace.json(["changes", "list"]);
  assert.ok(mount("-o", "remount,ro,bind", folder));
  const refused = await workspace.cli(reject);
  assert.equal(refused.code, 1);
  for (const path of ["a.txt", "gone.txt", "new.txt"]) {
    assert.match(refused.stdout, new RegExp(`${path} +not written +${path} lies on a disk that is read-only\\.`));
  }
  assert.deepEqual(picture(folder), made);
  // Approving writes nothing, so it is possible all the same.
  await workspace.json(["changes", "approve", "--file", "new.txt"]);
  await workspace.json(["changes", "undo"]);
  assert.ok(mount("-o", "remount,rw,bind", folder));
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(picture(folder), without);
  await workspace.json(["changes", "undo"]);
  assert.deepEqual(picture(folder), made);
});
