// Faults at exact places: the n-th of a set of system calls kills the program or fails. strace has to trace the calls
// that it injects into, so what it writes about them is dropped. It counts the calls of each thread apart.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Calls that make something last, or change a name or a size on the way there. */
export const durable = [
  "pwrite64",
  "pwritev",
  "fsync",
  "fdatasync",
  "ftruncate",
  "fallocate",
  "rename",
  "renameat",
  "renameat2",
  "unlink",
  "unlinkat",
  "mkdir",
  "mkdirat",
  "fchmod",
  "chmod",
];

/** Calls that need space on the disk. */
export const spaceTaking = ["pwrite64", "pwritev", "ftruncate", "fallocate"];

const known = new Map();

/** Those of the calls that this machine's strace knows: not every architecture has each of them. */
function existing(calls) {
  return calls.filter((call) => {
    if (!known.has(call)) known.set(call, spawnSync("strace", ["-e", `trace=${call}`, "true"]).status === 0);
    return known.get(call);
  });
}

const tracer = (calls, output) => ["strace", "-f", "-qq", "-o", output, "-e", `trace=${calls}`];

/** A command prefix: the `when`-th of these calls ends the program as kill -9 does, before the call takes place. */
export function killAt(when, calls = durable) {
  const list = existing(calls).join(",");
  return [...tracer(list, "/dev/null"), "-e", `inject=${list}:signal=SIGKILL:when=${when}`];
}

/**
 * A command prefix: these calls fail.
 * @param {string} error such as ENOSPC
 * @param {number | string} when the n-th, or `n+` for it and all after
 */
export function failAt(error, when, calls = spaceTaking) {
  const list = existing(calls).join(",");
  return [...tracer(list, "/dev/null"), "-e", `inject=${list}:error=${error}:when=${when}`];
}

/** A command prefix that only writes the calls to a file, to be counted with `countCalls`. */
export function record(path, calls = durable) {
  return tracer(existing(calls).join(","), path);
}

/** How many calls each thread made, in the order in which the threads appeared. Faults count by thread, too. */
export function countCalls(path) {
  const counts = new Map();
  for (const [, thread] of readFileSync(path, "utf8").matchAll(/^(\d+) +\w+\(/gm)) {
    counts.set(thread, (counts.get(thread) ?? 0) + 1);
  }
  return counts;
}
