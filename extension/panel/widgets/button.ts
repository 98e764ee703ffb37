// Buttons: with words for what a page offers, with an icon for what a row offers.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { el } from "../dom";
import { icon } from "./icon";

export interface ButtonMade {
  label: string;
  /** A codicon before the label. */
  icon?: string;
  /** One on a page at most: what is meant to be pressed. */
  isPrimary?: boolean;
  act(): void;
}

/**
 * The second press of a double click. What was pressed first may have made room for something else by then, which nobody
 * has seen.
 */
function isSecond({ detail }: MouseEvent): boolean {
  return detail > 1;
}

export function button({
  label,
  icon: name,
  isPrimary = false,
  act,
}: ButtonMade): HTMLElementTagNameMap["vscode-button"] {
  const made = el("vscode-button", {
    text: label,
    onClick: (event) => {
      event.stopPropagation();
      if (!isSecond(event)) act();
    },
  });
  made.secondary = !isPrimary;
  if (name !== undefined) {
    const before = icon(name);
    before.slot = "content-before";
    made.prepend(before);
  }
  return made;
}

export interface IconButtonMade extends Omit<ButtonMade, "isPrimary"> {
  icon: string;
  /** It goes one step further with each press, however quick. */
  isStep?: boolean;
}

/** A button that is an icon: its label is read by screen readers and shown while it is hovered. */
export function iconButton({ label, icon: name, isStep = false, act }: IconButtonMade): HTMLElement {
  return el(
    "button",
    {
      class: "icon-button",
      title: label,
      attributes: { "aria-label": label, type: "button" },
      onClick: (event) => {
        event.stopPropagation();
        if (isStep || !isSecond(event)) act();
      },
    },
    icon(name),
  );
}
