// What looking for words in 10,000 archived sessions takes, against ripgrep over the same files in the same run; and what the
// index costs: made from nothing, with nothing changed, and with one new session.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { StepFailed } from "../scripts/steps/failure.mjs";
import { ensureSystemPackages, findSystemProgram } from "../scripts/steps/system-packages.mjs";
import { archiveFolder, writeArchive } from "../tests/rig/archives.mjs";
import { median, now } from "./lib/measure.mjs";
import { cli, folder, quick } from "./lib/places.mjs";
import { command, repeat, runCli, startHost, stop } from "./lib/programs.mjs";
import { atLeast, compare, finish, ms, number, report, unavailable } from "./lib/table.mjs";

const sessions = quick ? 500 : 10_000;
const rounds = quick ? 5 : 15;
const goal = atLeast(20);
const what = `archive search over ${number(sessions)} sessions`;
// A word that few sessions have, one that many have, and two that have to be there both.
const searches = { "a rare word": ["zirconium"], "a common word": ["connector"], "two words": ["paging", "limit"] };

const workspace = folder("archive");
const shelf = join(workspace, archiveFolder);
const parts = ["connector", "paging", "importer", "dashboard", "login", "cache", "parser", "billing"];
const pick = (list, at) => list[at % list.length];
for (let at = 0; at < sessions; at += 1) writeOne(at);

const first = timed(() => runCli(workspace, "archive", "list", "--limit", "1"));
report(`index of ${number(sessions)} sessions made from nothing`, ms(first));
const starts = [1, 2, 3].map(() => timed(() => runCli(workspace, "archive", "list", "--limit", "1")));
report("a command by itself with nothing changed", ms(median(starts)));
writeOne(sessions);
const one = timed(() => runCli(workspace, "archive", "list", "--limit", "1"));
report("a command by itself with one new session", ms(one));

try {
  await ensureSystemPackages(["rg"]);
  await against(findSystemProgram("rg"));
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  unavailable(what, error.message, goal);
}
finish();
rmSync(shelf, { recursive: true, force: true });

/** Both as programs that a person starts, and in turns, so that what else the machine does falls on both. */
async function against(rg) {
  const host = await startHost(workspace);
  command(cli, ["-C", workspace, "archive", "search", "connector"]);
  for (const [name, words] of Object.entries(searches)) {
    const figures = { ours: [], theirs: [] };
    for (let round = 0; round < rounds; round += 1) {
      figures.ours.push(repeat(1, cli, ["-C", workspace, "archive", "search", ...words]).wall);
      // Of two words ripgrep finds the sessions that have either; whoever wants both has still to compare.
      const pattern = words.join("|");
      figures.theirs.push(
        repeat(1, rg, ["--files-with-matches", "--ignore-case", "--word-regexp", pattern, shelf]).wall,
      );
    }
    const [ours, theirs] = [median(figures.ours), median(figures.theirs)];
    compare(`${what}, ${name}, to ripgrep`, ms(ours), ms(theirs), theirs / ours, goal);
  }
  await stop(host);
}

function writeOne(at) {
  const [part, other] = [pick(parts, at), pick(parts, at * 7 + 3)];
  const day = String(1 + (at % 28)).padStart(2, "0");
  const month = String(1 + (Math.floor(at / 28) % 12)).padStart(2, "0");
  const id = `s${at + 1}`;
  writeArchive(shelf, {
    id,
    number: at + 1,
    title: `Work on the ${part} number ${at}`,
    endedAt: `${2020 + Math.floor(at / 2_000)}-${month}-${day}T11:20:00Z`,
    tags: [part, pick(["api", "ui", "data"], at)],
    outcome: `The ${part} now works with the ${other}${at % 997 === 0 ? ", also for zirconium" : ""}.`,
    challenges: [`The ${other} hit the limit ${at % 50} times`, "The documentation was out of date"],
    learnings: at % 10 === 0 ? [{ text: `The ${part} needs the ${other} ${at}.`, tags: [part], shared: false }] : [],
    records: [
      { kind: "session.started", subject: `session:${id}` },
      { kind: "session.ended", subject: `session:${id}` },
    ],
  });
}

function timed(action) {
  const before = now();
  action();
  return now() - before;
}
