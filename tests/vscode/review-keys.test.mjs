// What a key decides, and what it asks first: nothing that may have been scrolled away among all diffs, nothing of another
// file that is called alike, and nothing that is held in a file without a question.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { ourLog, statusItem } from "./product.mjs";
import { agent, newReview, pendingItem } from "./reviewed.mjs";

const approve = "Control+F8";
const skip = "Control+F9";
const next = "Control+F7";
/** Put together here, so that the repository holds nothing that looks like a key. */
const key = ["AKIA", "Q3EGRIWVZ5KLT7XY"].join("");

describe("what a key decides", () => {
  let product;
  let server;
  let workbench;
  let page;
  const outside = mkdtempSync(join(tmpdir(), "aug-alike-"));

  before(async () => {
    product = await newReview();
    mkdirSync(join(product.workspace, "conf"));
    writeFileSync(join(outside, "alike.txt"), "not in the folder\n");
    const paths = [..."abcdef"].map((name) => `${name}.txt`).concat("conf/**");
    const within = paths.flatMap((path) => ["--path", path]);
    await product.cli("session", "start", "--confirm", "--task", product.id, ...within);
    server = await serveVsCode({
      name: "review-keys",
      workspace: product.workspace,
      env: product.env,
      settings: { "editor.lightbulb.enabled": "off", "augmentOrchestrator.review.advance": false },
    });
    workbench = await openWorkbench(server, { height: 700 });
    page = workbench.page;
    await workbench.status(statusItem).filter({ hasText: "pending" }).waitFor();
    await product.claim(product.id, agent);
    product.script(`
      for n in a b c d e f; do for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "$n line $i"; done > $n.txt; done
      echo settings > conf/alike.txt
      sed -i -e 's/notes line 5$/NOTES LINE 5/' -e 's/notes line 30$/NOTES LINE 30/' notes.txt
      sed -i -e 's/server line 7$/const id = "${key}"/' server.txt
    `);
    await progress("10 to review");
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`keys-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
    rmSync(outside, { recursive: true, force: true });
  });

  const progress = (text) => workbench.status(pendingItem).filter({ hasText: text }).waitFor();
  const said = (text) => page.locator(".part.statusbar .statusbar-item", { hasText: text }).first().waitFor();
  const waiting = async () => (await product.changes()).files.flatMap(({ path, hunks }) => hunks.map(() => path));
  const focusedIn = (path) => page.locator(`.monaco-editor.focused[data-uri$="${path}"]`).first().waitFor();
  const entry = (name) => page.locator(".multiDiffEntry", { has: page.locator(`[data-uri$="/${name}"]`) });
  const offered = (text) => workbench.quickRows.filter({ hasText: text }).first();

  test("among all diffs, what was scrolled away is shown again and not decided", async () => {
    await workbench.palette("Augment: Review All Changes");
    await page.locator(".tab.active", { hasText: "Pending Changes" }).waitFor();
    await progress("hunk 1 of 10");
    await page.locator('.multiDiffEntry .monaco-editor.focused[data-uri$="/a.txt"]').waitFor();
    const box = await page.locator(".multiDiffEditor, .multi-diff-editor, .editor-instance").first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await eventually("the first file is out of sight and another is shown", async () => {
      await page.mouse.wheel(0, 200);
      return (await entry("d.txt").isVisible()) && (await entry("a.txt").boundingBox()).y < -1_000;
    });
    await page.keyboard.press(approve);
    await said("The hunk may have been out of sight. Here it is; press again");
    await progress("10 to review · hunk 1 of 10");
    assert.equal((await waiting()).length, 10);
    assert.ok((await entry("a.txt").boundingBox()).y >= 0, "it is in sight");
    await page.keyboard.press(approve);
    await progress("9 to review");
    assert.equal((await waiting()).includes("a.txt"), false);
  });

  test("among all diffs, one press decides where the last one led to", async () => {
    for (const left of [8, 7]) {
      await page.keyboard.press(next);
      await progress(`${left + 1} to review · hunk`);
      await page.locator(".multiDiffEntry .monaco-editor.focused").first().waitFor();
      await page.keyboard.press(approve);
      await progress(`${left} to review`);
    }
    assert.deepEqual((await waiting()).slice(0, 2), ["conf/alike.txt", "d.txt"]);
  });

  test("a file outside of the folder that is called alike has no hunk of the one within", async () => {
    await page.keyboard.press("Control+W");
    await page.locator(".tab.active", { hasText: "Pending Changes" }).waitFor({ state: "detached" });
    await workbench.openFile("d.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+Shift+F7");
    await focusedIn("conf/alike.txt");
    await page.keyboard.press("Control+P");
    await page.keyboard.type(join(outside, "alike.txt"));
    // Until it is found, the one within is offered, which was open last.
    await workbench.pick(basename(outside));
    await focusedIn(join(outside, "alike.txt"));
    await page.keyboard.press(approve);
    await said("No pending hunk is at the cursor");
    assert.deepEqual((await waiting())[0], "conf/alike.txt");
  });

  test("a file of which any hunk is held is asked about once, and nothing is approved without an answer", async () => {
    await workbench.openFile("notes.txt");
    await workbench.palette("Augment: Approve Changes in File");
    await workbench.quickPick("notes.txt is outside the scope").waitFor();
    await offered("Approve All 2 Hunks").waitFor();
    await offered("Reject All 2 Hunks").waitFor();
    await offered("Answer for the File…").waitFor();
    await workbench.screenshot("review-keys-file");
    await workbench.dismiss();
    assert.equal((await waiting()).filter((path) => path === "notes.txt").length, 2);
  });

  test("a key that comes twice while it is asked is heard once", async () => {
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await workbench.status("status.editor.selection").filter({ hasText: "Ln 5," }).waitFor();
    await progress("7 to review · hunk");
    await page.locator(".monaco-editor.focused[data-uri$='/notes.txt']").waitFor();
    await page.keyboard.press(approve);
    const asked = workbench.quickPick("notes.txt is outside the scope");
    await asked.locator("input:focus").waitFor();
    await Promise.all([page.keyboard.press(skip), page.keyboard.press(skip)]);
    await asked.waitFor({ state: "hidden" });
    await workbench.status("status.editor.selection").filter({ hasText: "Ln 30," }).waitFor();
    await workbench.palette("Augment: Finish Review");
    await workbench.toast("Review so far: 3 approved, 1 skipped").waitFor();
  });

  test("what is found and outside the scope is called both, with what can be done about each", async () => {
    await workbench.openFile("server.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await workbench.status("status.editor.selection").filter({ hasText: "Ln 7," }).waitFor();
    await progress("7 to review · hunk");
    await page.keyboard.press(approve);
    await workbench
      .quickPick("server.txt seems to hold: aws access key id · server.txt is outside the scope")
      .waitFor();
    await offered("Acknowledge and Approve…").waitFor();
    await offered("Answer for the File…").waitFor();
    await workbench.screenshot("review-keys-both");
    await workbench.dismiss();
  });

  test("nothing went wrong in the window", async () => {
    await workbench.judge();
    assert.doesNotMatch(ourLog(server), /\[error\]/);
  });
});
