// What the panel costs a person who has a lot in it: ten thousand tasks and fifty thousand events, the packaged VSIX in a real
// VS Code. How long until it is drawn and its pages are, how long after a key the next paint comes, and what it keeps in memory.
// Beside it, in the same window, what VS Code itself needs for the like: a Markdown preview of one line, which is a webview with
// next to nothing in it, and its editor of keyboard shortcuts, which is a long list with a filter.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleExtension } from "../scripts/steps/bundle.mjs";
import { ensureVsCodeServer } from "../scripts/steps/vscode-server.mjs";
import { packageVsix } from "../scripts/steps/vsix.mjs";
import { eventually } from "../tests/rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../tests/rig/workbench.mjs";
import { median, percentile } from "./lib/measure.mjs";
import { keepTime, kept, momentOf, timeTo, traced } from "./lib/page-clock.mjs";
import { cli, environment, folder, quick } from "./lib/places.mjs";
import { callHost, runCli, startHost, stop } from "./lib/programs.mjs";
import { fill, happen } from "./lib/queue.mjs";
import { atMost, compare, finish, ms, number, report, under } from "./lib/table.mjs";

const tasks = quick ? 1_000 : 10_000;
const events = quick ? 5_000 : 50_000;
const windows = quick ? 1 : 3;
const openings = quick ? 2 : 7;
const presses = quick ? 5 : 20;
const rounds = quick ? 3 : 10;
const opens = under(1_000, " ms");
const answers = under(100, " ms");
const stays = atMost(1.1, "×");

const statusItem = "augment-orchestrator.augment-orchestrator.status";
const things = { board: ".page-board .card", preview: "h1#floor", shortcuts: ".keybindings-editor .monaco-list-row" };
// Each has a key, so that nothing is typed or chosen between the order and what comes of it.
const keys = {
  board: ["Control+Alt+F1", "augment-orchestrator.openPanel"],
  preview: ["Control+Alt+F2", "markdown.showPreview"],
  shortcuts: ["Control+Alt+F3", "workbench.action.openGlobalKeybindings"],
  close: ["Control+Alt+F4", "workbench.action.closeAllEditors"],
  heard: ["Control+Alt+F5", "workbench.action.quickOpen"],
};
const list = { board: '.column[data-column="pending"] .windowed', history: ".history-list .windowed" };

const workspace = folder("panel");
writeFileSync(join(workspace, "floor.md"), "# Floor\n");
await fillWorkspace();
await bundleExtension();
const vsix = await packageVsix({ program: cli });
await ensureVsCodeServer();
const env = { AUGMENT_HOME: environment.AUGMENT_HOME };
const server = await serveVsCode({ name: "bench-panel", workspace, vsix, env });
try {
  bindKeys();
  await firstOpenings();
  const workbench = await openWindow();
  try {
    await laterOpenings(workbench);
    const peer = await shortcutsAtWork(workbench);
    const { frame } = await open(workbench, "board");
    await pages(frame);
    await deeds(workbench, frame, peer);
    await throughEverything(workbench, frame);
    await reopened(workbench, frame);
  } finally {
    await workbench.close();
  }
} finally {
  await server.stop();
}
finish();

/** All of it is made by the engine, as it is when people and agents work. */
async function fillWorkspace() {
  // Nobody is there to say a word after every third task.
  runCli(workspace, "config", "set", "session.protocol", "off");
  const host = await startHost(workspace);
  const { connection, close } = await callHost(workspace);
  await fill(connection, tasks);
  await happen(connection, events);
  close();
  await stop(host);
}

function bindKeys() {
  const user = join(server.folder, "data", "User");
  mkdirSync(user, { recursive: true });
  const bindings = Object.values(keys).map(([key, command]) => ({
    key: key.toLowerCase().replace("control", "ctrl"),
    command,
  }));
  writeFileSync(join(user, "keybindings.json"), JSON.stringify(bindings));
}

async function openWindow() {
  const workbench = await openWorkbench(server);
  await workbench.page.addInitScript(keepTime, things);
  await isReady(workbench);
  return workbench;
}

/** The extension has answers, and the keys above are known: what is pressed before is lost. */
async function isReady(workbench) {
  const { page } = workbench;
  await workbench.status(statusItem).filter({ hasText: /\d/ }).waitFor();
  const box = page.locator(".quick-input-widget");
  await eventually("a key is heard", async () => {
    await page.keyboard.press(keys.heard[0]);
    await box.waitFor({ timeout: 500 });
    return true;
  });
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "hidden" });
}

/** From the key to the first paint of the thing, by the clocks of the window and of its frames. */
async function open(workbench, thing) {
  const { page } = workbench;
  if (thing === "preview") await workbench.openFile("floor.md");
  else await leaveFrame(page);
  // Of the window itself the first paint was perhaps noted before.
  await page.evaluate(keepTime, things);
  const from = await momentOf(page, () => page.keyboard.press(keys[thing][0]));
  const { time, frame } = await eventually(`${thing} is drawn`, async () => {
    for (const frame of page.frames()) {
      const time = await frame.evaluate((name) => globalThis.benchClock?.times[name], thing).catch(() => 0);
      if (time > from) return { time, frame };
    }
    return undefined;
  });
  return { took: time - from, frame };
}

/** A key that is pressed in a webview stays there. */
function leaveFrame(page) {
  return page.evaluate(() => document.activeElement?.tagName === "IFRAME" && document.activeElement.blur());
}

async function closeAll({ page }) {
  await leaveFrame(page);
  await page.keyboard.press(keys.close[0]);
  await page.locator(".editor-group-container .tab").first().waitFor({ state: "detached" });
}

/** The first webview of a window costs more: VS Code prepares the place for all of them. */
async function firstOpenings() {
  const figures = { board: [], preview: [] };
  for (let round = 0; round < windows; round += 1) {
    for (const thing of Object.keys(figures)) {
      const workbench = await openWindow();
      try {
        figures[thing].push((await open(workbench, thing)).took);
      } finally {
        await workbench.close();
      }
    }
  }
  const [board, preview] = [median(figures.board), median(figures.preview)];
  const size = `${tasks.toLocaleString("en")} tasks and ${events.toLocaleString("en")} events`;
  report(`the panel with ${size}, from the key to its board, first in a window`, ms(board), board, opens);
  compare("… against a first Markdown preview of one line", ms(board), ms(preview), preview / board);
}

async function laterOpenings(workbench) {
  const figures = { board: [], preview: [], shortcuts: [] };
  for (let round = 0; round < openings; round += 1) {
    for (const thing of Object.keys(figures)) {
      figures[thing].push((await open(workbench, thing)).took);
      await closeAll(workbench);
    }
  }
  const [board, preview, shortcuts] = [figures.board, figures.preview, figures.shortcuts].map(median);
  report(`the same, opened again, median of ${openings}`, ms(board), board, opens);
  compare("… against a Markdown preview of one line", ms(board), ms(preview), preview / board);
  compare("… against VS Code's editor of keyboard shortcuts", ms(board), ms(shortcuts), shortcuts / board);
}

/** From the press on a tab to its page with what belongs in it: when it is fetched for the first time, and later. */
async function pages(frame) {
  const contents = {
    Agents: ".page-agents > :not(.note)",
    Session: ".page-session > :not(.note)",
    Review: ".page-review > :not(.note)",
    History: ".page-history .moment",
    Analytics: ".page-analytics .tile",
    Board: ".page-board .card",
  };
  const times = new Map(Object.keys(contents).map((name) => [name, []]));
  for (let round = 0; round <= openings; round += 1) {
    for (const [name, selector] of Object.entries(contents)) {
      times.get(name).push(await timeTo(frame, { selector }, () => goTo(frame, name)));
    }
  }
  for (const name of ["Session", "Review", "History", "Analytics"]) {
    const [first] = times.get(name);
    report(`from a press on the tab to the page ${name}, the first time`, ms(first), first, opens);
  }
  const later = [...times].map(([name, [, ...others]]) => ({ name, time: median(others) }));
  const { name, time } = later.sort((one, other) => other.time - one.time)[0];
  report(`… to a page that was there before, the slowest (${name})`, ms(time), time, answers);
}

function goTo(frame, name) {
  return frame.locator('[role="tab"]', { hasText: name }).click();
}

async function walk(page) {
  for (const key of ["ArrowDown", "PageDown", "ArrowUp", "End", "ArrowUp", "Home"])
    for (let press = 0; press < presses; press += 1) await page.keyboard.press(key);
}

async function shortcutsAtWork(workbench) {
  const { page } = workbench;
  await open(workbench, "shortcuts");
  const typing = await traced(page, () => page.keyboard.type("editor", { delay: 100 }));
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.locator(".keybindings-editor .monaco-list-row").first().click();
  const keys = await traced(page, () => walk(page));
  await closeAll(workbench);
  return { typing, keys };
}

/** Keys, letters and the wheel in the longest lists. */
async function deeds({ page }, frame, peer) {
  await goTo(frame, "Board");
  await frame.locator(`${list.board} .windowed-row`).first().click();
  tellPaints("a key in the board's longest column", await traced(page, () => walk(page)), peer.keys);
  const box = frame.getByRole("searchbox", { name: "Filter tasks" });
  await box.click();
  // Eleven tasks begin like this, and with another letter one does.
  const [most, last] = quick ? ["Task 43", "2"] : ["Task 432", "1"];
  const found = [];
  const typing = await traced(page, async () => {
    for (let round = 0; round < openings; round += 1) {
      await page.keyboard.type(most, { delay: 50 });
      await frame.locator(".page-board .shown-count", { hasText: /^11 of/ }).waitFor();
      const one = { selector: ".page-board .shown-count", text: "1 of" };
      found.push(await timeTo(frame, one, () => page.keyboard.press(last)));
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Delete");
      await frame.locator(".page-board .shown-count", { hasText: /^[\d,]+ tasks$/ }).waitFor();
    }
  });
  tellPaints("a letter in the board's filter", typing, peer.typing);
  report("from a letter in the filter to what it finds", ms(median(found)), median(found));
  await goTo(frame, "History");
  await frame.locator(`${list.history} .windowed-row`).first().click();
  tellPaints("a key in the history", await traced(page, () => walk(page)), peer.keys);
}

function tellPaints(what, ours, peer) {
  const [own, other] = [ours, peer].map(({ paints }) => percentile(paints, 95));
  const longest = Math.max(...ours.paints);
  report(`${what}, to the next paint, the longest of ${ours.paints.length}`, ms(longest), longest, answers);
  compare("… 95 of 100, against the editor of keyboard shortcuts", ms(own), ms(other), other / own);
  report("… the longest task meanwhile", taskText(ours.longest), ours.longest.wall, answers);
}

/** To the last task and to the oldest point by the wheel, then the same deeds again and again. */
async function throughEverything({ page }, frame) {
  const before = await kept(page);
  const { longest } = await traced(page, async () => {
    await scrollThrough(page, frame, "Board", list.board);
    // What is counted is followed by a plus while there is more.
    await scrollThrough(page, frame, "History", list.history, (told) => !told.includes("+"));
  });
  report("the wheel through all tasks and points, the longest task", taskText(longest), longest.wall, answers);
  const whole = await kept(page);
  report("what is kept of all of them, beside what the window had", mb(whole.heap - before.heap));
  const after = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ["Board", "History"]) {
      await goTo(frame, name);
      await frame.locator(`${list[name.toLowerCase()]} .windowed-row`).first().click();
      await walk(page);
    }
    for (const name of ["Agents", "Session", "Review", "Analytics"]) await goTo(frame, name);
    after.push(await kept(page));
  }
  tellGrowth(`after ${rounds} rounds through pages and lists, to after the first`, after);
}

async function scrollThrough(page, frame, name, selector, isWhole = () => true) {
  await goTo(frame, name);
  const scrolled = frame.locator(selector);
  await scrolled.hover();
  const pageCount = frame.locator(`.page-${name.toLowerCase()} .shown-count`);
  const place = () =>
    scrolled.evaluate(({ scrollTop, clientHeight, scrollHeight }) => [scrollTop + clientHeight, scrollHeight]);
  let still = 0;
  await eventually(
    `all of ${name} was scrolled through`,
    async () => {
      await page.mouse.wheel(0, 5_000);
      const [bottom, end] = await place();
      still = bottom >= end - 1 && isWhole(await pageCount.innerText()) ? still + 1 : 0;
      return still;
    },
    // What comes at the end makes the list longer.
    (times) => times > 20,
    300_000,
  );
}

async function reopened(workbench, frame) {
  // It comes back with the page that it was left with.
  await goTo(frame, "Board");
  await closeAll(workbench);
  const after = [];
  for (let round = 0; round < rounds; round += 1) {
    await open(workbench, "board");
    await closeAll(workbench);
    after.push(await kept(workbench.page));
  }
  tellGrowth(`after the panel was opened and closed ${rounds} times, to after the first`, after);
}

function tellGrowth(what, after) {
  const [first, last] = [after[0], after.at(-1)];
  const text = (of, unit) => `${number(of(first))} → ${number(of(last))}${unit}`;
  const heap = last.heap / first.heap;
  report(
    `${what}: the window's heap`,
    text(({ heap }) => heap, " MB"),
    heap,
    stays,
  );
  report(
    "… its nodes",
    text(({ nodes }) => nodes, ""),
    last.nodes / first.nodes,
    stays,
  );
}

function taskText({ wall, cpu }) {
  return `${ms(wall)} (${ms(cpu)} CPU)`;
}

function mb(value) {
  return `${number(value)} MB`;
}
