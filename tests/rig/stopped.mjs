// Stopping a process so that it does nothing more until it is told to go on. The signal alone does not: on a machine that
// is busy the process's threads go on until one of them comes to take it.

import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "./eventually.mjs";

/** Sends SIGSTOP, and returns when no thread of the process runs any more. */
export async function stopped(pid) {
  process.kill(pid, "SIGSTOP");
  await eventually(
    `process ${pid} has stopped`,
    () => readdirSync(`/proc/${pid}/task`).map((thread) => stateOf(`/proc/${pid}/task/${thread}/stat`)),
    (states) => states.every((state) => state === "T"),
  );
}

/** The letter after the name, which is in parentheses and may hold anything. */
function stateOf(stat) {
  return readFileSync(stat, "latin1").replace(/^.*\) /s, "")[0];
}
