// The extension's TypeScript as one file, with `vscode` left for the editor to provide. Types are checked elsewhere.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StepFailed } from "./failure.mjs";
import { bundlePath, distDir, root } from "./places.mjs";
import { step } from "./progress.mjs";

const entry = join("extension", "src", "main.ts");

export async function bundleExtension() {
  if (!existsSync(join(root, entry)))
    throw new StepFailed(`${entry} is missing: the checkout is incomplete. Clone it again.`);
  await step("Bundle the extension", async () => {
    const { build } = await import("esbuild");
    const result = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: bundlePath,
      bundle: true,
      minify: true,
      platform: "node",
      target: "node20",
      format: "cjs",
      external: ["vscode"],
      metafile: true,
      legalComments: "linked",
      logLevel: "silent",
    }).catch((error) => {
      throw new StepFailed("The extension does not bundle; esbuild's words are above.", error.message);
    });
    writeFileSync(join(distDir, "extension.meta.json"), JSON.stringify(result.metafile));
    const size = Object.entries(result.metafile.outputs).find(([path]) => path.endsWith("main.js"))[1].bytes;
    return `${(size / 1024).toFixed(1)} kB`;
  });
}
