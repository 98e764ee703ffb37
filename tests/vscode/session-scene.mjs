// A project with a plan, a changelog and agents that do what their scripts say, for the tests of sessions.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentHome, agentsFile } from "../rig/agents.mjs";
import { reportXml } from "../rig/runs.mjs";
import { newProduct, statusItem } from "./product.mjs";

export const sessionItem = statusItem.replace(/status$/, "session");
export const goal = "All connectors built and tested";

const plan = `# Project plan

current_phase: Phase 1 — Bronze
sprint_goal: "${goal}"
last_updated: 2026-02-26

## Phase 1: Bronze

**Goal:** ${goal}

| Task | Area | Estimated | Depends On | Status | Notes |
| --- | --- | --- | --- | --- | --- |
| Withings connector | src | 45 min | | ✅ Complete | |
| Resolve the credential issue | src | 15 min | | ⬜ Planned | |
| Build the connector | src | 45 min | | ⬜ Planned | |
| Run the validation suite | src | 20 min | | ⬜ Planned | |

**Phase 1 progress:** 1/4 tasks complete (25%)
`;

const changelog = `# Changelog

## 2026-02-26 — Session 008: Withings connector

**Phase:** Phase 1 — Bronze
**Agent:** goose
**Duration:** ~120 minutes
**Tasks completed:** 1/1

### What was done
- Withings connector

### What was NOT done
- Nothing carried over
`;

/** Put together here, so that the repository holds nothing that looks like a key. */
const key = ["AKIA", "Q3EGRIWVZ5KLT7XY"].join("");

/** What the agents write, by path. */
export const written = {
  "src/credential.ts": "export const name = 'LIFESUM_KEY';\n",
  "src/connector.ts": `export const id = "${key}";\n`,
  "docs/notes.md": "Something else was noticed.\n",
  "src/validate.ts": "export const valid = true;\n",
};

/**
 * @param {(agents: object, path: (name: string) => string) => Record<string, object>} others agents besides or instead of those here
 * @returns what the tests use
 */
export function newSessionScene(others = () => ({})) {
  const product = newProduct();
  const path = (name) => join(product.workspace, name);
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args], {
      cwd: product.workspace,
      encoding: "utf8",
    }).trim();
  for (const folder of ["src", "docs"]) mkdirSync(path(folder));
  writeFileSync(path("PROJECT_PLAN.md"), plan);
  writeFileSync(path("CHANGELOG.md"), changelog);
  writeFileSync(path("src/withings.ts"), "export {};\n");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.org");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");

  const agents = agentHome({ scratch: product.scratch });
  const write = (...names) => names.map((name) => ({ write: [path(name), written[name]] }));
  const done = (summary) => ({ say: reportXml("completed", summary) });
  const command = { adapter: "command" };
  const config = join(product.home, "config");
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(config, "agents.toml"),
    agentsFile({
      first: agents.fake([...write("src/credential.ts"), done("The key has a new name.")], command),
      second: agents.fake([...write("src/connector.ts", "docs/notes.md"), done("The connector is built.")], command),
      third: agents.fake([...write("src/validate.ts"), done("All connectors pass.")], command),
      ...others(agents, path),
    }),
  );
  return {
    ...product,
    git,
    agentProcesses: agents.processes,
    bytes: (name) => readFileSync(path(name), "utf8"),
    changes: () => product.cli("changes", "list"),
    async remove() {
      await agents.end();
      product.remove();
    },
  };
}
