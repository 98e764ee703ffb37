// Faults at exact places: the n-th of a set of system calls kills the program or fails. strace has to trace the calls
// that it injects into, so what it writes about them is dropped.

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

/** Those of the calls that this machine's strace knows: not every architecture has each of them. */
function existing(calls) {
  return calls.filter((call) => spawnSync("strace", ["-e", `trace=${call}`, "true"]).status === 0);
}

const tracer = (calls, output, files = []) => [
  ...["strace", "-f", "-qq", "-o", output, "-e", `trace=${calls}`],
  ...files.flatMap((file) => ["-P", file]),
];

/**
 * A command prefix: a thread's `number`-th call of this name ends the program as kill -9 does, before it takes place.
 * With `files` only calls on these count, so that programs which it starts are left alone.
 */
export function killAt({ call, number, files }) {
  return [...tracer(call, "/dev/null", files), "-e", `inject=${call}:signal=SIGKILL:when=${number}`];
}

/**
 * A command prefix: a thread's `number`-th call of this name fails.
 * @param {string} error such as ENOSPC
 */
export function failAt(error, { call, number }) {
  return [...tracer(call, "/dev/null"), "-e", `inject=${call}:error=${error}:when=${number}`];
}

/**
 * A command prefix: every call of this name waits that long before it takes place, which holds a short moment open. With
 * `files` only calls on these wait.
 */
export function delayAt({ call, ms, files }) {
  return [...tracer(call, "/dev/null", files), "-e", `inject=${call}:delay_enter=${ms * 1_000}`];
}

/** A command prefix that writes the calls, perhaps only those on some files, to a file, to be read with `places`. */
export function record(path, calls = durable, files = []) {
  return tracer(existing(calls).join(","), path, files);
}

/**
 * The places of a recorded run at which a fault can be put, in the order in which they came: the first, second … call of
 * a name by one thread, which is how strace counts.
 * @returns {{ call: string, number: number }[]}
 */
export function places(path) {
  const counts = new Map();
  const found = new Map();
  for (const [, thread, call] of readFileSync(path, "utf8").matchAll(/^(\d+) +(\w+)\(/gm)) {
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, number);
    // Another thread may have had its own n-th call of this name before: then that is where the fault is.
    if (!found.has(`${call} ${number}`)) found.set(`${call} ${number}`, { call, number });
  }
  return [...found.values()];
}
