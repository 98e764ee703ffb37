// The scan of added lines beside detect-secrets: what each finds of the samples that our tests hold, what each finds in crates, where next
// to nothing is to be found, and how fast. Neither text is neutral: the samples are ours, and what was found wrongly in crates was looked
// at while our rules were written. So full marks say that nothing was lost, not how the two compare on text that is new to both.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { example } from "./lib/examples.mjs";
import { childrenCpuMs, median, sum } from "./lib/measure.mjs";
import { PeerMissing } from "./lib/npm-peer.mjs";
import { folder, quick } from "./lib/places.mjs";
import { command } from "./lib/programs.mjs";
import { atLeast, compare, finish, number, report, unavailable } from "./lib/table.mjs";
import { DetectSecrets, version } from "./peers/detect-secrets.mjs";

const kinds = ["credential", "personal-data", "environment", "dependency"];
const mostBytes = quick ? 5_000_000 : 50_000_000;
const peerBytes = quick ? 200_000 : 1_000_000;
const rounds = quick ? 1 : 5;
const sources = join(process.env.CARGO_HOME || join(homedir(), ".cargo"), "registry", "src");
const peerName = `detect-secrets ${version}`;

const program = await example("scan_cost");
const peer = peerOrReason();
const samples = kinds.flatMap(samplesOf);
const judged = judgeOurs();
for (const kind of kinds) {
  const { precision, recall, positives, negatives } = quality(kind, judged);
  report(`${kind}: precision on ${positives} + ${negatives} samples`, percent(precision), precision);
  report(`${kind}: recall`, percent(recall), recall);
}
compareQuality();
speed();
finish();

function peerOrReason() {
  try {
    return new DetectSecrets();
  } catch (error) {
    if (!(error instanceof PeerMissing)) throw error;
    return error;
  }
}

/** The samples of a kind: `+ path | text` below `[rule]`, with `⏎` for a line break and `{}` to be taken out. */
function samplesOf(kind) {
  const path = join(import.meta.dirname, "..", "server", "core", "tests", "scan_samples", `${kind}.txt`);
  const lines = readFileSync(path, "utf8").split("\n");
  return lines
    .map((line) => /^([+-]) (.*?) \| (.*)$/.exec(line))
    .filter(Boolean)
    .map(([, sign, path, text]) => ({
      kind,
      positive: sign === "+",
      path,
      text: text.replaceAll("{}", "").replaceAll("⏎", "\n").replaceAll("\\t", "\t"),
    }));
}

/** For each sample whether something of its kind is found. */
function judgeOurs() {
  const file = join(folder("ours"), "samples.json");
  writeFileSync(file, JSON.stringify(samples.map(({ path, text }) => [path, text])));
  const found = JSON.parse(command(program, ["samples", file]));
  return samples.map(({ kind }, at) => found[at].some(([, foundKind]) => foundKind === kind));
}

function quality(kind, verdicts) {
  const of = (positive, verdict) =>
    samples.filter((it, at) => it.kind === kind && it.positive === positive && verdicts[at] === verdict).length;
  const [right, missed, wrong, left] = [of(true, true), of(true, false), of(false, true), of(false, false)];
  const precision = right + wrong === 0 ? 0 : right / (right + wrong);
  return { precision, recall: right / (right + missed), positives: right + missed, negatives: wrong + left };
}

function compareQuality() {
  const what = "credential samples, to";
  if (peer instanceof PeerMissing) return unavailable(`${what} ${peerName}`, peer.message, atLeast(1));
  const place = folder("samples");
  samples.forEach(({ path, text }, at) => {
    const file = join(place, String(at), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${text}\n`);
  });
  const files = peer.scan(place);
  const theirs = samples.map(({ path }, at) => files.has(join(String(at), path)));
  const [our, their] = [quality("credential", judged), quality("credential", theirs)];
  for (const measure of ["precision", "recall"])
    compare(
      `${measure} on ${what} ${peerName}`,
      percent(our[measure]),
      percent(their[measure]),
      our[measure] / their[measure],
      atLeast(1),
    );
}

function speed() {
  const whole = JSON.parse(command(program, ["files", sources, String(mostBytes), String(rounds)]));
  const ours = megabytesPerSecond(whole.bytes, whole.ms);
  report(
    `speed on ${megabytes(whole.bytes)} MB of crates, one core`,
    `${number(ours)} MB/s`,
    ours,
    atLeast(50, " MB/s"),
  );
  const found = whole.kinds.credential ?? 0;
  report(`credentials found in ${megabytes(whole.bytes)} MB of crates`, String(found), found);
  instructions();
  againstPeer();
}

/** What a round costs, by the difference of one and of several: reading the files is in both. */
function instructions() {
  const what = "instructions a byte";
  const more = 2;
  const [few, many] = [1, 1 + more].map((rounds) => counted(["files", sources, "500000", String(rounds)]));
  if (!few || !many) return unavailable(what, "neither perf nor valgrind can count here", atLeast(0, ""));
  const each = (many.count - few.count) / more / few.bytes;
  report(`${what}, by ${few.by}`, number(each), each);
}

/** Instructions of a run of the program. Virtual machines often have no counters; valgrind counts by itself, slowly. */
function counted(args) {
  for (const [by, options, pattern] of [
    ["perf", ["stat", "-x,", "-e", "instructions:u"], /^(\d+),/m],
    ["valgrind", ["--tool=callgrind", "--callgrind-out-file=/dev/null"], /Collected : (\d+)/],
  ]) {
    const { status, stdout, stderr } = spawnSync(by, [...options, program, ...args], { encoding: "utf8" });
    const count = Number(pattern.exec(stderr ?? "")?.[1]);
    if (status === 0 && count) return { by, count, bytes: JSON.parse(stdout).bytes };
  }
  return undefined;
}

/** Both on the same small part: the first crates, as they lie there. */
function againstPeer() {
  const what = `on the same ${megabytes(peerBytes)} MB of crates, to ${peerName}`;
  if (peer instanceof PeerMissing) return unavailable(`speed ${what}`, peer.message, atLeast(50));
  const place = folder("part");
  let left = peerBytes;
  for (const source of readdirSync(sources).sort()) {
    for (const crate of readdirSync(join(sources, source)).sort()) {
      const from = join(sources, source, crate);
      const bytes = size(from);
      if (bytes > left) continue;
      left -= bytes;
      cpSync(from, join(place, crate), { recursive: true });
    }
  }
  const empty = folder("empty");
  writeFileSync(join(empty, "a.txt"), "\n");
  const start = median([1, 2, 3].map(() => timed(() => peer.scan(empty)).ms));
  const { ms, value: files } = timed(() => peer.scan(place));
  const ours = JSON.parse(command(program, ["files", place, String(peerBytes), String(rounds)]));
  const [our, their] = [megabytesPerSecond(ours.bytes, ours.ms), megabytesPerSecond(ours.bytes, ms - start)];
  compare(
    `speed ${what} (its start taken off)`,
    `${number(our)} MB/s`,
    `${number(their)} MB/s`,
    our / their,
    atLeast(50),
  );
  const found = sum([...files.values()]);
  report(`credentials found ${what}`, `theirs ${found}, ours ${ours.kinds.credential ?? 0}`);
}

/** Processor time of what the action starts: ours is counted so too. */
function timed(action) {
  const before = childrenCpuMs();
  const value = action();
  return { ms: childrenCpuMs() - before, value };
}

function size(path) {
  const stat = statSync(path);
  return stat.isDirectory() ? sum(readdirSync(path).map((name) => size(join(path, name)))) : stat.size;
}

function percent(value) {
  return `${(value * 100).toFixed(1)} %`;
}

function megabytes(bytes) {
  return number(bytes / 1e6);
}

function megabytesPerSecond(bytes, ms) {
  return bytes / 1e6 / (ms / 1e3);
}
