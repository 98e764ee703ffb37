// Review in a real VS Code, as a person does it: a script changes files while a task is worked on, its hunks appear
// where they are, and are decided by peek, lens and key, with unsaved text in between. After each step the bytes on disk
// and the ledger say what happened.

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { changeSettings, ourLog, statusItem } from "./product.mjs";
import { afterTexts, agent, edited, newReview, pendingItem, title } from "./reviewed.mjs";

const decisionItem = statusItem.replace(/status$/, "decision");

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
    workbench = await openWorkbench(server, { height: 1_000 });
    ({ page } = workbench);
    tree = workbench.tree("Changes");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
    await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`review-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
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
          .and(page.locator(`[aria-label*="${count} hunk"]`))
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
      (await afterTexts(page)).some((text) => text.includes(`${agent} · ${product.id}`)),
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
    // Before VS Code has found the differences there is nothing to go to.
    await page.locator(".dirty-diff-glyph").first().waitFor();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Alt+F3");
    const approve = page.locator(".peekview-widget .action-label[aria-label^='Approve Hunk']");
    await approve.waitFor();
    await workbench.screenshot("review-peek");
    await approve.click();
    await tree.row("AUTH LINE 3").waitFor({ state: "detached" });
    await pending(4);
    await workbench.status(decisionItem).filter({ hasText: "approved · Undo" }).waitFor();
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
    await page.locator('.editor-instance .monaco-editor.focused[data-uri$="/server.txt"]').waitFor();
    await workbench.status("status.editor.selection").filter({ hasText: "Ln 5," }).waitFor();
    await page.keyboard.press("Control+Shift+F8");
    await bytesBecome("server.txt", product.files["server.txt"].join(""));
    await tree.row("SERVER LINE 5").waitFor({ state: "detached" });
    await pending(2);
    await recorded("rejected auth.txt", "rejected server.txt");
  });

  test("the status bar takes the rejection back, and the commands do and undo it again", async () => {
    const changed = edited(product.files["server.txt"], { 5: "SERVER LINE 5\n" });
    await workbench.status(decisionItem).filter({ hasText: "rejected · Undo" }).click();
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
    await tree.decide("server.txt", "Approve Changes in File", () =>
      tree.row("SERVER LINE 5").waitFor({ state: "detached" }),
    );
    await tree.decide("Refactor the door", "Reject Changes of Task", () =>
      bytesBecome("notes.txt", product.files["notes.txt"].join("")),
    );
    await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
    await pending(0);
    await workbench.palette("Augment: Undo Decision");
    await pending(2);
    await page.locator(".tab.active", { hasText: "notes.txt (before" }).waitFor();
    // Until that is said, one is still on the way there.
    await workbench.status(pendingItem).filter({ hasText: "hunk 1 of 2" }).waitFor();
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
    await tree.decide("made.txt", "Reject Changes in File", () =>
      eventually("it is gone", () => !existsSync(join(product.workspace, "made.txt"))),
    );
    await workbench.palette("Augment: Undo Decision");
    await bytesBecome("made.txt", "made\n");
  });

  test("what is entangled with the person's own line is shown first and done on a yes", async () => {
    product.script("sed -i -e '15i block 1\\nblock 2\\nblock 3\\nblock 4' server.txt");
    await tree.row("block 1").click();
    await page.locator(".tab.active", { hasText: "server.txt" }).waitFor();
    await workbench.openFile("server.txt");
    // An editor that was open before reads the file again a moment later, and what is typed before that cannot be saved.
    await page
      .locator('.monaco-editor.focused[data-uri$="/server.txt"] .view-line', { hasText: /^block\s4$/ })
      .waitFor();
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 16; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.type("mine in the middle\n");
    await save();
    await tree.row("entangled").waitFor();
    const entangled = product.bytes("server.txt");
    assert.match(entangled, /block 2\nmine in the middle\nblock 3\n/);
    const question = workbench.quickPick("Apply this result?");
    await tree.decide("entangled", "Reject Hunk", () => question.waitFor());
    await page.locator(".tab.active", { hasText: "If Rejected" }).waitFor();
    await question.getByText("Cancel").waitFor();
    await workbench.screenshot("review-entangled");
    // What is asked about can be looked through meanwhile.
    const then = page.locator(".editor.modified .monaco-editor");
    await then.locator(".view-line", { hasText: /mine\sin\sthe\smiddle/ }).click();
    await then.and(page.locator(".focused")).waitFor();
    await question.waitFor();
    await workbench.pick("Cancel");
    await question.waitFor({ state: "hidden" });
    assert.equal(product.bytes("server.txt"), entangled);
    await tree.decide("entangled", "Reject Hunk", () => question.waitFor());
    await workbench.pick("Apply");
    await bytesBecome("server.txt", entangled.replaceAll(/block \d\n/g, ""));
  });

  test("nothing went wrong in the window", async () => {
    await workbench.judge();
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
    workbench = await openWorkbench(server);
    tree = workbench.tree("Changes");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
    await tree.welcome.filter({ hasText: "Nothing waits" }).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`whose-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
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
    await tree.decide("Unknown author", "Assign Changes…", () => workbench.quickRows.first().waitFor());
    await workbench.page.locator(".quick-input-widget input[placeholder*='1 hunk in 1 file']").waitFor();
    await workbench.pick("Refactor the door");
    await tree.row("Unknown author").waitFor({ state: "detached" });
    const { files, counts } = await product.changes();
    assert.equal(counts.unknownHunks, 0);
    assert.deepEqual(
      files.find(({ path }) => path === "notes.txt").hunks.map(({ author, evidence }) => [author.task, evidence]),
      [[product.id, "assigned"]],
    );
  });

  test("what waits under one's own name is decided by itself, and not with everybody else's", async () => {
    const { files } = await product.changes();
    const { id, author } = files.find(({ path }) => path === "notes.txt").hunks[0];
    assert.equal(author.task, product.id);
    await product.cli("changes", "assign", id, "--to-me");
    await product.cli("changes", "undo");
    const waits = async () => (await product.changes()).files.map(({ path, hunks }) => [path, hunks[0].author.kind]);
    const now = [
      ["auth.txt", "run"],
      ["notes.txt", "person"],
    ];
    assert.deepEqual(await waits(), now);
    // The row is drawn anew under another name.
    await tree.row("Refactor the door").waitFor({ state: "detached" });
    const own = (await product.changes()).files[1].hunks[0].author.name;
    const others = product.bytes("auth.txt");
    // The other task is worked on by hand, so the same name stands beside its title.
    await tree.decide(new RegExp(`^${own}\\s*1 hunk`), "Reject Changes of Task", () =>
      eventually(
        "it is taken out",
        () => product.bytes("notes.txt"),
        (text) => text === product.files["notes.txt"].join(""),
      ),
    );
    assert.equal(product.bytes("auth.txt"), others);
    assert.deepEqual(await waits(), now.slice(0, 1));
  });

  test("one's own last decision is undone at once, anybody else's on a yes to what it is", async () => {
    const waits = (...paths) =>
      eventually(
        `${paths.join()} waits`,
        async () => (await product.changes()).files.map(({ path }) => path),
        (now) => assert.deepEqual(now, paths) === undefined,
      );
    await product.cli("changes", "approve", "--file", join(product.workspace, "auth.txt"));
    await waits();
    await workbench.palette("Augment: Undo Decision");
    await waits("notes.txt");
    await workbench.palette("Augment: Undo Decision");
    const question = workbench.dialog("Undo the newest decision?");
    await question.filter({ hasText: "Approved 1 hunk in 1 file" }).filter({ hasText: "auth.txt" }).waitFor();
    await workbench.pressDialogButton("Undo the newest decision?", "Cancel");
    await question.waitFor({ state: "detached" });
    await waits("notes.txt");
    await workbench.palette("Augment: Undo Decision");
    await workbench.pressDialogButton("Undo the newest decision?", "Undo");
    await waits("auth.txt", "notes.txt");
  });

  test("a decision that went with its unsaved text is not in the way of the one before it", async () => {
    const { page } = workbench;
    const waits = (...paths) =>
      eventually(
        `${paths.join()} waits`,
        async () => (await product.changes()).files.map(({ path }) => path),
        (now) => assert.deepEqual(now, paths) === undefined,
      );
    const before = product.bytes("auth.txt");
    await tree.decide("NOTES LINE 2", "Approve", () => waits("auth.txt"));
    await workbench.openFile("auth.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("not to be saved\n");
    await page.locator(".tab.dirty").waitFor();
    await page.locator(".codelens-decoration a", { hasText: "Reject" }).first().click();
    await waits();
    await page.locator('.monaco-editor[data-uri$="/auth.txt"] .view-line', { hasText: /not\sto\sbe\ssaved/ }).click();
    await page.keyboard.press("Control+W");
    await workbench.pressDialogButton("auth.txt", "Don't Save");
    await waits("auth.txt");
    assert.equal(product.bytes("auth.txt"), before);
    await workbench.palette("Augment: Undo Decision");
    await page.locator(".part.statusbar .statusbar-item", { hasText: "Nothing is left of that decision" }).waitFor();
    await waits("auth.txt");
    await workbench.palette("Augment: Undo Decision");
    await waits("auth.txt", "notes.txt");
  });

  test("what is saved while there is no connection is still the person's", async () => {
    const { page } = workbench;
    const waits = async () => (await product.changes()).files.some(({ path }) => path === "server.txt");
    await workbench.openFile("server.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("typed by hand\n");
    await page.locator(".tab.dirty").waitFor();
    changeSettings(server, "Machine", { "augmentOrchestrator.serverPath": join(product.scratch, "no-such-program") });
    await workbench.status(statusItem).filter({ hasText: "Augment: disconnected" }).waitFor();
    await page.locator(".view-line", { hasText: /typed\sby\shand/ }).click();
    await page.keyboard.press("Control+S");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
    // The host is there all the while, and has heard of nobody who wrote it.
    await eventually("it waits as somebody else's", waits);
    changeSettings(server, "Machine", { "augmentOrchestrator.serverPath": "" });
    await eventually("it is known to be the person's", async () => !(await waits()));
    const { spans } = await product.cli("blame", "server.txt");
    assert.deepEqual([spans[0].author.kind, product.bytes("server.txt").split("\n")[0]], ["person", "typed by hand"]);
  });

  test("nothing went wrong in the window", () =>
    workbench.judge({ provoked: [/Augment Orchestrator is disconnected/, /no-such-program/] }));
});

describe("review in the themes", () => {
  let product;
  let server;
  let workbench;

  before(async () => {
    product = await newReview();
    server = await serveVsCode({ name: "review-themes", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
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

  test("nothing went wrong in the window", () => workbench.judge());
});

/** The lines of the active editor that are on screen. */
function editorTextOf(page) {
  return async () =>
    (await page().locator(".editor-group-container.active .view-lines").first().innerText()).replaceAll("\u00a0", " ");
}
