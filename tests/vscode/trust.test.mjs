// A folder that nobody trusts: nothing of the product runs, nothing is written, and the view says why. A workspace
// cannot choose the program, trusted or not.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { newProduct, ourErrors, statusItem } from "./product.mjs";

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
    workbench = await openWorkbench(server, { timeoutMs: 30_000 });
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.screenshot(`trust-failed-${name.replaceAll(/\W+/g, "-")}`);
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
    await workbench.page.keyboard.press("F1");
    await workbench.page.keyboard.type("Augment: Show Log");
    await workbench.quickRows.filter({ hasText: "Augment: Show Log" }).first().waitFor();
    await workbench.dismiss();
    await workbench.page.keyboard.press("F1");
    await workbench.page.keyboard.type("Augment: Add Task");
    assert.equal(await workbench.quickRows.filter({ hasText: "Augment: Add Task" }).count(), 0);
    await workbench.dismiss();
    assert.deepEqual(readdirSync(product.home), []);
  });

  test("the view's button leads to the trust editor; with trust the queue appears", async () => {
    await workbench.tree("Queue").welcome.locator(".monaco-button", { hasText: "Manage Workspace Trust" }).click();
    const trust = workbench.page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first();
    await trust.click();
    await workbench.restricted.waitFor({ state: "hidden" });
    await workbench.page.keyboard.press("Escape");
    await statusSays("Augment: no tasks");
    await workbench.showContainer("Augment");
    await workbench.tree("Queue").welcome.filter({ hasText: "No tasks yet" }).waitFor();
    await product.add("Works with trust");
    await workbench.tree("Queue").row("Works with trust").waitFor();
  });

  test("the program that the workspace's settings name is ignored, with one notice", async () => {
    await workbench.toast("only your own settings may choose what runs").waitFor();
    assert.equal(await workbench.toast("only your own settings may choose what runs").count(), 1);
    assert.equal(existsSync(proof), false);
    const running = ourProcesses().filter(({ command }) => command.includes("serve --stdio"));
    assert.equal(running.length, 1);
    assert.ok(!running[0].command.includes(product.workspace.concat("/.vscode")), running[0].command);
  });

  test("nothing of ours went wrong, and nothing left this machine", () => {
    assert.deepEqual(ourErrors(workbench.errors), []);
    assert.deepEqual(workbench.outside, []);
  });
});
