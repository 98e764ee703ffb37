// The jj program that the tests drive, built by cargo into the shared cache. A jj of the person's own is neither used nor
// changed, and no configuration of theirs is read.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureInstalled } from "./cached-install.mjs";
import { mustRun } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { cacheDir } from "./places.mjs";
import { ensureRust } from "./rust.mjs";

const versions = { jj: "0.45.1", layout: 1 };

const home = join(cacheDir, "jj", `jj-${versions.jj}-${versions.layout}`);

/** Where the program is once it is installed; tests get it as AUGMENT_TEST_JJ. */
export const jjPath = join(home, "bin", "jj");

/** The program. Throws when it is missing. */
export function installedJj() {
  if (!existsSync(jjPath)) throw new StepFailed("jj is not installed yet. Run `npm test -- rust` once.");
  return jjPath;
}

export async function ensureJj() {
  await ensureRust();
  await ensureInstalled(`Install jj ${versions.jj} (built once, about seven minutes)`, home, installInto);
}

async function installInto(site, note) {
  // Fast to build matters more than fast to run; what the build leaves behind is of no use to anybody.
  const target = mkdtempSync(join(tmpdir(), "aug-jj-"));
  try {
    const wanted = [`jj-cli@${versions.jj}`, "--locked", "--no-default-features", "--features", "git"];
    await mustRun("cargo", ["install", ...wanted, "--root", site], {
      // Not in the checkout, whose settings of cargo are for its own crates.
      cwd: target,
      log: "jj.log",
      onLine: note,
      env: {
        CARGO_TARGET_DIR: target,
        CARGO_PROFILE_RELEASE_OPT_LEVEL: "1",
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
        CARGO_PROFILE_RELEASE_DEBUG: "false",
      },
      explain: "jj could not be built by cargo. Check that crates.io can be reached, and run this again.",
    });
  } finally {
    rmSync(target, { recursive: true, force: true });
  }

  note("trying it");
  const config = join(site, "empty");
  mkdirSync(config);
  writeFileSync(join(config, "config.toml"), "");
  await mustRun(join(site, "bin", "jj"), ["--version"], {
    env: { HOME: config, JJ_CONFIG: join(config, "config.toml") },
    explain: "jj was built but does not start; its words are above.",
  });
}
