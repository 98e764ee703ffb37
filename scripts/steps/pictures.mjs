// The pictures that the documents show: screens of the story test, with as many colours as a palette holds, which no eye
// misses and which makes files of a third of the size.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StepFailed } from "./failure.mjs";
import { artifactsDir, root } from "./places.mjs";
import { withPalette } from "./png-palette.mjs";

/** Which screen each picture in docs/ is. */
const screens = { review: "story-dark-file", panel: "story-dark-panel-board", queue: "story-dark-question" };
/** A page with all of them should come up at once. */
const limitBytes = 120_000;

/** @returns how large each has become */
export function takePictures() {
  return Object.entries(screens)
    .map(([name, screen]) => {
      const taken = join(artifactsDir, `${screen}.png`);
      if (!existsSync(taken)) throw new StepFailed(`${screen}.png is not there. Run \`npm test -- vscode\` first.`);
      const picture = withPalette(readFileSync(taken));
      if (picture.length > limitBytes)
        throw new StepFailed(`docs/${name}.png would have ${picture.length} bytes, and ${limitBytes} are allowed.`);
      writeFileSync(join(root, "docs", `${name}.png`), picture);
      return `${name}.png ${Math.round(picture.length / 1_000)} kB`;
    })
    .join(", ");
}
