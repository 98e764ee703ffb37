// Comparing texts by lines and weaving the new one in, beside `git diff --no-index` and the two crates one would take for it:
// on ordinary edits, where speed counts, and on hostile texts, where an end counts.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { example } from "./lib/examples.mjs";
import { median } from "./lib/measure.mjs";
import { environment, folder, quick } from "./lib/places.mjs";
import { repeat } from "./lib/programs.mjs";
import { gitEnvironment } from "./lib/repository.mjs";
import { atMost, compare, finish, ms, report } from "./lib/table.mjs";

const lineCount = quick ? 5_000 : 50_000;
const editCount = lineCount / 100;
const hostileCount = quick ? 10_000 : 100_000;
const rounds = quick ? 3 : 15;
const processRounds = quick ? 2 : 8;
const limitMs = 30_000;
const peers = {
  imara: "imara-diff 0.2, histogram",
  "imara-myers": "imara-diff 0.2, Myers",
  similar: "similar 3.2, Myers, at most 2 s",
  "similar-patience": "similar 3.2, patience, at most 2 s",
};

const program = await example("weave_cost");
const place = folder("texts");
const random = generator(20_261_116);

const ordinary = texts("ordinary", ...edited());
tell(`${lineCount.toLocaleString("en")} lines with ${editCount} edits`, ordinary, rounds);
againstGit(ordinary);
const few = Array.from({ length: 2 }, () => fewWords());
tell(`${hostileCount.toLocaleString("en")} lines over four words`, texts("few", ...few), 1);
const lines = Array.from({ length: hostileCount }, (_, at) => `line ${at}`);
tell(`${hostileCount.toLocaleString("en")} lines, shuffled`, texts("shuffled", lines, shuffled(lines)), 1);
finish();

/** Whole processes against whole processes: both read both files, compare, and say what they found. */
function againstGit(paths) {
  const quietly = 'program=$1; shift; "$program" "$@" >/dev/null; [ $? -le 1 ]';
  const run = (...words) => repeat(1, "/bin/sh", ["-c", quietly, "sh", ...words], { env: gitEnvironment });
  const figures = { diff: [], weave: [], git: [] };
  for (let round = 0; round < processRounds; round += 1) {
    for (const who of ["diff", "weave"]) figures[who].push(run(program, who, "1", ...paths));
    figures.git.push(run("git", "diff", "--no-index", "--no-color", ...paths));
  }
  const wall = (who) => median(figures[who].map(({ wall }) => wall));
  for (const [who, words] of [
    ["diff", "diff"],
    ["weave", "diff, weave and hunks"],
  ])
    compare(
      `${words} of ${lineCount.toLocaleString("en")} lines with ${editCount} edits, to git diff --no-index, wall of the process`,
      ms(wall(who)),
      ms(wall("git")),
      wall(who) / wall("git"),
      atMost(1.5, "×"),
    );
}

function tell(what, paths, rounds) {
  const ours = measure("diff", rounds, paths);
  const woven = measure("weave", rounds, paths);
  report(`${what}: our diff`, found(ours), ours.ms);
  report(`${what}: diff, weave and hunks`, found(woven), woven.ms);
  for (const [who, name] of Object.entries(peers)) {
    const theirs = measure(who, rounds, paths);
    if (theirs) compare(`${what}: our diff to ${name}`, ms(ours.ms), found(theirs), ours.ms / theirs.ms);
    else report(`${what}: ${name}`, `had no result after ${limitMs / 1_000} s`);
  }
}

/** `undefined` when it did not end in time; ours has to. */
function measure(who, rounds, paths) {
  const { status, stdout, stderr, error } = spawnSync(program, [who, String(rounds), ...paths], {
    env: environment,
    encoding: "utf8",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  if (error?.code === "ETIMEDOUT" && who in peers) return undefined;
  if (error) throw error;
  if (status !== 0) throw new Error(`weave_cost ${who} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function found({ ms: took, regions, removed, added }) {
  return `${ms(took)} (${regions} regions, −${removed} +${added})`;
}

function texts(name, before, after) {
  return [before, after].map((lines, at) => {
    const path = join(place, `${name}-${at}.txt`);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  });
}

/** A long source file: a third of its lines occur often, and edits replace, insert and remove. */
function edited() {
  const common = ["}", "", "    return Ok(());", "  end"];
  const before = Array.from({ length: lineCount }, (_, at) =>
    random(3) === 0 ? common[random(common.length)] : `    let value_${at} = compute(${random(1_000)});`,
  );
  const after = [...before];
  for (let edit = 0; edit < editCount; edit += 1) {
    const at = random(after.length);
    const kind = random(3);
    const lines = Array.from({ length: kind === 2 ? 0 : 1 + random(3) }, (_, line) => `    // edit ${edit}.${line}`);
    after.splice(at, kind === 1 ? 0 : 1 + random(3), ...lines);
  }
  return [before, after];
}

function fewWords() {
  const words = ["a", "b", "c", "d"];
  return Array.from({ length: hostileCount }, () => words[random(words.length)]);
}

function shuffled(lines) {
  const result = [...lines];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [result[at], result[other]] = [result[other], result[at]];
  }
  return result;
}

/** The same numbers on every machine (xorshift). */
function generator(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
