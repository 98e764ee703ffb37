// The files that are written from the Rust wire types: made anew, or only compared with what is committed.

import { step } from "./progress.mjs";
import { ensureRust, locked, mustCargo } from "./rust.mjs";

const generator = [
  "run",
  "--quiet",
  ...locked,
  "-p",
  "augment-protocol",
  "--features",
  "generate",
  "--bin",
  "generate-ts",
  "--",
];

export async function generateProtocol() {
  await ensureRust();
  await step("Write what is made from the protocol", async (note) => {
    const { output } = await mustCargo(generator, {
      log: "generate.log",
      onLine: note,
      explain: "The files made from the protocol could not be written; the generator's words are above.",
    });
    return output.trim() || "nothing had changed";
  });
}

export async function checkGenerated() {
  await mustCargo([...generator, "--check"], {
    explain:
      "Files made from the Rust types are stale or cannot be made. Run `npm run generate` and commit the result.",
  });
}
