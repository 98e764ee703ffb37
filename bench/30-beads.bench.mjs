// Against beads (`bd`), the task tracker for agents, command against command: it has no host to talk to. Its npm package
// fetches the program while it is installed; where that cannot be, the row says so.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { median, now } from "./lib/measure.mjs";
import { npmPeer, PeerMissing } from "./lib/npm-peer.mjs";
import { environment, folder, quick } from "./lib/places.mjs";
import { command, runCli, startHost, stop } from "./lib/programs.mjs";
import { atLeast, compare, finish, ms, unavailable } from "./lib/table.mjs";

const version = "1.3.0";
const rounds = quick ? 3 : 20;
const goal = atLeast(20);
const what = ["add against beads", "claim against beads"];

try {
  await measure(findBeads());
} catch (error) {
  if (!(error instanceof PeerMissing)) throw error;
  for (const row of what) unavailable(`${row} (@beads/bd ${version})`, error.message, goal);
}
finish();

/** The native program itself where it can be had: the package's wrapper would only add Node's start to it. */
function findBeads() {
  if (process.env.BENCH_BD) return process.env.BENCH_BD;
  const bin = join(npmPeer("@beads/bd", version, { runsScripts: true }), "node_modules", "@beads", "bd", "bin");
  const program = [join(bin, "bd"), join(bin, "bd.js")].find((path) => existsSync(path));
  if (!program) throw new PeerMissing("the package holds no program");
  return program;
}

async function measure(beads) {
  const theirs = folder("beads");
  const bd = (...args) => {
    try {
      return command(beads, args, { cwd: theirs, env: { ...environment, HOME: theirs }, timeout: 60_000 });
    } catch (error) {
      throw new PeerMissing(error.message.split("\n")[0].slice(0, 160));
    }
  };
  command("git", ["init", "--quiet"], { cwd: theirs });
  bd("init", "--prefix", "bench", "--quiet");

  const alone = folder("alone");
  const hosted = folder("hosted");
  const host = await startHost(hosted);
  const waits = new Map();
  const timed = (name, work) => {
    const startedAt = now();
    const answer = work();
    waits.set(name, [...(waits.get(name) ?? []), now() - startedAt]);
    return answer;
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, workspace] of [
      ["alone", alone],
      ["hosted", hosted],
    ])
      timed(`add ${name}`, () => runCli(workspace, "queue", "add", "A task"));
    const { id } = JSON.parse(timed("add beads", () => bd("create", "A task", "--json")));
    for (const [name, workspace] of [
      ["alone", alone],
      ["hosted", hosted],
    ])
      timed(`claim ${name}`, () => runCli(workspace, "queue", "next", "--agent", "bench"));
    timed("claim beads", () => bd("update", id, "--status", "in_progress", "--json"));
  }
  await stop(host);
  for (const [at, operation] of ["add", "claim"].entries())
    for (const [name, words] of [
      ["hosted", "with a host"],
      ["alone", "without a host"],
    ]) {
      const [ours, peer] = [median(waits.get(`${operation} ${name}`)), median(waits.get(`${operation} beads`))];
      compare(`${what[at]}, our command ${words}, median wall`, ms(ours), ms(peer), peer / ours, goal);
    }
}
