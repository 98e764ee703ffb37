// How much of something is done, as a bar and in words: the fraction is what is trusted, so it is said.

import { t } from "../../src/l10n";
import { el } from "../dom";

export interface GoalBar {
  /** What is counted. */
  name: string;
  done: number;
  total: number;
  /** What else there is to say. */
  remark?: string;
}

export function goalWords({ done, total }: Pick<GoalBar, "done" | "total">): string {
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
  return t("{0} of {1} done ({2}%)", done.toLocaleString(), total.toLocaleString(), percent);
}

export function goalBar({ name, done, total, remark = "" }: GoalBar): HTMLElement {
  const share = total === 0 ? 0 : Math.max(0, Math.min(1, done / total));
  const filled = el("div", { class: "bar-filled" });
  filled.style.width = `${100 * share}%`;
  const words = [goalWords({ done, total }), ...(remark === "" ? [] : [remark])].join(", ");
  return el(
    "div",
    { class: "goal" },
    el("p", {}, el("span", { class: "goal-name", text: name }), el("span", { class: "quiet", text: words })),
    el(
      "div",
      {
        class: "bar",
        role: "meter",
        attributes: {
          "aria-label": name,
          "aria-valuemin": "0",
          "aria-valuemax": String(Math.max(1, total)),
          "aria-valuenow": String(done),
          "aria-valuetext": words,
        },
      },
      filled,
    ),
  );
}
