// `npm run l10n`: moves the manifest's texts to package.nls.json and writes l10n/bundle.l10n.json from the sources.

import { main } from "./steps/failure.mjs";
import { writeTexts } from "./steps/l10n.mjs";
import { step } from "./steps/progress.mjs";

await main(() => step("Write the texts that people read", async () => writeTexts()).then(() => 0));
