// A row of the timeline: when, in whose lane, what, where. The lanes are a picture of what the row says in words.

import { el, setAttribute, setText, themeColor } from "../dom";
import { icon, setIcon } from "../widgets/icon";
import { LANES, type Lanes } from "./lanes";
import type { Moment } from "./moment";
import { clockWords } from "./time_words";

export function makeMomentRow(): HTMLElement {
  return el(
    "div",
    { class: "moment" },
    el("span", { class: "moment-time" }),
    el("span", { class: "moment-lanes", attributes: { "aria-hidden": "true" } }, el("span", { class: "moment-dot" })),
    icon("circle"),
    el("span", { class: "moment-what" }),
    el("span", { class: "moment-who" }),
    el("span", { class: "moment-where" }),
    el("span", { class: "moment-told" }),
  );
}

export function updateMomentRow(
  row: HTMLElement,
  moment: Moment,
  lanes: Lanes,
  isSelected: boolean,
  nowMs: number,
): void {
  const part = (name: string) => row.querySelector<HTMLElement>(`.moment-${name}`) ?? row;
  setText(part("time"), moment.time === null ? "–" : clockWords(moment.time, nowMs));
  setText(part("what"), moment.what);
  setText(part("who"), moment.who.name);
  setText(part("where"), moment.where);
  setText(part("told"), moment.told);
  const picture = row.querySelector<HTMLElement>(".codicon");
  if (picture !== null) setIcon(picture, moment.icon);
  const count = Math.min(lanes.all().length, LANES);
  part("lanes").style.setProperty("--lanes", String(count));
  part("dot").style.setProperty("--lane", String(lanes.placeOf(moment.who)));
  part("dot").style.setProperty("--lane-color", themeColor(lanes.colorFor(moment.who)));
  row.classList.toggle("selected", isSelected);
  setAttribute(row, "aria-current", isSelected ? "true" : undefined);
}
