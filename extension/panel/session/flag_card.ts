// A change that nobody agreed to, with the three answers to it.

import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { Flag } from "../../src/protocol.gen";
import { flagKindWords } from "../../src/review/change_words";
import { facts, flagKey, flagNotice } from "../../src/sessions/session_words";
import { el } from "../dom";
import type { Host } from "../host";
import { type Answer, answerButtons } from "../widgets/answers";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";
import type { Keyed } from "../widgets/keyed";
import { setSince, sinceRoughly } from "../widgets/since";

export function flagCards(host: Host): Keyed<Flag> {
  /** What of its flag each card stands for, as it was drawn last. */
  const drawn = new WeakMap<HTMLElement, string[]>();
  return {
    key: flagKey,
    make: (flag) => {
      const card: HTMLElement = flagCard(host, flag, () => drawn.get(card) ?? []);
      return card;
    },
    update: (card, { time, hunks }) => {
      drawn.set(card, hunks ?? []);
      const ago = card.querySelector<HTMLElement>(".since");
      if (ago !== null) setSince(ago, time, host.now());
    },
  };
}

function flagCard(host: Host, flag: Flag, hunks: () => string[]): HTMLElement {
  const { id, path, kind, run, task } = flag;
  const answer = (label: string, icon: string, answer: "extend" | "log" | "allow-once"): Answer => ({
    label,
    icon,
    act: () => host.act("flag/answer", { flag: id, answer, hunks: hunks() }),
  });
  const answers = [
    answer(t("Extend Scope"), "add", "extend"),
    answer(t("Log and Take Out"), "inbox", "log"),
    answer(t("Allow Once"), "unlock", "allow-once"),
  ];
  const open = button({ label: t("Open"), icon: "go-to-file", act: () => void host.act("flag/open", { flag: id }) });
  return el(
    "article",
    { class: "ask", attributes: { "aria-label": `${oneLine(path)}, ${flagKindWords(kind)}` } },
    el("h3", {}, icon("warning", "list.warningForeground"), el("span", { text: flagNotice(flag) })),
    el("p", { class: "quiet" }, el("span", { text: `${facts(flagKindWords(kind), task, run)} · ` }), sinceRoughly()),
    el("div", { class: "answers" }, answerButtons(answers, open)),
  );
}
