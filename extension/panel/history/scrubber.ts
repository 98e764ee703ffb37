// The bar that moves through the points of a story, the oldest on the left: by mouse, arrows, Page Up and Down, Home and End.
// Beside it stands where one is; screen readers are told the point itself.

import { t } from "../../src/l10n";
import { el, setAttribute, setText } from "../dom";
import { iconButton } from "../widgets/button";

export class Scrubber {
  readonly element: HTMLElement;
  private readonly bar = el("input", { class: "scrubber-bar", attributes: { type: "range", min: "0", step: "1" } });
  private readonly place = el("span", { class: "scrubber-place quiet" });

  /** @param moved is given the place, counted from the oldest */
  constructor(private readonly moved: (place: number) => void) {
    this.bar.setAttribute("aria-label", t("Point of the history"));
    this.bar.addEventListener("input", () => moved(Number(this.bar.value)));
    this.element = el(
      "div",
      { class: "scrubber" },
      iconButton({ label: t("Older"), icon: "chevron-left", isStep: true, act: () => this.step(-1) }),
      this.bar,
      iconButton({ label: t("Newer"), icon: "chevron-right", isStep: true, act: () => this.step(1) }),
      this.place,
    );
  }

  /** @param words what a screen reader says of the point */
  show(place: number, count: number, isWhole: boolean, words: string): void {
    this.bar.max = String(Math.max(0, count - 1));
    this.bar.value = String(place);
    this.bar.disabled = count < 2;
    setAttribute(this.bar, "aria-valuetext", words);
    setText(
      this.place,
      count === 0 ? "" : t("{0} of {1}{2}", (place + 1).toLocaleString(), count.toLocaleString(), isWhole ? "" : "+"),
    );
  }

  focus(): void {
    this.bar.focus();
  }

  private step(by: number): void {
    const to = Number(this.bar.value) + by;
    if (to >= 0 && to <= Number(this.bar.max)) this.moved(to);
  }
}
