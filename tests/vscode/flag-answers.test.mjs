// Logging a change outside the scope in a real VS Code: what was told of is taken out and nothing that was written since, its
// key brings it back, and where the person's own line is in the middle of it the result is shown first.

import assert from "node:assert/strict";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { ourLog, statusItem } from "./product.mjs";
import { agent, edited, newReview, pendingItem } from "./reviewed.mjs";

const decisionItem = statusItem.replace(/status$/, "decision");

describe("a change outside the scope that is logged", () => {
  let product;
  let server;
  let workbench;
  let page;

  before(async () => {
    product = await newReview();
    await product.cli("session", "start", "--confirm", "--task", product.id, "--path", "auth.txt");
    server = await serveVsCode({
      name: "flag-answers",
      workspace: product.workspace,
      env: product.env,
      settings: { "editor.lightbulb.enabled": "off", "augmentOrchestrator.review.advance": false },
    });
    workbench = await openWorkbench(server, { height: 1_000 });
    ({ page } = workbench);
    await workbench.status(statusItem).filter({ hasText: "pending" }).waitFor();
    await workbench.showContainer("Augment");
    await product.claim(product.id, agent);
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`flag-answers-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  /** As an agent does it, and with no other file beside it that might be seen: each would have a flag of its own. */
  const put = (name, edit) => {
    const made = join(product.scratch, name);
    writeFileSync(made, edit(product.bytes(name)));
    renameSync(made, join(product.workspace, name));
  };
  const outside = "notes.txt is outside the scope";
  const progress = (text) =>
    workbench
      .status(pendingItem)
      .filter({ hasText: `${text} to review` })
      .waitFor();
  const decided = (text) => workbench.status(decisionItem).filter({ hasText: text }).waitFor();
  const bytesBecome = (name, content) =>
    eventually(
      `${name} has the expected bytes`,
      () => product.bytes(name),
      (now) => now === content,
    );
  const flags = async () => (await product.cli("session", "status")).flags.map(({ id }) => id).join(" ");
  /** It is told, in the list, where it stays: a toast goes after some seconds. */
  const isTold = async (text) => {
    const listed = await workbench.showNotices();
    await listed.filter({ hasText: text }).first().waitFor();
    await workbench.hideNotices();
  };

  test("its notification takes out what it told of, and what was written since waits", async () => {
    put("notes.txt", (text) => text.replace("notes line 3\n", "NOTES LINE 3\n"));
    await workbench.toast(outside).waitFor();
    await progress("1");
    put("notes.txt", (text) => text.replace("notes line 30\n", "NOTES LINE 30\n"));
    await progress("2");
    await workbench.pressToastButton(outside, "Log and Take Out");
    await bytesBecome("notes.txt", edited(product.files["notes.txt"], { 30: "NOTES LINE 30\n" }));
    await decided("The change of notes.txt is logged and taken out · Undo");
    await progress("1");
    assert.equal(await flags(), "f2");
  });

  test("the key to undo brings it back without a question, with its flag", async () => {
    await workbench.palette("Augment: Undo Decision");
    await bytesBecome("notes.txt", edited(product.files["notes.txt"], { 3: "NOTES LINE 3\n", 30: "NOTES LINE 30\n" }));
    await progress("2");
    assert.equal(await flags(), "f1 f2");
    await workbench.palette("Augment: Redo Decision");
    await bytesBecome("notes.txt", edited(product.files["notes.txt"], { 30: "NOTES LINE 30\n" }));
    assert.equal(await flags(), "f2");
  });

  test("where what it told of has changed nothing is done, and it is told again", async () => {
    await isTold(outside);
    put("notes.txt", (text) => text.replace("NOTES LINE 30\n", "NOTES LINE THIRTY\n"));
    await eventually("it is seen", async () => JSON.stringify(await product.changes()).includes("THIRTY"));
    await workbench.pressToastButton(outside, "Log and Take Out");
    await isTold(outside);
    assert.equal(product.bytes("notes.txt"), edited(product.files["notes.txt"], { 30: "NOTES LINE THIRTY\n" }));
    assert.equal(await flags(), "f2");
    await workbench.pressToastButton(outside, "Log and Take Out");
    await bytesBecome("notes.txt", product.files["notes.txt"].join(""));
  });

  test("what is entangled with the person's own line is shown first and taken out on a yes", async () => {
    put("server.txt", (text) =>
      text.replace("server line 15\n", "block 1\nblock 2\nblock 3\nblock 4\nserver line 15\n"),
    );
    await workbench.toast("server.txt is outside the scope").waitFor();
    await workbench.tree("Changes").row("block 1").click();
    await page.locator('.monaco-editor[data-uri$="/server.txt"] .view-line', { hasText: /^block\s4$/ }).click();
    await page.locator('.monaco-editor.focused[data-uri$="/server.txt"]').waitFor();
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 16; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.type("mine in the middle\n");
    await page.keyboard.press("Control+S");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
    await workbench.tree("Changes").row("entangled").waitFor();
    const entangled = product.bytes("server.txt");
    const question = workbench.quickPick("Apply this result?");
    const log = async () => {
      await workbench.palette("Augment: Answer Out-of-Scope Change…");
      await workbench.pick("Log and Take Out");
      await question.waitFor();
    };
    await log();
    await page.locator(".tab.active", { hasText: "If Rejected" }).waitFor();
    await workbench.screenshot("flag-entangled");
    await workbench.pick("Cancel");
    await question.waitFor({ state: "hidden" });
    assert.equal(product.bytes("server.txt"), entangled);
    assert.equal(await flags(), "f3");
    await log();
    await workbench.pick("Apply");
    await bytesBecome("server.txt", entangled.replaceAll(/block \d\n/g, ""));
    await eventually("nothing waits for an answer", async () => (await flags()) === "");
  });

  test("nothing went wrong in the window", async () => {
    await workbench.judge();
    assert.doesNotMatch(ourLog(server), /\[error\]/);
  });
});
