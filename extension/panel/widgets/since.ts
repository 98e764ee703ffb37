// Texts that tell how long ago something was, by the host's clock. They tick without moving what stands beside them.

import { t } from "../../src/l10n";
import { agoText, durationText } from "../../src/moments";
import { el, setText } from "../dom";

export function since(): HTMLElement {
  return el("span", { class: "since" });
}

/** The same in one unit, and from a month on the day itself. */
export function sinceRoughly(): HTMLElement {
  return el("span", { class: "since roughly" });
}

export function setSince(element: HTMLElement, ms: number, now: number): void {
  element.dataset.at = String(ms);
  tickOne(element, now);
}

/** Brings all such texts below an element up to date. */
export function tickAll(root: HTMLElement, now: number): void {
  for (const element of root.querySelectorAll<HTMLElement>(".since")) tickOne(element, now);
}

function tickOne(element: HTMLElement, now: number): void {
  const at = Number(element.dataset.at);
  if (!Number.isFinite(at)) return;
  const isRough = element.classList.contains("roughly");
  setText(element, isRough ? agoText(at, now) : t("{0} ago", durationText(now - at)));
}
