// `npm run package`: the VSIX for this platform, or with `-- --target PLATFORM` for another one, in dist/.

import { parseArgs } from "node:util";
import { buildVsix } from "./steps/build-all.mjs";
import { main, StepFailed } from "./steps/failure.mjs";
import { platform } from "./steps/places.mjs";
import { say } from "./steps/progress.mjs";
import { targets } from "./steps/targets.mjs";

const usage = `npm run package [-- --target PLATFORM]

  --target PLATFORM   ${Object.keys(targets).join(", ")} (this one, ${platform}, by default)
  --help              print this`;

await main(async () => {
  const { target, help } = readOptions();
  say(help ? usage : await buildVsix(target));
});

function readOptions() {
  try {
    const options = { target: { type: "string", default: platform }, help: { type: "boolean", default: false } };
    return parseArgs({ options }).values;
  } catch (error) {
    throw new StepFailed(`${error.message}\n\n${usage}`);
  }
}
