// The VSIX for a platform, with its program inside, made from what is already built: the files of `.vscodeignore` in a
// folder of their own, with the Marketplace's page. It publishes nothing.

import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { mustRun } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { mustFit } from "./limits.mjs";
import { listing } from "./listing.mjs";
import { packageBin } from "./node-modules.mjs";
import { bundlePath, cliPath, distDir, platform, root, vsixPath } from "./places.mjs";
import { step } from "./progress.mjs";

/** Made here, and not taken from the checkout. */
const made = ["dist/bin/**", "README.md"];

/** @param {{ target?: string, program?: string }} [what] for which platform, and the program built for it */
export async function packageVsix({ target = platform, program = cliPath } = {}) {
  for (const needed of [program, bundlePath]) {
    if (!existsSync(needed)) throw new StepFailed(`${relative(root, needed)} is missing. Run \`npm run build\` first.`);
  }
  const vsix = vsixPath(target);
  await step(`Package the VSIX${target === platform ? "" : ` for ${target}`}`, async (note) => {
    mustFit("the extension's bundle", statSync(bundlePath).size);
    const stage = join(distDir, "vsix", target);
    fillStage(stage, program);
    await mustRun(
      process.execPath,
      [
        packageBin("@vscode/vsce", "vsce"),
        "package",
        "--no-dependencies",
        "--allow-missing-repository",
        "--skip-license",
        // There is no public repository that relative links could be rewritten to; the page has none.
        "--no-rewrite-relative-links",
        ...["--target", target],
        ...["--out", vsix],
      ],
      {
        cwd: stage,
        log: "vsce.log",
        onLine: note,
        explain: "vsce refused to package the extension; its words are above.",
      },
    );
    rmSync(stage, { recursive: true, force: true });
    mustFit("the VSIX", statSync(vsix).size);
    return `${relative(root, vsix)}, ${(statSync(vsix).size / 1e6).toFixed(1)} MB`;
  });
  return vsix;
}

function fillStage(stage, program) {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, "dist", "bin"), { recursive: true });
  for (const path of letIn(readFileSync(join(root, ".vscodeignore"), "utf8"), readdirSync(root))) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(stage, path), { recursive: true });
  }
  copyFileSync(program, join(stage, "dist", "bin", basename(program)));
  chmodSync(join(stage, "dist", "bin", basename(program)), 0o755);
  writeFileSync(join(stage, "README.md"), listing());
}

/**
 * The files and folders that `.vscodeignore` lets in, and itself.
 * @param {string[]} top what lies at the top of the checkout, for names with a star
 */
export function letIn(ignore, top) {
  const patterns = ignore
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1).trim())
    .filter((pattern) => !made.includes(pattern));
  const paths = patterns.flatMap((pattern) => {
    const path = pattern.replace(/\/\*\*$/, "");
    const [before, after] = path.split("*");
    return after === undefined ? [path] : top.filter((name) => name.startsWith(before) && name.endsWith(after));
  });
  return [".vscodeignore", ...paths];
}
