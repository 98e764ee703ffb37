// Peers from PyPI, pinned, each in an environment of its own in the cache. An environment knows its own path, so it is made in
// place; a mark that is written last tells a whole one from half of one.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PeerMissing } from "./npm-peer.mjs";
import { cacheDir } from "./places.mjs";

const limitMs = 120_000;

/** The folder of programs that a package of this version brings. */
export function pipPeer(name, version) {
  const home = join(cacheDir, "bench-peers", `pip-${name}-${version}`);
  const mark = join(home, "installed");
  if (existsSync(mark)) return join(home, "bin");
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  must("python3", ["-m", "venv", home]);
  must(join(home, "bin", "pip"), [
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--no-input",
    `${name}==${version}`,
  ]);
  writeFileSync(mark, "");
  return join(home, "bin");
}

function must(program, args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", timeout: limitMs });
  if (error) throw new PeerMissing(error.code === "ETIMEDOUT" ? "pip did not finish in time" : error.message);
  if (status === 0) return;
  const telling = stderr.split("\n").find((line) => /error/i.test(line)) ?? "no reason given";
  throw new PeerMissing(`pip install failed (${telling.trim().slice(0, 120)})`);
}
