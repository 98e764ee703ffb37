// Cargo, always with the shared target folder, and the release binary copied to where the VSIX and the tests take it
// from. It installs no toolchain: it says how to get one.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { findProgram, mustRun, run } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { withInstallLock } from "./install-lock.mjs";
import { cargoTargetDir, cliName, cliPath, distDir, root } from "./places.mjs";
import { step } from "./progress.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";
import { crossEnvironment, targets, thisMachine, whyNot } from "./targets.mjs";

const cargoEnv = { CARGO_TARGET_DIR: cargoTargetDir };

/** In CI the committed lock file decides; at a desk a changed Cargo.toml may still update it. */
export const locked = process.env.CI === undefined ? [] : ["--locked"];

/** Makes sure that cargo and a C compiler (SQLite is built from source) are there. */
export async function ensureRust() {
  if (!findProgram("cargo")) {
    throw new StepFailed(
      "Rust is needed and cargo is not on the PATH. Install it from rustup.rs (or your system's packages), open a new terminal, and run this again.",
    );
  }
  if (!existsSync(join(root, "Cargo.toml")))
    throw new StepFailed("This checkout has no Cargo.toml: it is incomplete. Clone it again.");
  await ensureSystemPackages(["cc"]);
}

/** Runs cargo to its end and says how it went; for parts that count results themselves. */
export function cargo(args, options = {}) {
  return asTheOnlyCheckout(() => run("cargo", args, { ...options, env: { ...cargoEnv, ...options.env } }));
}

export function mustCargo(args, options) {
  return asTheOnlyCheckout(() => mustRun("cargo", args, { ...options, env: { ...cargoEnv, ...options.env } }));
}

/** While cargo works for one checkout, another waits: it would take away what the first one builds. */
function asTheOnlyCheckout(work) {
  return withInstallLock(`${cargoTargetDir}.lock`, async () => {
    await forgetOtherCheckout();
    return await work();
  });
}

/**
 * Cargo names the output of our own crates alike in every checkout and goes by file times alone, so it could take
 * another checkout's for ours. When the last build was made elsewhere, ours are built anew; dependencies stay.
 */
async function forgetOtherCheckout() {
  const stamp = join(cargoTargetDir, "augment-checkout");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === root) return;
  if (existsSync(cargoTargetDir)) {
    const own = ownCrates().flatMap((name) => ["-p", name]);
    for (const profile of ["dev", "release"])
      await mustRun("cargo", ["clean", "--quiet", "--profile", profile, ...own], { env: cargoEnv });
  }
  mkdirSync(cargoTargetDir, { recursive: true });
  writeFileSync(stamp, root);
}

function ownCrates() {
  return readdirSync(join(root, "server")).map((folder) => `augment-${folder}`);
}

export async function ensureRustComponents(components) {
  for (const { program, name } of components) {
    if (findProgram(program)) continue;
    const installed = findProgram("rustup") && (await run("rustup", ["component", "add", name])).code === 0;
    if (!installed)
      throw new StepFailed(`cargo's ${name} is missing. Run \`rustup component add ${name}\`, then this again.`);
  }
}

export async function buildCli() {
  await ensureRust();
  await step("Build augment-cli (release)", async (note) => {
    mkdirSync(dirname(cliPath), { recursive: true });
    // A running binary cannot be written over, but its name can be given to a new file.
    const fresh = `${cliPath}.new`;
    await asTheOnlyCheckout(async () => {
      await mustRun("cargo", ["build", "--release", ...locked, "-p", "augment-cli", "--bin", "augment-cli"], {
        log: "cargo-build.log",
        onLine: note,
        explain: "The Rust build failed; the compiler's own words are above. Fix them and run this again.",
        env: cargoEnv,
      });
      copyFileSync(join(cargoTargetDir, "release", cliName), fresh);
    });
    chmodSync(fresh, 0o755);
    renameSync(fresh, cliPath);
    return `${(statSync(cliPath).size / 1e6).toFixed(1)} MB`;
  });
  return cliPath;
}

/** Fails with what is missing where no program for this platform can be built here. */
export async function mustBeBuildable(target) {
  const { code, output } = await run("rustc", ["--print", "sysroot"]);
  const reason = whyNot(target, thisMachine(code === 0 ? output.trim() : ""));
  if (reason !== undefined) throw new StepFailed(reason);
}

/** The program for another platform, in a folder of its own. */
export async function buildCliFor(target) {
  await ensureRust();
  const { rust } = targets[target];
  const path = join(distDir, "cross", target, cliName);
  await step(`Build augment-cli for ${target} (release)`, async (note) => {
    mkdirSync(dirname(path), { recursive: true });
    await mustCargo(["build", "--release", ...locked, "--target", rust, "-p", "augment-cli", "--bin", "augment-cli"], {
      log: "cargo-build.log",
      onLine: note,
      explain: `The Rust build for ${target} failed; the compiler's own words are above.`,
      env: crossEnvironment(target),
    });
    copyFileSync(join(cargoTargetDir, rust, "release", cliName), path);
    chmodSync(path, 0o755);
    return `${(statSync(path).size / 1e6).toFixed(1)} MB`;
  });
  return path;
}
