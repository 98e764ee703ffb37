// The product as these tests use it: a scratch workspace with data of its own, and the command line as the oracle for
// what the editor did.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cliPath, manifest } from "../../scripts/steps/places.mjs";

const execute = promisify(execFile);
const { publisher, name } = manifest();

export const statusItem = `${publisher}.${name}.status`;
export const program = process.env.AUGMENT_CLI ?? cliPath;

/** Data and sockets lie below `home`. A short name, since a socket's path may not be long. */
export function newProduct() {
  const scratch = mkdtempSync(join(tmpdir(), "aug-"));
  const home = join(scratch, "home");
  const workspace = join(scratch, "workspace");
  for (const folder of [home, workspace]) mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(workspace, "notes.txt"), "a file of the workspace\n");

  /** Runs a command on a folder and reads its JSON. */
  const cliIn = async (folder, ...args) => {
    const { stdout } = await execute(program, ["-C", folder, ...args, "--json"], {
      env: { ...process.env, AUGMENT_HOME: home },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim() === "" ? undefined : JSON.parse(stdout);
  };
  const cli = (...args) => cliIn(workspace, ...args);
  return {
    scratch,
    home,
    workspace,
    env: { AUGMENT_HOME: home },
    cli,
    cliIn,
    add: (title, ...args) => cli("queue", "add", "--title", title, ...args),
    /** Takes the task for an agent that stays silent for long. */
    claim: async (id, agent) => (await cli("queue", "claim", id, "--agent", agent, "--lease", "1h")).task,
    async fail(id, agent, reason) {
      const { attempt } = await this.claim(id, agent);
      return cli("queue", "fail", id, "--attempt", String(attempt), "--reason", reason);
    },
    /** Titles of the pending tasks in the order they would be taken. */
    pending: async () =>
      (await cli("queue", "list", "--status", "pending", "--limit", "1000")).tasks.map(({ title }) => title),
    task: async (id) => (await cli("queue", "show", id)).task,
    /** The task with this title, whatever its status. */
    titled: async (title) =>
      (await cli("queue", "list", "--all", "--limit", "1000")).tasks.find((task) => task.title === title),
    hostPid: async () => (await cli("status")).host.pid,
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

/**
 * Changes settings while VS Code runs.
 * @param {"User" | "Machine"} whose settings of scope `machine` are only read from the latter here
 */
export function changeSettings({ folder }, whose, change) {
  const path = join(folder, "data", whose, "settings.json");
  mkdirSync(join(folder, "data", whose), { recursive: true });
  const settings = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  writeFileSync(path, `${JSON.stringify({ ...settings, ...change }, undefined, 2)}\n`);
}

/** What the extension has written to its log channel so far, in all windows. */
export function ourLog({ folder }) {
  const logs = join(folder, "data", "logs");
  const files = readdirSync(logs, { recursive: true }).filter((name) => name.endsWith("Augment Orchestrator.log"));
  return files.map((name) => readFileSync(join(logs, name), "utf8")).join("");
}
