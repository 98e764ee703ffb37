// `npm run build`: the release binary and the extension's bundle, in dist/.

import { buildAll } from "./steps/build-all.mjs";
import { main } from "./steps/failure.mjs";

await main(buildAll);
