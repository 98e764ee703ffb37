// `npm run bench [name…]`: builds the release binary and runs every bench/*.bench.mjs in order of name, or those whose
// name holds one of the words given. Each prints its own table.

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./steps/command.mjs";
import { main, StepFailed } from "./steps/failure.mjs";
import { ensureNodeModules } from "./steps/node-modules.mjs";
import { artifactsDir, cacheDir, cliPath, root } from "./steps/places.mjs";
import { paint, say, seconds } from "./steps/progress.mjs";
import { buildCli } from "./steps/rust.mjs";

const limitMs = 15 * 60_000;
const benchDir = join(root, "bench");

await main(async () => {
  const words = process.argv.slice(2);
  const files = (existsSync(benchDir) ? readdirSync(benchDir) : [])
    .filter((name) => name.endsWith(".bench.mjs"))
    .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
    .sort();
  if (files.length === 0)
    throw new StepFailed(
      `No bench matches${words.length > 0 ? ` ${words.join(", ")}` : ""}; they are bench/*.bench.mjs.`,
    );
  await ensureNodeModules();
  await buildCli();

  say(`\n${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}; compare ratios, not times.`);
  const failed = [];
  for (const file of files) if (!(await runBench(file))) failed.push(file);
  if (failed.length > 0) say(`\nFailed: ${failed.join(", ")}`);
  return failed.length > 0 ? 1 : 0;
});

async function runBench(file) {
  const startedAt = Date.now();
  const augmentHome = mkdtempSync(join(tmpdir(), "aug-bench-"));
  say(`\n${paint("bold", `── ${file.replace(/\.bench\.mjs$/, "")} ──`)}`);
  try {
    const { code, timedOut } = await run(process.execPath, [join(benchDir, file)], {
      show: true,
      limitMs,
      log: "bench.log",
      env: {
        AUGMENT_CLI: cliPath,
        AUGMENT_CACHE: cacheDir,
        AUGMENT_ARTIFACTS: artifactsDir,
        AUGMENT_HOME: augmentHome,
      },
    });
    if (timedOut) say(`${file} was ended after its limit of ${limitMs / 60_000} min.`);
    say(paint("dim", `${seconds(Date.now() - startedAt)}`));
    return code === 0 && !timedOut;
  } finally {
    rmSync(augmentHome, { recursive: true, force: true });
  }
}
