// From a clone to a VSIX, in the order that wastes least: what is needed first is made first, and a step whose result
// is already there takes no time.

import { bundleExtension } from "./bundle.mjs";
import { ensureNodeModules } from "./node-modules.mjs";
import { platform } from "./places.mjs";
import { buildCli, buildCliFor, mustBeBuildable } from "./rust.mjs";
import { packageVsix } from "./vsix.mjs";

export async function buildAll() {
  await ensureNodeModules();
  await buildCli();
  await bundleExtension();
}

/** @param {string} [target] the platform that the VSIX is for */
export async function buildVsix(target = platform) {
  await mustBeBuildable(target);
  await ensureNodeModules();
  const program = target === platform ? await buildCli() : await buildCliFor(target);
  await bundleExtension();
  return packageVsix({ target, program });
}
