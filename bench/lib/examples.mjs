// The measuring programs that are written in Rust, since what they measure or stand for is. They are examples of the host's crate,
// built for release here, or taken from the folder that BENCH_EXAMPLES names.

import { join } from "node:path";
import { cargoTargetDir } from "../../scripts/steps/places.mjs";
import { locked, mustCargo } from "../../scripts/steps/rust.mjs";

/** The path of an example that is built. */
export async function example(name) {
  if (process.env.BENCH_EXAMPLES) return join(process.env.BENCH_EXAMPLES, name);
  await mustCargo(["build", "--release", "--quiet", ...locked, "-p", "augment-host", "--example", name], {
    log: "cargo-build.log",
    explain: "The measuring program could not be built; the compiler's own words are above.",
  });
  return join(cargoTargetDir, "release", "examples", name);
}
