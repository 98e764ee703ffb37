// What was typed as an answer to a question that needs none any more: answered elsewhere, or its run has ended. It is the
// person's text, so it stays until they let it go.

import { t } from "../../src/l10n";
import { el } from "../dom";
import type { Drafts } from "../kept";
import { button } from "./button";
import { icon } from "./icon";
import type { Keyed } from "./keyed";

/** @param gone is called when one was let go */
export function leftDrafts(drafts: Drafts, gone: () => void): Keyed<string> {
  const letGo = (name: string) => {
    drafts.drop(name);
    gone();
  };
  return {
    key: (name) => `left ${name}`,
    make: (name) =>
      el(
        "article",
        { class: "ask", attributes: { "aria-label": t("What you had typed") } },
        el("h3", {}, icon("edit"), el("span", { text: t("This question needs no answer any more") })),
        el("p", { text: drafts.about(name) }),
        el("p", { class: "quiet", text: t("What you had typed:") }),
        el("pre", {
          class: "detail",
          text: drafts.of(name),
          tabIndex: 0,
          role: "group",
          attributes: { "aria-label": t("What you had typed") },
        }),
        el("div", { class: "buttons" }, button({ label: t("Discard"), act: () => letGo(name) })),
      ),
    update: () => {},
  };
}
