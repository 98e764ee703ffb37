// The extension's own unit tests, extension/**/*.test.ts: bundled as the extension is, and run by Node's runner. They
// test what needs no editor; a test that imports `vscode` belongs to tests/vscode and fails to load here.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StepFailed } from "../steps/failure.mjs";
import { distDir, root } from "../steps/places.mjs";
import { runNodeTests } from "./node-part.mjs";

/** The elements of the panel's page need a browser; where there is none they are elements like others. */
export const testPlugins = [
  {
    name: "plain-elements",
    setup(bundle) {
      bundle.onResolve({ filter: /^@vscode-elements\// }, ({ path }) => ({ path, namespace: "plain-elements" }));
      bundle.onLoad({ filter: /.*/, namespace: "plain-elements" }, () => ({ contents: "" }));
    },
  },
];

const outputDir = join(distDir, "extension-tests");

export function extensionTestFiles() {
  return readdirSync(join(root, "extension"), { recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("extension", name))
    .sort();
}

export async function runExtensionTests(how) {
  const { build } = await import("esbuild");
  rmSync(outputDir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: extensionTestFiles(),
    outdir: outputDir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    external: ["vscode"],
    plugins: testPlugins,
    sourcemap: "inline",
    logLevel: "silent",
  }).catch((error) => {
    throw new StepFailed("The extension's tests do not bundle; esbuild's words are above.", error.message);
  });
  return runNodeTests("extension", outputDir, how);
}
