// Review in a real VS Code, as a person does it: a script changes files while a task is worked on, its hunks appear
// where they are, and are decided by peek, lens and key, with unsaved text in between. After each step the bytes on disk
// and the ledger say what happened.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { ourErrors, ourLog, statusItem } from "./product.mjs";
import { afterTexts, agent, edited, newReview, pendingItem, title } from "./reviewed.mjs";

describe("review in the editor", () => {
  let product;
  let server;
  let workbench;
  let tree;
  let page;

  before(async () => {
    product = await newReview();
    server = await serveVsCode({
      name: "review",
      workspace: product.workspace,
      env: product.env,
      settings: { "workbench.hover.delay": 2_000, "editor.lightbulb.enabled": "off" },
    });
    workbench = await openWorkbench(server, { timeoutMs: 30_000 });
    ({ page } = workbench);
    tree = workbench.tree("Changes");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
    await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.screenshot(`review-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  const lens = (text, nth = 0) => page.locator(".codelens-decoration a", { hasText: text }).nth(nth);
  const pending = (count) =>
    count === 0
      ? workbench.status(pendingItem).waitFor({ state: "detached" })
      : workbench
          .status(pendingItem)
          .filter({ hasText: `${count} to review` })
          .waitFor();
  const bytesBecome = (name, content) =>
    eventually(
      `${name} has the expected bytes`,
      () => product.bytes(name),
      (now) => assert.equal(now, content) === undefined,
    );
  const recorded = async (...decisions) => {
    const last = async () => (await product.decisions()).slice(-decisions.length);
    await eventually("it is recorded", last, (now) => assert.deepEqual(now, decisions) === undefined);
  };
  const editorText = editorTextOf(() => page);
  const save = async () => {
    await page.keyboard.press("Control+S");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
  };

  test("what a script changes while a task is worked on waits for a decision, as the task's", async () => {
    await product.claim(product.id, agent);
    product.script(`
      sed -i -e 's/auth line 3$/AUTH LINE 3/' -e 's/auth line 20$/AUTH LINE 20\\nAUTH LINE 20b/' auth.txt
      sed -i -e '10d' notes.txt
      printf 'notes appended\\n' >> notes.txt
      sed -i -e 's/server line 5$/SERVER LINE 5/' server.txt
    `);
    await pending(5);
    for (const text of ["AUTH LINE 3", "AUTH LINE 20", "notes line 10", "notes appended", "SERVER LINE 5"])
      await tree.row(text).waitFor();
    await tree.row("Refactor the door").filter({ hasText: title }).waitFor();
    const { files, counts } = await product.changes();
    assert.deepEqual(
      files.map(({ path, hunks }) => [path, hunks.map(({ author }) => `${author.name} ${author.task}`).join()]),
      [
        ["auth.txt", `${agent} ${product.id},${agent} ${product.id}`],
        ["notes.txt", `${agent} ${product.id},${agent} ${product.id}`],
        ["server.txt", `${agent} ${product.id}`],
      ],
    );
    assert.deepEqual(counts, { pendingFiles: 3, pendingHunks: 5, unknownHunks: 0 });
  });

  test("in the file, each hunk has its colour, its author and its buttons", async () => {
    await workbench.openFile("auth.txt");
    await lens("Approve").waitFor();
    assert.equal(await page.locator(".codelens-decoration", { hasText: "Reject" }).count(), 2);
    await eventually("the author stands behind the line", async () =>
      (await afterTexts(page)).some((text) => text.includes(`${agent} · ${product.id} · pending`)),
    );
    assert.equal(await page.locator("img[src='x']").count(), 0);
    await workbench.screenshot("review-hunks");
  });

  test("the hover says who wrote a line, and text from outside stays text", async () => {
    const line = page.locator(".view-line", { hasText: /AUTH\sLINE\s3/ }).first();
    await line.hover({ position: { x: 40, y: 8 } });
    const hover = page.locator(".monaco-hover:visible", { hasText: `${agent} · ${product.id}` });
    await hover.filter({ hasText: "<img src=x>" }).waitFor();
    await workbench.screenshot("review-hover");
    assert.equal(await hover.locator("img, a[data-href^='command:']").count(), 0);
    await page.mouse.move(700, 850);
    await hover.waitFor({ state: "hidden" });
  });

  test("a button in the peek approves: the bytes stay, the decision is recorded", async () => {
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Alt+F3");
    const approve = page.locator(".peekview-widget .action-label[aria-label^='Approve Hunk']");
    await approve.waitFor();
    await workbench.screenshot("review-peek");
    await approve.click();
    await tree.row("AUTH LINE 3").waitFor({ state: "detached" });
    await pending(4);
    await workbench.toast("Approved").first().waitFor();
    assert.equal(
      product.bytes("auth.txt"),
      edited(product.files["auth.txt"], { 3: "AUTH LINE 3\n", 20: "AUTH LINE 20\nAUTH LINE 20b\n" }),
    );
    await recorded("approved auth.txt");
    await page.keyboard.press("Escape");
  });

  test("a lens rejects a hunk in a file that is being typed in, and loses nothing typed", async () => {
    await workbench.openFile("auth.txt");
    // The lens of the hunk that was approved goes a moment later.
    await lens("Reject", 1).waitFor({ state: "detached" });
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("typed by hand\n");
    await page.locator(".tab.dirty").waitFor();
    await lens("Reject").click();
    await eventually("the editor has the result", editorText, (text) => !text.includes("AUTH LINE 20"));
    assert.match(await editorText(), /typed by hand/);
    await page.locator(".tab.dirty").waitFor();
    await save();
    await bytesBecome("auth.txt", `typed by hand\n${edited(product.files["auth.txt"], { 3: "AUTH LINE 3\n" })}`);
    await pending(3);
    await recorded("approved auth.txt", "rejected auth.txt");
  });

  test("what was typed is the person's, and waits for nobody", async () => {
    const { files } = await product.changes();
    assert.equal(
      files.find(({ path }) => path === "auth.txt"),
      undefined,
    );
    const { spans } = await product.cli("blame", "auth.txt");
    assert.equal(spans[0].author.kind, "person");
  });

  test("keys lead to the next hunk, over files, and reject it", async () => {
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+F7");
    await workbench.editorTab("notes.txt").and(page.locator(".active")).waitFor();
    await page.keyboard.press("Control+F7");
    await page.keyboard.press("Control+F7");
    await workbench.editorTab("server.txt").and(page.locator(".active")).waitFor();
    await eventually("the key is for the hunk", async () => {
      await page.keyboard.press("Control+Shift+F8");
      return product.bytes("server.txt") === product.files["server.txt"].join("");
    });
    await tree.row("SERVER LINE 5").waitFor({ state: "detached" });
    await pending(2);
    await recorded("rejected auth.txt", "rejected server.txt");
  });

  test("the notice takes the rejection back, and the next one takes that back", async () => {
    const changed = edited(product.files["server.txt"], { 5: "SERVER LINE 5\n" });
    await workbench.pressToastButton("Rejected", "Undo");
    await bytesBecome("server.txt", changed);
    await tree.row("SERVER LINE 5").waitFor();
    await pending(3);
    await workbench.palette("Augment: Redo Decision");
    await bytesBecome("server.txt", product.files["server.txt"].join(""));
    await tree.row("SERVER LINE 5").waitFor({ state: "detached" });
    await workbench.palette("Augment: Undo Decision");
    await bytesBecome("server.txt", changed);
    await tree.row("SERVER LINE 5").waitFor();
    await pending(3);
    await recorded("rejected server.txt", "undone server.txt", "redone server.txt", "undone server.txt");
  });

  test("rows of the tree open what they stand for and decide on it", async () => {
    await tree.row("notes line 10").click();
    await workbench.editorTab("notes.txt").and(page.locator(".active")).waitFor();
    await tree.row("server.txt").click();
    await page.locator(".tab.active", { hasText: "server.txt (before" }).waitFor();
    await workbench.screenshot("review-diff");
    await tree.act("server.txt", "Approve Changes in File");
    await tree.row("SERVER LINE 5").waitFor({ state: "detached" });
    await tree.act("Refactor the door", "Reject Changes of Task");
    await bytesBecome("notes.txt", product.files["notes.txt"].join(""));
    await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
    await pending(0);
    await workbench.palette("Augment: Undo Decision");
    await pending(2);
  });

  test("code actions decide at the cursor", async () => {
    await workbench.openFile("notes.txt");
    await lens("Approve").waitFor();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+F7");
    const action = page.locator(".action-widget .monaco-list-row", { hasText: "Approve hunk" });
    await eventually("the actions are offered", async () => {
      await page.keyboard.press("Control+.");
      await action.waitFor({ timeout: 3_000 });
      return true;
    });
    await action.click();
    await pending(1);
  });

  test("all pending files are shown in one editor", async () => {
    product.script("sed -i -e 's/server line 30$/SERVER LINE 30/' server.txt; printf 'made\\n' > made.txt");
    await tree.row("SERVER LINE 30").waitFor();
    await workbench.palette("Augment: Review All Changes");
    await page.locator(".tab.active", { hasText: "Pending Changes" }).waitFor();
    await page.locator(".multiDiffEntry").first().waitFor();
    await workbench.screenshot("review-all");
  });

  test("a file that was made goes when it is rejected", async () => {
    await tree.act("made.txt", "Reject Changes in File");
    await eventually("it is gone", () => {
      try {
        product.bytes("made.txt");
        return false;
      } catch {
        return true;
      }
    });
    await workbench.palette("Augment: Undo Decision");
    await bytesBecome("made.txt", "made\n");
  });

  test("what is interwoven with the person's own line is shown first and done on a yes", async () => {
    product.script("sed -i -e '15i block 1\\nblock 2\\nblock 3\\nblock 4' server.txt");
    await tree.row("block 1").click();
    await page.locator(".tab.active", { hasText: "server.txt" }).waitFor();
    await workbench.openFile("server.txt");
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 16; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.type("mine in the middle\n");
    await save();
    await tree.row("entangled").waitFor();
    const entangled = product.bytes("server.txt");
    assert.match(entangled, /block 2\nmine in the middle\nblock 3\n/);
    await tree.act("entangled", "Reject Hunk");
    const question = workbench.dialog("Apply this result?");
    await question.waitFor();
    await page.locator(".tab.active", { hasText: "If Rejected" }).waitFor();
    await workbench.screenshot("review-entangled");
    await workbench.pressDialogButton("Apply this result?", "Cancel");
    assert.equal(product.bytes("server.txt"), entangled);
    await tree.act("entangled", "Reject Hunk");
    await workbench.pressDialogButton("Apply this result?", "Apply");
    await bytesBecome("server.txt", entangled.replaceAll(/block \d\n/g, ""));
  });

  test("nothing of ours went wrong, and nothing left this machine", () => {
    assert.deepEqual(ourErrors(workbench.errors), []);
    assert.deepEqual(workbench.outside, []);
    assert.doesNotMatch(ourLog(server), /\[error\]/);
  });
});

describe("whose changes are", () => {
  let product;
  let server;
  let workbench;
  let tree;

  before(async () => {
    product = await newReview();
    server = await serveVsCode({ name: "review-whose", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server, { timeoutMs: 30_000 });
    tree = workbench.tree("Changes");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
    await tree.welcome.filter({ hasText: "Nothing waits" }).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.screenshot(`whose-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  test("work is started on a new task, and what changes is for it", async () => {
    await workbench.palette("Augment: Start Working on…");
    await workbench.pick("New task…");
    await workbench.answer("Try something out");
    const task = await eventually("it is taken", async () => {
      const found = await product.titled("Try something out");
      return found?.status === "in-progress" && found;
    });
    product.script("sed -i -e 's/auth line 2$/AUTH LINE 2/' auth.txt");
    await tree.row("Try something out").waitFor();
    const { files } = await product.changes();
    assert.deepEqual(
      files.flatMap(({ hunks }) => hunks.map(({ author }) => author.task)),
      [task.id],
    );
  });

  test("with two at work nobody is guessed, and the person says whose it is", async () => {
    await product.claim(product.id, agent);
    product.script("sed -i -e 's/notes line 2$/NOTES LINE 2/' notes.txt");
    await tree.row("Unknown author").waitFor();
    await tree.act("Unknown author", "Assign Changes…");
    await workbench.pick("Refactor the door");
    await tree.row("Unknown author").waitFor({ state: "detached" });
    const { files, counts } = await product.changes();
    assert.equal(counts.unknownHunks, 0);
    assert.deepEqual(
      files.find(({ path }) => path === "notes.txt").hunks.map(({ author, evidence }) => [author.task, evidence]),
      [[product.id, "assigned"]],
    );
  });
});

describe("review in the themes", () => {
  let product;
  let server;
  let workbench;

  before(async () => {
    product = await newReview();
    server = await serveVsCode({ name: "review-themes", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server, { timeoutMs: 30_000 });
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
    await workbench.tree("Changes").welcome.filter({ hasText: "Nothing waits" }).waitFor();
    mkdirSync(join(product.workspace, "src"));
    // Two are at work, so nobody knows which of them it was.
    const other = await product.claim((await product.add("Another task")).id, "goose");
    await product.claim(product.id, agent);
    product.script("sed -i -e 's/auth line 12$/AUTH LINE 12/' auth.txt");
    await workbench.tree("Changes").row("Unknown author").waitFor();
    await product.cli("queue", "complete", other.id, "--attempt", String(other.attempt));
    product.script(`
      sed -i -e 's/auth line 5$/AUTH LINE 5\\nAUTH LINE 5b/' -e '8d' auth.txt
      printf 'new\\n' > src/new.txt
    `);
    await workbench.tree("Changes").row("AUTH LINE 5").waitFor();
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  for (const [name, theme, mark] of [
    ["dark", "Dark Modern", "vs-dark"],
    ["light", "Light Modern", "vs"],
    ["high-contrast", "Dark High Contrast", "hc-black"],
    ["high-contrast-light", "Light High Contrast", "hc-light"],
  ]) {
    test(name, async () => {
      await workbench.palette("Preferences: Color Theme");
      await workbench.quickRows.first().waitFor();
      await workbench.page.keyboard.type(theme);
      await workbench.pick(theme);
      await workbench.page.locator(`.monaco-workbench.${mark}`).waitFor();
      await workbench.openFile("auth.txt");
      await workbench.page.locator(".codelens-decoration", { hasText: "Approve" }).first().waitFor();
      await eventually("unknown and known authors are told apart", async () => {
        const texts = (await afterTexts(workbench.page)).join();
        return texts.includes("unknown author") && texts.includes(agent);
      });
      await workbench.screenshot(`review-${name}`);
    });
  }
});

/** The lines of the active editor that are on screen. */
function editorTextOf(page) {
  return async () =>
    (await page().locator(".editor-group-container.active .view-lines").first().innerText()).replaceAll("\u00a0", " ");
}
