// `npm run pictures`: takes the pictures of README and Marketplace from the screens of the last `npm test`.

import { main } from "./steps/failure.mjs";
import { takePictures } from "./steps/pictures.mjs";
import { step } from "./steps/progress.mjs";

await main(() => step("Take the pictures", async () => takePictures()).then(() => 0));
