// The queue in a real VS Code, used as a person uses it, with the command line as witness: what is done in one is in
// the other, at once, and text from outside stays text.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "../rig/eventually.mjs";
import { stopped } from "../rig/stopped.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { newProduct, ourLog, statusItem } from "./product.mjs";

describe("the queue view", () => {
  const product = newProduct();
  let server;
  let workbench;
  let tree;
  let status;

  before(async () => {
    const settings = { "workbench.hover.delay": 2_000, "files.eol": "\r\n" };
    // An editor that was opened from a run's terminal has the run's token; it must speak for the person all the same.
    const env = { ...product.env, AUGMENT_TOKEN: "a-token-of-some-run" };
    server = await serveVsCode({ name: "queue", workspace: product.workspace, env, settings });
    workbench = await openWorkbench(server);
    status = workbench.status(statusItem);
    tree = workbench.tree("Queue");
  });
  // A hover that opens under a resting pointer would lie over the rows below it.
  beforeEach(() => workbench.page.mouse.move(700, 450));
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`queue-failed-${name.replaceAll(/\W+/g, "-")}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  const statusSays = (text) => status.filter({ hasText: text }).waitFor();
  const focusRow = async (text) => {
    await tree.row(text).click();
    await workbench.page.mouse.move(700, 450);
  };

  test("in a folder that was never used nothing runs and nothing is written", async () => {
    await statusSays(/^\s*Augment\s*$/);
    await eventually("the extension has looked", () => ourLog(server).includes("was not used before"));
    assert.deepEqual(
      server.processes().filter(({ command }) => command.includes("augment-cli")),
      [],
    );
    assert.deepEqual(readdirSync(product.home), []);
  });

  test("a click on the status item opens the queue and starts it; empty, it offers to add a task", async () => {
    await status.click();
    await statusSays("Augment: no tasks");
    await tree.welcome.filter({ hasText: "No tasks yet" }).waitFor();
    await tree.welcome.locator(".monaco-button", { hasText: "Add Task" }).waitFor();
  });

  test("a task is added from the palette; a refused title stays in its box", async () => {
    await workbench.palette("Augment: Add Task…");
    await workbench.answer("   ");
    await workbench.inputMessage.filter({ hasText: "Say in a few words what is to be done." }).waitFor();
    await workbench.answer("long ".repeat(50));
    await workbench.pick("high");
    await workbench.inputMessage.filter({ hasText: "The title is 249 characters long" }).waitFor();
    await workbench.answer("Refactor authentication module");
    await workbench.pick("high");
    await tree.row("Refactor authentication module").waitFor();
    await statusSays("Augment: 1 pending");
    const task = await product.titled("Refactor authentication module");
    assert.equal(task.priority, "high");
    assert.equal(task.status, "pending");
  });

  test("what the command line adds is in the tree without any action", async (t) => {
    const delays = [];
    // How long one change takes to arrive in a view at rest; VS Code redraws a tree at most once in 200 ms.
    const restMs = 300;
    for (const title of ["Write tests", "Fix the login", "Update the guide", "Tidy the parser", "Measure the start"]) {
      await pause(restMs);
      const seen = await whenRowAppears(workbench.page, title);
      await product.add(title, "--priority", "medium");
      const exitedAt = Date.now();
      delays.push((await seen()) - exitedAt);
    }
    t.diagnostic(`from the end of the command to the row on screen: ${delays.join(", ")} ms (goal 200)`);
    await statusSays("Augment: 6 pending");
    assert.deepEqual(await product.pending(), [
      "Refactor authentication module",
      "Write tests",
      "Fix the login",
      "Update the guide",
      "Tidy the parser",
      "Measure the start",
    ]);
  });

  test("F2 edits the title", async () => {
    const { id } = await product.titled("Write tests");
    await focusRow("Write tests");
    await workbench.page.keyboard.press("F2");
    await workbench.answer("Write many tests");
    await tree.row("Write many tests").waitFor();
    assert.equal((await product.task(id)).title, "Write many tests");
  });

  test("an edit of what has changed meanwhile is refused with the reason, and repeated on a second Enter", async () => {
    const { id } = await product.titled("Write many tests");
    await focusRow("Write many tests");
    await workbench.page.keyboard.press("F2");
    await workbench.inputMessage.filter({ hasText: "Was: Write many tests" }).waitFor();
    await product.cli("queue", "edit", id, "--title", "Write other tests");
    await workbench.answer("Write good tests");
    await workbench.inputMessage.filter({ hasText: "has changed since it was shown" }).waitFor();
    assert.equal((await product.task(id)).title, "Write other tests");
    await workbench.page.keyboard.press("Enter");
    await tree.row("Write good tests").waitFor();
    assert.equal((await product.task(id)).title, "Write good tests");
  });

  test("Edit Task… shows the fields with their values and changes the one picked", async () => {
    const { id } = await product.titled("Tidy the parser");
    const edit = async (field, shown) => {
      await tree.contextMenu("Tidy the parser", "Edit Task…");
      await workbench.quickRows.filter({ hasText: field }).filter({ hasText: shown }).waitFor();
      await workbench.pick(field);
    };
    const becomes = (what, accept) => eventually(what, () => product.task(id), accept);
    await edit("Scope", "none");
    await workbench.answer("src/{parser,lexer}/**, README.md");
    await becomes("the scope is set", ({ scope }) => scope.join(" ") === "src/{parser,lexer}/** README.md");
    await edit("Time limit", "none");
    await workbench.answer("soon");
    await workbench.inputMessage.filter({ hasText: '"soon" is not a duration.' }).waitFor();
    await workbench.answer("2h");
    await becomes("the time limit is set", ({ timeLimitMs }) => timeLimitMs === 7_200_000);
    await edit("Attempts", "3");
    await workbench.answer("0");
    await workbench.inputMessage.filter({ hasText: "0 attempts are out of range." }).waitFor();
    await workbench.answer("5");
    await becomes("the attempts are set", ({ maxAttempts }) => maxAttempts === 5);
    await edit("Time limit", "2h");
    await workbench.answer("");
    await becomes("the time limit is cleared", ({ timeLimitMs }) => timeLimitMs === null);
    await workbench.palette("Augment: Edit Task…");
    await workbench.pick("Tidy the parser");
    await workbench.quickRows.filter({ hasText: "Attempts" }).filter({ hasText: "5" }).waitFor();
    await workbench.screenshot("queue-edit-task");
    await workbench.dismiss();
  });

  test("with several selected, a command on one acts on the row it was called on, and a key on none", async () => {
    const { id } = await product.titled("Update the guide");
    await focusRow("Fix the login");
    await tree.row("Update the guide").click({ modifiers: ["Control"] });
    await tree.contextMenu("Update the guide", "Edit Task Title…");
    await workbench.inputMessage.filter({ hasText: "Was: Update the guide" }).waitFor();
    await workbench.answer("Update the guides");
    await tree.row("Update the guides").waitFor();
    assert.equal((await product.task(id)).title, "Update the guides");
    await product.cli("queue", "edit", id, "--title", "Update the guide");
    await tree.row(/Update the guide(?!s)/).waitFor();
    await focusRow("Fix the login");
    await tree.row("Update the guide").click({ modifiers: ["Control"] });
    await workbench.page.keyboard.press("F2");
    const said = "is for one task at a time, and 2 are selected";
    await workbench.page.locator(".part.statusbar .statusbar-item", { hasText: said }).waitFor();
    await focusRow("Fix the login");
  });

  test("the settings are shown and changed; a refused value stays in its box", async () => {
    await workbench.palette("Augment: Show Settings");
    await workbench.quickRows.filter({ hasText: "queue.leaseSeconds" }).filter({ hasText: "60 (default)" }).waitFor();
    await workbench.screenshot("queue-settings");
    await workbench.pick("queue.leaseSeconds");
    await workbench.answer("0");
    await workbench.inputMessage.filter({ hasText: "does not fit queue.leaseSeconds" }).waitFor();
    await workbench.answer("90");
    const lease = async () =>
      (await product.cli("config", "list")).settings.find(({ key }) => key === "queue.leaseSeconds");
    await eventually("it is set", lease, ({ value, source }) => value === "90" && source === "user");
    await workbench.palette("Augment: Show Settings");
    await workbench.quickRows.filter({ hasText: "90 (user)" }).waitFor();
    await workbench.pick("queue.leaseSeconds");
    await workbench.answer("");
    await eventually("it is the default again", lease, ({ value, source }) => value === "60" && source === "default");
  });

  test("a task is not taken from a list that is older than what was typed", async () => {
    const { page, quickRows } = workbench;
    const { id } = await product.titled("Write good tests");
    const rows = (title) => quickRows.filter({ hasText: title });
    await workbench.palette("Augment: Set Task Priority…");
    await rows("Write good tests").waitFor();
    const pid = await product.hostPid();
    try {
      await stopped(pid);
      // By its id, which the rows themselves are not filtered by.
      await page.keyboard.type(id);
      await page.keyboard.press("Enter");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await eventually("only what fits is listed", async () => (await quickRows.count()) === 1);
    await rows("Write good tests").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-title", { hasText: `Priority of ${id}` }).waitFor();
    await workbench.dismiss();
  });

  test("the description is edited as a document, with its lines, and what it says is text", async () => {
    const { id } = await product.titled("Write good tests");
    const { page } = workbench;
    const tab = workbench.editorTab(`Description of ${id}.txt`);
    await product.cli(
      "queue",
      "edit",
      id,
      "--description",
      "[press](command:workbench.view.search) https://example.org",
    );
    await tree.contextMenu("Write good tests", "Edit Task Description…");
    await tab.waitFor();
    await page.locator('.monaco-editor.focused[data-uri*="Description"]').waitFor();
    await workbench.status("status.editor.mode").filter({ hasText: "Plain Text" }).waitFor();
    const links = page.locator(".editor-instance .detected-link");
    await links.filter({ hasText: "example.org" }).first().waitFor();
    assert.ok((await links.allInnerTexts()).every((text) => !/press|command/.test(text)));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("first line\nsecond line");
    await page.keyboard.press("Control+S");
    await eventually(
      "the description is saved",
      async () => (await product.task(id)).description,
      (text) => text.trimEnd() === "first line\nsecond line",
    );
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
    await tab.locator(".tab-actions .action-label").click();
    await tab.waitFor({ state: "detached" });
  });

  test("the context menu sets the priority", async () => {
    const { id } = await product.titled("Measure the start");
    await tree.contextMenu("Measure the start", "Set Task Priority…");
    await workbench.pick("low");
    await tree.row("Measure the start").filter({ hasText: "low" }).waitFor();
    assert.equal((await product.task(id)).priority, "low");
  });

  test("Ctrl+Shift+Down and Ctrl+Shift+Up move a task", async () => {
    await focusRow("Write good tests");
    await workbench.page.keyboard.press("Control+Shift+ArrowDown");
    await pendingBecomes([
      "Refactor authentication module",
      "Fix the login",
      "Write good tests",
      "Update the guide",
      "Tidy the parser",
      "Measure the start",
    ]);
    await workbench.page.keyboard.press("Control+Shift+ArrowUp");
    await pendingBecomes([
      "Refactor authentication module",
      "Write good tests",
      "Fix the login",
      "Update the guide",
      "Tidy the parser",
      "Measure the start",
    ]);
  });

  test("dragging moves a task, and next to another priority it takes that on", async () => {
    await tree.row("Tidy the parser").dragTo(tree.row("Fix the login"));
    await pendingBecomes([
      "Refactor authentication module",
      "Write good tests",
      "Tidy the parser",
      "Fix the login",
      "Update the guide",
      "Measure the start",
    ]);
    await tree.row("Update the guide").dragTo(tree.row("Measure the start"));
    await pendingBecomes([
      "Refactor authentication module",
      "Write good tests",
      "Tidy the parser",
      "Fix the login",
      "Measure the start",
      "Update the guide",
    ]);
    assert.equal((await product.titled("Update the guide")).priority, "low");
  });

  test("Move to Top and to Bottom stay within the priority", async () => {
    await tree.contextMenu("Fix the login", "Move Task to Top");
    await pendingBecomes([
      "Refactor authentication module",
      "Fix the login",
      "Write good tests",
      "Tidy the parser",
      "Measure the start",
      "Update the guide",
    ]);
    await tree.contextMenu("Fix the login", "Move Task to Bottom");
    await pendingBecomes([
      "Refactor authentication module",
      "Write good tests",
      "Tidy the parser",
      "Fix the login",
      "Measure the start",
      "Update the guide",
    ]);
  });

  test("Delete cancels, the row's button retries", async () => {
    const { id } = await product.titled("Fix the login");
    await focusRow("Fix the login");
    await workbench.page.keyboard.press("Delete");
    await tree.row("Done").click();
    await tree.row("Fix the login").filter({ hasText: "cancelled" }).waitFor();
    assert.equal((await product.task(id)).status, "cancelled");
    await tree.act("Fix the login", "Retry Task");
    await tree.row("Done").waitFor({ state: "detached" });
    await tree.row("Fix the login").filter({ hasNotText: "cancelled" }).waitFor();
    assert.equal((await product.task(id)).status, "pending");
  });

  test("removing asks first", async () => {
    const { id } = await product.titled("Update the guide");
    await tree.contextMenu("Update the guide", "Remove Task…");
    await workbench.pressDialogButton(`Remove ${id}`, "Cancel");
    assert.equal((await product.task(id)).status, "pending");
    await tree.contextMenu("Update the guide", "Remove Task…");
    await workbench.pressDialogButton(`Remove ${id}`, "Remove");
    await tree.row("Update the guide").waitFor({ state: "detached" });
    assert.equal(await product.titled("Update the guide"), undefined);
  });

  test("a task that is worked on is in the status bar; when it fails, a click leads to it", async () => {
    const { id } = await product.titled("Tidy the parser");
    const { attempt } = await product.claim(id, "goose");
    await statusSays("Tidy the parser");
    await tree.row("Tidy the parser").filter({ hasText: "goose" }).waitFor();
    await product.cli("queue", "fail", id, "--attempt", String(attempt), "--reason", "the tests do not pass");
    await statusSays("1 needs a look");
    assert.match(await status.getAttribute("class"), /warning/);
    await workbench.page.locator(".part.activitybar a[aria-label^='Explorer']").click();
    await tree.pane.waitFor({ state: "hidden" });
    await status.click();
    await tree.row("Tidy the parser").and(workbench.page.locator(".selected")).waitFor();
  });

  test("the details are a page that follows what happens", async () => {
    const { id } = await product.titled("Tidy the parser");
    await focusRow("Tidy the parser");
    await workbench.editorTab(`Task ${id}`).waitFor();
    const page = workbench.page.locator(".editor-instance .view-lines");
    await page.filter({ hasText: plain("Tidy the parser") }).waitFor();
    await page.filter({ hasText: plain("the tests do not pass") }).waitFor();
    await product.cli("queue", "retry", id);
    await page.filter({ hasText: plain("Status pending") }).waitFor();
  });

  test("a person takes the next task and completes it", async () => {
    await workbench.palette("Augment: Take Next Task (as Me)");
    const taken = await eventually("it is taken", async () => {
      const task = await product.titled("Refactor authentication module");
      return task.status === "in-progress" && task;
    });
    assert.ok(taken.lease.lengthMs > 3_600_000, "a person has no pulse");
    await tree.row("Refactor authentication module").filter({ hasText: taken.holder }).waitFor();
    await workbench.palette("Augment: Complete Task…");
    await workbench.pick("Refactor authentication module");
    await workbench.pick("completed");
    await workbench.answer("moved into its own module");
    await eventually("it is completed", async () => {
      const { status: now, result } = await product.task(taken.id);
      return now === "completed" && result === "moved into its own module";
    });
  });

  test("titles from outside are text in the tree, the lists and the status bar", async () => {
    const hostile = "<img src=x onerror=document.title='owned'> $(flame) [go](command:workbench.action.closeWindow)";
    const { id } = await product.add(hostile, "--priority", "high");
    await tree.row(hostile).waitFor();
    await product.claim(id, "[a](command:b) $(flame)");
    await statusSays("<img src=x onerror=");
    assert.equal(await status.locator(".codicon-flame").count(), 0);
    await tree.row(hostile).filter({ hasText: "[a](command:b)" }).waitFor();
    await workbench.palette("Augment: Show Status");
    await workbench.quickRows.filter({ hasText: hostile }).waitFor();
    assert.equal(await workbench.quickRows.locator(".codicon-flame").count(), 0);
    await workbench.dismiss();
    await status.hover();
    await workbench.page.locator(".monaco-hover", { hasText: "<img src=x" }).waitFor();
    assert.equal(await workbench.page.locator(".monaco-hover a[data-href^='command:']").count(), 0);
    await workbench.page.mouse.move(700, 300);
    await tree.contextMenu(hostile, "Cancel Task");
    await workbench.dialog("[a]").waitFor();
    assert.equal(await workbench.dialog("[a]").locator("a[href], a[data-href]").count(), 0);
    await workbench.pressDialogButton(`Cancel ${id}`, "Cancel Task");
    await eventually("it is cancelled", async () => (await product.task(id)).status === "cancelled");
    assert.equal(await workbench.page.locator("img[src='x']").count(), 0);
    assert.doesNotMatch(await workbench.page.title(), /owned/);
  });

  test("the ledger is shown, followed and verified", async () => {
    await workbench.palette("Augment: Show Ledger");
    await workbench.editorTab("Ledger").waitFor();
    const page = workbench.page.locator(".editor-instance .view-lines");
    await page.filter({ hasText: "task.cancelled" }).waitFor();
    await workbench.palette("Augment: Verify Ledger");
    await workbench.toast("The ledger is intact").waitFor();
  });

  test("a long queue is shown a page at a time", async () => {
    const count = 230;
    for (let at = 0; at < count; at += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, n) => product.add(`Bulk ${at + n}`, "--priority", "low")));
    }
    await tree
      .row("Pending")
      .filter({ hasText: /Pending23\d/ })
      .waitFor();
    await focusRow("Write good tests");
    await workbench.page.keyboard.press("End");
    const more = tree.row("Show more…");
    await eventually("the end of the first page is on screen", async () => {
      if (await more.isVisible()) return true;
      await tree.rows.last().hover();
      await workbench.page.mouse.wheel(0, 2_000);
      return false;
    });
    await more.click();
    await more.waitFor({ state: "detached" });
  });

  test("nothing went wrong in the window", () => workbench.judge());

  async function pendingBecomes(titles) {
    await eventually("the order is the new one", product.pending, (now) => assert.deepEqual(now, titles) === undefined);
    const onScreen = async () =>
      (await tree.texts()).map((text) => titles.find((title) => text.startsWith(title))).filter(Boolean);
    await eventually("the tree shows it", onScreen, (now) => assert.deepEqual(now, titles) === undefined);
  }
});

describe("the queue view in the themes, and without a folder", () => {
  const product = newProduct();
  let server;
  let workbench;

  before(async () => {
    await plantTasks(product);
    server = await serveVsCode({ name: "themes", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
    await workbench.status(statusItem).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  for (const [name, theme, mark] of [
    ["dark", "Dark Modern", "vs-dark"],
    ["light", "Light Modern", "vs"],
    ["high-contrast", "Dark High Contrast", "hc-black"],
  ]) {
    test(name, async () => {
      await workbench.palette("Preferences: Color Theme");
      await workbench.quickRows.first().waitFor();
      await workbench.page.keyboard.type(theme);
      await workbench.pick(theme);
      await workbench.page.locator(`.monaco-workbench.${mark}`).waitFor();
      await workbench.showContainer("Augment");
      await workbench.tree("Queue").row("Refactor authentication module").click();
      await workbench.page.locator(".editor-instance .view-lines", { hasText: "Priority" }).waitFor();
      await workbench.screenshot(`queue-${name}`);
    });
  }

  test("in a folder that was never used a command starts what it needs", async () => {
    const other = join(product.scratch, "other");
    mkdirSync(other);
    await workbench.page.goto(`${server.address}/?folder=${encodeURIComponent(other)}`, {
      waitUntil: "domcontentloaded",
    });
    await workbench
      .status(statusItem)
      .filter({ hasText: /^\s*Augment\s*$/ })
      .waitFor();
    await workbench.palette("Augment: Add Task…");
    await workbench.answer("Added before anything ran");
    await workbench.pick("medium");
    await workbench.status(statusItem).filter({ hasText: "Augment: 1 pending" }).waitFor();
    assert.deepEqual(
      (await product.cliIn(other, "queue", "list")).tasks.map(({ title }) => title),
      ["Added before anything ran"],
    );
  });

  test("a window without a folder says so and runs nothing", async () => {
    await workbench.page.goto(`${server.address}/?ew=true`, { waitUntil: "domcontentloaded" });
    await workbench.status(statusItem).filter({ hasText: "Augment: no folder" }).waitFor();
    await workbench.showContainer("Augment");
    await workbench.tree("Queue").welcome.filter({ hasText: "Open a folder" }).waitFor();
    await workbench.screenshot("queue-no-folder");
    // The window before it has gone, and with it its sidecar.
    await eventually("no sidecar is left", () =>
      server.processes().every(({ command }) => !command.includes("serve --stdio")),
    );
  });

  test("nothing went wrong in the window", () => workbench.judge());
});

async function plantTasks(product) {
  const ids = [];
  for (const [title, priority] of [
    ["Refactor authentication module", "high"],
    ["Write tests for the parser", "medium"],
    ["Fix flaky login test", "high"],
    ["Update dependencies", "high"],
    ["Document the protocol", "low"],
    ["Speed up the file watcher", "high"],
    ["Investigate the memory growth under load in the long-running host", "medium"],
    ["Add a dark theme", "medium"],
    ["Remove the dead code", "low"],
    ["Rename the settings", "medium"],
    ["Translate the messages", "low"],
  ]) {
    ids.push(
      (await product.add(title, "--priority", priority, "--description", "Why it matters, and what done looks like."))
        .id,
    );
  }
  await product.add("Release", "--depends-on", ids[1], "--priority", "medium");
  await product.claim(ids[0], "goose");
  await product.claim(ids[6], "codex");
  await product.fail(ids[2], "codex", "cargo test: 3 failed");
  const { attempt } = await product.claim(ids[3], "goose");
  await product.cli(
    "queue",
    "complete",
    ids[3],
    "--attempt",
    String(attempt),
    "--outcome",
    "blocked",
    "--result",
    "needs a licence",
  );
  await product.cli("queue", "cancel", ids[9]);
  const translated = await product.claim(ids[10], "goose");
  await product.cli("queue", "complete", ids[10], "--attempt", String(translated.attempt), "--result", "done");
}

/** Notes the moment a row with the text is on screen; the answer waits for it. */
async function whenRowAppears(page, text) {
  const key = `seen:${text}`;
  await page.evaluate(
    ([name, wanted]) => {
      window[name] = new Promise((resolve) => {
        const look = () => {
          const rows = [...document.querySelectorAll(".part.sidebar .monaco-list-row")];
          if (!rows.some((row) => row.textContent.includes(wanted))) return;
          observer.disconnect();
          resolve(Date.now());
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        look();
      });
    },
    [key, text],
  );
  return () => page.evaluate((name) => window[name], key);
}

/** Editors draw spaces as non-breaking ones. */
function plain(text) {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "[\\s\\u00a0]+"));
}
