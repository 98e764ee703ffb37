// Finds a process's descendants, and those that left the tree but still carry a mark in their environment, and ends
// them. It only ever touches processes it was given or that descend from them: never by name.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 25;

/** Every live process as `{ pid, parent, command }`, on Linux with its `birth` in clock ticks. */
export function processes() {
  if (process.platform === "linux") return numericFolders("/proc").map(readProcess).filter(Boolean);
  const table = execFileSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" });
  return table
    .split("\n")
    .map((line) => line.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .filter(Boolean)
    .map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command }));
}

/** The descendants of `pid`, nearest first, without itself. */
export function descendants(pid) {
  const all = processes();
  const found = [];
  const parents = new Set([pid]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const candidate of all) {
      if (!parents.has(candidate.pid) && parents.has(candidate.parent)) {
        parents.add(candidate.pid);
        found.push(candidate);
        grew = true;
      }
    }
  }
  return found;
}

/**
 * Processes whose environment holds `NAME=value`, wherever they are in the tree. A daemon that detached itself keeps
 * its environment, so this finds what `descendants` cannot. Only Linux tells us; elsewhere the answer is empty.
 */
export function marked(name, value) {
  if (process.platform !== "linux") return [];
  const mark = `${name}=${value}`;
  return numericFolders("/proc")
    .filter((pid) => environmentOf(pid).includes(mark))
    .map(readProcess)
    .filter(Boolean);
}

/** Whether `process` still runs; a later process that was given the same number is another one. */
export function isAlive({ pid, birth }) {
  if (process.platform === "linux") return readProcess(pid)?.birth === birth;
  return processes().some((other) => other.pid === pid);
}

/**
 * Ends `pid`, all its descendants and the processes that carry the mark `alsoMarked` (`[name, value]`): asks first,
 * insists after `graceMs`, and waits until none is left.
 */
export async function endTree(pid, { graceMs = 5_000, alsoMarked } = {}) {
  const known = new Map();
  const learn = (found) => {
    for (const one of found) if (one.pid !== process.pid && !known.has(one.pid)) known.set(one.pid, one);
  };
  learn(processes().filter((one) => one.pid === pid));
  const remaining = () => {
    for (const one of [...known.values()].filter(isAlive)) learn(descendants(one.pid));
    if (alsoMarked) learn(marked(...alsoMarked));
    return [...known.values()].filter(isAlive);
  };
  const insistAt = Date.now() + graceMs;
  const asked = new Set();
  for (let left = remaining(); left.length > 0; left = remaining()) {
    for (const target of left) {
      if (Date.now() > insistAt) signal(target.pid, "SIGKILL");
      else if (!asked.has(target.pid)) signal(target.pid, "SIGTERM");
      asked.add(target.pid);
    }
    await pause(pollMs);
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function numericFolders(folder) {
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** A zombie has ended already and only waits for its parent to look, so it does not count as a process. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent] = fields;
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return { pid, parent: Number(parent), birth: fields[19], command };
  } catch {
    return undefined;
  }
}

/** The variables of a process, each `NAME=value`; none where it has ended. */
export function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
