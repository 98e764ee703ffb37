// The npm packages of the lock file, installed when they are missing or when the lock file has changed since. It
// never changes the lock file and runs no package's install script.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "./command.mjs";
import { root } from "./places.mjs";
import { step } from "./progress.mjs";

const stampPath = join(root, "node_modules", ".installed-from");

export async function ensureNodeModules() {
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (readStamp() === wanted) return;
  await step("Install npm packages", async () => {
    await mustRun("npm", ["ci", "--no-audit", "--no-fund"], {
      log: "npm-ci.log",
      explain:
        "npm ci failed. If package.json and package-lock.json disagree run `npm install`; else check that the npm registry can be reached, and run this again.",
    });
    writeFileSync(stampPath, wanted);
  });
}

function readStamp() {
  try {
    return readFileSync(stampPath, "utf8");
  } catch {
    return undefined;
  }
}

/** The script of a program that an npm package brings, to be run with this Node. */
export function packageBin(name, bin = name) {
  const folder = join(root, "node_modules", name);
  const declared = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).bin;
  return join(folder, typeof declared === "string" ? declared : declared[bin]);
}
