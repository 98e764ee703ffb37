// An install in the shared cache, made once for all checkouts: beside its place and renamed into it, so that half of one
// is never taken for whole, and by one run at a time.

import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { withInstallLock } from "./install-lock.mjs";
import { step } from "./progress.mjs";

/**
 * @param {string} title of the step, as in "Install VS Code server 4.139.1"
 * @param {string} home where it will be: a folder whose name tells its versions, on a shelf of its own
 * @param {(site: string, note: (text: string) => void) => Promise<void>} installInto makes it in an empty folder
 */
export async function ensureInstalled(title, home, installInto) {
  if (existsSync(home)) return;
  const shelf = dirname(home);
  await step(title, (note) =>
    withInstallLock(
      join(shelf, "install.lock"),
      () => install(shelf, home, (site) => installInto(site, note)),
      () => note("another run is installing it; waiting"),
    ),
  );
}

async function install(shelf, home, installInto) {
  if (existsSync(home)) return "installed by another run";
  for (const name of readdirSync(shelf)) {
    if (name.startsWith("installing-")) rmSync(join(shelf, name), { recursive: true, force: true });
  }
  const site = mkdtempSync(join(shelf, "installing-"));
  try {
    await installInto(site);
    renameSync(site, home);
    return undefined;
  } finally {
    rmSync(site, { recursive: true, force: true });
  }
}
