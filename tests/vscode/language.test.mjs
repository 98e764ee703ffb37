// The product in a language that does not exist: every vowel has an accent. What stays plain was never given to a
// translator; what an agent or a person wrote stays as it is.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { root } from "../../scripts/steps/places.mjs";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { panelFrame } from "./panel-scene.mjs";
import { newProduct, ourLog, statusItem } from "./product.mjs";
import { afterTexts, pendingItem } from "./reviewed.mjs";

/** A code that there is, since axe-core knows them all; nothing is translated into it. */
const language = "eo";
const decisionItem = statusItem.replace(/status$/, "decision");
const accents = { a: "ä", e: "ë", i: "ï", o: "ö", u: "ü", A: "Ä", E: "Ë", I: "Ï", O: "Ö", U: "Ü" };
/** What is no text for people stays: places for values, commands behind links, icons, code. */
const kept = /\{\d+\}|\]\([^)]*\)|\$\([^)]*\)|`[^`]*`/;
const pseudo = (text) =>
  text
    .split(new RegExp(`(${kept.source})`))
    .map((part) => (kept.test(part) ? part : part.replaceAll(/[aeiouAEIOU]/g, (vowel) => accents[vowel])))
    .join("");

const title = "A title of a person";
const agent = "goose";
const lines = Array.from({ length: 40 }, (_, at) => `wrk ln ${at + 1}\n`).join("");
/** What others than the extension wrote, and stays as it is: titles, names, and the host's own sentences. */
const outside = [title, agent, userInfo().username, "work began on", /\b[a-z]\d+(\.\d+)?\b/g];
/** Where the host's words stand, and what is not shown. */
const leftOut = "script, style, [hidden], .moment-told, .diff, .row-because, .report-text";

/** What of the page's that is shown has no accent where one belongs: texts, and what is read to those who do not see them. */
async function plainTexts(frame, told) {
  const found = await frame.evaluate((left) => {
    const texts = [];
    for (const element of document.querySelectorAll("*")) {
      if (element.closest(left) !== null) continue;
      for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"])
        texts.push(element.getAttribute(name) ?? "");
      texts.push(element.label ?? "", element.placeholder ?? "");
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
    }
    return [...new Set(texts.filter((text) => typeof text === "string").map((text) => text.trim()))];
  }, leftOut);
  const ours = (text) => [...told, ...outside].reduce((rest, known) => rest.replaceAll(known, ""), text);
  return found.filter((text) => /[aeiou]/i.test(ours(text)));
}

describe("another language", () => {
  const product = newProduct();
  const write = (text) => writeFileSync(join(product.workspace, "wrk.txt"), text);
  let server;
  let workbench;
  let page;
  let task;

  before(async () => {
    write(lines);
    await product.add(title);
    server = await serveVsCode({ name: "language", workspace: product.workspace, env: product.env });
    const extensions = join(server.folder, "extensions");
    const [installed] = readdirSync(extensions).filter((folder) => folder.startsWith("augment-orchestrator."));
    for (const [from, to] of [
      ["package.nls.json", `package.nls.${language}.json`],
      ["l10n/bundle.l10n.json", `l10n/bundle.l10n.${language}.json`],
    ]) {
      const texts = Object.entries(JSON.parse(readFileSync(join(root, from), "utf8")));
      const said = Object.fromEntries(texts.map(([key, text]) => [key, pseudo(text)]));
      writeFileSync(join(extensions, installed, to), JSON.stringify(said));
    }
    workbench = await openWorkbench(server, { language });
    ({ page } = workbench);
    await workbench.status(statusItem).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`language-failed-${name.replaceAll(/\W+/g, "-").slice(0, 50)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  test("views, titles and welcome texts speak it, and their buttons still work", async () => {
    await workbench.showContainer(pseudo("Augment"));
    const queue = workbench.tree(pseudo("Queue"));
    await queue.row(title).waitFor();
    await workbench
      .tree(pseudo("Changes"))
      .welcome.filter({ hasText: pseudo("Nothing waits for your decision.") })
      .waitFor();
    await workbench.screenshot("language-views");
    const start = workbench
      .tree(pseudo("Changes"))
      .welcome.locator(".monaco-button", { hasText: pseudo("Start Working on…") });
    await start.click();
    await workbench.quickRows.first().waitFor();
    await workbench.dismiss();
  });

  test("groups of the queue and what it says of a task speak it, and titles are left alone", async () => {
    const queue = workbench.tree(pseudo("Queue"));
    await queue.row(pseudo("Pending")).waitFor();
    assert.equal(await queue.row(pseudo(title)).count(), 0);
  });

  test("commands are found by their titles in it, and what they ask is in it", async () => {
    await workbench.palette(`Augment: ${pseudo("Add Task…")}`);
    await page.locator(".quick-input-title", { hasText: pseudo("Add Task (1/2)") }).waitFor();
    await workbench.inputMessage.filter({ hasText: pseudo("What is to be done, in a few words") }).waitFor();
    await workbench.screenshot("language-input");
    await workbench.dismiss();
  });

  test("what an agent changed is told in it: status bar, Changes, lenses, beside the line, and the way back", async () => {
    await workbench
      .status(statusItem)
      .filter({ hasText: pseudo("Augment: 1 pending") })
      .waitFor();
    ({ task } = await product.cli("start", "--task-id", "a1", "--agent", agent));
    await product.cli("changes", "list");
    write(lines.replace("ln 3\n", "LN 3\n").replace("ln 20\n", "LN 20\n"));
    await workbench
      .status(pendingItem)
      .and(page.locator(`[aria-label*="${pseudo("Augment: 2 to review, 2 hunks in 1 file to review")}"]`))
      .waitFor();
    await workbench
      .status(pendingItem)
      .filter({ hasText: pseudo("2 to review") })
      .waitFor();
    const changes = workbench.tree(pseudo("Changes"));
    await changes
      .row("wrk LN 3")
      .filter({ hasText: pseudo("line 3") })
      .waitFor();
    await changes
      .row(title)
      .filter({ hasText: pseudo("2 hunks") })
      .waitFor();
    await workbench.openFile("wrk.txt");
    const lens = (label) => page.locator(".codelens-decoration a", { hasText: pseudo(label) }).first();
    for (const label of ["Approve", "Reject", "Skip", "1 of 2"]) await lens(label).waitFor();
    await eventually("the author stands behind the line", async () =>
      (await afterTexts(page)).some((text) => text.includes(`${agent} · a1`)),
    );
    await workbench.screenshot("language-review");
    await lens("Approve").click();
    await workbench
      .status(decisionItem)
      .filter({ hasText: pseudo("Undo") })
      .waitFor();
  });

  test("what needs a look is told in it", async () => {
    await product.cli("queue", "fail", "a1", "--attempt", String(task.attempt), "--reason", "n");
    await workbench
      .status(statusItem)
      .filter({ hasText: pseudo("Augment: 1 needs a look") })
      .waitFor();
    await workbench.tree(pseudo("Queue")).row(pseudo("Needs a look")).waitFor();
  });

  test("every page of the panel speaks it, also to those who do not see it", async () => {
    await workbench.palette(`Augment: ${pseudo("Open Panel")}`);
    const frame = await panelFrame(workbench, pseudo("Orchestrator"));
    await page
      .locator(".tab", { hasText: pseudo("Orchestrator") })
      .first()
      .waitFor();
    assert.equal(await frame.evaluate(() => document.documentElement.lang), language);
    const { points } = await product.cli("history", "--limit", "1000");
    const told = points.map(({ summary }) => summary);
    const plain = [];
    for (const [label, drawn] of [
      ["Board", ".card"],
      ["Agents", ".page-agents .row"],
      ["Session", ".session-head"],
      ["Review", ".review-row"],
      ["History", ".moment"],
      ["Analytics", ".tile"],
    ]) {
      await frame.locator('[role="tab"]', { hasText: pseudo(label) }).click();
      await frame.locator(drawn).first().waitFor();
      plain.push(...(await plainTexts(frame, told)).map((text) => `${label}: ${text}`));
      await workbench.screenshot(`language-panel-${label.toLowerCase()}`);
    }
    assert.deepEqual(plain, [], "texts that were not translated");
  });

  test("no text was asked for before the language was known", () => {
    assert.ok(!ourLog(server).includes("Asked for before the language was known"), ourLog(server));
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
