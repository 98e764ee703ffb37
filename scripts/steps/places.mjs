// Where everything lives: the checkout, its outputs, and the cache outside it that clones share.
// Nothing here creates, reads or removes a file other than the manifest.

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..", "..");

export const cacheDir = resolve(
  process.env.AUGMENT_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "augment-orchestrator"),
);

/** Cargo's output is large and slow to make, so every checkout and every run shares one. */
export const cargoTargetDir = resolve(process.env.CARGO_TARGET_DIR || join(cacheDir, "cargo-target"));

export const distDir = join(root, "dist");
export const artifactsDir = join(distDir, "test-artifacts");
export const logsDir = join(distDir, "logs");

const exe = process.platform === "win32" ? ".exe" : "";
export const cliName = `augment-cli${exe}`;
export const cliPath = join(distDir, "bin", cliName);
export const bundlePath = join(distDir, "extension", "main.js");

/** The Marketplace's name for this machine, as in `linux-x64`. */
export const platform = `${process.platform}-${process.arch}`;

export function manifest() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}

export function vsixPath(target = platform) {
  const { name, version } = manifest();
  return join(distDir, `${name}-${target}-${version}.vsix`);
}
