// Measuring: processor time and memory as the kernel counts them, and what to make of many figures.

import { readdirSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

const tickMs = 10;

export const now = () => performance.now();

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value below which so many of a hundred are; of few values it is the greatest. */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)];
}

export const sum = (values) => values.reduce((total, value) => total + value, 0);
export const mean = (values) => sum(values) / values.length;

/** Processor time of each thread of a process so far, in ms. */
function threads(pid) {
  const times = new Map();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      times.set(thread, Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6);
    } catch (error) {
      // A thread that ended between the two looks.
      if (error.code !== "ENOENT" && error.code !== "ESRCH") throw error;
    }
  }
  return times;
}

/** Processor time of a process since its start, in ms: threads that have ended are not in it. */
export const cpuMs = (pid) => sum([...threads(pid).values()]);

/** Begins to count a process's processor time; the function returned tells how many ms have gone since. */
export function watchCpu(pid) {
  const before = threads(pid);
  return () => sum([...threads(pid)].map(([thread, ms]) => ms - (before.get(thread) ?? 0)));
}

function stat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

/** User and system time of a process with its ended threads, in ms, to the tick. */
export function tickedCpuMs(pid) {
  const fields = stat(pid);
  return (fields[11] + fields[12]) * tickMs;
}

/** Processor time of all children of this process that have ended, in ms, to the tick. */
export function childrenCpuMs() {
  const fields = stat("self");
  return (fields[13] + fields[14]) * tickMs;
}

/** How often the threads of a process have been put on a processor. */
export function switches(pid) {
  let count = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
    for (const [, number] of status.matchAll(/ctxt_switches:\s+(\d+)/g)) count += Number(number);
  }
  return count;
}

/**
 * What a process keeps in memory, in MB: all of it, its fair share of what it shares, and what it has made itself. The last leaves
 * out the pages of files. Those of a program that runs once are its own and become shared when it is started again, so the second
 * one would look cheaper than free.
 */
export function memoryMb(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)[1]) / 1024;
  return { rss: field("Rss"), pss: field("Pss"), own: field("Anonymous") };
}
