// What the page says while no session is under way: what the plan says, and how one begins.

import { t } from "../../src/l10n";
import type { Governance } from "../../src/protocol.gen";
import { hasPlan, planFacts, readWords } from "../../src/sessions/session_words";
import type { Host } from "../host";
import { stateNote } from "../widgets/state_note";

export function noSession(host: Host, governance: Governance): HTMLElement {
  const isPlanned = hasPlan(governance);
  return stateNote({
    icon: "checklist",
    title: t("No session is under way."),
    texts: [
      isPlanned
        ? t("Starting one reads the plan and proposes what to do next; agents begin once you have confirmed it.")
        : t(
            "There is no plan to propose one from. Start a session to say what agents may do, or write a PROJECT_PLAN.md.",
          ),
      ...(isPlanned ? [planFacts(governance)] : []),
      `${readWords(governance)}.`,
    ].filter((text) => text !== ""),
    actions: [
      { label: t("Start Session…"), icon: "play", isPrimary: true, act: () => void host.act("session/start", {}) },
      { label: t("Show Plan"), icon: "list-tree", act: () => void host.act("session/plan", {}) },
    ],
  });
}
