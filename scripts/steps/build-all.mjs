// From a clone to a VSIX, in the order that wastes least: what is needed first is made first, and a step whose result
// is already there takes no time.

import { bundleExtension } from "./bundle.mjs";
import { ensureNodeModules } from "./node-modules.mjs";
import { buildCli } from "./rust.mjs";
import { packageVsix } from "./vsix.mjs";

export async function buildAll() {
  await ensureNodeModules();
  await buildCli();
  await bundleExtension();
}

export async function buildVsix() {
  await buildAll();
  return packageVsix();
}
