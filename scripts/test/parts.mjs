// The parts of `npm test`, in their order, and what each needs from the system first.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "../check/checks.mjs";
import { ensureAgents } from "../steps/agents.mjs";
import { buildVsix } from "../steps/build-all.mjs";
import { ensureJj } from "../steps/jj.mjs";
import { root } from "../steps/places.mjs";
import { ensureRust } from "../steps/rust.mjs";
import { ensureSystemPackages } from "../steps/system-packages.mjs";
import { ensureVsCodeServer } from "../steps/vscode-server.mjs";
import { runCargoTests } from "./cargo-part.mjs";
import { runNodeTests, testFiles } from "./node-part.mjs";

const minutes = (count) => count * 60_000;
const testsDir = join(root, "tests");

/** A folder of tests that drive the built product from outside. */
const folderPart = (name, { limit, concurrency, prepare }) => ({
  name,
  needsVsix: true,
  async run() {
    await prepare?.();
    return runNodeTests(name, join(testsDir, name), { limitMs: minutes(limit), concurrency });
  },
});

async function prepareVsCode() {
  // The compiler is for VS Code's log writer; without it the Output view of a log channel stays empty.
  await ensureSystemPackages(["git", "chromium", "g++", "make", "python3"]);
  await ensureVsCodeServer();
  await ensureAgents();
  await ensureJj();
}

async function prepareHistory(packages) {
  await ensureSystemPackages(packages);
  await ensureJj();
}

async function prepareAgents() {
  await ensureSystemPackages(["git"]);
  await ensureAgents();
}

export const parts = [
  { name: "check", needsVsix: false, run: () => runChecks({ unitTests: false }) },
  {
    name: "rust",
    needsVsix: false,
    async run() {
      await ensureRust();
      // The shells are those that the functions for scripts are for.
      await prepareHistory(["git", "dash", "busybox"]);
      return runCargoTests("rust", ["--workspace"], { limitMs: minutes(20) });
    },
  },
  {
    name: "package",
    needsVsix: false,
    async run() {
      await buildVsix();
      return { passed: 0, failed: 0, problems: [] };
    },
  },
  folderPart("cli", {
    limit: 15,
    concurrency: 2,
    prepare: () => prepareHistory(["git", "python3", "dash", "busybox"]),
  }),
  folderPart("protocol", { limit: 10, concurrency: 2, prepare: () => ensureSystemPackages(["python3"]) }),
  folderPart("crash", { limit: 15, concurrency: 2, prepare: () => prepareHistory(["strace", "git"]) }),
  folderPart("neovim", { limit: 10, concurrency: 2, prepare: () => ensureSystemPackages(["neovim", "git"]) }),
  folderPart("agents", { limit: 15, concurrency: 2, prepare: prepareAgents }),
  folderPart("vscode", { limit: 45, concurrency: 1, prepare: prepareVsCode }),
  folderPart("start", { limit: 10, concurrency: 1, prepare: prepareVsCode }),
];

/** Folders with tests that no part would run: they would look tested and not be. */
export function forgottenFolders() {
  const known = new Set(parts.map(({ name }) => name));
  return readdirSync(testsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !known.has(entry.name))
    .filter((entry) => testFiles(join(testsDir, entry.name)).length > 0)
    .map((entry) => entry.name);
}
