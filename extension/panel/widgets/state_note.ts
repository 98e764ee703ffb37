// What a page says instead of its content: that it loads, that there is nothing, that something went wrong. Each comes
// with what to do next.

import { el } from "../dom";
import { type ButtonMade, button } from "./button";
import { icon } from "./icon";

export interface StateNote {
  icon: string;
  title: string;
  /** Sentences below the title. */
  texts?: readonly string[];
  actions?: readonly ButtonMade[];
}

export function stateNote({ icon: name, title, texts = [], actions = [] }: StateNote): HTMLElement {
  return el(
    "div",
    { class: "state-note" },
    icon(name),
    el("p", { class: "state-title", text: title }),
    ...texts.map((text) => el("p", { text })),
    actions.length === 0 ? undefined : el("div", { class: "buttons" }, ...actions.map(button)),
  );
}
