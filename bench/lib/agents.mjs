// What benches of agents have in common: a host that starts the agents of a bench, their runs with the processes that belong
// to them, and how a client that is connected sees what becomes of a run.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { processes } from "../../scripts/steps/process-tree.mjs";
import { agentsFile } from "../../tests/rig/agents.mjs";
import { now } from "./measure.mjs";
import { environment, folder } from "./places.mjs";
import { adopt, callHost, forget, runCli, startHost, stop } from "./programs.mjs";

const acpAgent = join(import.meta.dirname, "acp-agent.mjs");
const patienceMs = 120_000;
const pollMs = 5;

/** The command of the agent that says what is ordered in this folder. */
export const acpCommand = (orders) => [process.execPath, acpAgent, orders];

/** What stands in `agents.toml` for an agent with this command. */
export function agentOf([program, ...args], more) {
  const home = folder("agent-home");
  return { command: program, args, parallel: 16, writable: [`${home}/`], set: { HOME: home }, ...more };
}

/** A host in a new workspace, with these agents and settings, and a client that is connected to it. */
export async function openHost(name, agents, settings = {}) {
  const workspace = folder(name);
  const config = join(environment.AUGMENT_HOME, "config");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "agents.toml"), agentsFile(agents));
  for (const [key, value] of Object.entries({ "agents.parallel": "16", ...settings }))
    runCli(workspace, "config", "set", key, value);
  const host = await startHost(workspace);
  const { connection, close } = await callHost(workspace);
  return {
    workspace,
    host,
    connection,
    /** Starts an agent on a task of its own and waits until it is at work; `keeper` and `agent` are its processes. */
    async run(agent) {
      const before = new Set(keepers(host).map(({ pid }) => pid));
      const { id: task } = await connection.request("augment/queue/add", { title: "Be measured" });
      const { run } = await connection.request("augment/agent/start", { agent, task });
      await seen(connection, run.run, ({ state }) => state === "running");
      const keeper = keepers(host).find(({ pid }) => !before.has(pid));
      if (!keeper) throw new Error(`Run ${run.run} has no keeper of its own.`);
      // With its keeper the agent ends, too: neither outlives a bench that fails.
      adopt(keeper.pid);
      const child = processes().find(({ parent }) => parent === keeper.pid);
      return { id: run.run, keeper: keeper.pid, agent: child.pid };
    },
    /** Kills a run's agent and waits until this client sees that the run has ended; gives how long that took, in ms. */
    async end({ id, keeper, agent }) {
      const killedAt = now();
      process.kill(agent, "SIGKILL");
      const at = await seen(connection, id, ({ ended }) => ended);
      forget(keeper);
      return at - killedAt;
    },
    async leave() {
      close();
      await stop(host);
    },
  };
}

const keepers = (host) => processes().filter(({ parent, command }) => parent === host.pid && / keep\b/.test(command));

/**
 * Waits until a client that is connected sees a run as is accepted: it looks again whenever the host tells that something has
 * moved. Gives the moment of the answer that says so.
 */
export async function seen(connection, run, accept) {
  const until = now() + patienceMs;
  for (;;) {
    const moved = connection.nextNotice("augment/moved");
    const { run: info } = await connection.request("augment/run/show", { run });
    const at = now();
    if (accept(info)) return at;
    if (info.ended || at > until)
      throw new Error(`Run ${run} is ${info.state} (${info.because}), which was not to be.`);
    await Promise.race([moved, pause(patienceMs, undefined, { ref: false })]);
  }
}

/** Has an agent say something, and returns when its client has read all of it. */
export async function order(orders, what) {
  const [path, done] = [join(orders, "order.json"), join(orders, "done")];
  writeFileSync(`${path}.new`, JSON.stringify(what));
  renameSync(`${path}.new`, path);
  const until = now() + patienceMs;
  while (!existsSync(done)) {
    if (now() > until) throw new Error(`The agent has not said ${what.count} ${what.stream} in time.`);
    await pause(pollMs);
  }
  rmSync(done);
}
