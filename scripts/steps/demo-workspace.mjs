// The folder that `npm start` opens: a small git repository with something to do, and a few items in its queue. What
// is there already is left as it is, so a person's own changes and queue survive the next start.

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { mustRun } from "./command.mjs";
import { StepFailed } from "./failure.mjs";
import { cliPath, root } from "./places.mjs";
import { step } from "./progress.mjs";
import { ensureSystemPackages } from "./system-packages.mjs";

const execute = promisify(execFile);
const template = join(root, "scripts", "demo");

const seeds = [
  { title: "Refactor authentication module", priority: "high" },
  { title: "Keep notes on disk", priority: "high" },
  { title: "Refuse oversized notes", priority: "medium" },
  { title: "Let sessions end after a day", priority: "medium" },
  { title: "Describe the HTTP door in the README", priority: "low" },
];

export async function ensureDemoWorkspace(folder) {
  await ensureSystemPackages(["git"]);
  await step("Prepare the demo workspace", async () => {
    if (!existsSync(join(folder, ".git"))) await plant(folder);
    // A workspace of an earlier version has no agent to play with yet.
    for (const piece of ["agent.js", ".augment/agents.toml"]) {
      if (!existsSync(join(folder, piece))) cpSync(join(template, piece), join(folder, piece));
    }
    const queued = await queueLength(folder);
    if (queued > 0) return `${queued} items in its queue`;
    for (const { title, priority } of seeds) {
      await augmentCli(folder, ["queue", "add", "--title", title, "--priority", priority]);
    }
    return `${seeds.length} items put in its queue`;
  });
}

async function plant(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(template, folder, { recursive: true });
  const git = (...args) =>
    mustRun(
      "git",
      ["-c", "user.name=Lantern", "-c", "user.email=lantern@localhost", "-c", "commit.gpgsign=false", ...args],
      {
        cwd: folder,
        explain: `git could not make the demo repository in ${folder}; its words are above.`,
      },
    );
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--no-verify", "--message", "lantern: a notes server to work on");
}

async function queueLength(folder) {
  return JSON.parse(await augmentCli(folder, ["queue", "list", "--all", "--json"])).tasks.length;
}

async function augmentCli(folder, args) {
  try {
    return (await execute(cliPath, ["-C", folder, ...args], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    throw new StepFailed(
      `augment-cli ${args.slice(0, 2).join(" ")} failed in the demo workspace ${folder}.`,
      error.stderr ?? error.message,
    );
  }
}
