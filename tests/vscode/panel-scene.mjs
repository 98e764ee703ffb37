// The panel as the tests use it: its document inside the webview.

import assert from "node:assert/strict";
import { eventually } from "../rig/eventually.mjs";
import { isOurWebview } from "../rig/workbench.mjs";

/** Opens the panel and waits until its page is drawn. */
export async function openPanel(workbench) {
  await workbench.palette("Augment: Open Panel");
  return panelFrame(workbench);
}

/** The panel's own document, which is another one after each hide and reload. @param name what it is called */
export function panelFrame({ page }, name = "Orchestrator") {
  return eventually("the panel is drawn", async () => {
    for (const frame of page.frames()) {
      if (!isOurWebview(frame) || frame.isDetached()) continue;
      if (
        (await frame
          .locator(`[role="tablist"][aria-label="${name}"]`)
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    return undefined;
  });
}

/**
 * Goes to an element of the panel, and waits until keys go there: its document knows what has the focus in it also while the
 * window's focus is elsewhere.
 */
export async function takeKeys(element) {
  await eventually(`keys go to ${element}`, async () => {
    await element.focus();
    return element.evaluate((one) => document.hasFocus() && one.contains(document.activeElement));
  });
}

export function panelTab({ page }) {
  return page.locator(".tab", { hasText: "Orchestrator" }).first();
}

/** The board's cards, column by column. */
export function board(frame) {
  const column = (name) => frame.locator(`.column[data-column="${name}"]`);
  return {
    column,
    card: (title) => frame.locator(".card", { hasText: title }).first(),
    /** The titles of a column's cards that are in the page, top to bottom. */
    titles: (name) => column(name).locator(".card-title").allInnerTexts(),
  };
}

/**
 * What a page shows at twice the size, which is half the room for it: nothing lies beside the window, nothing is cut without a
 * sign of it, and axe-core is content. The window is as large as before afterwards.
 * @param {string} [whole] what is no ellipsis either, as a selector
 */
export async function judgeTwiceAsLarge(workbench, frame, name, whole) {
  const { page } = workbench;
  const size = page.viewportSize();
  await page.setViewportSize({ width: Math.round(size.width / 2), height: Math.round(size.height / 2) });
  await eventually(
    `all of ${name} is in sight at twice the size`,
    () => frame.evaluate(outOfSight, whole),
    (faults) => assert.deepEqual(faults, []) === undefined,
  );
  await workbench.screenshot(`panel-${name}-twice`);
  await page.setViewportSize(size);
  await eventually("there is room again", () => frame.evaluate((width) => window.innerWidth > width, size.width / 2));
}

/** What cannot be seen or scrolled to, in words; what goes on in an ellipsis says that it does. Runs in the page. */
function outOfSight(whole) {
  const shown = document.querySelector('[role="tabpanel"]:not([hidden])');
  const faults = [document.documentElement, document.body, document.querySelector("main"), shown]
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.localName}.${one.className} is ${one.scrollWidth} wide in ${one.clientWidth}`);
  for (const one of whole === undefined ? [] : document.querySelectorAll(whole))
    if (one.scrollWidth > one.clientWidth) faults.push(`"${one.textContent}" is not all there`);
  const told = (one) => `${one.localName}.${one.className} "${one.textContent.trim().slice(0, 40)}"`;
  for (const one of document.body.querySelectorAll("*")) {
    const hasText = [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== "");
    const isPressed = one.matches("button, vscode-button, vscode-single-select, vscode-textfield, input");
    if ((!hasText && !isPressed) || one.closest(".only-read, option, vscode-option, script, style") !== null) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const box = one.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    if (box.left < -1 || box.right > window.innerWidth + 1) {
      let around = one.parentElement;
      while (around !== null && !/auto|scroll/.test(getComputedStyle(around).overflowX)) around = around.parentElement;
      if (around === null || around.matches("main, .page")) faults.push(`${told(one)} lies beside the window`);
    }
    for (let around = one; around !== null && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none") break;
      if (!/hidden|clip/.test(`${style.overflowX} ${style.overflowY}`)) continue;
      const room = around.getBoundingClientRect();
      const isCut =
        (/hidden|clip/.test(style.overflowX) && (box.right > room.right + 1 || box.left < room.left - 1)) ||
        (/hidden|clip/.test(style.overflowY) && (box.bottom > room.bottom + 1 || box.top < room.top - 1));
      if (isCut) faults.push(`${told(one)} is cut by ${around.localName}.${around.className}`);
    }
  }
  return faults;
}

/**
 * What moves or would move in the page, also inside the elements that it uses; with a sign of work among it, which turns. Runs
 * in the page.
 */
export function moving() {
  const sign = document.createElement("span");
  sign.className = "codicon codicon-loading codicon-modifier-spin";
  document.querySelector("main").append(sign);
  const longest = (text) => Math.max(...text.split(",").map((one) => Number.parseFloat(one) || 0));
  const found = [];
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      for (const part of [undefined, "::before", "::after"]) {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(one, part);
        const lasts = Math.max(animationName === "none" ? 0 : longest(animationDuration), longest(transitionDuration));
        if (lasts > 0.001) found.push(`${one.localName}.${one.className}${part ?? ""}: ${lasts} s`);
      }
      if (one.shadowRoot !== null) look(one.shadowRoot);
    }
  };
  look(document);
  const running = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > 1);
  sign.remove();
  return [...found, ...running.map(({ effect }) => `${effect.target.className} runs`)];
}

/** The four kinds of themes, by the class that VS Code gives a webview's body. */
export const themes = [
  { name: "dark", setting: "Dark Modern", body: "vscode-dark" },
  { name: "light", setting: "Light Modern", body: "vscode-light" },
  { name: "contrast", setting: "Dark High Contrast", body: "vscode-high-contrast" },
  { name: "contrast-light", setting: "Light High Contrast", body: "vscode-high-contrast-light" },
];

export async function showTheme(workbench, frame, { setting, body }) {
  await workbench.palette("Preferences: Color Theme");
  await workbench.quickRows.first().waitFor();
  await workbench.page.keyboard.type(setting);
  await workbench.pick(setting);
  await eventually(`the panel is drawn in ${setting}`, () =>
    frame.evaluate((name) => document.body.classList.contains(name), body),
  );
}
