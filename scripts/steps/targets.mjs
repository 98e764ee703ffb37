// The platforms that the Marketplace knows and what a VSIX for each needs: which Rust target, which linker, which machine.
// Nothing here builds; what is missing is said with the command that gets it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "./command.mjs";

const linuxOnly =
  "the engine keeps agents with what Linux alone offers (subreapers, pidfds, Landlock), so it does not compile there yet";

/**
 * `machine` is the platform that can build it; `linker` and `from` are for building it on another processor; `unported` says
 * why there is none.
 */
export const targets = {
  "linux-x64": {
    rust: "x86_64-unknown-linux-gnu",
    machine: "linux",
    linker: "x86_64-linux-gnu-gcc",
    from: "gcc-x86-64-linux-gnu",
  },
  "linux-arm64": {
    rust: "aarch64-unknown-linux-gnu",
    machine: "linux",
    linker: "aarch64-linux-gnu-gcc",
    from: "gcc-aarch64-linux-gnu",
  },
  "darwin-x64": { rust: "x86_64-apple-darwin", machine: "darwin", unported: linuxOnly },
  "darwin-arm64": { rust: "aarch64-apple-darwin", machine: "darwin", unported: linuxOnly },
  "win32-x64": {
    rust: "x86_64-pc-windows-msvc",
    machine: "win32",
    unported: "the product is for Unix so far: its socket, its lock and its process groups are Unix's",
  },
};

/**
 * Why a VSIX for this platform cannot be built here, in a sentence with what to do; undefined where it can.
 * @param {string} target
 * @param {{ native: string, hasProgram(name: string): boolean, hasRustTarget(name: string): boolean }} here
 */
export function whyNot(target, here) {
  const wanted = targets[target];
  if (wanted === undefined) return `There is no platform ${target}. Use one of ${Object.keys(targets).join(", ")}.`;
  if (wanted.unported !== undefined)
    return `There is no VSIX for ${target}: ${wanted.unported}. Those who work there can open the folder over SSH, in a container or in WSL.`;
  if (target === here.native) return undefined;
  if (!here.native.startsWith(`${wanted.machine}-`))
    return `A VSIX for ${target} is built on ${wanted.machine}. Run this there.`;
  const missing = [
    ...(here.hasProgram(wanted.linker)
      ? []
      : [`the linker ${wanted.linker} (\`apt-get install ${wanted.from} libc6-dev-${arch(target)}-cross\`)`]),
    ...(here.hasRustTarget(wanted.rust)
      ? []
      : [`Rust's library for ${wanted.rust} (\`rustup target add ${wanted.rust}\`)`]),
  ];
  if (missing.length === 0) return undefined;
  return `A VSIX for ${target} needs ${missing.join(" and ")}. Get ${missing.length === 1 ? "it" : "them"}, then run this again.`;
}

const arch = (target) => (target.endsWith("arm64") ? "arm64" : "amd64");

/** This machine, as `whyNot` asks about it. */
export function thisMachine(sysroot) {
  return {
    native: `${process.platform}-${process.arch}`,
    hasProgram: (name) => findProgram(name) !== undefined,
    hasRustTarget: (name) => existsSync(join(sysroot, "lib", "rustlib", name, "lib")),
  };
}

/** What cargo and the C compiler of its dependencies have to be told to build for another processor. */
export function crossEnvironment(target) {
  const { rust, linker } = targets[target];
  const upper = rust.toUpperCase().replaceAll("-", "_");
  const lower = rust.replaceAll("-", "_");
  return {
    [`CARGO_TARGET_${upper}_LINKER`]: linker,
    [`CC_${lower}`]: linker,
    [`AR_${lower}`]: linker.replace(/gcc$/, "ar"),
  };
}
