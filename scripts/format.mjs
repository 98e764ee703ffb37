// `npm run format`: formats Rust, TypeScript and scripts, and mends the lint findings that are safe to mend.

import { mustRun } from "./steps/command.mjs";
import { main } from "./steps/failure.mjs";
import { ensureNodeModules, packageBin } from "./steps/node-modules.mjs";
import { step } from "./steps/progress.mjs";
import { ensureRust, mustCargo } from "./steps/rust.mjs";

await main(async () => {
  await ensureNodeModules();
  await step("Format TypeScript and scripts", async () => {
    await mustRun(process.execPath, [packageBin("@biomejs/biome", "biome"), "check", "--write", "--colors=off"], {
      explain: "Biome has objections that it cannot mend itself; they are above.",
    });
  });
  await ensureRust();
  await step("Format Rust", async () => {
    await mustCargo(["fmt", "--all"], { explain: "cargo fmt failed; its words are above." });
  });
});
