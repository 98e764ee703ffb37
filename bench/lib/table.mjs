// The rows a bench prints, and where it leaves them for the table of all benches at the end.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { basename, join } from "node:path";

const columns = ["what", "ours", "peer", "ratio", "goal", ""];
// Set by `npm run bench`. A bench that runs alone leaves nothing.
const shelf = process.env.AUGMENT_ARTIFACTS && join(process.env.AUGMENT_ARTIFACTS, "bench-rows");
// One run of all benches is one parent, so its id tells this run's rows from those of others.
const runId = process.ppid;
const bench = basename(process.argv[1] ?? "", ".bench.mjs");
const loadAtStart = loadavg()[0];
const rows = [];

/** Goals are told as met or missed. */
export const atMost = (limit, unit = "") => ({ text: `≤ ${limit}${unit}`, holds: (value) => value <= limit });
export const under = (limit, unit = "") => ({ text: `< ${limit}${unit}`, holds: (value) => value < limit });
export const atLeast = (limit, unit = "×") => ({ text: `≥ ${limit}${unit}`, holds: (value) => value >= limit });

/** A row that compares two figures. `ratio` is what the goal is about. */
export function compare(what, ours, peer, ratio, goal) {
  const verdict = goal ? (goal.holds(ratio) ? "met" : "missed") : "for information";
  rows.push([what, ours, peer, `${number(ratio)}×`, goal?.text ?? "", verdict]);
}

/** A row with one figure of our own and perhaps a goal for it. */
export function report(what, ours, value, goal) {
  const verdict = goal ? (goal.holds(value) ? "met" : "missed") : "for information";
  rows.push([what, ours, "", "", goal?.text ?? "", verdict]);
}

/** A row for what could not be measured here. */
export function unavailable(what, reason, goal) {
  rows.push([what, "", "", "", goal.text, `not available here: ${reason}`]);
}

/** Prints the rows and leaves them for the last table. */
export function finish() {
  print(rows);
  console.log(`Load average at the start: ${loadAtStart.toFixed(1)}.`);
  if (!shelf) return;
  mkdirSync(shelf, { recursive: true });
  writeFileSync(join(shelf, `${bench}.json`), JSON.stringify({ runId, rows, loadAtStart }));
}

/** What the benches of this run have left, in order; taken away by reading it. */
export function takeAll() {
  if (!shelf || !existsSync(shelf)) return [];
  const all = readdirSync(shelf)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(shelf, name), "utf8")));
  rmSync(shelf, { recursive: true, force: true });
  return all.filter((left) => left.runId === runId);
}

export function print(lines) {
  const table = [columns, ...lines];
  const widths = columns.map((_, at) => Math.max(...table.map((line) => line[at].length)));
  const text = (line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at]))
      .join("  ")
      .trimEnd();
  console.log([text(columns), widths.map((width) => "─".repeat(width)).join("  "), ...lines.map(text)].join("\n"));
}

/** Three digits that matter. */
export function number(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(value >= 10 ? 1 : 2);
}

export const ms = (value) => (value < 1 ? `${number(value * 1_000)} µs` : `${number(value)} ms`);
