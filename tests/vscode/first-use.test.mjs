// The first use in a real VS Code, from a window with nothing in it: the walkthrough, the demo to its end by mouse and again by
// keys, and what never happens: nothing runs before the folder is trusted, and an earlier demo is not touched. The command
// line says what became of the files.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { root } from "../../scripts/steps/places.mjs";
import { eventually } from "../rig/eventually.mjs";
import { stopped } from "../rig/stopped.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { newProduct, statusItem } from "./product.mjs";

const template = (name) => readFileSync(join(root, "server", "core", "demo", name), "utf8");
/** The last one is what the others are left for. */
const themes = [
  ["light", "Light Modern", "vs"],
  ["high-contrast", "Dark High Contrast", "hc-black"],
  ["high-contrast-light", "Light High Contrast", "hc-light"],
  ["dark", "Dark Modern", "vs-dark"],
];
/** How the pictures of the later steps begin to say what they show. */
const pictures = {
  agent: "The queue with three tasks",
  review: "A file with two pending hunks",
  session: "A session with its confirmed scope",
  history: "The ledger as a timeline",
};
const stepIds = ["demo", "agent", "review", "session", "history"];

/** Every file below a folder with the hash of its content. */
function fingerprint(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
    .map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]);
}

/** A VS Code and what of it these tests look at. */
function newScene(name, options) {
  const product = newProduct();
  const scene = {
    product,
    demo: (number = 1) => join(product.home, "data", "demos", number === 1 ? "lantern" : `lantern-${number}`),
    async begin() {
      scene.server = await serveVsCode({
        name,
        workspace: product.workspace,
        env: { ...product.env, PATH: "/usr/bin:/bin" },
        ...options,
        settings: { "editor.lightbulb.enabled": "off", "git.enabled": false, ...options.settings },
      });
      scene.workbench = await openWorkbench(scene.server, {
        width: 1_400,
        height: 1_100,
        empty: true,
      });
      scene.page = scene.workbench.page;
    },
    async end() {
      await scene.workbench?.close();
      await scene.server?.stop();
      product.remove();
    },
    processes: () => scene.server.processes().filter(({ command }) => command.includes("augment-cli")),
    statusSays: (text) => scene.workbench.status(statusItem).filter({ hasText: text }).waitFor(),
    cli: (...args) => product.cliIn(scene.demo(), ...args),
    read: (file) => readFileSync(join(scene.demo(), file), "utf8"),
    /** A step of the Demo view that comes next. */
    next: (title) => scene.page.locator(`.part.sidebar .monaco-list-row[aria-label^="${title}, next"]`).first(),
    step: (id) => scene.page.locator(`.getting-started-step[data-step-id$="#${id}"]`),
    /** Whether each step is done, in their order. */
    checked: () => Promise.all(stepIds.map((id) => scene.step(id).getAttribute("aria-checked"))),
    /** The run that the demo's agent has begun, once it has ended. */
    ended: () =>
      eventually(
        "the agent is done",
        async () => (await scene.cli("agent", "status", "--id", "a1.1")).run,
        ({ state }) => state === "completed",
        60_000,
      ),
    async inThemes(screen) {
      for (const [word, theme, mark] of themes) {
        await scene.workbench.palette("Preferences: Color Theme");
        await scene.workbench.quickRows.first().waitFor();
        await scene.page.keyboard.type(theme);
        await scene.workbench.pick(theme);
        await scene.page.locator(`.monaco-workbench.${mark}`).waitFor();
        await scene.workbench.screenshot(`first-use-${screen}-${word}`);
      }
    },
    /** A picture of the walkthrough, by what it says to those who cannot see it. */
    picture: (label) =>
      eventually(`the picture shows: ${label}`, async () => {
        const shown = (frame) =>
          frame
            .evaluate((text) => document.querySelector(`svg[aria-label^="${text}"]`) !== null, label)
            .catch(() => false);
        return (await Promise.all(scene.page.frames().map(shown))).some(Boolean);
      }),
  };
  return scene;
}

describe("the first use by mouse", () => {
  const scene = newScene("first-use", {
    trust: true,
    settings: { "workbench.welcomePage.walkthroughs.openOnInstall": true },
  });
  const lens = (text) => scene.page.locator(".codelens-decoration a", { hasText: text }).first();
  const quickOk = () => scene.page.locator(".quick-input-widget:visible .quick-input-action .monaco-button").first();
  const boxOk = () =>
    scene.page.locator('.quick-input-widget:visible .quick-input-titlebar .action-label[aria-label^="OK"]').first();
  let first;

  before(() => scene.begin());
  afterEach(async ({ passed, name }) => {
    if (!passed)
      await scene.workbench?.pictureOfFailure(`first-use-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(() => scene.end());

  test("after the installation the walkthrough opens by itself, with five steps to do", async () => {
    for (const id of stepIds) await scene.step(id).waitFor();
    assert.deepEqual(await scene.checked(), Array(5).fill("false"));
    await scene.picture("The Demo view");
    await scene.inThemes("walkthrough");
    for (const [id, label] of Object.entries(pictures)) {
      await scene.step(id).click();
      await scene.page.locator(`.getting-started-step.expanded[data-step-id$="#${id}"]`).waitFor();
      await scene.picture(label);
      await scene.workbench.screenshot(`first-use-step-${id}`);
    }
  });

  test("it does not open a second time", async () => {
    await scene.page.getByRole("tab", { name: /^Welcome/ }).click({ button: "middle" });
    await scene.step("demo").waitFor({ state: "detached" });
    // Another window of the same person; what this one showed is not brought back there.
    const { address, workspace } = scene.server;
    const go = (query) => scene.page.goto(`${address}/?${query}`, { waitUntil: "domcontentloaded" });
    await go(`folder=${encodeURIComponent(workspace)}`);
    await scene.workbench.ready();
    await scene.statusSays("Augment: restricted");
    assert.equal(await scene.step("demo").count(), 0);
    await go("ew=true");
    await scene.statusSays("Augment: no folder");
  });

  test("a window without a folder says what can be done, and starts nothing", async () => {
    await scene.workbench.showContainer("Augment");
    const { welcome } = scene.workbench.tree("Queue");
    await welcome.filter({ hasText: "Open a folder to have a queue" }).waitFor();
    await scene.inThemes("empty");
    assert.deepEqual(scene.processes(), []);
    assert.deepEqual(readdirSync(scene.product.home), []);
    await welcome.locator(".monaco-button", { hasText: "Try the Demo" }).click();
    await scene.workbench.restricted.waitFor();
  });

  test("before the demo's folder is trusted nothing runs there, and the view says so", async () => {
    await scene.workbench.tree("Demo").welcome.filter({ hasText: "Nothing runs in it before you trust" }).waitFor();
    await scene.statusSays("Augment: restricted");
    await scene.workbench.screenshot("first-use-restricted");
    assert.deepEqual(scene.processes(), []);
    assert.equal((await scene.cli("session", "status")).session, null);
    assert.equal(scene.read("src/auth.js"), template("src/auth.js"));
  });

  test("with trust the demo begins by itself, and a click confirms the scope", async () => {
    await scene.workbench.tree("Demo").welcome.locator(".monaco-button", { hasText: "Manage Workspace Trust" }).click();
    await scene.page
      .locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ })
      .first()
      .click();
    // The editor of trust lies over the window until it is closed.
    await scene.workbench.restricted.waitFor({ state: "hidden" });
    await scene.page.locator('.monaco-modal-editor-block [aria-label^="Close"]').first().click();
    await scene.workbench.quickRows.filter({ hasText: "Let sessions end after a day" }).first().waitFor();
    await scene.next("Confirm the scope").waitFor();
    await scene.workbench.screenshot("first-use-scope");
    assert.equal((await scene.cli("session", "status")).session.state, "planned");
    // Every box of the first list is a choice.
    const rows = await scene.workbench.quickRows.count();
    assert.ok(rows >= 3, `${rows} rows`);
    assert.equal(
      await scene.workbench.quickRows.filter({ hasText: /Paths|Read PROJECT_PLAN|Another task/ }).count(),
      0,
    );
    await quickOk().click();
    // What may be written is shown before the yes: this task has paths of its own.
    const first = scene.workbench.quickRows.filter({ hasText: "Let sessions end after a day" }).first();
    await first.filter({ hasText: "only src/**" }).waitFor();
    const second = scene.workbench.quickRows.filter({ hasText: "Keep notes on disk" }).first();
    await second.filter({ hasText: "everywhere in this folder" }).waitFor();
    assert.equal((await scene.cli("session", "status")).session.state, "planned");
    await scene.workbench.screenshot("first-use-yes");
    await scene.workbench.pick("Confirm Scope");
  });

  test("the agent starts and asks", async () => {
    await scene.workbench.toast("demo asks: How long shall a session last?").waitFor();
    // From here on the steps stay as they are drawn.
    await scene.next("Answer its question").filter({ hasNotText: "it works" }).waitFor();
    await scene.workbench.screenshot("first-use-question");
    assert.equal(scene.read("src/auth.js"), template("src/auth.js"));
  });

  test("a step that is pressed before its turn says what comes first", async () => {
    await scene.page.locator('.part.sidebar .monaco-list-row[aria-label^="End the session, later"]').first().click();
    const told = scene.workbench.toast("“End the session” comes later. First: “Answer its question”.");
    // While the pointer is on it, it stays.
    await told.hover();
    await scene.workbench.screenshot("first-use-later");
    await told.locator(".codicon-notifications-clear").click();
  });

  test("the answer is a button", async () => {
    await scene.workbench.pressToastButton("demo asks", "An hour");
    await scene.ended();
  });

  test("what is out of scope is flagged, and a click on the step leads to a hunk", async () => {
    await scene.workbench.toast("README.md is outside the scope").waitFor();
    await scene.next("Review each hunk").filter({ hasText: "6 to review" }).waitFor();
    const ours = scene.page.locator(".part.activitybar .action-item", {
      has: scene.page.locator('[aria-label^="Augment"]'),
    });
    await eventually(
      "one number says how many hunks wait",
      () => ours.locator(".badge-content").textContent(),
      (text) => text === "6",
    );
    await scene.workbench.screenshot("first-use-review");
    await scene.workbench.pressToastButton("README.md is outside the scope", "Log and Take Out");
    await eventually("it is taken out", () => scene.read("README.md") === template("README.md"));
    await scene.next("Review each hunk").filter({ hasText: "5 to review" }).waitFor();
    await scene.next("Review each hunk").click();
    await lens("Approve").waitFor();
    await scene.inThemes("hunk");
  });

  test("one hunk is approved, another rejected: exactly that one is gone", async () => {
    await scene.workbench.openFile("server.js");
    await lens("Reject").waitFor();
    await lens("Reject").click();
    const without = template("src/server.js").replace("Who are you?", "Log in again.");
    await eventually("it is taken out", () => scene.read("src/server.js") === without);
    await scene.page.locator(".codelens-decoration", { hasText: "Reject" }).nth(1).waitFor({ state: "detached" });
    // While the editor reads the file again, its lines move under the pointer.
    await scene.page
      .locator('.monaco-editor[data-uri$="/server.js"] .view-line', { hasText: /asked\swith/ })
      .first()
      .waitFor({ state: "detached" });
    await lens("Approve").click();
    await eventually(
      "auth.js is left",
      async () => (await scene.cli("changes", "list")).files.map(({ path }) => path).join(),
      (left) => left === "src/auth.js",
    );
    assert.equal(scene.read("src/server.js"), without);
    await scene.next("Review each hunk").waitFor();
  });

  test("the rest is approved in the view, and the guide offers the end", async () => {
    const changes = scene.workbench.tree("Changes");
    await changes.row("server.js").waitFor({ state: "detached" });
    await changes.decide("auth.js", "Approve", () => scene.next("End the session").waitFor());
    assert.match(scene.read("src/auth.js"), /const sessionMs = 1 \* 60 \* 60 \* 1000;/);
    await scene.next("End the session").click();
    await boxOk().click();
    await scene.workbench.inputMessage.filter({ hasText: "Decisions that its record should name" }).waitFor();
    await boxOk().click();
    await scene.workbench.toast("Commit its record?").waitFor();
    await scene.next("Open the walkthrough").waitFor();
    await scene.workbench.screenshot("first-use-ended");
    await scene.workbench.pressToastButton("Commit its record?", "Not Now");
    assert.match(scene.read("CHANGELOG.md"), /Session 003/);
    const { session } = await scene.cli("session", "show");
    assert.deepEqual([session.number, session.state], [3, "ended"]);
    const told = (await scene.cli("audit", "list", "--limit", "1000")).records.map(({ kind }) => kind);
    for (const kind of ["session.confirmed", "session.ended"]) assert.ok(told.includes(kind), kind);
    assert.equal((await scene.cli("audit", "verify")).holds, true);
    first = fingerprint(scene.demo());
  });

  test("in a narrow window every step can be read, the last one too", async () => {
    await scene.page.setViewportSize({ width: 900, height: 800 });
    const list = scene.page.locator('.pane:has(.pane-header[aria-label^="Demo"]) .monaco-list');
    const rows = list.locator(".monaco-list-row");
    /** The steps that are wholly within the view, and those whose words are cut. */
    const seen = () =>
      rows.evaluateAll((all) =>
        all.map((row) => {
          const text = row.querySelector(".monaco-icon-label-container");
          const view = row.closest(".monaco-scrollable-element").getBoundingClientRect();
          const { top, bottom } = row.getBoundingClientRect();
          return {
            label: row.getAttribute("aria-label"),
            isCut: text.scrollWidth > text.clientWidth,
            isWhole: top >= view.top - 1 && bottom <= view.bottom + 1,
          };
        }),
      );
    const read = new Set();
    // VS Code gives five views of this height hardly four rows each, so the steps are scrolled through.
    await list.hover();
    await eventually("six steps are read", async () => {
      for (const { label, isCut, isWhole } of await seen()) {
        assert.equal(isCut, false, label);
        if (isWhole) read.add(label);
      }
      if (read.size === 6) return true;
      await scene.page.mouse.wheel(0, 22);
      return false;
    });
    await scene.workbench.screenshot("first-use-narrow");
    await scene.page.setViewportSize({ width: 1_400, height: 1_100 });
  });

  test("the walkthrough knows what was done; its last step is completed by its button", async () => {
    await scene.next("Open the walkthrough").click();
    for (const id of stepIds) await scene.step(id).waitFor();
    await eventually("four are done", scene.checked, (now) => now.join() === "true,true,true,true,false");
    await scene.step("history").click();
    await scene.page.locator(".getting-started-step.expanded .monaco-button", { hasText: "Show Ledger" }).click();
    await scene.page.locator(".tab.active", { hasText: "Ledger" }).waitFor();
    await scene.workbench.palette("Augment: Open Walkthrough");
    await eventually("all are done", scene.checked, (now) => now.every((one) => one === "true"));
    await scene.workbench.screenshot("first-use-completed");
  });

  test("a second try makes another demo in another window, and leaves the first as it is", async () => {
    const opened = scene.page.context().waitForEvent("page");
    await scene.workbench.palette("Augment: Try the Demo");
    const window = await opened;
    await window.locator(".monaco-workbench .part.statusbar").waitFor();
    assert.match(decodeURIComponent(window.url()), /lantern-2/);
    await window.close();
    assert.equal(readFileSync(join(scene.demo(2), "README.md"), "utf8"), template("README.md"));
    assert.deepEqual(fingerprint(scene.demo()), first);
    assert.equal(
      (await scene.product.cliIn(scene.demo(2), "session", "status")).session,
      null,
      "it is not trusted yet",
    );
  });

  test("nothing went wrong in the window", () => scene.workbench.judge());
});

describe("the demo by keys", () => {
  // Here the guide leads from hunk to hunk; how a review leads on by itself is tried where reviews are.
  const scene = newScene("first-use-keys", { settings: { "augmentOrchestrator.review.advance": false } });

  before(() => scene.begin());
  afterEach(async ({ passed, name }) => {
    if (!passed)
      await scene.workbench?.pictureOfFailure(`first-use-keys-failed-${name.replaceAll(/\W+/g, "-").slice(0, 50)}`);
  });
  after(() => scene.end());

  /** A command by its title, with keys alone: what Enter would take is looked at first. */
  const command = (title) =>
    eventually(`${title} is run`, async () => {
      const { page } = scene;
      await page.keyboard.press("F1");
      await page.locator(".quick-input-widget:visible input[type=text]").waitFor({ timeout: 2_000 });
      await page.keyboard.press("Control+A");
      await page.keyboard.type(`>${title}`);
      const focused = page.locator(".quick-input-list .monaco-list-row.focused");
      await focused.filter({ hasText: title }).waitFor({ timeout: 3_000 });
      await page.keyboard.press("Enter");
      return true;
    });
  const goOn = () => command("Augment: Continue the Demo");

  test("from an empty window to the confirmed scope", async () => {
    await scene.statusSays("Augment");
    assert.equal(await scene.step("demo").count(), 0, "no walkthrough where the person wants none");
    await command("Augment: Try the Demo");
    // Another window comes in the place of this one, which takes its time.
    await scene.page.waitForURL(/[?&]folder=/);
    await scene.workbench.ready();
    await scene.workbench.quickRows.filter({ hasText: "Let sessions end after a day" }).first().waitFor();
    await scene.page.keyboard.press("Enter");
    await scene.workbench.quickRows.filter({ hasText: "Confirm Scope" }).first().waitFor();
    // Whoever goes on at once takes the list away before the host has answered, and not what was said in it.
    const { pid } = (await scene.cli("status")).host;
    try {
      await stopped(pid);
      await scene.page.keyboard.press("Enter");
      await scene.page.locator(".quick-input-widget:visible input[readonly]").waitFor();
      await scene.page.keyboard.press("F1");
      await scene.workbench.quickRows
        .filter({ hasText: "Let sessions end after a day" })
        .first()
        .waitFor({ state: "detached" });
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await eventually(
      "it is confirmed",
      async () => (await scene.cli("session", "status")).session.state,
      (state) => state === "working" || state === "confirmed",
    );
  });

  test("the question is answered from the list", async () => {
    await scene.next("Answer its question").waitFor();
    await eventually("it asks", async () => (await scene.cli("agent", "questions")).questions.length === 1);
    await goOn();
    await scene.workbench.quickRows.filter({ hasText: "A day" }).first().waitFor();
    await scene.page.keyboard.press("Enter");
    await scene.ended();
    assert.match(scene.read("src/auth.js"), /const sessionMs = 24 \* 60 \* 60 \* 1000;/);
  });

  test("hunk by hunk: the one that prints tokens is rejected, the others are approved", async () => {
    const { page } = scene;
    const hunks = async () =>
      (await scene.cli("changes", "list")).files.flatMap(({ path, hunks: all }) =>
        all.map(({ id }) => `${path} ${id}`),
      );
    const shownFirst = [];
    for (let left = await hunks(); left.length > 0; left = await hunks()) {
      await goOn();
      const shown = page.locator(".editor-group-container.active .tab.active").first();
      const file = await eventually(
        "a file with a hunk is shown",
        () => shown.getAttribute("data-resource-name"),
        (name) => left.some((hunk) => hunk.includes(`${name} `)),
      );
      shownFirst.push(file);
      const isPrinter = file === "server.js" && scene.read("src/server.js").includes("console.log");
      const key = isPrinter || file === "README.md" ? "Control+Shift+F8" : "Control+F8";
      // The list of comments may take the focus as it opens; whoever uses keys goes back and presses again.
      await eventually("it is decided", async () => {
        await page.keyboard.press("Control+1");
        await page.keyboard.press(key);
        const isDecided = async () => (await hunks()).length < left.length;
        return eventually("the key was heard", isDecided, Boolean, 3_000);
      });
    }
    assert.equal(shownFirst[0], "auth.js", "an ordinary hunk is met before the one that is out of scope");
    assert.equal(scene.read("README.md"), template("README.md"));
    assert.equal(scene.read("src/server.js"), template("src/server.js").replace("Who are you?", "Log in again."));
    assert.match(scene.read("src/auth.js"), /return session\?\.name;/);
  });

  test("two times Enter ends the session with its record", async () => {
    await scene.next("End the session").waitFor();
    await goOn();
    await scene.workbench.inputMessage.filter({ hasText: "A title for its entry" }).waitFor();
    await scene.page.keyboard.press("Enter");
    await scene.workbench.inputMessage.filter({ hasText: "Decisions that its record should name" }).waitFor();
    await scene.page.keyboard.press("Enter");
    await scene.next("Open the walkthrough").waitFor();
    assert.match(scene.read("CHANGELOG.md"), /Session 003/);
    await goOn();
    for (const id of stepIds) await scene.step(id).waitFor();
    await scene.workbench.screenshot("first-use-keys-done");
  });

  test("a reload begins nothing again", async () => {
    await scene.workbench.reload();
    await scene.statusSays("Augment");
    await scene.workbench.showContainer("Augment");
    await scene.next("Open the walkthrough").waitFor();
    assert.equal((await scene.cli("session", "status")).session, null);
    assert.equal(existsSync(scene.demo(2)), false);
  });

  test("nothing went wrong in the window", () => scene.workbench.judge());
});
