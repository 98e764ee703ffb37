// One installer at a time in the shared cache: a lock file that names its holder. A lock whose holder is dead is
// taken over; one whose holder lives is waited for.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 500;

export async function withInstallLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false; !take(path); told = true) {
    if (!told) onWait?.();
    await pause(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (!holderLives(path)) rmSync(path, { force: true });
  return false;
}

function holderLives(path) {
  try {
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error.code === "EPERM";
  }
}
