// How fast the ledger leaves: megabytes a second of each format, and how long a browser needs until the page of fifty thousand events
// shows its rows and answers a filter.

import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { childrenCpuMs, median, now } from "./lib/measure.mjs";
import { folder, quick } from "./lib/places.mjs";
import { callHost, runCli, startHost, stop } from "./lib/programs.mjs";
import { fill } from "./lib/queue.mjs";
import { finish, ms, number, report, unavailable, under } from "./lib/table.mjs";

const events = quick ? 5_000 : 50_000;
const rounds = quick ? 1 : 5;
const goal = under(2_000, " ms");

const workspace = folder("export");
const out = folder("out");
const host = await startHost(workspace);
const { connection, close } = await callHost(workspace);
await fill(connection, events);
for (const format of ["jsonl", "csv", "md", "html"]) {
  const figures = Array.from({ length: rounds }, () => exportOnce(format));
  const bytes = figures[0].bytes;
  const [wall, cpu] = [median(figures.map(({ wall }) => wall)), median(figures.map(({ cpu }) => cpu))];
  const speed = (spent) => `${number(bytes / 1e6 / (spent / 1e3))} MB/s`;
  const text = `${number(bytes / 1e6)} MB in ${ms(wall)}: ${speed(wall)}; ${speed(cpu)} of the command's CPU`;
  report(`audit export --format ${format} of ${events.toLocaleString("en")} events`, text);
}
const checked = Array.from({ length: rounds }, () =>
  timed(() => runCli(workspace, "audit", "verify", "--file", place("jsonl"))),
);
report(`audit verify --file of the same`, ms(median(checked)));
close();
await stop(host);
await measurePage();
finish();

function place(format) {
  return join(out, `ledger.${format}`);
}

function exportOnce(format) {
  const before = childrenCpuMs();
  const wall = timed(() => runCli(workspace, "audit", "export", "--format", format, "--out", place(format), "--force"));
  return { wall, cpu: childrenCpuMs() - before, bytes: statSync(place(format)).size };
}

function timed(action) {
  const startedAt = now();
  action();
  return now() - startedAt;
}

async function measurePage() {
  const what = `the page of ${events.toLocaleString("en")} events`;
  let browser;
  try {
    const { launchChromium } = await import("../tests/rig/chromium.mjs");
    browser = await launchChromium();
  } catch (error) {
    return unavailable(what, String(error.message).split("\n")[0], goal);
  }
  const figures = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await openOnce(browser));
  await browser.close();
  const of = (name) => median(figures.map((figure) => figure[name]));
  report(`${what}: from the click to its rows in Chromium`, ms(of("open")), of("open"), goal);
  report(`${what}: its first filter by text`, ms(of("filter")));
  return undefined;
}

async function openOnce(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const startedAt = now();
  await page.goto(pathToFileURL(place("html")).href);
  await page.locator("html[data-ready] .row").first().waitFor();
  const open = now() - startedAt;
  const filteredAt = now();
  await page.locator("#text").fill("Task 77:");
  await page.locator("#count").filter({ hasText: " of " }).waitFor();
  const filter = now() - filteredAt;
  await context.close();
  return { open, filter };
}
