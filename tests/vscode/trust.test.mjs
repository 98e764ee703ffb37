// A folder that nobody trusts: nothing of the product runs, nothing is written, and the view says why. A workspace
// cannot choose the program, trusted or not.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { newProduct, statusItem } from "./product.mjs";

describe("an untrusted folder", () => {
  const product = newProduct();
  const planted = join(product.workspace, ".vscode", "augment-cli");
  const proof = join(product.scratch, "planted-program-ran");
  let server;
  let workbench;

  before(async () => {
    mkdirSync(join(product.workspace, ".vscode"));
    writeFileSync(planted, `#!/bin/sh\ntouch "${proof}"\n`);
    chmodSync(planted, 0o755);
    writeFileSync(
      join(product.workspace, ".vscode", "settings.json"),
      JSON.stringify({ "augmentOrchestrator.serverPath": planted }),
    );
    server = await serveVsCode({ name: "trust", workspace: product.workspace, env: product.env, trust: true });
    workbench = await openWorkbench(server);
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`trust-failed-${name.replaceAll(/\W+/g, "-")}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  const statusSays = (text) => workbench.status(statusItem).filter({ hasText: text }).waitFor();
  const ourProcesses = () => server.processes().filter(({ command }) => command.includes("augment-cli"));

  test("runs nothing and explains itself", async () => {
    await workbench.restricted.waitFor();
    await statusSays("Augment: restricted");
    await workbench.showContainer("Augment");
    const { welcome } = workbench.tree("Queue");
    await welcome.filter({ hasText: "This folder is not trusted" }).waitFor();
    await workbench.screenshot("trust-restricted");
    assert.deepEqual(ourProcesses(), []);
    assert.deepEqual(readdirSync(product.home), [], "no data was written");
  });

  test("a command that is tried all the same runs nothing", async () => {
    const lookFor = async (title) => {
      await workbench.page.keyboard.press("F1");
      await workbench.page.locator(".quick-input-widget:visible input[type=text]").fill(`>${title}`);
    };
    await lookFor("Augment: Show Log");
    await workbench.quickRows.filter({ hasText: "Augment: Show Log" }).first().waitFor();
    await workbench.dismiss();
    await lookFor("Augment: Add Task");
    // None is called so, and those that come near it are offered instead.
    await workbench.quickRows.first().filter({ hasText: "similar commands" }).waitFor();
    assert.equal(await workbench.quickRows.filter({ hasText: "Augment: Add Task" }).count(), 0);
    await workbench.dismiss();
    assert.deepEqual(readdirSync(product.home), []);
  });

  test("the view's button leads to the trust editor; with trust the queue appears", async () => {
    await workbench.tree("Queue").welcome.locator(".monaco-button", { hasText: "Manage Workspace Trust" }).click();
    const trust = workbench.page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first();
    await trust.click();
    await workbench.restricted.waitFor({ state: "hidden" });
    // The editor of trust lies over the window until it is closed.
    await workbench.page.locator('.monaco-modal-editor-block [aria-label^="Close"]').first().click();
    await statusSays("Augment: no tasks");
    await workbench.showContainer("Augment");
    await workbench.tree("Queue").welcome.filter({ hasText: "No tasks yet" }).waitFor();
    await product.add("Works with trust");
    await workbench.tree("Queue").row("Works with trust").waitFor();
  });

  test("the program that the workspace's settings name is ignored, with one notice", async () => {
    // It was told when trust was given, and its toast may have gone since.
    const told = (await workbench.showNotices()).filter({ hasText: "only your own settings may choose what runs" });
    await told.first().waitFor();
    assert.equal(await told.count(), 1);
    await workbench.hideNotices();
    assert.equal(existsSync(proof), false);
    const running = ourProcesses().filter(({ command }) => command.includes("serve --stdio"));
    assert.equal(running.length, 1);
    assert.ok(!running[0].command.includes(product.workspace.concat("/.vscode")), running[0].command);
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
