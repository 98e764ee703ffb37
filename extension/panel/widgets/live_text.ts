// A text that screen readers say when it changes. What is said twice in a row is said twice.

import { el } from "../dom";

export class LiveText {
  readonly element = el("div", { class: "only-read", role: "status", attributes: { "aria-live": "polite" } });

  say(text: string): void {
    this.element.replaceChildren(el("span", { text }));
  }
}
