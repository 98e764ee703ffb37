// What `npm run check` and the first part of `npm test` look at: format, lint, types, generated files, the manifest,
// the scripts' own tests. It changes no file. Each check runs even when another failed.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun } from "../steps/command.mjs";
import { StepFailed, tell } from "../steps/failure.mjs";
import { checkGenerated } from "../steps/generated.mjs";
import { checkBundle, nls, sources } from "../steps/l10n.mjs";
import { spoken, textFaults } from "../steps/manifest-texts.mjs";
import { ensureNodeModules, packageBin } from "../steps/node-modules.mjs";
import { manifest, root } from "../steps/places.mjs";
import { step } from "../steps/progress.mjs";
import { ensureRust, ensureRustComponents, locked, mustCargo } from "../steps/rust.mjs";
import { runCargoTests } from "../test/cargo-part.mjs";
import { extensionTestFiles, runExtensionTests } from "../test/extension-tests.mjs";
import { runNodeTests } from "../test/node-part.mjs";
import { manifestFaults } from "./manifest.mjs";
import { textFaultsIn } from "./texts.mjs";

const limitMs = 10 * 60_000;

/** @param {{ unitTests: boolean }} which whether the fast Rust unit tests run too */
export async function runChecks({ unitTests }) {
  await ensureNodeModules();
  await ensureRust();
  await ensureRustComponents([
    { program: "rustfmt", name: "rustfmt" },
    { program: "cargo-clippy", name: "clippy" },
  ]);

  const total = { passed: 0, failed: 0, problems: [] };
  const check = async (title, work) => {
    try {
      await step(title, work);
    } catch (error) {
      tell(error);
      if (!(error instanceof StepFailed)) throw error;
      total.problems.push(`${title}: ${error.message}`);
    }
  };
  const count = ({ passed, failed, problems, output }) => {
    total.passed += passed;
    total.failed += failed;
    if (problems.length > 0) throw new StepFailed(problems.join("; "), output);
    return `${passed} passed`;
  };

  await check("Rust format", () =>
    mustCargo(["fmt", "--all", "--check", "--", "--color", "never"], {
      explain: "Rust files are not formatted. Run `npm run format`.",
    }).then(quiet),
  );
  await check("TypeScript and script format and lint", () =>
    mustRun(process.execPath, [packageBin("@biomejs/biome", "biome"), "ci", "--colors=off"], {
      explain: "Biome has objections. `npm run format` mends those that can be mended.",
    }).then(quiet),
  );
  await check("Manifest", () => {
    const [ours, texts] = [manifest(), nls()];
    const faults = [
      ...textFaults(ours, texts),
      ...manifestFaults(spoken(ours, texts), (path) => existsSync(join(root, path))),
    ];
    if (faults.length > 0) throw new StepFailed(`package.json: ${faults.join("; ")}.`);
  });
  await check("Texts for translation", () => {
    const faults = sources().flatMap(({ name, source }) => textFaultsIn(source, name));
    if (faults.length > 0)
      throw new StepFailed(
        `These texts are read by people and cannot be translated. Write t("…"), or name them in scripts/check/texts.mjs if only programs read them: ${faults.join("; ")}.`,
      );
    checkBundle();
  });
  await check("Versions", () => {
    const [, rust] = readFileSync(join(root, "Cargo.toml"), "utf8").match(/^version = "(.+)"$/m) ?? [];
    const { version } = manifest();
    if (rust !== version)
      throw new StepFailed(
        `package.json is version ${version}, Cargo.toml ${rust}. Hosts and clients compare them: make both the same.`,
      );
  });
  // The panel's page knows a browser and the extension does not, so each is looked at with its own types.
  for (const [title, project] of [
    ["TypeScript types", "."],
    ["TypeScript types of the panel", "extension/panel"],
  ]) {
    await check(title, () =>
      mustRun(process.execPath, [packageBin("typescript", "tsc"), "--noEmit", "--pretty", "false", "-p", project], {
        explain: "The extension has type errors; they are above.",
      }).then(quiet),
    );
  }
  await check("Tests of the scripts", async () =>
    count(await runNodeTests("scripts", join(root, "scripts"), { limitMs, concurrency: 2, show: false })),
  );
  if (extensionTestFiles().length > 0) {
    await check("Tests of the extension", async () =>
      count(await runExtensionTests({ limitMs, concurrency: 2, show: false })),
    );
  }
  await check("Rust lint", (note) =>
    mustCargo(["clippy", ...locked, "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], {
      log: "clippy.log",
      onLine: note,
      explain: "Clippy has objections; they are above.",
    }).then(quiet),
  );
  await check("Generated TypeScript is fresh", checkGenerated);
  if (unitTests) {
    await check("Rust unit tests", async () =>
      count(await runCargoTests("unit", ["-p", "augment-core", "-p", "augment-protocol"], { limitMs, show: false })),
    );
  }
  return total;
}

function quiet() {
  return undefined;
}
