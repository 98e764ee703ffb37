// Where a bench finds the program and puts its data: a folder of its own that goes away with it.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const quick = Boolean(process.env.BENCH_QUICK);

export const cacheDir = resolve(
  process.env.AUGMENT_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "augment-orchestrator"),
);

const root = resolve(import.meta.dirname, "..", "..");
export const cli = resolve(process.env.AUGMENT_CLI || join(root, "dist", "bin", "augment-cli"));
if (!existsSync(cli)) {
  console.error(`There is no program at ${cli}. Run \`npm run bench\`, or set AUGMENT_CLI.`);
  process.exit(2);
}

const scratch = mkdtempSync(join(process.env.AUGMENT_HOME || tmpdir(), "b-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

/** The environment of every program a bench starts: its data below the bench's own folder, no token, no workspace. */
export const environment = { ...process.env, AUGMENT_HOME: join(scratch, "home") };
for (const name of ["AUGMENT_TOKEN", "AUGMENT_WORKSPACE", "AUGMENT_LOG"]) delete environment[name];

/** A new empty folder. */
export function folder(name) {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true });
  return path;
}
