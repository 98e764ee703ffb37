// The program in VS Code's own terminals: it is found there by its name, and the command that a refusal names is typed there
// for the person, who runs it or not.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { manifest } from "../../scripts/steps/places.mjs";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { newProduct, statusItem } from "./product.mjs";

describe("terminals", () => {
  const product = newProduct();
  let server;
  let workbench;
  let page;

  before(async () => {
    await product.add("Comes first");
    await product.add("Comes second", "--depends-on", "a1");
    server = await serveVsCode({
      name: "terminals",
      workspace: product.workspace,
      env: product.env,
      // Text of a terminal that is drawn on a canvas cannot be read.
      settings: { "terminal.integrated.gpuAcceleration": "off" },
    });
    workbench = await openWorkbench(server);
    page = workbench.page;
    await workbench.status(statusItem).filter({ hasText: "Augment: 2 pending" }).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`terminals-failed-${name.replaceAll(/\W+/g, "-")}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  const shown = async () => (await page.locator(".xterm-rows").allInnerTexts()).join("\n").replaceAll("\u00a0", " ");

  test("the program is found by its name", async () => {
    await workbench.palette("Terminal: Create New Terminal");
    await eventually("the shell asks for a command", shown, (text) => /\S/.test(text));
    await page.locator(".terminal.xterm.focus").waitFor();
    await page.keyboard.type("augment-cli --version > told.txt\n");
    const told = join(product.workspace, "told.txt");
    const text = () => (existsSync(told) ? readFileSync(told, "utf8") : "");
    assert.equal(await eventually("it has told its version", text), `augment-cli ${manifest().version}\n`);
    await workbench.palette("Terminal: Kill the Active Terminal Instance");
    await page.locator(".xterm-rows").first().waitFor({ state: "detached" });
  });

  test("what a refusal advises is typed, and not run", async () => {
    const refused = "a2 waits for a1. Complete that first";
    await workbench.palette("Augment: Start Working on…");
    await workbench.pick("Comes second");
    await workbench.toast(refused).waitFor();
    await workbench.screenshot("refusal-with-command");
    await workbench.pressToastButton(refused, "Open in Terminal");
    const typed = await eventually("it is typed", shown, (text) => /[#$] augment-cli .*--depends-on\s*$/s.test(text));
    assert.match(typed, /^[^`]*[#$] augment-cli queue edit a2 --depends-on\s*$/, "once, where the shell asks");
    await workbench.screenshot("refusal-in-terminal");
    assert.deepEqual((await product.task("a2")).dependsOn, ["a1"]);
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
