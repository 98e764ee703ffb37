// Peers from npm, pinned, in the cache that all checkouts share. An install is made beside and renamed into place, so half
// of one is never taken for whole.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheDir } from "./places.mjs";

const limitMs = 120_000;

/**
 * The folder a package of this version is installed in.
 * @param {{runsScripts?: boolean}} [options] whether its install script is part of it
 */
export function npmPeer(name, version, { runsScripts = false } = {}) {
  const shelf = join(cacheDir, "bench-peers");
  const home = join(shelf, `${name.replaceAll(/[^\w.-]+/g, "_")}-${version}`);
  if (existsSync(home)) return home;
  mkdirSync(shelf, { recursive: true });
  const making = mkdtempSync(join(shelf, "installing-"));
  try {
    writeFileSync(join(making, "package.json"), JSON.stringify({ private: true }));
    const { status, stdout, stderr, error } = spawnSync(
      "npm",
      [
        "install",
        `${name}@${version}`,
        `--ignore-scripts=${!runsScripts}`,
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
      ],
      { cwd: making, encoding: "utf8", timeout: limitMs },
    );
    if (error || status !== 0) throw new PeerMissing(whyNot(error, `${stdout}\n${stderr}`));
    if (!existsSync(home)) renameSync(making, home);
    return home;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** A peer that cannot be had here; the message says why in a line. */
export class PeerMissing extends Error {}

function whyNot(error, output) {
  if (error) return error.code === "ETIMEDOUT" ? "npm did not finish in time" : error.message;
  const lines = output.split("\n").map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim());
  const telling = lines.find((line) => /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|E404|Error/.test(line)) ?? lines.find(Boolean);
  return `npm install failed (${(telling ?? "no reason given").slice(0, 120)})`;
}
