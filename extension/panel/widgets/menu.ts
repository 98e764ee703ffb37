// A menu of what can be done with a row: opened by its button or by the menu key, gone through with the arrows, left with
// Escape, which gives the keyboard back to where it was.

import { el, focused } from "../dom";
import { icon } from "./icon";

export interface MenuEntry {
  label: string;
  icon?: string;
  /** The key that does the same, for people to learn. */
  key?: string;
  /** A line before it. */
  startsGroup?: boolean;
  act(): void;
}

const edge = 4;

/** @param at what the menu is about; it opens below it */
export function openMenu(at: HTMLElement, label: string, entries: readonly MenuEntry[]): void {
  const before = focused();
  const menu = el("div", { class: "menu", role: "menu", attributes: { "aria-label": label } });
  const close = (giveBack: boolean) => {
    if (!menu.isConnected) return;
    document.removeEventListener("pointerdown", onOutside, true);
    window.removeEventListener("blur", onLeave);
    menu.remove();
    if (giveBack) before?.focus({ preventScroll: true });
  };
  const onOutside = ({ target }: Event) => {
    if (!(target instanceof Node && menu.contains(target))) close(false);
  };
  const onLeave = () => close(false);
  const items = entries.map((entry) => menuItem(entry, () => close(true)));
  menu.append(...items.flatMap(({ separator, item }) => (separator === undefined ? [item] : [separator, item])));
  menu.addEventListener("keydown", (event) => {
    const all = items.map(({ item }) => item);
    const here = all.indexOf(focused() ?? menu);
    const goTo = (to: number) => all.at(to % all.length)?.focus();
    if (event.key === "ArrowDown") goTo(here + 1);
    else if (event.key === "ArrowUp") goTo(here <= 0 ? -1 : here - 1);
    else if (event.key === "Home") goTo(0);
    else if (event.key === "End") goTo(-1);
    else if (event.key === "Escape" || event.key === "Tab") close(true);
    else if (event.key === "Enter" || event.key === " ") focused()?.click();
    else if (event.key.length === 1) startingWith(all, here, event.key)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const place = document.querySelector("main") ?? document.body;
  place.append(menu);
  putNear(menu, at, place.getBoundingClientRect());
  document.addEventListener("pointerdown", onOutside, true);
  window.addEventListener("blur", onLeave);
  items[0]?.item.focus();
}

function menuItem(entry: MenuEntry, close: () => void): { separator: HTMLElement | undefined; item: HTMLElement } {
  const item = el(
    "div",
    {
      class: "menu-item",
      role: "menuitem",
      tabIndex: -1,
      attributes: { "aria-keyshortcuts": entry.key },
      onClick: () => {
        close();
        entry.act();
      },
    },
    entry.icon === undefined ? el("span", { class: "codicon" }) : icon(entry.icon),
    el("span", { class: "menu-label", text: entry.label }),
    entry.key === undefined
      ? undefined
      : el("span", { class: "menu-key", text: keyText(entry.key), attributes: { "aria-hidden": "true" } }),
  );
  // Not when it opens under a pointer that rests.
  item.addEventListener("pointermove", () => item.focus());
  return {
    separator: entry.startsGroup === true ? el("div", { class: "menu-line", role: "separator" }) : undefined,
    item,
  };
}

/** The next entry whose label begins with the character. */
function startingWith(items: readonly HTMLElement[], here: number, typed: string): HTMLElement | undefined {
  const after = [...items.slice(here + 1), ...items.slice(0, here + 1)];
  return after.find(({ textContent }) => textContent?.trim().toLowerCase().startsWith(typed.toLowerCase()) ?? false);
}

/** As keys are labelled: `Alt+↑`. */
function keyText(key: string): string {
  return key.replace("ArrowUp", "↑").replace("ArrowDown", "↓");
}

/** @param around the page's main part, which is what places in it are counted from */
function putNear(menu: HTMLElement, at: HTMLElement, around: DOMRect): void {
  const { left, bottom, top } = at.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const fitsBelow = bottom + height + edge <= window.innerHeight;
  const y = fitsBelow ? bottom : Math.max(edge, Math.min(top - height, window.innerHeight - height - edge));
  menu.style.left = `${Math.max(edge, Math.min(left, window.innerWidth - width - edge)) - around.left}px`;
  menu.style.top = `${y - around.top}px`;
}
