// A report as a card: its level, what it is about and when, with its text folded below. The text is the host's own, in boxes
// made of characters, so it is shown with a fixed width.

import { assertNever } from "../../src/assert_never";
import { t } from "../../src/l10n";
import { momentText } from "../../src/moments";
import type { ReportLevel, SessionReport } from "../../src/protocol.gen";
import { plainText } from "../../src/sessions/report_text";
import { facts, levelIcon, reportWords } from "../../src/sessions/session_words";
import { el } from "../dom";
import type { Host } from "../host";
import { keepOpen, type Unfolded } from "../kept";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";
import type { Keyed } from "../widgets/keyed";

export function reportCards(host: Host, unfolded: Unfolded): Keyed<SessionReport> {
  const key = ({ number }: SessionReport) => String(number);
  return {
    key,
    make: (report) => {
      const { card, folded } = reportCard(host, report);
      keepOpen(folded, unfolded, key(report));
      return card;
    },
    update: () => {},
  };
}

function reportCard(
  host: Host,
  { number, level, task, time, session, text }: SessionReport,
): { card: HTMLElement; folded: HTMLDetailsElement } {
  const folded = el(
    "details",
    {},
    el("summary", { text: t("Show the report") }),
    el("pre", {
      class: "detail report-text",
      text: plainText(text),
      tabIndex: 0,
      role: "group",
      attributes: { "aria-label": t("{0}, its text", reportWords(level)) },
    }),
  );
  const card = el(
    "article",
    { class: `report ${levelClass(level)}`, attributes: { "aria-label": facts(reportWords(level), task) } },
    el("h3", {}, icon(levelIcon(level)), el("span", { text: facts(reportWords(level), task) })),
    el("p", { class: "quiet", text: facts(session, momentText(time).slice(0, 16)) }),
    folded,
    el(
      "div",
      { class: "buttons" },
      button({ label: t("Open"), icon: "go-to-file", act: () => void host.act("session/report", { report: number }) }),
    ),
  );
  return { card, folded };
}

/** The more it tells, the more it stands out. */
function levelClass(level: ReportLevel): string {
  switch (level) {
    case "start":
    case "light":
      return "report-light";
    case "medium":
      return "report-medium";
    case "heavy":
    case "comprehensive":
      return "report-heavy";
    default:
      return assertNever(level);
  }
}
