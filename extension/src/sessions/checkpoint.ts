// Whether an order is for the session and the checkpoint that were shown, and for no others. Pure.

import { t } from "../l10n";
import type { SessionStatus } from "../protocol.gen";
import { Refused } from "../refusal";
import { sessionName } from "./session_words";

/**
 * Says no where a question would be about another session than the one that was pressed on.
 * @param shown the id of that one; nothing where any session is meant
 */
export function mustBeShown({ session }: SessionStatus, shown: string | undefined): void {
  if (shown === undefined || session?.id === shown) return;
  const now =
    session === null
      ? t("{0} is over, and no other session is under way. Nothing was done.", shown)
      : t("{0} is over, and {1} is under way. Look at that one, then repeat.", shown, sessionName(session));
  throw new Refused(now, "other-session", undefined);
}

const answered = ["no-checkpoint", "other-checkpoint", "other-session", "no-session"];

/** Whether an answer to a checkpoint came too late: somebody was quicker, or the session is over. */
export function isAnswered(error: unknown): boolean {
  return error instanceof Refused && answered.includes(error.code);
}
