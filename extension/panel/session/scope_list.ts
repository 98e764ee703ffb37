// What was agreed to: the things to be done, where work may write, and what was discovered on the way.

import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { ScopeItem, Session } from "../../src/protocol.gen";
import { mayWrite } from "../../src/sessions/scope_choices";
import {
  type Activity,
  endLook,
  itemFacts,
  placesText,
  sessionPathsText,
  standingWord,
} from "../../src/sessions/session_words";
import { el } from "../dom";
import type { Host } from "../host";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";

export function scopeList(
  host: Host,
  { items, paths, discovered }: Session,
  activities: ReadonlyMap<string, Activity>,
): HTMLElement[] {
  return [
    ...(items.length === 0
      ? [el("p", { class: "quiet", text: t("Nothing is in the scope. Adjust it to add what is to be done.") })]
      : [el("ul", { class: "rows" }, ...items.map((item) => itemRow(host, item, paths, activities)))]),
    el("p", { class: "quiet", text: t("Where work may write: {0}", sessionPathsText({ items, paths })) }),
    ...(discovered.length === 0
      ? []
      : [el("p", { class: "quiet", text: t("Discovered for another time: {0}", discovered.map(oneLine).join("; ")) })]),
  ];
}

function itemRow(
  host: Host,
  item: ScopeItem,
  paths: readonly string[],
  activities: ReadonlyMap<string, Activity>,
): HTMLElement {
  const { task, end } = item;
  const activity = task === null ? undefined : activities.get(task);
  const standing = standingWord(end, activity);
  const said = itemFacts(item);
  const look = endLook(end, activity);
  return el(
    "li",
    { class: "row" },
    icon(look.icon, look.color),
    el(
      "div",
      { class: "row-text" },
      el("p", { text: oneLine(item.title) }),
      el("p", {
        class: "quiet",
        text: [...(task === null ? [] : [task]), ...(said.startsWith(standing) ? [] : [standing]), said]
          .filter((text) => text !== "")
          .join(" · "),
      }),
      item.paths.length === 0 || end !== null
        ? undefined
        : el("p", { class: "quiet", text: t("May write: {0}", placesText(mayWrite(item, { paths }))) }),
    ),
    task === null
      ? undefined
      : el(
          "div",
          { class: "buttons" },
          button({ label: t("Details"), icon: "open-preview", act: () => void host.act("task/show", { task }) }),
        ),
  );
}
