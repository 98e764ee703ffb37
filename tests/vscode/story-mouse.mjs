// The story's hands with a mouse: buttons, rows, menus and links are pressed where they are drawn. Text is put into boxes; no
// key is pressed.

import { eventually } from "../rig/eventually.mjs";
import { takeFromMenu } from "../rig/workbench.mjs";

/** @param story the stage, once it has begun */
export function mouse(story) {
  const { page, workbench } = story;
  const menuEntry = (text) => page.locator(".monaco-menu .action-label:visible", { hasText: text }).first();
  /** @param open shows the menu that holds it */
  const take = (text, open) =>
    takeFromMenu(menuEntry(text), async () => {
      if (!(await menuEntry(text).isVisible())) await open();
      await menuEntry(text).waitFor({ timeout: 5_000 });
    });
  const box = page.locator(".quick-input-widget:visible input[type=text]").first();
  const ok = page.locator(".quick-input-widget:visible .quick-input-action .monaco-button").first();
  const boxOk = page
    .locator('.quick-input-widget:visible .quick-input-titlebar .action-label[aria-label^="OK"]')
    .first();
  const editorButton = (title) => page.locator(`.editor-actions .action-label[aria-label^="${title}"]:visible`).first();
  const changes = workbench.tree("Changes");

  return {
    /** Yes to the question whether a folder's authors are trusted. */
    async trust() {
      const dialog = workbench.dialog("Do you trust the authors");
      await dialog.waitFor();
      await dialog.locator(".monaco-button", { hasText: "Yes" }).click();
      await dialog.waitFor({ state: "detached" });
    },
    async install() {
      await workbench.showContainer("Extensions");
      const more = page.locator('.part.sidebar .title-actions .action-label[aria-label^="Views and More Actions"]');
      await take("Install from VSIX", () => more.click({ timeout: 5_000 }));
      await story.quick(story.download).click();
    },
    async openViews() {
      await workbench.showContainer("Augment");
    },
    async expandStep(id) {
      await story.step(id).click();
    },
    async closeFolder() {
      const menu = page.locator(".menubar .menubar-menu-button").first();
      await take("Close Folder", async () => {
        if (!(await menuEntry("File").isVisible())) await menu.click({ timeout: 5_000 });
        await menuEntry("File").hover({ timeout: 5_000 });
      });
    },
    async tryDemo() {
      await workbench.showContainer("Augment");
      await workbench.tree("Queue").welcome.locator(".monaco-button", { hasText: "Try the Demo" }).click();
    },
    async confirmScope() {
      await ok.click();
      await story.quick("Confirm Scope").click();
    },
    /** Keeps what is told in sight: it goes by itself unless somebody is at it. */
    async reach(text) {
      await eventually(`the notice "${text}" is in sight`, async () => {
        const isThere = story.notice(text).waitFor({ timeout: 5_000 });
        await isThere.catch(() => workbench.status("status.notifications").click());
        await story.notice(text).hover({ timeout: 2_000 });
        return true;
      });
    },
    async press(text, button) {
      await this.reach(text);
      await story.notice(text).locator(".monaco-button", { hasText: button }).first().click();
      // Away from it: where it was the next notice comes up, and says of its buttons what they do, over the others.
      await page.mouse.move(700, 860);
    },
    async openPanel() {
      const queue = workbench.tree("Queue");
      await queue.actOnTitle("Open Panel");
      // Away from the button, which says what it does as long as the pointer rests on it.
      await page.mouse.move(700, 860);
    },
    async showPage(name) {
      await (await story.panel()).getByRole("tab", { name }).click();
    },
    async pressInPanel(name) {
      await (await story.panel()).getByRole("button", { name, exact: true }).first().click();
    },
    async openHunk(_file, text) {
      await changes.row(text).click();
    },
    async openDiff() {
      await changes.contextMenu("auth.js", "Open Pending Changes of File");
      // The next hunk is the next one from where one is.
      await page.locator(".tab.active", { hasText: "auth.js (before" }).waitFor();
      await page.locator('.editor.modified .monaco-editor[data-uri$="/auth.js"] .view-line').first().waitFor();
      await changes.actOnTitle("Next Pending Hunk");
    },
    /** Decides about the hunk that the review has led to. */
    async decide(kind, verdict) {
      if (kind === "file") await story.at.buttons.locator("a", { hasText: verdict }).click();
      else await editorButton(`${verdict} Hunk`).click();
    },
    async undo() {
      await changes.actOnTitle("Undo Decision");
    },
    async endSession() {
      await story.next("End the session").click();
    },
    async answer(text) {
      if (text !== undefined) await box.fill(text);
      await boxOk.click();
    },
  };
}
