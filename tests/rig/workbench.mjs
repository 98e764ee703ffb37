// A real VS Code with the VSIX in it, for tests: `serveVsCode` runs the server in a scratch folder with a home of its
// own, `openWorkbench` drives its window in Chromium as a person would. Everything waits for a condition; nothing sleeps.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactsDir, manifest, vsixPath } from "../../scripts/steps/places.mjs";
import { isAlive } from "../../scripts/steps/process-tree.mjs";
import { serveVsCode as serve } from "../../scripts/steps/serve-vscode.mjs";
import { launchChromium, openPage } from "./chromium.mjs";
import { eventually } from "./eventually.mjs";
import { assertAccessible } from "./judgement.mjs";

const artifacts = process.env.AUGMENT_ARTIFACTS ?? artifactsDir;
const { publisher, name: extension } = manifest();
/** So long is waited for a toast before it is looked for in the list. */
const toastMs = 5_000;
/** What the product says of a press on a row that was drawn anew under it. */
const lostWords = /The list had just changed/;
/** What is ours in the window's own document. */
const ours = [
  `[id="workbench.view.extension.${extension}"]`,
  `.part.statusbar [id^="${publisher}.${extension}."]`,
  ".notification-list-item",
  ".codelens-decoration",
  ".review-widget",
];

/** The VSIX that is tested. */
export const builtVsix = () => process.env.AUGMENT_VSIX ?? vsixPath();

/**
 * @param {object} options
 * @param {string} options.name of the logs that are kept in the artifacts
 * @param {string} options.workspace the folder to open
 * @param {string | null} [options.vsix] null installs none
 * @param {Record<string, string>} [options.env] reaches the extension host; AUGMENT_HOME is a scratch folder unless given
 * @param {Record<string, unknown>} [options.settings]
 * @param {boolean} [options.trust] workspace trust is enforced, so the window opens in restricted mode
 */
export async function serveVsCode({ name, workspace, vsix, env = {}, settings = {}, trust = false }) {
  const scratch = mkdtempSync(join(tmpdir(), "aug-vscode-"));
  const inScratch = (folder, mode = 0o755) => {
    const path = join(scratch, folder);
    mkdirSync(path, { recursive: true, mode });
    return path;
  };
  const folder = join(scratch, "server");
  const augmentHome = env.AUGMENT_HOME ?? inScratch("augment");
  const server = await serve({
    folder,
    workspace,
    vsix: vsix === null ? undefined : (vsix ?? builtVsix()),
    enforceTrust: trust,
    // A window that was closed or reloaded is not waited for, so its extension host ends at once.
    reconnectionGraceSeconds: 5,
    settings: {
      "workbench.reduceMotion": "on",
      "editor.minimap.enabled": false,
      "terminal.integrated.enablePersistentSessions": false,
      "security.workspace.trust.startupPrompt": "never",
      ...settings,
    },
    env: {
      HOME: inScratch("home"),
      XDG_CONFIG_HOME: inScratch("home/.config"),
      XDG_DATA_HOME: inScratch("home/.local/share"),
      XDG_STATE_HOME: inScratch("home/.local/state"),
      XDG_CACHE_HOME: inScratch("home/.cache"),
      XDG_RUNTIME_DIR: inScratch("run", 0o700),
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      ...env,
      AUGMENT_HOME: augmentHome,
    },
  });

  const extensionHosts = () => server.processes().filter(({ command }) => command.includes("--type=extensionHost"));
  return {
    ...server,
    augmentHome,
    extensionHosts,
    /** The pid of the one extension host; waits until there is exactly one. */
    async extensionHostPid() {
      const [host] = await eventually("there is one extension host", extensionHosts, (hosts) => hosts.length === 1);
      return host.pid;
    },
    /** Kills the extension host as a crash would, and waits until it is gone. */
    async killExtensionHost() {
      const [host] = await eventually("there is one extension host", extensionHosts, (hosts) => hosts.length === 1);
      process.kill(host.pid, "SIGKILL");
      await eventually("the extension host is gone", () => !isAlive(host));
      return host.pid;
    },
    /** @param {{ detached?: "end" | "keep" }} [how] whether what detached itself from the editor, such as the host, ends too */
    async stop(how) {
      await server.stop(how);
      const kept = join(artifacts, `${name}-server`);
      rmSync(kept, { recursive: true, force: true });
      cpSync(join(folder, "data", "logs"), join(kept, "logs"), { recursive: true, force: true });
      cpSync(server.logPath, join(kept, "server.log"));
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/**
 * Opens the server's workspace in a new browser and waits until the window is drawn.
 * @param {{ width?: number, height?: number, timeoutMs?: number, userAgent?: string, language?: string, empty?: boolean,
 *   prepare?: (page: import("playwright-core").Page) => Promise<void> }} [how] what the browser says it is, the editor's
 *   display language; `empty` opens a window without a folder; `prepare` has the page before anything is in it
 */
export async function openWorkbench(server, how = {}) {
  const { width, height, timeoutMs, userAgent, language, empty = false, prepare } = how;
  const browser = await launchChromium();
  try {
    const tab = await openPage(browser, { width, height, timeoutMs, userAgent });
    if (language !== undefined) await speakLanguage(tab.page, language);
    await prepare?.(tab.page);
    const shown = empty ? "ew=true" : `folder=${encodeURIComponent(server.workspace)}`;
    await tab.page.goto(`${server.address}/?${shown}`, { waitUntil: "domcontentloaded" });
    const workbench = driveWorkbench(tab, browser);
    await workbench.ready();
    return workbench;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Sets the display language as a language pack does, without one: VS Code's own words stay English, extensions are asked for
 * theirs.
 */
async function speakLanguage(page, language) {
  await page.route("**/nls.messages.js", async (route) => {
    const response = await route.fetch();
    const named = `globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`;
    await route.fulfill({ response, body: `${await response.text()}\n${named}` });
  });
}

/** The workbench of a page that shows one, in the terms of a person using it. */
export function driveWorkbench({ page, watching, close }, browser) {
  const quickInput = page.locator(".quick-input-widget:visible");
  const quickBox = quickInput.locator("input[type=text], input[type=password]").first();
  const quickRows = quickInput.locator(".quick-input-list .monaco-list-row");
  // A box without a list. The two share what is typed into, and a list stays until the extension has taken what was picked in
  // it: a text that is put there meanwhile would filter it, and Enter would take a row.
  const inputBox = page
    .locator(".quick-input-widget:visible:not(:has(.quick-input-list:visible))")
    .locator("input[type=text], input[type=password]")
    .first();
  // Enter would race the list's filter, so rows are clicked, which waits until they are there and still.
  const clickRow = (text, options) => quickRows.filter({ hasText: text }).first().click(options);
  // A key pressed while the window still starts is lost, one pressed in a webview stays there, and something that opens
  // meanwhile takes the focus and closes the list. So the whole way is gone again until the row was clicked, from a closed
  // box: in an open one the key only moves the choice, and the same text typed again looks for nothing anew.
  const openAndPick = (key, typed, row) =>
    eventually(`${key} offers ${row}`, async () => {
      if (await quickInput.isVisible()) {
        await page.keyboard.press("Escape");
        await quickInput.waitFor({ state: "hidden", timeout: 2_000 });
      }
      await page.evaluate(() => document.activeElement?.tagName === "IFRAME" && document.activeElement.blur());
      await page.keyboard.press(key);
      await quickBox.waitFor({ timeout: 2_000 });
      await quickBox.fill(typed, { timeout: 2_000 });
      // What was pressed is not pressed again, however long the window then takes: a command would run twice.
      await clickRow(row, { timeout: 3_000 }).catch(async (error) => {
        if (!isPressedIn(error)) throw error;
        await quickInput.waitFor({ state: "hidden", timeout: 5_000 });
      });
      return true;
    });

  return {
    page,

    /** The shell is drawn and the folder, where there is one, is listed. */
    async ready() {
      await page.locator(".monaco-workbench .part.statusbar").waitFor();
      if (new URL(page.url()).searchParams.has("ew")) return;
      await page.locator(".explorer-folders-view .monaco-list-row, .part.sidebar .pane").first().waitFor();
    },
    /** Waits until the window has this among what it remembers: it writes that down every few seconds, not when it is left. */
    writtenDown: (text) => eventually(`the window has written ${text} down`, () => page.evaluate(isWrittenDown, text)),
    /** Reloads the window, as `Developer: Reload Window` does. */
    async reload() {
      await page.reload({ waitUntil: "domcontentloaded" });
      await this.ready();
    },

    /** Runs a command by its full title, "Category: Title". Wait for the extension's status item before. */
    async palette(title) {
      await openAndPick("F1", `>${title}`, title);
    },
    /** Opens a file and waits until keys go into its text: its tab is active a little earlier. */
    async openFile(name) {
      await openAndPick("Control+P", name, name);
      // A diff of it has the same resource, and another label. The end of a name may be drawn apart.
      const [stem, end] = [name.replace(/\.[^.]*$/, ""), name.match(/\.[^.]*$|$/)[0]].map((part) =>
        part.replaceAll(".", "\\."),
      );
      const label = page.locator(".label-name", { hasText: new RegExp(`^${stem}(${end})?$`) });
      await page.locator(`.tab.active[data-resource-name="${name}"]`).filter({ has: label }).first().waitFor();
      await page.locator(`.editor-instance .monaco-editor.focused[data-uri$="/${name}"]`).waitFor();
    },
    /** Answers an input box, once there is one. */
    async answer(text) {
      await inputBox.fill(text);
      await page.keyboard.press("Enter");
    },
    /** The input box's complaint about what was typed, or its prompt. */
    inputMessage: quickInput.locator(".quick-input-message"),
    /** Leaves a quick pick or an input box without an answer. */
    async dismiss() {
      await quickBox.waitFor();
      await page.keyboard.press("Escape");
      await quickInput.waitFor({ state: "hidden" });
    },
    /** Picks a row of a quick pick. */
    pick: (text) => clickRow(text),
    quickRows,
    /** A quick pick by its title. */
    quickPick: (title) => page.locator(".quick-input-widget:visible", { hasText: title }),

    /** A file or folder in the explorer, by its name. */
    explorerFile: (name) => page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first(),
    /** A status bar item by "<publisher>.<extension>.<item>". */
    status: (id) => page.locator(`.part.statusbar [id="${id}"]`),
    editorTab: (name) => page.locator(`.tab[data-resource-name="${name}"]`).first(),
    toast: (text) => page.locator(".notification-toast", { hasText: text }),
    /** All that was told, in the list behind the bell: a toast goes after some seconds. */
    async showNotices() {
      const list = page.locator(".notifications-center.visible");
      if (!(await list.isVisible())) await this.status("status.notifications").click();
      await list.waitFor();
      return list.locator(".notification-list-item");
    },
    /** The list goes by itself with the last that it holds, so it is closed by its own button and not by the bell. */
    async hideNotices() {
      const list = page.locator(".notifications-center.visible");
      await eventually("the list of notifications is closed", async () => {
        if (await list.isVisible())
          await list.locator('.action-label[aria-label^="Hide Notifications"]').click({ timeout: 1_000 });
        return !(await list.isVisible());
      });
    },
    /** Presses a button of what is told, as a toast or, where it has gone, in the list. */
    async pressToastButton(text, button) {
      const told = page
        .locator(".notification-toast, .notifications-center.visible .notification-list-item")
        .filter({ hasText: text })
        .locator(".monaco-button", { hasText: button })
        .first();
      await eventually(`"${text}" is answered with "${button}"`, async () => {
        // A pointer that rests where a button was pressed has the next toast under it, and what that button says of itself lies
        // over the others.
        await page.mouse.move(700, 300);
        await told.waitFor({ timeout: toastMs }).catch(() => this.showNotices());
        await told.click({ timeout: toastMs }).catch(unlessPressed);
        return true;
      });
      await this.hideNotices();
    },
    /** A modal question in the middle of the window. */
    dialog: (text) => page.locator(".monaco-dialog-box", { hasText: text }),
    async pressDialogButton(text, button) {
      const dialog = page.locator(".monaco-dialog-box", { hasText: text }).first();
      await dialog.locator(".dialog-buttons .monaco-button", { hasText: button }).first().click();
    },

    /** Shows a view container of the activity bar, by its title. */
    async showContainer(title) {
      const icon = page
        .locator(".part.activitybar .action-item", { has: page.locator(`a[aria-label^="${title}"]`) })
        .first();
      const shown = page.locator(".part.sidebar .composite.title", { hasText: new RegExp(title, "i") });
      await icon.waitFor();
      // A window that comes back shows it by itself a moment later, and a press on what is shown already hides it.
      await eventually(`${title} is shown`, async () => {
        if (!/\bchecked\b/.test((await icon.getAttribute("class")) ?? "")) await icon.click();
        return shown.waitFor({ timeout: 5_000 }).then(() => true);
      });
    },
    tree: (view) => driveTree(page, view),

    /** The document of the webview that shows `text`. */
    webview: (text) =>
      eventually(`a webview shows ${JSON.stringify(text)}`, async () => {
        for (const frame of page.frames()) {
          if (!frame.url().includes("/webview/browser/pre/fake.html") || frame.isDetached()) continue;
          const shown = await frame.evaluate(() => document.body?.innerText ?? "").catch(() => "");
          if (shown.includes(text)) return frame;
        }
        return undefined;
      }),

    /** In restricted mode a banner and a status item say so. */
    restricted: page.locator('.part.statusbar [id="status.workspaceTrust"]'),
    async trustWorkspace() {
      await this.palette("Workspaces: Manage Workspace Trust");
      await page
        .locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ })
        .first()
        .click();
      await this.restricted.waitFor({ state: "hidden" });
    },

    /** Fails when axe-core has anything against what is ours on screen. */
    async judgeScreen(screen) {
      await assertAccessible(screen, page.mainFrame(), ours);
      for (const frame of page.frames().filter(isOurWebview)) {
        // One that is put away meanwhile is on no screen any more.
        await assertAccessible(screen, frame).catch((error) => {
          if (!frame.isDetached()) throw error;
        });
      }
    },
    /**
     * Fails when anything went wrong in the window so far, and when something is wrong with what is on screen now. Each test
     * file has to end with it.
     * @param {{ provoked?: RegExp[] }} [what] the tests brought about themselves
     */
    async judge(what) {
      await this.judgeScreen("the last screen").finally(() => watching.judge(what));
    },
    /** Saves a picture among the artifacts and returns its path. A screen that is worth one is judged, too. */
    async screenshot(name) {
      await this.judgeScreen(name);
      return this.pictureOfFailure(name);
    },
    /** A picture of whatever is there. */
    async pictureOfFailure(name) {
      mkdirSync(artifacts, { recursive: true });
      const path = join(artifacts, `${name}.png`);
      await page.screenshot({ path });
      return path;
    },
    async close() {
      await close();
      await browser.close();
    },
  };
}

/** Whether a click that was not finished in time had been made: its log then ends with it, and not with a further try. */
function isPressedIn({ message }) {
  const last = (step) => message.lastIndexOf(`${step} click action`);
  return last("performing") > Math.max(last("attempting"), last("retrying"));
}

/** For a click that is not to be made a second time: what it started may keep the window busy beyond the click's limit. */
function unlessPressed(error) {
  if (!isPressedIn(error)) throw error;
}

/** The document of a webview that the extension fills. */
export function isOurWebview(frame) {
  const host = frame.parentFrame()?.url() ?? "";
  return (
    frame.url().includes("/webview/browser/pre/fake.html") && host.includes(`extensionId=${publisher}.${extension}`)
  );
}

/** In the page: whether VS Code's state in the browser's storage holds a text. */
async function isWrittenDown(text) {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db-")) continue;
    const database = await done(indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const values = await done(database.transaction(store).objectStore(store).getAll());
        if (values.some((value) => String(value).includes(text))) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
}

/** A tree view by its title, in the container that is shown. */
function driveTree(page, view) {
  // A view that says something beside its title is named by both.
  const named = ["^", ""].map((sign) => `.pane-header[aria-label${sign}="${view}${sign === "" ? "" : " "}"]`);
  const pane = page.locator(".split-view-view", { has: page.locator(named.join(", ")) }).last();
  const rows = pane.locator(".monaco-list-row");
  const row = (text) => rows.filter({ hasText: text }).first();
  return {
    pane,
    rows,
    row,
    /** What each row says, top to bottom. Only rows on screen exist. */
    texts: () => rows.locator(".monaco-icon-label").allInnerTexts(),
    /** The welcome text of an empty view. */
    welcome: pane.locator(".welcome-view-content"),
    /**
     * Presses an inline button of a row. They appear under the pointer, and a row that is drawn anew between the pointer's
     * coming and its press has none; so the button itself is pressed, in one step.
     */
    async act(text, action) {
      await row(text).hover();
      await row(text).locator(`.actions .action-label[aria-label^="${action}"]`).first().dispatchEvent("click");
    },
    /**
     * The same until something has come of it. A list that is drawn anew under the press loses the row; the product then says
     * that nothing was done and asks to press again, which is done here, once, as a person would.
     */
    async decide(text, action, outcome) {
      const said = page.locator(".statusbar-item", { hasText: lostWords }).first();
      // What was said of a press before stands there for some seconds.
      await said.waitFor({ state: "detached" });
      await this.act(text, action);
      let isOver = false;
      const never = new Promise(() => {});
      // Whatever is said after this one has come to its end is about another press.
      const again = said.waitFor().then(
        () => (isOver ? never : this.act(text, action).then(outcome)),
        () => never,
      );
      try {
        await Promise.race([outcome(), again]);
      } finally {
        isOver = true;
      }
    },
    /** Leaves the room to the other views of the container. */
    async collapse() {
      // By key: while another view closes, this one moves away under the pointer.
      await pane.locator(".pane-header").first().press("ArrowLeft");
      await pane.locator('.pane-header[aria-expanded="false"]').first().waitFor();
    },
    /** Presses a button in the view's title. */
    async actOnTitle(action) {
      await pane.hover();
      await page.locator(`.part.sidebar .action-label[aria-label^="${action}"]:visible`).first().click();
    },
    async contextMenu(text, action) {
      const entry = page.locator(".monaco-menu .action-label", { hasText: action }).first();
      // A box that is on its way out gives the focus back, which takes a menu away.
      await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
      await takeFromMenu(entry, async () => {
        if (!(await entry.isVisible())) await row(text).click({ button: "right" });
        await entry.waitFor({ timeout: 5_000 });
      });
    },
  };
}

/**
 * Takes an entry of a menu, once it is opened. A menu ignores clicks in the first tenth of a second, so it is pressed until it
 * is gone. What gets the focus meanwhile takes it away, and so does a tree that is drawn anew, under a person's hand, too; one
 * that went without having been pressed is asked for again.
 */
export async function takeFromMenu(entry, open) {
  await eventually(`a menu takes ${entry}`, async () => {
    await open();
    let isPressed = false;
    await eventually("the menu is gone", async () => {
      if (await entry.isVisible()) {
        await entry.click({ timeout: 1_000 }).catch(unlessPressed);
        isPressed = true;
      }
      return !(await entry.isVisible());
    });
    return isPressed;
  });
}
