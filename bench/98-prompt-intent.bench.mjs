// What an intent costs in a large repository: one line of the person's own in one file becomes a commit, with a host that runs
// and knows the files, against `git commit -a` and `git commit --only` in a clone with the same change. What the host does
// afterwards, until it has seen the commit and is idle again, is counted in.

import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openWorkspace, settled, writeOver } from "./lib/changes.mjs";
import { median, now, tickedCpuMs, watchCpu } from "./lib/measure.mjs";
import { cli, folder, quick } from "./lib/places.mjs";
import { command, runCli } from "./lib/programs.mjs";
import { contentOf, git, gitEnvironment, largeSize, pathOf, repository } from "./lib/repository.mjs";
import { atLeast, compare, finish, ms, report } from "./lib/table.mjs";

const rounds = quick ? 3 : 10;
const idleMs = 600;
const cheaper = atLeast(10);
const files = largeSize.toLocaleString("en");

const source = await repository(largeSize);
const [our, their] = ["ours", "theirs"].map(cloned);
// Files that are as new as the index would have to be read by everybody who asks.
await pause(1_100);
for (const clone of [our, their]) git(clone, "status", "--porcelain");

const { connection, host, leave } = await openWorkspace(our);
timed(cli, ["-C", our, "prompt", "start", "Skip some of the inputs", "--leave"], gitEnvironment);
await idle();

const figures = { all: [], only: [], client: [], host: [], wait: [] };
const ticksBefore = hostTicks();
let outside = 0;
for (let round = 0; round < rounds; round += 1) {
  const [first, second] = [pathOf(round * 31), pathOf(round * 31 + 1_000)];
  await ownChange(first, round * 31);
  outside -= hostTicks();
  change(their, first, round * 31);
  change(their, second, round * 31 + 1_000);
  figures.only.push(timed("git", ["commit", "--quiet", "--only", second, "-m", "One line"], inClone()));
  figures.all.push(timed("git", ["commit", "--quiet", "-a", "-m", "One line"], inClone()));
  outside += hostTicks();

  const spent = watchCpu(host.pid);
  const startedAt = now();
  figures.client.push(timed(cli, ["-C", our, "prompt", "intent", `Skip an input, ${round}`], gitEnvironment));
  figures.wait.push(now() - startedAt);
  await idle();
  figures.host.push(spent());
}
const ticks = (hostTicks() - ticksBefore - outside) / rounds;
check();
await leave();

const ours = figures.client.map((client, at) => client + figures.host[at]);
const each = median(ours);
const row = (what, of, goal) => {
  const theirs = median(figures[of]);
  compare(`prompt intent, ${files} files, to ${what}, CPU`, ms(each), ms(theirs), theirs / each, goal);
};
row("git commit -a", "all", cheaper);
row("git commit --only FILE", "only");
report("  of it the command", ms(median(figures.client)));
report("  of it the host, until it is idle again", ms(median(figures.host)));
report("  the first intent, and the last", `${ms(ours[0])}, ${ms(ours.at(-1))}`);
report("  the person's wait", ms(median(figures.wait)));
report("  the host by its ticks, with the look at the change itself", ms(ticks));
finish();

/** The repository with its files, as somebody has cloned it. */
function cloned(name) {
  const place = folder(name);
  git(place, "clone", "--quiet", "--branch", "main", source, ".");
  for (const [key, value] of Object.entries({ "gc.auto": "0", "maintenance.auto": "false" }))
    git(place, "config", key, value);
  return place;
}

function inClone() {
  return { ...gitEnvironment, GIT_DIR: join(their, ".git"), GIT_WORK_TREE: their };
}

function change(clone, path, number) {
  writeOver(join(clone, path), contentOf(number).replace("input.next", "input.skip"));
}

/** One line, typed and saved in the editor: approved from the start. */
async function ownChange(path, number) {
  change(our, path, number);
  const text = contentOf(number).replace("input.next", "input.skip");
  await connection.request("augment/editor/saved", { path, text, how: "by-hand" });
  const { pendingHunks } = await settled(connection);
  if (pendingHunks !== 0) throw new Error(`${path} waits for a decision.`);
  await idle();
}

/** Waits until the host has used no processor for a while. */
async function idle() {
  for (let last = -1; ; ) {
    const spent = watchCpu(host.pid);
    await pause(idleMs);
    const used = spent();
    if (used < 0.5 || used === last) return;
    last = used;
  }
}

/** Processor time of a command, in ms: the shell's own count of it, since Node has none of its children. */
function timed(program, args, env) {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null';
  const said = command("bash", ["-c", `{ ${script}; } 2>&1`, "bash", program, ...args], { env, cwd: their });
  const [, user, system] = /^([\d.]+) ([\d.]+)$/m.exec(said) ?? [];
  if (user === undefined) throw new Error(`${program} ${args.join(" ")} said ${said}`);
  return (Number(user) + Number(system)) * 1_000;
}

/** Of the host with its ended threads and what it started, to the tick. */
function hostTicks() {
  return tickedCpuMs(host.pid);
}

/** Both have committed the same, and nothing else. */
function check() {
  const { prompt } = runCli(our, "prompt", "status");
  if (prompt.intents.length !== rounds) throw new Error(`${prompt.intents.length} intents of ${rounds}.`);
  for (const clone of [our, their]) {
    const left = git(clone, "status", "--porcelain");
    if (left !== "") throw new Error(`${clone} has still ${left}`);
  }
}
