// A real VS Code with the VSIX in it, for tests: `serveVsCode` runs the server in a scratch folder with a home of its
// own, `openWorkbench` drives its window in Chromium as a person would. Everything waits for a condition; nothing sleeps.

import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactsDir, vsixPath } from "../../scripts/steps/places.mjs";
import { isAlive } from "../../scripts/steps/process-tree.mjs";
import { serveVsCode as serve } from "../../scripts/steps/serve-vscode.mjs";
import { launchChromium, openPage } from "./chromium.mjs";
import { eventually } from "./eventually.mjs";

const artifacts = process.env.AUGMENT_ARTIFACTS ?? artifactsDir;

/**
 * @param {object} options
 * @param {string} options.name of the logs that are kept in the artifacts
 * @param {string} options.workspace the folder to open
 * @param {string} [options.vsix]
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
    vsix: vsix ?? process.env.AUGMENT_VSIX ?? vsixPath(),
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

/** Opens the server's workspace in a new browser and waits until the window is drawn. */
export async function openWorkbench(server, { width, height, timeoutMs } = {}) {
  const browser = await launchChromium();
  try {
    const tab = await openPage(browser, { width, height, timeoutMs });
    await tab.page.goto(`${server.address}/?folder=${encodeURIComponent(server.workspace)}`, {
      waitUntil: "domcontentloaded",
    });
    const workbench = driveWorkbench(tab, browser);
    await workbench.ready();
    return workbench;
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** The workbench of a page that shows one, in the terms of a person using it. */
export function driveWorkbench({ page, outside, errors }, browser) {
  const quickInput = page.locator(".quick-input-widget:visible");
  const quickBox = quickInput.locator("input[type=text], input[type=password]").first();
  const quickRows = quickInput.locator(".quick-input-list .monaco-list-row");

  const typeInto = async (text) => {
    await quickBox.waitFor();
    await quickBox.fill(text);
  };
  // Enter would race the list's filter, so rows are clicked, which waits until they are there and still.
  const clickRow = (text, options) => quickRows.filter({ hasText: text }).first().click(options);
  // A key pressed while the window still starts is lost, one pressed in a webview stays there, and something that opens
  // meanwhile takes the focus and closes the list. So the whole way is gone again until the row was clicked.
  const openAndPick = (key, typed, row) =>
    eventually(`${key} offers ${row}`, async () => {
      await page.evaluate(() => document.activeElement?.tagName === "IFRAME" && document.activeElement.blur());
      await page.keyboard.press(key);
      await quickBox.waitFor({ timeout: 2_000 });
      await quickBox.fill(typed, { timeout: 2_000 });
      await clickRow(row, { timeout: 3_000 });
      return true;
    });

  return {
    page,
    /** Requests that would have left 127.0.0.1. */
    outside,
    /** Uncaught exceptions and console errors of the window. */
    errors,

    /** The shell is drawn and the folder is listed. */
    async ready() {
      await page.locator(".monaco-workbench .part.statusbar").waitFor();
      await page.locator(".explorer-folders-view .monaco-list-row, .part.sidebar .pane").first().waitFor();
    },
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
      await page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor();
      await page.locator(`.editor-instance .monaco-editor.focused[data-uri$="/${name}"]`).waitFor();
    },
    /** Answers an input box. */
    async answer(text) {
      await typeInto(text);
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

    /** A file or folder in the explorer, by its name. */
    explorerFile: (name) => page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first(),
    /** A status bar item by "<publisher>.<extension>.<item>". */
    status: (id) => page.locator(`.part.statusbar [id="${id}"]`),
    editorTab: (name) => page.locator(`.tab[data-resource-name="${name}"]`).first(),
    toast: (text) => page.locator(".notification-toast", { hasText: text }),
    async pressToastButton(text, button) {
      const toast = page.locator(".notification-toast", { hasText: text }).first();
      await toast.locator(".monaco-button", { hasText: button }).first().click();
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
      await icon.waitFor();
      if (!/\bchecked\b/.test((await icon.getAttribute("class")) ?? "")) await icon.click();
      await page.locator(".part.sidebar .composite.title", { hasText: new RegExp(title, "i") }).waitFor();
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

    /** Saves a picture among the artifacts and returns its path. */
    async screenshot(name) {
      mkdirSync(artifacts, { recursive: true });
      const path = join(artifacts, `${name}.png`);
      await page.screenshot({ path });
      return path;
    },
    close: () => browser.close(),
  };
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
     * that nothing was decided and asks to press again, which is done here, once, as a person would.
     */
    async decide(text, action, outcome) {
      await this.act(text, action);
      const lost = page.locator(".statusbar-item", { hasText: "so nothing was decided. Press again." }).waitFor();
      const again = lost.then(() => this.act(text, action)).then(outcome);
      await Promise.race([outcome(), again]);
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
      // A tree that is drawn anew in that moment takes the menu away, under a person's hand, too; one asks for it again.
      await eventually(`the menu of "${text}" is open`, async () => {
        await row(text).click({ button: "right" });
        return entry.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      });
      // A menu ignores clicks in the first tenth of a second, so press until it is gone.
      await eventually(`the menu takes "${action}"`, async () => {
        if (await entry.isVisible()) await entry.click({ timeout: 1_000 });
        return !(await entry.isVisible());
      });
    },
  };
}
