// The files that are written from Rust: what follows from the wire types, made anew or only compared with what is committed, and
// the schemas of settings files, which a test of the program compares.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.mjs";
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

/** docs/*.schema.json of the files that people write, from the tables that they are read by. */
export async function generateSchemas() {
  await step("Write the schemas of settings files", async (note) => {
    const changed = [];
    for (const file of ["settings", "policy", "agents"]) {
      const path = join(root, "docs", `${file}.schema.json`);
      let text = "";
      await mustCargo(["run", "--quiet", ...locked, "-p", "augment-cli", "--", "config", "schema", file], {
        log: "generate.log",
        onLine: note,
        onText: (more) => {
          text += more;
        },
        explain: `The schema of ${file} could not be made; the program's words are above.`,
      });
      if (readFileSync(path, "utf8") === text) continue;
      writeFileSync(path, text);
      changed.push(path);
    }
    return changed.length === 0 ? "nothing had changed" : `wrote ${changed.join(", ")}`;
  });
}

export async function checkGenerated() {
  await mustCargo([...generator, "--check"], {
    explain:
      "Files made from the Rust types are stale or cannot be made. Run `npm run generate` and commit the result.",
  });
}
