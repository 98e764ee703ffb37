// A part of a page under a heading, with a count beside it.

import { el, setText } from "../dom";

export class Section {
  readonly element: HTMLElement;
  /** Where its content goes. */
  readonly content: HTMLElement;
  private readonly countText = el("span", { class: "count" });

  constructor(heading: string, ...content: HTMLElement[]) {
    this.content = el("div", { class: "section-content" }, ...content);
    this.element = el(
      "section",
      { class: "section", attributes: { "aria-label": heading } },
      el("h2", {}, el("span", { text: heading }), this.countText),
      this.content,
    );
  }

  count(count: number | undefined): void {
    setText(this.countText, count === undefined ? "" : count.toLocaleString());
  }

  show(isShown: boolean): void {
    this.element.hidden = !isShown;
  }
}
