// How large what we ship may become, in one place. Packaging fails where a limit is passed, with what it is and by how
// much; a limit is raised here, on purpose, or not at all.

import { StepFailed } from "./failure.mjs";

const kB = 1024;
const MB = 1_000_000;

export const limits = {
  "the extension's bundle": { bytes: 300 * kB, shown: "300 kB", way: "`npm run bench extension` tells what is in it" },
  "the VSIX": { bytes: 15 * MB, shown: "15 MB", way: "`unzip -lv` on it tells what is in it" },
};

/** @param {keyof typeof limits} what */
export function mustFit(what, bytes) {
  const { bytes: most, shown, way } = limits[what];
  if (bytes <= most) return;
  const [unit, name] = most < MB ? [kB, "kB"] : [MB, "MB"];
  throw new StepFailed(
    `${what[0].toUpperCase()}${what.slice(1)} has ${(bytes / unit).toFixed(1)} ${name}; ${shown} is the most (scripts/steps/limits.mjs). Make it smaller: ${way}.`,
  );
}
