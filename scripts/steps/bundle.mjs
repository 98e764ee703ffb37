// The extension's TypeScript as one file, with `vscode` left for the editor to provide, and the panel's page as a script and
// a style sheet for a browser. Types are checked elsewhere.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { StepFailed } from "./failure.mjs";
import { bundlePath, distDir, root } from "./places.mjs";
import { step } from "./progress.mjs";

const entry = join("extension", "src", "main.ts");
const panel = join("extension", "panel");

/**
 * All files share the parts of the editor's API, each under a name of its own. As modules are defined, `import * as` is an
 * object of its own for each file that has it: more than a hundred copies of hundreds of names, which was nearly all that
 * loading took. And a part that is named once is named shortly wherever it is used.
 */
const oneApi = {
  name: "one-api",
  setup({ onResolve, onLoad }) {
    const parts = partsOfApi();
    const named = (part) => `vscode_${part}`;
    onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === "one-api" ? { path: "vscode", external: true } : { path: "vscode", namespace: "one-api" },
    );
    onLoad({ filter: /.*/, namespace: "one-api" }, () => ({
      contents: `export const vscode = require("vscode");\n${parts.map((part) => `export const ${named(part)} = vscode.${part};`).join("\n")}`,
    }));
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const used = new Set(["vscode"]);
      const shared = text.replace(apiPart, (whole, part) => {
        if (!parts.includes(part)) return whole;
        used.add(named(part));
        return named(part);
      });
      return {
        contents: shared.replace(importOfApi, `import { ${[...used].join(", ")} } from "vscode";`),
        loader: "ts",
      };
    });
  },
};

const importOfApi = /^import \* as vscode from "vscode";$/m;
/** Not the name of a command, which stands in quotes. */
const apiPart = /(?<!["'`\w.])vscode\.(\w+)/g;

/** What of the API is there when the extension runs: what is called, made or looked into, and no types. */
function partsOfApi() {
  const files = readdirSync(join(root, "extension"), { recursive: true }).filter((name) => name.endsWith(".ts"));
  const uses = files.flatMap((name) => [
    ...readFileSync(join(root, "extension", name), "utf8").matchAll(
      /\b(?:new|instanceof|extends) vscode\.(\w+)|\bvscode\.(\w+)[.(]/g,
    ),
  ]);
  return [...new Set(uses.map(([, made, looked]) => made ?? looked))].sort();
}

export async function bundleExtension() {
  if (!existsSync(join(root, entry)))
    throw new StepFailed(`${entry} is missing: the checkout is incomplete. Clone it again.`);
  await step("Bundle the extension", async () => {
    const { build } = await import("esbuild");
    const bundle = (options) =>
      build({
        absWorkingDir: root,
        bundle: true,
        minify: true,
        // Texts as they are written; escaped, a sign takes twice its bytes.
        charset: "utf8",
        metafile: true,
        legalComments: "linked",
        logLevel: "silent",
        ...options,
      }).catch((error) => {
        throw new StepFailed("The extension does not bundle; esbuild's words are above.", error.message);
      });
    const result = await bundle({
      entryPoints: [entry],
      outfile: bundlePath,
      platform: "node",
      target: "node20",
      format: "cjs",
      plugins: [oneApi],
      define: { undefined: "absent" },
      inject: [join("extension", "src", "absent.ts")],
    });
    const page = await bundle({
      entryPoints: ["main.ts", "panel.css"].map((name) => ({ in: join(panel, name), out: "panel" })),
      outdir: dirname(bundlePath),
      platform: "browser",
      target: "chrome128",
      format: "iife",
      loader: { ".ttf": "file" },
      assetNames: "[name]",
    });
    mustRunInBrowser(readFileSync(join(dirname(bundlePath), "panel.js"), "utf8"), page.metafile);
    writeFileSync(join(distDir, "extension.meta.json"), JSON.stringify(result.metafile));
    writeFileSync(join(distDir, "panel.meta.json"), JSON.stringify(page.metafile));
    const size = ({ metafile }, name) =>
      (Object.entries(metafile.outputs).find(([path]) => path.endsWith(name))[1].bytes / 1024).toFixed(1);
    return `${size(result, "main.js")} kB, the panel's page ${size(page, "panel.js")} kB`;
  });
}

/** Types do not tell: a module that both sides share may bring one along that is Node's alone, and then no page is drawn. */
function mustRunInBrowser(script, { inputs }) {
  const [found] = script.match(/\bBuffer\.\w+|\bprocess\.\w+|\brequire\("/) ?? [];
  if (found === undefined) return;
  const files = Object.keys(inputs).filter(
    (path) => path.startsWith("extension/") && readFileSync(join(root, path), "utf8").includes(found),
  );
  throw new StepFailed(
    `The panel's page uses ${found}, which browsers do not have, in ${files.join(", ")}. Import what it needs from a module without it.`,
  );
}
