// `npm run package`: the VSIX for this platform, in dist/.

import { buildVsix } from "./steps/build-all.mjs";
import { main } from "./steps/failure.mjs";
import { say } from "./steps/progress.mjs";

await main(async () => {
  say(await buildVsix());
});
