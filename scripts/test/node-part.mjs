// Runs the tests of one folder with Node's own runner and counts them. A folder in which no test ran is a failure:
// silence must not pass for success.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "../steps/command.mjs";
import { jjPath } from "../steps/jj.mjs";
import { artifactsDir, cacheDir, cliPath, root, vsixPath } from "../steps/places.mjs";
import { say } from "../steps/progress.mjs";

const reporter = join(import.meta.dirname, "reporter.mjs");

export function testFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => join(folder, name))
    .sort();
}

/**
 * @param {string} name of the part, for its files among the artifacts
 * @param {string} folder
 * @param {{ limitMs: number, concurrency: number, show?: boolean }} how
 * @returns {Promise<{ passed: number, failed: number, problems: string[] }>}
 */
export async function runNodeTests(name, folder, { limitMs, concurrency, show = true }) {
  const files = testFiles(folder);
  if (files.length === 0) return { passed: 0, failed: 0, problems: [`${relative(root, folder)} ran no tests`] };

  mkdirSync(artifactsDir, { recursive: true });
  const resultsPath = join(artifactsDir, `${name}.results.jsonl`);
  rmSync(resultsPath, { force: true });
  // A test that forgets to say where the product's data goes must not find the person's own.
  const augmentHome = mkdtempSync(join(tmpdir(), "aug-home-"));
  try {
    const { code, timedOut, output, leftBehind } = await run(
      process.execPath,
      [
        "--test",
        `--test-concurrency=${concurrency}`,
        ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
        ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${resultsPath}`],
        ...files,
      ],
      {
        show,
        limitMs,
        endOffspring: true,
        log: `test-${name}.log`,
        env: {
          AUGMENT_CLI: cliPath,
          AUGMENT_VSIX: vsixPath(),
          AUGMENT_CACHE: cacheDir,
          AUGMENT_ARTIFACTS: artifactsDir,
          AUGMENT_HOME: augmentHome,
          AUGMENT_TEST_JJ: jjPath,
          // Set inside a test, where it would make the runner report to its parent instead of to us.
          NODE_TEST_CONTEXT: undefined,
        },
      },
    );
    for (const command of leftBehind) say(`  a test left this running, ended now: ${command}`);
    return judge(readResults(resultsPath), { name, code, timedOut, limitMs, output: show ? "" : output });
  } finally {
    rmSync(augmentHome, { recursive: true, force: true });
  }
}

function judge(results, { name, code, timedOut, limitMs, output }) {
  const passed = results.filter(({ result }) => result === "passed").length;
  const failures = results.filter(({ result }) => result === "failed");
  const problems = failures.map(
    (failure) => `${failure.file ? `${relative(root, failure.file)}: ` : ""}${failure.name}`,
  );
  if (timedOut) problems.push(`${name} was ended after its limit of ${limitMs / 60_000} min`);
  else if (code !== 0 && failures.length === 0) problems.push(`node --test ended with code ${code}`);
  if (passed + failures.length === 0) problems.push(`${name} ran no tests`);
  return { passed, failed: failures.length, problems, output };
}

function readResults(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
