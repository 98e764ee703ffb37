// A decision that was made, as a row with its way back.

import { t } from "../../src/l10n";
import { momentText } from "../../src/moments";
import { oneLine, shortened } from "../../src/outside_text";
import { type DecisionMade, decisionIcon } from "../../src/review/decisions_made";
import { el } from "../dom";
import type { Host } from "../host";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";
import type { Keyed } from "../widgets/keyed";

const pathsLimit = 200;

export function decisionRows(host: Host): Keyed<DecisionMade> {
  return {
    // One that was undone is drawn without its button, so it is another row.
    key: ({ id, canUndo }) => `${id}/${canUndo}`,
    make: (made) => decisionRow(host, made),
    update: () => {},
  };
}

function decisionRow(host: Host, { id, kind, time, text, paths, canUndo }: DecisionMade): HTMLElement {
  const named = shortened(paths.map(oneLine).join(", "), pathsLimit);
  return el(
    "li",
    { class: "row" },
    icon(...decisionIcon(kind)),
    el(
      "div",
      { class: "row-text" },
      el("p", { text }),
      el("p", { class: "quiet", text: [momentText(time), named].filter((part) => part !== "").join(" · ") }),
    ),
    canUndo
      ? el(
          "div",
          { class: "buttons" },
          button({ label: t("Undo"), icon: "history", act: () => void host.act("review/undo", { decision: id }) }),
        )
      : undefined,
  );
}
