// The story's hands with a keyboard alone: commands from the palette, Tab and arrows to what is drawn, Enter. Before Enter is
// pressed it is looked at what has the focus, as a person does.

import { eventually } from "../rig/eventually.mjs";

/** @param story the stage, once it has begun */
export function keys(story) {
  const { page, workbench } = story;
  const press = (key) => page.keyboard.press(key);
  const box = page.locator(".quick-input-widget:visible input[type=text]").first();
  const focusedRow = page.locator(".quick-input-widget:visible .monaco-list-row.focused");

  /** Presses a key until what has the focus is what is looked for. */
  const pressTo = async (key, what, isThere, limit = 60) => {
    for (let pressed = 0; pressed <= limit; pressed += 1) {
      if (await isThere()) return;
      await press(key);
    }
    throw new Error(`${limit} times ${key} did not lead to ${what}`);
  };
  /** Whether the element that has the focus, in the window or in one of its webviews, is of this kind and says this. */
  const isFocused = (frame, selector, text) =>
    frame.evaluate(
      ([kind, said]) => {
        const here = document.activeElement;
        const words = `${here?.getAttribute("aria-label") ?? ""}\n${here?.textContent ?? ""}`;
        return here?.matches(kind) === true && words.includes(said);
      },
      [selector, text],
    );
  const tabTo = (frame, selector, text) =>
    pressTo("Tab", `${selector} with "${text}"`, () => isFocused(frame, selector, text));
  /** Goes down to a row of the list, and takes it. */
  const takeRow = async (text) => {
    await story.quick(text).waitFor({ timeout: 3_000 });
    await pressTo("ArrowDown", `the row "${text}"`, () => focusedRow.filter({ hasText: text }).isVisible(), 5);
    await press("Enter");
  };

  /**
   * A command by its title. A key that is pressed while the window still starts is lost, so the way is gone again.
   * @param {() => Promise<boolean>} isNeedless whether what it is for has come about without it
   */
  const command = (title, isNeedless = async () => false) =>
    eventually(`${title} is run`, async () => {
      if (await isNeedless()) {
        if (await box.isVisible()) await workbench.dismiss();
        return true;
      }
      await press("F1");
      await box.waitFor({ timeout: 2_000 });
      await press("Control+A");
      await page.keyboard.insertText(`>${title}`);
      await takeRow(title);
      return true;
    });
  /**
   * Puts the list of notifications away, which would lie over what is told next. With the last that it holds it goes by itself,
   * and then there is no command for it.
   */
  const hideNotices = async () => {
    const list = page.locator(".notifications-center.visible");
    const hide = async () => {
      await command("Notifications: Hide Notifications", () => list.isHidden());
      await list.waitFor({ state: "hidden" });
    };
    if (await list.isVisible()) await hide();
  };
  /**
   * The view has the focus that a command gives it. That comes a moment after the list of commands has closed, and would take
   * away one that Tab has led elsewhere meanwhile.
   */
  const queueInFocus = () =>
    eventually("the queue has the focus", () =>
      workbench.tree("Queue").pane.evaluate((pane) => document.hasFocus() && pane.matches(":focus-within")),
    );
  const panelTab = '[role="tab"][aria-selected="true"]';
  /** The panel's page, once keys go there: it remembers an element of its own also while the focus is elsewhere. */
  const panelInFocus = async () => {
    const frame = await story.panel();
    await eventually("the panel has the focus", () => frame.evaluate(() => document.hasFocus()));
    return frame;
  };

  return {
    /** Yes to the question whether a folder's authors are trusted. */
    async trust() {
      const dialog = workbench.dialog("Do you trust the authors");
      await dialog.waitFor();
      await tabTo(page, ".monaco-dialog-box .monaco-button", "Yes");
      await press("Enter");
      await dialog.waitFor({ state: "detached" });
    },
    async install() {
      await command("Extensions: Install from VSIX...");
      await story.quick(story.download).waitFor();
      await takeRow(story.download);
    },
    async openViews() {
      await command("Augment: Show Queue");
      await queueInFocus();
    },
    async expandStep(id) {
      await story.step(id).waitFor();
      await pressTo("Tab", `the step ${id}`, () =>
        page.evaluate((end) => document.activeElement?.getAttribute("data-step-id")?.endsWith(`#${end}`), id),
      );
      await press("Enter");
    },
    async closeFolder() {
      await command("Workspaces: Close Workspace");
    },
    /** From the views, which are open and have the focus. */
    async tryDemo() {
      await queueInFocus();
      await tabTo(page, ".welcome-view-content .monaco-button", "Try the Demo");
      await press("Enter");
    },
    async confirmScope() {
      await press("Enter");
      await story.quick("Confirm Scope").waitFor();
      await press("Enter");
    },
    /** Goes to what is told: in the list of notifications it stays in sight, as long as it takes. */
    async reach(text) {
      await eventually(`the notice "${text}" has the focus`, async () => {
        await command("Notifications: Show Notifications");
        await story.notice(text).waitFor({ timeout: 2_000 });
        const row = page.locator(".notifications-list-container:focus-within .monaco-list-row.focused");
        await pressTo("ArrowDown", text, () => row.filter({ hasText: text }).isVisible(), 5);
        return true;
      });
    },
    async press(text, button) {
      await this.reach(text);
      await tabTo(page, ".notification-list-item .monaco-button", button);
      await press("Enter");
      await hideNotices();
    },
    async openPanel() {
      await hideNotices();
      await command("Augment: Open Panel");
    },
    async showPage(name) {
      const frame = await panelInFocus();
      await tabTo(frame, panelTab, "");
      await pressTo("ArrowRight", name, () => isFocused(frame, panelTab, name), 6);
    },
    async pressInPanel(name) {
      await tabTo(await panelInFocus(), "button, vscode-button", name);
      await press("Enter");
    },
    async openHunk(file) {
      const name = file.split("/").at(-1);
      await eventually(`${name} is opened`, async () => {
        await press("Control+P");
        await box.waitFor({ timeout: 2_000 });
        await press("Control+A");
        await page.keyboard.insertText(name);
        await takeRow(name);
        return true;
      });
      await page.locator(`.monaco-editor.focused[data-uri$="/${name}"]`).first().waitFor();
      await press("Control+Home");
      await press("Control+F7");
    },
    async openDiff() {
      await command("Augment: Open Pending Changes of File");
      await page.locator(".tab.active", { hasText: "(before" }).waitFor();
      await page.locator(".editor.modified .monaco-editor.focused, .modified .monaco-editor.focused").first().waitFor();
      await press("Control+Home");
      await press("Control+F7");
    },
    /** Decides about the hunk that the review has led to. */
    async decide(kind, verdict) {
      // Among all diffs keys may go to any of them.
      if (kind !== "all") await story.at.editor.and(page.locator(".focused")).first().waitFor();
      await press({ Approve: "Control+F8", Reject: "Control+Shift+F8", Skip: "Control+F9" }[verdict]);
    },
    async undo() {
      await press("Control+Shift+F9");
    },
    async endSession() {
      await hideNotices();
      await command("Augment: End Session…");
    },
    async answer(text) {
      await box.waitFor();
      if (text !== undefined) {
        await press("Control+A");
        await page.keyboard.insertText(text);
      }
      await press("Enter");
    },
  };
}
