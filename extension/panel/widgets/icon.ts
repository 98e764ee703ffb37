// Codicons: pictures beside words, which screen readers pass over.

import { el, themeColor } from "../dom";

/** @param name a codicon, with `~spin` behind it where it turns */
export function icon(name: string, color?: string): HTMLElement {
  const element = el("span", { attributes: { "aria-hidden": "true" } });
  setIcon(element, name, color);
  return element;
}

export function setIcon(element: HTMLElement, name: string, color?: string): void {
  const [plain = "", modifier] = name.split("~");
  const drawn = `codicon codicon-${plain}${modifier === undefined ? "" : ` codicon-modifier-${modifier}`}`;
  if (element.className !== drawn) element.className = drawn;
  element.style.color = color === undefined ? "" : themeColor(color);
}
