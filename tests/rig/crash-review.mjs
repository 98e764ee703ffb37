// A run's work on fifty files, ready to be rejected or, once rejected, to be undone, in a workspace that is put back to
// that moment as often as a test wants to break it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { before, picture, repository, touched, work } from "./changed-files.mjs";
import { eventually } from "./eventually.mjs";
import { durable, places, record } from "./strace.mjs";
import { newWorkspace } from "./workspace.mjs";

export const reject = ["changes", "reject", "--task-id", "a1"];
export const undo = ["changes", "undo"];

/**
 * strace that stops the program at the calls it looks for alone, since looking for writers takes thousands of others. It
 * is for recording: faults are not put in at the right place so.
 */
export const quickly = ([strace, ...rest]) => [strace, "--seccomp-bpf", ...rest];

/** All that lasts when a decision is carried out, links included. */
export const lasting = [...durable, "symlinkat", "symlink"];

/** A lane: a workspace that two pictures are known of, with the run's work and without it. */
export async function newLane() {
  const workspace = newWorkspace();
  const kept = join(workspace.scratch, "kept");
  before(workspace.folder);
  repository(workspace.folder);
  const without = picture(workspace.folder);
  await workspace.json(["start", "fifty files", "--agent", "goose"]);
  work(workspace.folder);
  const made = picture(workspace.folder);
  const { counts } = await workspace.json(["changes", "list"]);
  assert.equal(counts.pendingFiles, touched);
  await keep("reject");
  assert.equal((await workspace.cli(reject)).code, 0);
  assert.deepEqual(picture(workspace.folder), without);
  await keep("undo");
  await stop();

  async function stop() {
    assert.equal((await workspace.cli(["host", "stop"])).code, 0);
    await eventually("the host has left", () => workspace.processes().length === 0);
  }

  async function keep(name) {
    await stop();
    mkdirSync(join(kept, name), { recursive: true });
    execFileSync("cp", ["-a", workspace.home, workspace.folder, join(kept, name)]);
  }

  return {
    workspace,
    made,
    without,
    /** The moment before a reject or before its undo; nothing runs. */
    back(name) {
      for (const one of [workspace.home, workspace.folder]) rmSync(one, { recursive: true, force: true });
      execFileSync("cp", ["-a", join(kept, name, "home"), join(kept, name, "work"), workspace.scratch]);
    },
    end: () => workspace.end(),
  };
}

/** The places of a command in a process that is recorded from `begin` on, without those before `begin` had ended. */
export async function placesOf(lane, calls, begin, act) {
  const log = join(lane.workspace.scratch, "calls");
  const begun = await begin(quickly(record(log, calls)));
  const early = `${log}-early`;
  execFileSync("cp", [log, early]);
  await act(begun);
  return places(log).slice(places(early).length);
}

/** At most so many of them, evenly. */
export function sample(all, count) {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]);
}

/** Each path is as it was before or as it was to be; the names of temporary files are not looked at. */
export function checkWhole(seen, one, other, ours) {
  for (const path of new Set([...Object.keys(seen), ...Object.keys(one), ...Object.keys(other)])) {
    if (ours.includes(path)) continue;
    assert.ok([one[path], other[path]].includes(seen[path]), `${path} is neither: ${seen[path]}`);
  }
}

/** Ends a host under strace at the pid in its lock. */
export async function endHost(workspace, host) {
  process.kill(Number(readFileSync((await workspace.places()).lock, "utf8")), "SIGKILL");
  await host.exit;
}
