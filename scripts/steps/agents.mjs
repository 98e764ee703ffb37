// The real agents that the tests drive: goose, and Codex with its ACP adapter, from npm, in the shared cache. They are
// never started from here but to see that they start, and nothing of the person's own agents is read or changed.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./cached-install.mjs";
import { mustRun } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { cacheDir, platform } from "./places.mjs";

const versions = { goose: "1.52.0", codex: "0.166.0", codexAcp: "2.6.0", layout: 1 };
/** Goose comes as one package for each platform. */
const goosePackages = { "linux-x64": "@aaif/goose-binary-linux-x64" };

const home = join(
  cacheDir,
  "agents",
  `goose-${versions.goose}-codex-${versions.codex}-acp-${versions.codexAcp}-${versions.layout}`,
);

/** The programs: `goose` and `codex` are files to run, `codexAcp` is a script for Node. Throws when they are missing. */
export function installedAgents() {
  if (!existsSync(home)) throw new StepFailed("The agents are not installed yet. Run `npm test -- agents` once.");
  return partsOf(home);
}

export async function ensureAgents() {
  if (goosePackages[platform] === undefined) {
    throw new StepFailed(
      `The agents that are tested with do not come for ${platform}, only for ${Object.keys(goosePackages).join(", ")}. Run the other parts by name, as in \`npm test -- cli\`.`,
    );
  }
  await ensureInstalled(`Install goose ${versions.goose} and Codex ${versions.codex}`, home, installInto);
}

async function installInto(site, note) {
  const npm = async (name, ...packages) => {
    note(name);
    const folder = join(site, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    await mustRun("npm", ["install", ...packages, ...quiet], {
      cwd: folder,
      log: "agents.log",
      explain: `${name} could not be installed from npm. Check that the registry can be reached, and run this again.`,
    });
  };
  await npm("goose", `${goosePackages[platform]}@${versions.goose}`);
  await npm("codex", `@openai/codex@${versions.codex}`, `@agentclientprotocol/codex-acp@${versions.codexAcp}`);

  note("trying them");
  const { goose, codex } = partsOf(site);
  for (const program of [goose, codex]) {
    await mustRun(program, ["--version"], {
      env: { HOME: site, CODEX_HOME: site },
      explain: `${program} was installed but does not start; its words are above.`,
    });
  }
}

function partsOf(folder) {
  const modules = (name) => join(folder, name, "node_modules");
  return {
    goose: join(modules("goose"), goosePackages[platform], "bin", "goose"),
    codex: join(modules("codex"), ".bin", "codex"),
    codexAcp: join(modules("codex"), "@agentclientprotocol", "codex-acp", "dist", "index.js"),
  };
}
