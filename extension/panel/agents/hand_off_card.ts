// A proposal that another agent goes on, decided where it stands: accepted as it is, edited first, or dismissed.

import { handOffKey, handOffNotice } from "../../src/agents/hand_off_words";
import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { HandOff } from "../../src/protocol.gen";
import { HAND_OFF_LOOKS } from "../../src/state_look";
import { el } from "../dom";
import type { Host } from "../host";
import { answerButtons } from "../widgets/answers";
import { button } from "../widgets/button";
import { icon } from "../widgets/icon";
import type { Keyed } from "../widgets/keyed";
import { setSince, sinceRoughly } from "../widgets/since";

export function handOffCards(host: Host): Keyed<HandOff> {
  return {
    key: handOffKey,
    make: (handOff) => handOffCard(host, handOff),
    // A proposal never changes but for how long it has waited; when it is decided it goes.
    update: (card, { proposedAt }) => {
      const ago = card.querySelector<HTMLElement>(".since");
      if (ago !== null) setSince(ago, proposedAt, host.now());
    },
  };
}

function handOffCard(host: Host, handOff: HandOff): HTMLElement {
  const { id, toAgent, state } = handOff;
  const look = HAND_OFF_LOOKS[state];
  const answers = [
    { label: t("Accept"), icon: "check", act: () => host.act("hand-off/accept", { handOff: id }) },
    { label: t("Dismiss"), icon: "close", act: () => host.act("hand-off/dismiss", { handOff: id }) },
  ];
  const edit = button({
    label: t("Edit Text"),
    icon: "edit",
    act: () => void host.act("hand-off/edit", { handOff: id }),
  });
  return el(
    "article",
    { class: "ask", attributes: { "aria-label": t("Proposal that {0} goes on", oneLine(toAgent)) } },
    el("h3", {}, icon(look.icon, look.color), el("span", { text: handOffNotice(handOff) })),
    el("p", { class: "quiet" }, el("span", { text: `${id} · ` }), sinceRoughly()),
    el("div", { class: "answers" }, answerButtons(answers, edit)),
  );
}
