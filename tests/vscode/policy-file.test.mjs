// A policy and a file of agents, written in a real VS Code: what can be written is offered, what is written is explained, and
// what is wrong is underlined in the words of `augment-cli config check`, with the way to mend it.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { newProduct, statusItem } from "./product.mjs";

const wrong = `# What everybody agreed to.
[queue]
maxAttempt = 2

[agents]
permission = "refus"
parallel = 64
`;

describe("files of settings in the editor", () => {
  const product = newProduct();
  const file = (name) => join(product.workspace, ".augment", name);
  let server;
  let workbench;
  let page;

  before(async () => {
    mkdirSync(join(product.workspace, ".augment"));
    writeFileSync(file("policy.toml"), wrong);
    writeFileSync(file("agents.toml"), '[agents.mine]\ncommand = "./run.sh"\nprompt = "stdn"\n');
    const settings = { "editor.hover.delay": 300, "editor.quickSuggestions": { other: "on", strings: "on" } };
    server = await serveVsCode({ name: "policy-file", workspace: product.workspace, env: product.env, settings });
    workbench = await openWorkbench(server);
    ({ page } = workbench);
    await workbench.status(statusItem).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`policy-file-failed-${name.replaceAll(/\W+/g, "-").slice(0, 50)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  const problems = () => page.locator(".markers-panel .monaco-list-row");
  const suggestions = () => page.locator(".suggest-widget.visible .monaco-list-row .label-name");
  const underlined = (kind) => page.locator(`.editor-instance .squiggly-${kind}`);
  /**
   * Waits until a text that was edited has been looked at anew, which closes a list of ways to mend it. The status bar counts
   * what was found; a line under a word goes with the word already.
   */
  const counted = async (errors, warnings) =>
    workbench
      .status("status.problems")
      .filter({ hasText: new RegExp(`^\\s*${errors}\\s+${warnings}\\s*$`) })
      .waitFor();
  /** Goes to a place, as Ctrl+G does, and waits until keys go into the text again. */
  const goTo = async (line, column) => {
    await page.keyboard.press("Control+G");
    await page.locator(".quick-input-widget:visible input[type=text]").fill(`:${line}:${column}`);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await page.locator(".editor-instance .monaco-editor.focused").first().waitFor();
  };
  /**
   * Opens the list of ways to mend a line, as Ctrl+. does, and takes one. A moment after the cursor has come to a line, VS Code
   * looks by itself whether there are any, and gives up what it was asked meanwhile; its bulb says that this is over. It is at
   * the line, or at an empty one beside it where that one begins at the edge.
   */
  const mend = async (line, column, way) => {
    await goTo(line, column);
    const bulb = page.locator('.editor-instance [class*="gutter-lightbulb"], .editor-instance .lightBulbWidget');
    const number = page.locator(".editor-instance .line-numbers", { hasText: new RegExp(`^${line}$`) });
    await eventually("the bulb is at the line", async () => {
      const [shown, of] = await Promise.all([bulb.first().boundingBox(), number.first().boundingBox()]);
      return shown !== null && of !== null && Math.abs(shown.y - of.y) < 1.5 * of.height;
    });
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list-row", { hasText: way }).click();
  };
  const suggest = async () => {
    await eventually("suggestions are shown", async () => {
      if (await suggestions().first().isVisible()) return true;
      await page.keyboard.press("Control+Space");
      return suggestions()
        .first()
        .waitFor({ timeout: 3_000 })
        .then(() => true);
    });
    return suggestions().allInnerTexts();
  };
  const saved = async (name, expected) => {
    await page.keyboard.press("Control+S");
    await eventually(
      `${name} is saved`,
      () => readFileSync(file(name), "utf8"),
      (text) => text.includes(expected),
    );
  };

  test("what is wrong is underlined, in the words of config check", async () => {
    await workbench.openFile("policy.toml");
    await underlined("error").nth(1).waitFor();
    await underlined("warning").first().waitFor();
    await workbench.palette("View: Toggle Problems");
    await eventually(
      "three problems are listed",
      () => problems().count(),
      (count) => count === 4,
    );
    const told = (await problems().allInnerTexts()).join("\n");
    const { problems: checked } = await product.cli("config", "check").catch(({ stdout }) => JSON.parse(stdout));
    assert.equal(checked.length, 3, JSON.stringify(checked));
    for (const problem of checked) {
      const words = problem.slice(problem.indexOf(": ") + 2);
      assert.ok(told.replaceAll(/\s+/g, " ").includes(words), `${words}\nin\n${told}`);
    }
    await workbench.screenshot("policy-file-problems");
    await workbench.palette("View: Toggle Problems");
  });

  test("a name that was mistyped is mended with one key", async () => {
    await workbench.openFile("policy.toml");
    await mend(3, 3, "Change to maxAttempts");
    await counted(1, 1);
    await mend(6, 16, 'Change to "refuse"');
    await counted(0, 1);
    await saved("policy.toml", 'permission = "refuse"');
    assert.match(readFileSync(file("policy.toml"), "utf8"), /^maxAttempts = 2$/m);
  });

  test("a key is explained, with what a policy may do with it", async () => {
    await goTo(3, 4);
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    const hover = page.locator(".monaco-hover:visible", { hasText: "queue.maxAttempts" }).first();
    await hover.filter({ hasText: "A policy may only lower it." }).waitFor();
    const text = await hover.innerText();
    for (const words of ["How many attempts a task gets", "a whole number from 1 to 1000", "Without it: 3."])
      assert.ok(text.includes(words), text);
    await workbench.screenshot("policy-file-hover");
    await page.keyboard.press("Escape");
  });

  test("tables, keys and values are offered, and only those that a policy may say", async () => {
    await goTo(8, 1);
    await page.keyboard.type("[");
    const tables = await suggest();
    assert.ok(tables.includes("review") && tables.includes("queue"), tables.join());
    assert.ok(!tables.includes("notices") && !tables.includes("output"), tables.join());
    await page.keyboard.type("review");
    await page.locator(".suggest-widget.visible .monaco-list-row.focused", { hasText: "review" }).waitFor();
    await page.keyboard.press("Tab");
    await page.locator(".suggest-widget.visible").waitFor({ state: "detached" });
    await page.keyboard.press("End");
    // The editor may have closed the bracket itself.
    await page.keyboard.press("Enter");
    await page.keyboard.type("re");
    const keys = await suggest();
    assert.ok(keys.includes("reject") && !keys.includes("approve"), keys.join());
    await workbench.screenshot("policy-file-completion");
    await page.keyboard.press("Escape");
    await goTo(6, 14);
    await page.keyboard.press("Shift+End");
    await page.keyboard.press("Delete");
    const values = await suggest();
    assert.deepEqual(values, ['"allow"', '"ask"', '"refuse"']);
    await page.locator(".suggest-widget.visible .monaco-list-row", { hasText: '"ask"' }).click();
    await page.locator(".editor-instance .view-line", { hasText: /^permission\s=\s"ask"$/ }).waitFor();
    await saved("policy.toml", 'permission = "ask"');
  });

  test("agents that come with the folder are helped with, too", async () => {
    await workbench.openFile("agents.toml");
    // The line under a word may still be one of the file before: an error of that one and one of this.
    await counted(2, 0);
    await underlined("error").first().waitFor();
    await mend(3, 12, 'Change to "stdin"');
    await underlined("error").first().waitFor({ state: "detached" });
    await goTo(4, 1);
    const keys = await suggest();
    assert.ok(keys.includes("timeLimit") && !keys.includes("command"), keys.join());
    await page.keyboard.press("Escape");
  });

  test("the record of an archived session is held against its schema", async () => {
    const folder = join(product.workspace, "memory-bank", "augment-sessions", "one");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "session.json"), '{ "format": 7 }\n');
    await workbench.openFile("session.json");
    await underlined("warning").first().waitFor();
  });

  test("another file of that name is left alone", async () => {
    mkdirSync(join(product.workspace, "app"));
    writeFileSync(join(product.workspace, "app", "settings.toml"), "[queue]\nnope = 1\n");
    await workbench.openFile("settings.toml");
    await goTo(2, 1);
    await page.keyboard.press("Control+K");
    await page.keyboard.press("Control+I");
    assert.equal(await underlined("error").count(), 0);
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
