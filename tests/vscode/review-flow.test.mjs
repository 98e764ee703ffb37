// A whole review in a real VS Code with nothing but keys: in files, in their diffs and among all diffs. Hunks are approved,
// rejected and skipped, somebody else decides meanwhile, and the end is told once. After each part the command line says
// what came of it.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { stopped } from "../rig/stopped.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { ourLog, statusItem } from "./product.mjs";
import { afterTexts, agent, edited, newReview, pendingItem } from "./reviewed.mjs";

const decisionItem = statusItem.replace(/status$/, "decision");
const approve = "Control+F8";
const reject = "Control+Shift+F8";
const skip = "Control+F9";
const undo = "Control+Shift+F9";
const next = "Control+F7";
const previous = "Control+Shift+F7";

/** A window on a review, with what these tests ask of it. */
async function openReview(name, { settings = {}, prepare = async () => {} } = {}) {
  const product = await newReview();
  await prepare(product);
  const server = await serveVsCode({
    name,
    workspace: product.workspace,
    env: product.env,
    settings: { "editor.lightbulb.enabled": "off", ...settings },
  });
  const workbench = await openWorkbench(server, { height: 1_000 });
  const { page } = workbench;
  const tree = workbench.tree("Changes");
  await workbench.status(statusItem).filter({ hasText: "pending" }).waitFor();
  await workbench.showContainer("Augment");
  await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
  /** How many wait, or with "of" which of them it is. */
  const progress = (text) =>
    workbench
      .status(pendingItem)
      .filter({ hasText: text.includes("of") ? new RegExp(`hunk .*${text}$`) : `${text} to review` })
      .waitFor();
  return {
    product,
    server,
    workbench,
    page,
    tree,
    progress,
    /** Six hunks in three files. */
    change: () =>
      product.script(`
        sed -i -e 's/auth line 3$/AUTH LINE 3/' -e 's/auth line 20$/AUTH LINE 20\\nAUTH LINE 20b/' auth.txt
        sed -i -e '10d' notes.txt
        printf 'notes appended\\n' >> notes.txt
        sed -i -e 's/server line 5$/SERVER LINE 5/' -e 's/server line 30$/SERVER LINE 30/' server.txt
      `),
    /** The cursor is in this file at this line, keys go there, and so far the review has come. */
    async stands(file, line, far, { tab = file } = {}) {
      await page.locator(".tab.active", { hasText: tab }).first().waitFor();
      await workbench
        .status("status.editor.selection")
        .filter({ hasText: `Ln ${line},` })
        .waitFor();
      await progress(far);
      await page.locator(`.monaco-editor.focused[data-uri*="/${file}"]`).first().waitFor();
    },
    /** A word in the status bar that goes by itself. */
    said: (text) => page.locator(".part.statusbar .statusbar-item", { hasText: text }).first().waitFor(),
    toasts: () => page.locator(".notification-toast"),
    waiting: async () =>
      (await product.changes()).files.flatMap(({ path, hunks }) => hunks.map(({ line }) => `${path}:${line + 1}`)),
    hunkIn: async (path, text) => {
      const { files } = await product.changes();
      const { hunks } = files.find((file) => file.path === path);
      return hunks.find(({ addedLines }) => addedLines.some((line) => line.includes(text))).id;
    },
    bytesBecome: (path, content) =>
      eventually(
        `${path} has the expected bytes`,
        () => product.bytes(path),
        (now) => assert.equal(now, content) === undefined,
      ),
    async close() {
      await workbench.close();
      await server.stop();
      product.remove();
    },
  };
}

function pictureOf(review, failed) {
  return async ({ passed, name }) => {
    if (!passed)
      await review().workbench.pictureOfFailure(`${failed}-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  };
}

describe("a review with keys alone, in files", () => {
  let review;
  let changed;

  before(async () => {
    review = await openReview("review-flow");
    await review.product.claim(review.product.id, agent);
    review.change();
    await review.progress("6");
    changed = Object.fromEntries(
      ["auth.txt", "notes.txt", "server.txt"].map((name) => [name, review.product.bytes(name)]),
    );
  });
  afterEach(pictureOf(() => review, "flow"));
  after(() => review?.close());

  test("a key leads to the first hunk, and says which of how many it is", async () => {
    const { page, workbench, stands } = review;
    await workbench.openFile("auth.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await stands("auth.txt", 3, "1 of 6");
    await page.locator(".codelens-decoration", { hasText: "1 of 6" }).waitFor();
    await eventually("who made it stands behind the line", async () =>
      (await afterTexts(page)).some((text) => text.includes(`${agent} · ${review.product.id}`)),
    );
    const waits = workbench.status(pendingItem).filter({ hasText: "6 to review · hunk 1 of 6" });
    await waits.waitFor();
    await workbench.screenshot("review-flow-file");
  });

  test("what was scrolled away is shown before a key decides it", async () => {
    const { page, workbench, stands, said, waiting } = review;
    const line = page.locator('.monaco-editor[data-uri$="/auth.txt"] .view-line', { hasText: /AUTH.LINE.3$/ });
    await line.waitFor();
    await page.keyboard.press("Alt+PageDown");
    await line.waitFor({ state: "detached" });
    await page.keyboard.press(approve);
    await said("The hunk may have been out of sight. Here it is; press again");
    await line.waitFor();
    await workbench.screenshot("review-flow-shown-first");
    await stands("auth.txt", 3, "1 of 6");
    assert.equal((await waiting()).length, 6);
  });

  test("each decision leads on to the next hunk, over files, and a skipped one stays", async () => {
    const { page, stands, bytesBecome, product } = review;
    await page.keyboard.press(approve);
    await stands("auth.txt", 20, "2 of 6");
    await page.keyboard.press(skip);
    await stands("notes.txt", 10, "3 of 6");
    await page.keyboard.press(reject);
    await bytesBecome("notes.txt", `${product.files["notes.txt"].join("")}notes appended\n`);
    await stands("notes.txt", 41, "4 of 6");
  });

  test("an undone decision leads back to its hunk", async () => {
    const { page, stands, workbench, bytesBecome } = review;
    await page.keyboard.press(undo);
    await bytesBecome("notes.txt", changed["notes.txt"]);
    await stands("notes.txt", 10, "3 of 6");
    await workbench.status(decisionItem).filter({ hasText: "Redo" }).waitFor();
    await page.keyboard.press(reject);
    await stands("notes.txt", 41, "4 of 6");
  });

  test("whoever decides before what was undone has come back decides nothing", async () => {
    const { page, product, stands, waiting, workbench } = review;
    const pid = await product.hostPid();
    try {
      await stopped(pid);
      await page.keyboard.press(undo);
      await page.keyboard.press(reject);
      // Keys are taken one after the other: when this one has come, so have those before it.
      await page.keyboard.press("F1");
      await workbench.dismiss();
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await stands("notes.txt", 10, "3 of 6");
    assert.deepEqual((await waiting()).slice(1, 3), ["notes.txt:10", "notes.txt:40"]);
    await page.keyboard.press(reject);
    await stands("notes.txt", 41, "4 of 6");
  });

  test("an undo by key while a decision is on its way takes that one back, and not the one before it", async () => {
    const { page, product, stands, waiting, workbench } = review;
    const pid = await product.hostPid();
    const before = (await product.decisions()).length;
    try {
      await stopped(pid);
      await page.keyboard.press(approve);
      await page.keyboard.press(undo);
      await page.keyboard.press("F1");
      await workbench.dismiss();
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await eventually(
      "both are done",
      () => product.decisions(),
      ({ length }) => length === before + 2,
    );
    assert.deepEqual((await product.decisions()).slice(before), ["approved notes.txt", "undone notes.txt"]);
    await workbench.status(decisionItem).filter({ hasText: "Redo" }).waitFor();
    assert.deepEqual((await waiting()).slice(0, 2), ["auth.txt:20", "notes.txt:41"]);
    await stands("notes.txt", 41, "4 of 6");
  });

  test("what the command line decides meanwhile leaves the count", async () => {
    const { page, product, stands, hunkIn } = review;
    await product.cli("changes", "approve", await hunkIn("server.txt", "SERVER LINE 30"));
    await stands("notes.txt", 41, "4 of 5");
    await page.keyboard.press(approve);
    await stands("server.txt", 5, "5 of 5");
  });

  test("what was skipped comes again, and skipped again it ends the review", async () => {
    const { page, stands, said, workbench, toasts, waiting } = review;
    await page.keyboard.press(approve);
    // It stands there for some seconds only.
    await Promise.all([said("What you skipped comes again"), stands("auth.txt", 20, "5 of 5")]);
    await page.keyboard.press(skip);
    const summary = workbench.toast("Review done: 3 approved, 1 rejected, 1 skipped in 3 files.");
    await summary.filter({ hasText: "1 hunk has changed or was decided elsewhere." }).waitFor();
    assert.equal(await toasts().count(), 1);
    assert.equal(await workbench.dialog("Review").count(), 0);
    await workbench.screenshot("review-flow-summary");
    assert.deepEqual(await waiting(), ["auth.txt:20"]);
  });

  test("the summary takes all of it back, and nothing of others", async () => {
    const { workbench, waiting, bytesBecome, progress } = review;
    await workbench.pressToastButton("Review done", "Undo All");
    for (const [name, content] of Object.entries(changed)) await bytesBecome(name, content);
    await eventually("what was decided here waits again", waiting, (now) => {
      assert.deepEqual(now, ["auth.txt:3", "auth.txt:20", "notes.txt:10", "notes.txt:40", "server.txt:5"]);
      return true;
    });
    await progress("of 5");
  });

  test("the way goes around the end, which is said once", async () => {
    const { page, stands, said, workbench } = review;
    await workbench.openFile("server.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await stands("server.txt", 5, "5 of 5");
    await page.keyboard.press(next);
    await Promise.all([said("That was the last hunk"), stands("auth.txt", 3, "1 of 5")]);
  });

  test("somebody else was quicker: nothing is done, and what is drawn is true", async () => {
    const { page, product, progress, toasts, hunkIn, stands } = review;
    await product.cli("changes", "reject", await hunkIn("auth.txt", "AUTH LINE 3"));
    await progress("4");
    await page.keyboard.press(next);
    await stands("auth.txt", 20, "1 of 4");
    assert.equal(await toasts().count(), 0);
  });

  test("what was skipped is shown from the summary", async () => {
    const { page, stands, workbench } = review;
    await page.keyboard.press(approve);
    await stands("notes.txt", 10, "2 of 4");
    await page.keyboard.press(skip);
    await stands("notes.txt", 40, "3 of 4");
    await workbench.palette("Augment: Finish Review");
    await workbench.pressToastButton(
      "Review so far: 1 approved, 1 skipped in 2 files. 2 hunks still wait.",
      "Show Skipped",
    );
    await workbench.quickRows.filter({ hasText: "notes.txt" }).waitFor();
    await page.keyboard.press("Enter");
    await stands("notes.txt", 10, "1 of 3");
  });

  test("nothing went wrong in the window", async () => {
    await review.workbench.judge();
    assert.doesNotMatch(ourLog(review.server), /\[error\]/);
  });
});

describe("a review with keys alone, in diffs", () => {
  let review;

  before(async () => {
    review = await openReview("review-diffs");
    await review.product.claim(review.product.id, agent);
    review.change();
    await review.progress("6");
  });
  afterEach(pictureOf(() => review, "diffs"));
  after(() => review?.close());

  const inDiff = (file, line, far) => review.stands(file, line, far, { tab: `${file} (before` });
  const inAll = async (file, line, far) => {
    await review.page.locator(".tab.active", { hasText: "Pending Changes" }).waitFor();
    await review.progress(far);
    await review.page
      .locator(`.multiDiffEntry .monaco-editor[data-uri$="/${file}"] .active-line-number`)
      .filter({ hasText: new RegExp(`^${line}$`) })
      .waitFor();
  };
  const button = (title) => review.page.locator(`.editor-actions .action-label[aria-label^="${title}"]`).first();
  const action = () => review.page.locator(".action-widget .monaco-list-row", { hasText: "Approve hunk" });
  const actionsAreOffered = () =>
    eventually("the actions are offered", async () => {
      // Asked for again only once the answer is there: a second menu would come up after the first is left.
      await review.page.keyboard.press("Control+.");
      await action().or(review.page.locator(".monaco-editor-overlaymessage")).first().waitFor();
      return action().isVisible();
    });
  const leaveActions = async () => {
    await review.page.keyboard.press("Escape");
    await action().waitFor({ state: "detached" });
  };
  /** Two clicks before anything can come of the first one. */
  const clickTwice = (title) =>
    button(title).evaluate((element) => {
      element.click();
      element.click();
    });

  test("the diff of a file has the hunk's buttons, and its code actions", async () => {
    const { page, workbench } = review;
    await workbench.openFile("auth.txt");
    await workbench.palette("Augment: Open Pending Changes of File");
    await page.locator(".tab.active", { hasText: "auth.txt (before" }).waitFor();
    await page
      .locator(".monaco-diff-editor .modified .monaco-editor.focused, .editor.modified .monaco-editor.focused")
      .first()
      .waitFor();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await inDiff("auth.txt", 3, "1 of 6");
    for (const title of ["Approve Hunk", "Reject Hunk", "Skip Hunk"]) await button(title).waitFor();
    await actionsAreOffered();
    await workbench.screenshot("review-flow-diff");
    await leaveActions();
  });

  test("keys lead from diff to diff until the end", async () => {
    const { page, workbench, product, waiting, bytesBecome } = review;
    await page.keyboard.press(approve);
    await inDiff("auth.txt", 20, "2 of 6");
    await button("Reject Hunk").click();
    await inDiff("notes.txt", 10, "3 of 6");
    await page.keyboard.press(skip);
    await inDiff("notes.txt", 40, "4 of 6");
    await page.keyboard.press(approve);
    await inDiff("server.txt", 5, "5 of 6");
    await page.keyboard.press(reject);
    await inDiff("server.txt", 30, "6 of 6");
    await page.keyboard.press(approve);
    await inDiff("notes.txt", 10, "6 of 6");
    await page.keyboard.press(reject);
    await workbench.toast("Review done: 3 approved, 3 rejected in 3 files.").waitFor();
    assert.deepEqual(await waiting(), []);
    await bytesBecome("auth.txt", edited(product.files["auth.txt"], { 3: "AUTH LINE 3\n" }));
    await bytesBecome("server.txt", edited(product.files["server.txt"], { 30: "SERVER LINE 30\n" }));
    await workbench.pressToastButton("Review done", "Undo All");
    await eventually("all of it waits again", waiting, ({ length }) => length === 6);
  });

  for (const [name, theme, mark] of [
    ["dark", "Dark Modern", "vs-dark"],
    ["high-contrast", "Dark High Contrast", "hc-black"],
    ["high-contrast-light", "Light High Contrast", "hc-light"],
    ["light", "Light Modern", "vs"],
  ]) {
    test(`all diffs in one editor, ${name}`, async () => {
      const { page, workbench } = review;
      await workbench.palette("Preferences: Color Theme");
      await workbench.quickRows.first().waitFor();
      await page.keyboard.type(theme);
      await workbench.pick(theme);
      await page.locator(`.monaco-workbench.${mark}`).waitFor();
      await workbench.palette("Augment: Review All Changes");
      await inAll("auth.txt", 3, "1 of 6");
      await workbench.screenshot(`review-flow-all-${name}`);
      await page.keyboard.press("Control+W");
      await page.locator(".tab.active", { hasText: "Pending Changes" }).waitFor({ state: "detached" });
    });
  }

  test("among all diffs a command that moves the cursor says which hunk is meant", async () => {
    const { page, workbench, waiting, said } = review;
    await workbench.palette("Augment: Review All Changes");
    await inAll("auth.txt", 3, "1 of 6");
    await page.keyboard.press(previous);
    await inAll("server.txt", 30, "6 of 6");
    await page.keyboard.press(next);
    // It is said once one has been led there.
    await said("That was the last hunk");
    await inAll("auth.txt", 3, "1 of 6");
    await page.locator('.multiDiffEntry .monaco-editor.focused[data-uri$="/auth.txt"]').first().waitFor();
    await page.keyboard.press("Alt+F5");
    await inAll("auth.txt", 20, "2 of 6");
    await page.keyboard.press(approve);
    // What was passed over in the file comes before the next file.
    await inAll("auth.txt", 3, "2 of 6");
    assert.deepEqual((await waiting()).slice(0, 2), ["auth.txt:3", "notes.txt:10"]);
    await page.keyboard.press(undo);
    await inAll("auth.txt", 20, "2 of 6");
    await page.keyboard.press("Control+W");
    await page.locator(".tab.active", { hasText: "Pending Changes" }).waitFor({ state: "detached" });
  });

  test("keys lead through all diffs in one editor", async () => {
    const { page, workbench, waiting, product, bytesBecome, toasts } = review;
    await workbench.palette("Augment: Review All Changes");
    await inAll("auth.txt", 3, "1 of 6");
    for (const title of ["Approve Hunk", "Reject Hunk", "Skip Hunk"]) await button(title).waitFor();
    await eventually("who made it stands behind the line", async () =>
      (await afterTexts(page)).some((text) => text.includes(`${agent} · ${review.product.id}`)),
    );
    await workbench.screenshot("review-flow-all");
    await actionsAreOffered();
    await leaveActions();
    await page.locator(".multiDiffEntry .monaco-editor.focused").first().waitFor();
    await page.keyboard.press(reject);
    await inAll("auth.txt", 20, "2 of 6");
    await page.keyboard.press(approve);
    await inAll("notes.txt", 10, "3 of 6");
    await clickTwice("Skip Hunk");
    await inAll("notes.txt", 40, "4 of 6");
    await page.keyboard.press(approve);
    await inAll("server.txt", 5, "5 of 6");
    await clickTwice("Approve Hunk");
    await inAll("server.txt", 30, "6 of 6");
    await page.keyboard.press(reject);
    await inAll("notes.txt", 10, "6 of 6");
    await page.keyboard.press(approve);
    await workbench.toast("Review done: 4 approved, 2 rejected in 3 files.").waitFor();
    assert.equal(await toasts().count(), 1);
    assert.deepEqual(await waiting(), []);
    await bytesBecome("auth.txt", edited(product.files["auth.txt"], { 20: "AUTH LINE 20\nAUTH LINE 20b\n" }));
    await bytesBecome("server.txt", edited(product.files["server.txt"], { 5: "SERVER LINE 5\n" }));
  });

  test("a file that waits only now joins the others, and they are counted", async () => {
    const { page, workbench, product, progress } = review;
    const tabs = page.locator(".tab", { hasText: "Pending Changes" });
    product.script("sed -i -e 's/auth line 30$/AUTH LINE 30/' auth.txt");
    await progress("1");
    await workbench.palette("Augment: Review All Changes");
    await inAll("auth.txt", 31, "1 of 1");
    await tabs.filter({ hasText: "(1 file" }).waitFor();
    product.script("sed -i -e 's/notes line 30$/NOTES LINE 30/' notes.txt");
    await progress("1 of 2");
    await page.keyboard.press(next);
    await inAll("notes.txt", 29, "2 of 2");
    await tabs.filter({ hasText: "(2 files)" }).waitFor();
    await tabs.filter({ hasText: "(1 file" }).waitFor({ state: "detached" });
    assert.equal(await tabs.count(), 1);
  });

  test("nothing went wrong in the window", async () => {
    await review.workbench.judge();
    assert.doesNotMatch(ourLog(review.server), /\[error\]/);
  });
});

describe("hunks that have to be looked at first", () => {
  /** Put together here, so that the repository holds nothing that looks like a key. */
  const key = ["AKIA", "Q3EGRIWVZ5KLT7XY"].join("");
  let review;

  before(async () => {
    review = await openReview("review-held", {
      settings: { "augmentOrchestrator.review.advance": false },
      prepare: async (product) => {
        await product.cli("config", "set", "review.secondApprover", "server.txt");
        await product.cli(
          "session",
          "start",
          "--confirm",
          "--task",
          product.id,
          "--path",
          "auth.txt",
          "--path",
          "server.txt",
        );
      },
    });
    const { product, progress, workbench, page } = review;
    await product.claim(product.id, agent);
    // In a tab behind another, where VS Code reads it again late.
    for (const name of ["auth.txt", "notes.txt"]) {
      await workbench.openFile(name);
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Enter");
    }
    product.script(`
      sed -i -e 's/auth line 3$/const id = "${key}"/' -e '20i block 1\\nblock 2\\nblock 3\\nblock 4' auth.txt
      sed -i -e 's/notes line 5$/NOTES LINE 5/' notes.txt
      sed -i -e 's/server line 7$/SERVER LINE 7/' server.txt
    `);
    await progress("4");
  });
  afterEach(pictureOf(() => review, "held"));
  after(() => review?.close());

  const explained = (text) => review.page.locator(".review-widget", { hasText: text });
  const offered = (text) => review.workbench.quickRows.filter({ hasText: text }).first();

  test("what was found is underlined where it stands, in a file that was changed behind another", async () => {
    const { page, workbench } = review;
    await workbench.openFile("auth.txt");
    await eventually(
      "the key is underlined, and nothing else",
      () =>
        page.evaluate((text) => {
          const shown = [...document.querySelectorAll(".editor-instance .view-line")];
          const line = shown.find(({ textContent }) => textContent.includes(text));
          const pieces = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          const letters = [];
          while (pieces.nextNode())
            for (let at = 0; at < pieces.currentNode.length; at += 1) letters.push([pieces.currentNode, at]);
          const begin = line.textContent.indexOf(text);
          const range = document.createRange();
          range.setStart(...letters[begin]);
          range.setEnd(letters[begin + text.length - 1][0], letters[begin + text.length - 1][1] + 1);
          const box = (one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return { left, right, top, bottom };
          };
          return {
            key: box(range),
            marks: [...document.querySelectorAll(".editor-instance .squiggly-error")].map(box),
          };
        }, key),
      ({ key: at, marks: [mark, ...others] }) =>
        others.length === 0 &&
        Math.abs(mark.left - at.left) < 4 &&
        Math.abs(mark.right - at.right) < 4 &&
        mark.top < at.bottom &&
        mark.bottom > at.top,
    );
    await workbench.screenshot("review-flow-underlined");
  });

  test("before everything is approved it is said what is left waiting", async () => {
    const { page, workbench } = review;
    await workbench.palette("Augment: Approve All");
    const question = workbench.dialog("Approve everything?");
    await question
      .filter({
        hasText:
          "4 hunks in 3 files to review. 1 hunk holds findings and is left waiting. " +
          "1 hunk is outside of what was agreed to and is left waiting. It can be undone.",
      })
      .waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
  });

  test("what comes while the question stands is not approved by a yes to less", async () => {
    const { page, workbench, waiting, progress, product, hunkIn } = review;
    await workbench.palette("Augment: Approve All");
    const question = workbench.dialog("Approve everything?");
    await question.waitFor();
    product.script("sed -i -e 's/server line 18$/SERVER LINE 18/' server.txt");
    await progress("5");
    await workbench.pressDialogButton("Approve everything?", "Approve All");
    await question
      .filter({ hasText: "What waits has changed since you were asked, so nothing was done yet. 5 hunks" })
      .waitFor();
    assert.equal((await waiting()).length, 5);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await product.cli("changes", "reject", await hunkIn("server.txt", "SERVER LINE 18"));
    await progress("4");
  });

  test("what is rewritten while the question stands is not approved by a yes to what it was", async () => {
    const { page, workbench, waiting, progress, product, hunkIn } = review;
    await workbench.palette("Augment: Approve All");
    const question = workbench.dialog("Approve everything?");
    await question.waitFor();
    const before = await hunkIn("server.txt", "SERVER LINE 7");
    product.script("sed -i -e 's/^SERVER LINE 7$/SERVER LINE SEVEN/' server.txt");
    const now = await eventually(
      "the rewritten hunk waits",
      () => hunkIn("server.txt", "SERVER LINE SEVEN"),
      (id) => id !== undefined,
    );
    assert.notEqual(now, before);
    await workbench.pressDialogButton("Approve everything?", "Approve All");
    await question
      .filter({ hasText: "What waits has changed since you were asked, so nothing was done yet. 4 hunks" })
      .waitFor();
    assert.equal((await waiting()).length, 4);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    product.script("sed -i -e 's/^SERVER LINE SEVEN$/SERVER LINE 7/' server.txt");
    await eventually(
      "it is as it was",
      () => hunkIn("server.txt", "SERVER LINE 7"),
      (id) => id !== undefined,
    );
    // The list has to know it, too: a yes is to what is listed.
    await review.tree.row("SERVER LINE SEVEN").waitFor({ state: "detached" });
    await review.tree.row("SERVER LINE 7").waitFor();
    await progress("4");
  });

  test("a yes to everything leaves what has to be looked at first, and is taken back as one", async () => {
    const { workbench, waiting, progress } = review;
    await workbench.palette("Augment: Approve All");
    await workbench.pressDialogButton("Approve everything?", "Approve All");
    // What needs a second approver waits for that one.
    await progress("3");
    assert.equal((await waiting()).length, 3);
    await workbench.pressToastButton("approved", "Undo");
    await progress("4");
  });

  test("a key to approve what holds a secret leads to the reason, and to what can be done", async () => {
    const { page, workbench, stands, waiting, progress, toasts } = review;
    await workbench.openFile("auth.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await stands("auth.txt", 3, "1 of 4");
    await page.keyboard.press(approve);
    await offered("Acknowledge and Approve…").waitFor();
    await explained("Its lines hold aws access key id: say why that may stay, or reject the hunk.").waitFor();
    await workbench.screenshot("review-flow-finding");
    assert.equal((await waiting()).length, 4);
    await page.keyboard.press("Enter");
    await workbench.answer("it was withdrawn");
    await progress("3");
    assert.deepEqual((await waiting())[0], "auth.txt:20");
    // Toasts on the session are not about this.
    assert.equal(await toasts().filter({ hasText: "aws" }).count(), 0);
  });

  test("the comment stands at the hunk, and VS Code's panel of comments stays closed", async () => {
    const { page } = review;
    assert.equal(await page.locator(".part.panel").isVisible(), false);
  });

  test("without the setting the cursor stays where it was decided", async () => {
    const { workbench, page } = review;
    await workbench.status(decisionItem).filter({ hasText: "1 hunk in 1 file approved · Undo" }).waitFor();
    await workbench.status("status.editor.selection").filter({ hasText: "Ln 3," }).waitFor();
    await page.locator(".tab.active", { hasText: "auth.txt" }).waitFor();
  });

  test("a key to reject what is entangled leads to the preview, and back when it is left", async () => {
    const { page, workbench, product, tree, stands, bytesBecome } = review;
    for (let step = 0; step < 18; step += 1) await page.keyboard.press("ArrowDown");
    await workbench.status("status.editor.selection").filter({ hasText: "Ln 21," }).waitFor();
    await page.keyboard.type("mine in the middle\n");
    await page.keyboard.press("Control+S");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
    await tree.row("entangled").waitFor();
    const entangled = product.bytes("auth.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await stands("auth.txt", 20, "2 of 4");
    await page.keyboard.press(reject);
    const question = workbench.quickPick("Apply this result?");
    await question.locator("input:focus").waitFor();
    await page.locator(".tab.active", { hasText: "If Rejected" }).waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    assert.equal(product.bytes("auth.txt"), entangled);
    await stands("auth.txt", 20, "2 of 4");
    await page.keyboard.press(reject);
    await question.waitFor();
    await workbench.pick("Apply");
    await bytesBecome("auth.txt", entangled.replaceAll(/block \d\n/g, ""));
  });

  test("a key to approve what is out of scope leads to the answers", async () => {
    const { page, workbench, stands, progress } = review;
    await workbench.openFile("notes.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press(next);
    await stands("notes.txt", 5, "3 of 4");
    await page.keyboard.press(approve);
    await offered("Approve Only This Hunk").waitFor();
    await offered("Answer for the File…").waitFor();
    await workbench.quickPick("notes.txt is outside the scope").waitFor();
    await workbench.screenshot("review-flow-outside");
    assert.equal(await explained("It is out of scope").count(), 0, "one place asks, and no other at the same time");
    await page.keyboard.press("Enter");
    await progress("1");
  });

  test("what is asked about is rejected by its key, as anywhere", async () => {
    const { page, product, workbench, stands, progress } = review;
    product.script("printf 'extra\\n' > extra.txt");
    await progress("2");
    await workbench.openFile("extra.txt");
    await stands("extra.txt", 1, "4 of 5");
    await eventually("it is marked", async () =>
      (await afterTexts(page)).some((text) => text.includes("out of scope")),
    );
    await page.keyboard.press(approve);
    const asked = workbench.quickPick("extra.txt is outside the scope");
    await asked.locator("input:focus").waitFor();
    await page.keyboard.press(reject);
    await asked.waitFor({ state: "hidden" });
    await eventually("it is taken out", () => !existsSync(join(product.workspace, "extra.txt")));
    await progress("1");
  });

  test("the first approval of two is counted, and the second is somebody else's", async () => {
    const { page, workbench, stands, waiting } = review;
    await page.keyboard.press(next);
    await stands("server.txt", 7, "5 of 5");
    await page.keyboard.press(approve);
    await workbench.toast("Review done: 3 approved, 2 rejected in 4 files.").waitFor();
    assert.deepEqual(await waiting(), ["server.txt:7"]);
    await page.keyboard.press(approve);
    await explained("a second approver is needed: skip it, or reject the hunk.").waitFor();
    await workbench.screenshot("review-flow-second");
  });

  test("nothing went wrong in the window", async () => {
    await review.workbench.judge();
    assert.doesNotMatch(ourLog(review.server), /\[error\]/);
  });
});
