// What it costs to know what every file of a large repository is, at the start and after each change: against the floor (a bare
// parallel stat walk), against `git status`, and against what others do instead (a shadow repository, `git stash create`,
// opencode's snapshots). The files are in the page cache for all of them.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginRun, diskIn, megabytes, openWorkspace, settled, writeOver } from "./lib/changes.mjs";
import { example } from "./lib/examples.mjs";
import { childrenCpuMs, median, now, tickedCpuMs, watchCpu } from "./lib/measure.mjs";
import { PeerMissing } from "./lib/npm-peer.mjs";
import { folder, quick } from "./lib/places.mjs";
import { callHost, repeat, runCli, startHost, stop } from "./lib/programs.mjs";
import { clean, contentOf, git, gitEnvironment, largeSize, pathOf, repository } from "./lib/repository.mjs";
import { atLeast, atMost, compare, finish, ms, number, report, unavailable, under } from "./lib/table.mjs";
import { Opencode, version as opencodeVersion } from "./peers/opencode.mjs";
import { ShadowRepository } from "./peers/shadow-repository.mjs";

const startRounds = quick ? 2 : 7;
const blocks = quick ? 2 : 10;
const block = 20;
const turnRounds = quick ? 2 : 5;
const smallSize = Math.min(1_000, largeSize);
const quicker = atLeast(5);
const smaller = atLeast(50);
const cheaper = atLeast(200);

const walk = await example("stat_walk");
const large = await repository(largeSize);
const small = await repository(smallSize);
const files = largeSize.toLocaleString("en");

const start = await sessionStarts();
const turn = await turns();
await againstShadow();
await againstStash();
await againstOpencode();
clean(large);
finish();

/** Starts in turns with the floor and with git, each time as if the workspace had never been seen. */
async function sessionStarts() {
  const tracked = git(large, "ls-files").split("\n").length - 1;
  const first = [];
  const again = [];
  const floor = [];
  const status = [];
  let bytes = 0;
  for (let round = 0; round < startRounds; round += 1) {
    floor.push(repeat(1, walk, [large]));
    status.push(repeat(1, "git", ["status", "--porcelain"], { cwd: large, env: gitEnvironment }));
    rmSync(runCli(large, "where").data, { recursive: true, force: true });
    first.push(await startOnce(tracked));
    bytes = diskIn(runCli(large, "where").data);
    again.push(await startOnce(tracked));
  }
  const of = (figures, name) => median(figures.map((figure) => figure[name]));
  const [wall, cpu] = [of(first, "wall"), of(first, "cpu")];
  const row = (what, figures, name, goal) =>
    compare(
      `session start, ${files} files, ${what}, ${name === "wall" ? "wall" : "CPU"}`,
      ms(name === "wall" ? wall : cpu),
      ms(of(figures, name)),
      (name === "wall" ? wall : cpu) / of(figures, name),
      goal,
    );
  row("to a bare stat walk", floor, "wall", under(1.3, "×"));
  row("to a bare stat walk", floor, "cpu");
  row("to git status", status, "wall");
  row("to git status", status, "cpu");
  report(
    `session start, ${files} files, of a workspace that is known already`,
    `${ms(of(again, "wall"))} wall, ${ms(of(again, "cpu"))} CPU`,
  );
  report("what our data folder takes of the disk after it", `${number(megabytes(bytes))} MB`);
  return { wall, cpu, bytes };
}

/** From nothing to the answer to a question that can only be answered once every file is known. */
async function startOnce(tracked) {
  const places = runCli(large, "where");
  const startedAt = now();
  const host = await startHost(large);
  const { connection, close } = await callHost(large, places);
  const pending = await settled(connection);
  const wall = now() - startedAt;
  // The threads of the walk have ended, so only the ticks tell all.
  const cpu = tickedCpuMs(host.pid);
  const { watching } = await connection.request("augment/status", {});
  close();
  await stop(host);
  if (watching.state !== "watching") throw new Error(`It does not watch: ${watching.message}`);
  if (watching.files !== tracked || pending.pendingHunks !== 0)
    throw new Error(`${watching.files} of ${tracked} files are known, ${pending.pendingHunks} hunks pending.`);
  return { wall, cpu };
}

/** One-line writes of a run, in turns at both sizes; each into a file that nobody has touched, the dearest kind. */
async function turns() {
  const sides = [];
  for (const [size, workspace] of [
    [smallSize, small],
    [largeSize, large],
  ]) {
    const opened = await openWorkspace(workspace);
    await beginRun(opened.connection);
    sides.push({ ...opened, size, waits: [], spent: watchCpu(opened.host.pid), ticks: tickedCpuMs(opened.host.pid) });
  }
  for (let round = 0; round < blocks; round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      for (let at = 0; at < block; at += 1) await writeOnce(side, (round * block + at) * 3);
  const count = blocks * block;
  for (const side of sides) {
    // A thread that ended has taken its own count along; the ticks still have it.
    side.cpu = Math.max(side.spent(), tickedCpuMs(side.host.pid) - side.ticks) / count;
    side.wait = median(side.waits);
    await side.leave();
  }
  const [few, many] = sides;
  clean(small);
  clean(large);
  const row = (what, name, goal) =>
    compare(
      `one-line write to recorded hunk, ${what}`,
      `${ms(many[name])} at ${many.size.toLocaleString("en")}`,
      `${ms(few[name])} at ${few.size.toLocaleString("en")}`,
      many[name] / few[name],
      goal,
    );
  row("CPU of the host", "cpu", atMost(1.3, "×"));
  row("median wait", "wait");
  return { cpu: many.cpu, wait: many.wait };
}

async function writeOnce(side, number) {
  const path = pathOf(number % side.size);
  const wroteAt = now();
  writeOver(join(side.workspace, path), contentOf(number % side.size).replace("input.next", "input.skip"));
  const { hunks } = await side.connection.request("augment/changes/file", { path });
  side.waits.push(now() - wroteAt);
  if (hunks.length !== 1 || hunks[0].author.kind !== "run" || hunks[0].evidence !== "inferred")
    throw new Error(`${path} has ${JSON.stringify(hunks)} after one line was written.`);
}

/** The first time, and then once for each one-line write. */
function peerTurns(snapshot) {
  const figures = [];
  for (let round = 0; round < turnRounds; round += 1) {
    const at = 7 * round + 1;
    writeFileSync(join(large, pathOf(at)), `${contentOf(at)}// ${round}\n`);
    figures.push(timed(snapshot));
  }
  return { wall: median(figures.map(({ wall }) => wall)), cpu: median(figures.map(({ cpu }) => cpu)) };
}

function timed(work) {
  const [startedAt, before] = [now(), childrenCpuMs()];
  work();
  return { wall: now() - startedAt, cpu: childrenCpuMs() - before };
}

function tell(name, first, turns) {
  compare(
    `session start, ${files} files, against the first ${name}, wall`,
    ms(start.wall),
    ms(first.wall),
    first.wall / start.wall,
    quicker,
  );
  compare(`  the same, CPU`, ms(start.cpu), ms(first.cpu), first.cpu / start.cpu);
  compare(`one-line write against ${name}, CPU`, ms(turn.cpu), ms(turns.cpu), turns.cpu / turn.cpu, cheaper);
  compare(`  the same, wall`, ms(turn.wait), ms(turns.wall), turns.wall / turn.wait);
}

function tellBytes(name, bytes) {
  compare(
    `disk taken after the start, against ${name}`,
    `${number(megabytes(start.bytes))} MB`,
    `${number(megabytes(bytes))} MB`,
    bytes / start.bytes,
    smaller,
  );
}

function againstShadow() {
  const home = folder("shadow");
  const shadow = new ShadowRepository(large, home);
  shadow.begin();
  const first = timed(() => shadow.snapshot());
  const bytes = diskIn(home);
  tell(
    "shadow repository (git add -A, commit)",
    first,
    peerTurns(() => shadow.snapshot()),
  );
  tellBytes("a shadow repository", bytes);
  clean(large);
  rmSync(home, { recursive: true, force: true });
}

/** It has no first time of its own, and nothing to keep but what is dirty; with a clean tree it would do nothing. */
function againstStash() {
  const turns = peerTurns(() => git(large, "stash", "create"));
  tell("git stash create", turns, turns);
  clean(large);
}

/** Its own start, measured where there is next to nothing to look at, is taken off. */
function againstOpencode() {
  const name = `opencode ${opencodeVersion} snapshot`;
  try {
    const opencode = new Opencode();
    const tiny = folder("tiny");
    git(tiny, "init", "--quiet");
    writeFileSync(join(tiny, "a.txt"), "a\n");
    git(tiny, "add", ".");
    git(tiny, "commit", "--quiet", "-m", "one file");
    opencode.snapshot(tiny);
    const own = Array.from({ length: turnRounds }, () => timed(() => opencode.snapshot(tiny)));
    const ownMedian = { wall: median(own.map(({ wall }) => wall)), cpu: median(own.map(({ cpu }) => cpu)) };
    const before = diskIn(opencode.snapshots);
    const less = ({ wall, cpu }) => ({
      wall: Math.max(0, wall - ownMedian.wall),
      cpu: Math.max(0, cpu - ownMedian.cpu),
    });
    const first = less(timed(() => opencode.snapshot(large)));
    const bytes = diskIn(opencode.snapshots) - before;
    tell(`${name}, its own start taken off`, first, less(peerTurns(() => opencode.snapshot(large))));
    tellBytes(name, bytes);
  } catch (error) {
    if (!(error instanceof PeerMissing)) throw error;
    unavailable(`session start against the first ${name}`, error.message, quicker);
    unavailable(`one-line write against ${name}`, error.message, cheaper);
    unavailable(`disk taken after the start, against ${name}`, error.message, smaller);
  }
}
