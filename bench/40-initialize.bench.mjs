// How soon an editor has its answer, and what waiting for the editor's next word takes: `serve --stdio`, with a host that
// runs and with one it has to start, against the least language server that Node makes.

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cpuMs, median, memoryMb, now, watchCpu } from "./lib/measure.mjs";
import { npmPeer, PeerMissing } from "./lib/npm-peer.mjs";
import { cli, folder, quick } from "./lib/places.mjs";
import { adopt, startHost, startSpeaking, stop, stopAdopted } from "./lib/programs.mjs";
import { atLeast, compare, finish, ms, number, unavailable } from "./lib/table.mjs";

const version = "10.1.2";
const rounds = quick ? 5 : 25;
const quicker = atLeast(5);
const lighter = atLeast(3);
const peerProgram = join(import.meta.dirname, "peers", "language-server.mjs");

try {
  const peerHome = npmPeer("vscode-languageserver", version);
  await measureAnswers(peerHome);
  await measureMemory(peerHome);
} catch (error) {
  if (!(error instanceof PeerMissing)) throw error;
  unavailable(`initialize against vscode-languageserver ${version}`, error.message, quicker);
  unavailable(`idle memory against vscode-languageserver ${version}`, error.message, lighter);
}
finish();

async function measureAnswers(peerHome) {
  const hosted = folder("hosted");
  const host = await startHost(hosted);
  const figures = { hosted: [], alone: [], peer: [] };
  for (let round = 0; round < rounds; round += 1) {
    figures.hosted.push(await first(cli, ["-C", hosted, "serve", "--stdio"], { host: host.pid }));
    figures.alone.push(await first(cli, ["-C", folder(`alone-${round}`), "serve", "--stdio"], { startsHost: true }));
    figures.peer.push(await first(process.execPath, [peerProgram, peerHome]));
  }
  const of = (side, figure) => median(figures[side].map((one) => one[figure]));
  for (const [side, words] of [
    ["hosted", "with a host that runs"],
    ["alone", "with a host to start, on a new workspace"],
  ]) {
    for (const [figure, unit] of [
      ["wall", "median wall"],
      ["cpu", "CPU of all processes"],
    ]) {
      const [ours, peer] = [of(side, figure), of("peer", figure)];
      compare(`initialize from process start ${words}, ${unit}`, ms(ours), ms(peer), peer / ours, quicker);
    }
  }
  await stop(host);
}

async function measureMemory(peerHome) {
  // Each side runs from a copy of its program, so that no other process on the machine shares its pages and makes it
  // look smaller than it is; above all this bench, which is Node, too.
  const [ownCli, ownNode] = [copyOf(cli, "cli"), copyOf(process.execPath, "node")];
  const host = await startHost(folder("memory"), ownCli);
  const ours = startSpeaking(ownCli, ["-C", folder("memory"), "serve", "--stdio"]);
  const peer = startSpeaking(ownNode, [peerProgram, peerHome]);
  await Promise.all([ours.answered, peer.answered]);
  await pause(quick ? 500 : 3_000);
  const [hostMb, serveMb, peerMb] = [host, ours.child, peer.child].map(({ pid }) => memoryMb(pid));
  for (const [kind, words] of [
    ["pss", "PSS"],
    ["rss", "RSS"],
  ]) {
    const total = hostMb[kind] + serveMb[kind];
    const text = `${number(total)} MB (host ${number(hostMb[kind])}, serve ${number(serveMb[kind])})`;
    compare(
      `idle memory, ${words}, of host and serve`,
      text,
      `${number(peerMb[kind])} MB`,
      peerMb[kind] / total,
      lighter,
    );
  }
  for (const child of [ours.child, peer.child, host]) await stop(child);
}

function copyOf(program, name) {
  const copy = join(folder("copies"), name);
  copyFileSync(program, copy);
  return copy;
}

/** From the start of a program to its answer: wall, and what all its processes have used for it by then. */
async function first(program, args, { host, startsHost = false } = {}) {
  const hostSpent = host ? watchCpu(host) : () => 0;
  const startedAt = now();
  const { child, answered } = startSpeaking(program, args);
  const answer = await answered;
  const wall = now() - startedAt;
  const { pid } = answer.capabilities?.experimental?.augment ?? {};
  if (startsHost) adopt(pid);
  const cpu = cpuMs(child.pid) + hostSpent();
  await stop(child);
  if (!startsHost) return { wall, cpu };
  const hostCpu = cpuMs(pid);
  await stopAdopted(pid);
  return { wall, cpu: cpu + hostCpu };
}
