// The VSIX for this platform, with the binary inside, made from what is already built. It publishes nothing.

import { existsSync, statSync } from "node:fs";
import { relative } from "node:path";
import { mustRun } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { packageBin } from "./node-modules.mjs";
import { bundlePath, cliPath, platform, root, vsixPath } from "./places.mjs";
import { step } from "./progress.mjs";

export async function packageVsix() {
  for (const needed of [cliPath, bundlePath]) {
    if (!existsSync(needed)) throw new StepFailed(`${relative(root, needed)} is missing. Run \`npm run build\` first.`);
  }
  const target = vsixPath();
  await step("Package the VSIX", async (note) => {
    await mustRun(
      process.execPath,
      [
        packageBin("@vscode/vsce", "vsce"),
        "package",
        "--no-dependencies",
        "--allow-missing-repository",
        "--skip-license",
        // There is no public repository that the README's relative links could be rewritten to.
        "--no-rewrite-relative-links",
        "--target",
        platform,
        "--out",
        target,
      ],
      { log: "vsce.log", onLine: note, explain: "vsce refused to package the extension; its words are above." },
    );
    return `${relative(root, target)}, ${(statSync(target).size / 1e6).toFixed(1)} MB`;
  });
  return target;
}
