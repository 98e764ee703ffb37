// What the session's status bar item says, and which command a click on it runs. A pure function.

import { assertNever } from "../assert_never";
import { oneLine } from "../outside_text";
import type { SessionStatus } from "../protocol.gen";
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
    return hasPlan(governance) ? words("checklist", "No session", { isWarning: false, click: "start" }) : undefined;
  const name = sessionName(session);
  const waits = flags.length === 0 ? "" : `${flags.length} outside`;
  switch (session.state) {
    case "planned":
      return words("question", `${name}: confirm scope`, { isWarning: true, click: "confirm" });
    case "checkpoint":
      return words("debug-pause", `${name}: checkpoint`, { isWarning: true, click: "checkpoint" });
    case "confirmed":
    case "working":
      return words(waits === "" ? "checklist" : "warning", facts(name, scopeCount(session), waits), {
        isWarning: waits !== "",
        click: waits === "" ? "show" : "answer-flag",
      });
    case "ending":
      return words("loading~spin", `${name}: writing its record`, { isWarning: false, click: "show" });
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
  return { text: `$(${icon}) ${oneLine(text)}`, label: `Augment: ${oneLine(text)}`, isWarning, click };
}
