// A choice of one of several, whose offers may change while it is shown.

import "@vscode-elements/elements/dist/vscode-option/index.js";
import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import { el } from "../dom";

export type Choose = HTMLElementTagNameMap["vscode-single-select"];

export interface Offer {
  value: string;
  label: string;
}

export function choose(label: string): Choose {
  const made = el("vscode-single-select", { class: "choice", title: label });
  made.label = label;
  return made;
}

/** Offers these. Where they are offered already, nothing is touched, so that an open list stays open. */
export function offer(element: Choose, offers: readonly Offer[], chosen: string): void {
  const drawn = JSON.stringify([offers, chosen]);
  if (element.dataset.drawn === drawn) return;
  element.dataset.drawn = drawn;
  element.replaceChildren(
    ...offers.map(({ value, label }) => {
      const option = el("vscode-option", { text: label, attributes: { value } });
      option.selected = value === chosen;
      return option;
    }),
  );
}
