// `npm test [part…]`: installs what the tests need and runs them, all parts even when one fails, then a table of how
// each went and how long it took. The last line says how many tests passed and failed, alone.

import { rmSync } from "node:fs";
import { main, StepFailed, tell } from "./steps/failure.mjs";
import { ensureNodeModules } from "./steps/node-modules.mjs";
import { artifactsDir, logsDir } from "./steps/places.mjs";
import { paint, say, seconds } from "./steps/progress.mjs";
import { forgottenFolders, parts } from "./test/parts.mjs";

const notRun = "not run, because the VSIX could not be made";

await main(async () => {
  const chosen = choose(process.argv.slice(2));
  const startedAt = Date.now();
  for (const folder of [artifactsDir, logsDir]) rmSync(folder, { recursive: true, force: true });
  await ensureNodeModules();

  const results = [];
  let vsixFailed = false;
  for (const part of chosen) {
    say(`\n${paint("bold", `── ${part.name} ──`)}`);
    const result = part.needsVsix && vsixFailed ? outcome([notRun]) : await runPart(part);
    results.push({ name: part.name, ...result });
    if (part.name === "package" && result.problems.length > 0) vsixFailed = true;
  }
  const forgotten = forgottenFolders();
  if (forgotten.length > 0)
    results.push({ name: "forgotten", ...outcome([`no part runs tests/${forgotten.join(", tests/")}`]) });

  return report(results, Date.now() - startedAt);
});

/** The parts asked for, with the VSIX made first when one of them needs it. */
function choose(names) {
  for (const name of names) {
    if (!parts.some((part) => part.name === name)) {
      throw new StepFailed(`There is no part "${name}". The parts are ${parts.map((part) => part.name).join(", ")}.`);
    }
  }
  if (names.length === 0) return parts;
  const wanted = parts.filter((part) => names.includes(part.name));
  const needsVsix = wanted.some((part) => part.needsVsix);
  return parts.filter((part) => wanted.includes(part) || (needsVsix && part.name === "package"));
}

async function runPart(part) {
  const startedAt = Date.now();
  let result;
  try {
    result = await part.run();
  } catch (error) {
    tell(error);
    result = outcome([error instanceof StepFailed ? error.message : String(error)]);
  }
  return { ...result, ms: Date.now() - startedAt };
}

function outcome(problems) {
  return { passed: 0, failed: 0, problems, ms: 0 };
}

function report(results, ms) {
  const bad = results.filter(({ problems }) => problems.length > 0);
  if (bad.length > 0) say(`\n${paint("bold", "What failed")}`);
  for (const { name, problems } of bad) for (const problem of problems) say(`  ${name}: ${problem}`);

  say(
    `\n${"part".padEnd(10)} ${"result".padEnd(8)} ${"passed".padStart(7)} ${"failed".padStart(7)} ${"time".padStart(13)}`,
  );
  for (const { name, passed, failed, problems, ms: partMs } of results) {
    const word = problems.length > 0 ? paint("red", "failed".padEnd(8)) : paint("green", "passed".padEnd(8));
    say(
      `${name.padEnd(10)} ${word} ${String(passed).padStart(7)} ${String(failed).padStart(7)} ${seconds(partMs).padStart(13)}`,
    );
  }
  say(`${"all".padEnd(10)} ${"".padEnd(8)} ${"".padStart(7)} ${"".padStart(7)} ${seconds(ms).padStart(13)}\n`);

  // A part that went wrong without a failed test, as a lint or a build does, counts as one, so that the last line
  // never says that nothing failed when something did.
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + (result.failed || (result.problems.length > 0 ? 1 : 0)), 0);
  say(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}
