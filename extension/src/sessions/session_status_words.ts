// What the session's status bar item says, and which command a click on it runs. A pure function.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { oneLine } from "../outside_text";
import type { SessionStatus } from "../protocol.gen";
import { LOOKS, SESSION_LOOKS } from "../state_look";
import { facts, hasPlan, scopeCount, sessionName } from "./session_words";

export interface SessionStatusWords {
  text: string;
  /** Read by screen readers. */
  label: string;
  isWarning: boolean;
  click: "start" | "confirm" | "checkpoint" | "answer-flag" | "show";
}

/** @returns nothing when there is nothing to say: no session, and no plan that one could be made of */
export function sessionStatusWords({ session, governance, flags }: SessionStatus): SessionStatusWords | undefined {
  if (session === null)
    return hasPlan(governance)
      ? words(SESSION_LOOKS.confirmed.icon, t("No session"), { isWarning: false, click: "start" })
      : undefined;
  const name = sessionName(session);
  const waits = flags.length === 0 ? "" : t("{0} outside", flags.length);
  switch (session.state) {
    case "planned":
      return words(SESSION_LOOKS.planned.icon, t("{0}: confirm scope", name), { isWarning: true, click: "confirm" });
    case "checkpoint":
      return words(SESSION_LOOKS.checkpoint.icon, `${name}: ${SESSION_LOOKS.checkpoint.word}`, {
        isWarning: true,
        click: "checkpoint",
      });
    case "confirmed":
    case "working":
      return words(
        waits === "" ? SESSION_LOOKS.confirmed.icon : LOOKS.outOfScope.icon,
        facts(name, scopeCount(session), waits),
        // It was told when it came and stands where it is; only what holds up the work is a warning.
        { isWarning: false, click: waits === "" ? "show" : "answer-flag" },
      );
    case "ending":
      return words(SESSION_LOOKS.ending.icon, t("{0}: writing its record", name), { isWarning: false, click: "show" });
    case "ended":
    case "abandoned":
      return undefined;
    default:
      return assertNever(session.state);
  }
}

function words(
  icon: string,
  text: string,
  { isWarning, click }: Pick<SessionStatusWords, "isWarning" | "click">,
): SessionStatusWords {
  return { text: `$(${icon}) ${oneLine(text)}`, label: t("Augment: {0}", oneLine(text)), isWarning, click };
}
