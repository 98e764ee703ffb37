// `npm run check`: the fast part of what CI runs, to be run before each commit.

import { runChecks } from "./check/checks.mjs";
import { main } from "./steps/failure.mjs";
import { say, seconds } from "./steps/progress.mjs";

await main(async () => {
  const startedAt = Date.now();
  const { problems } = await runChecks({ unitTests: true });
  say(
    `\n${problems.length === 0 ? "All checks passed" : `${problems.length} checks failed`} in ${seconds(Date.now() - startedAt)}.`,
  );
  return problems.length === 0 ? 0 : 1;
});
