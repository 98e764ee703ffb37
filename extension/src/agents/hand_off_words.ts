// How a proposal that another agent goes on is told.

import { t } from "../l10n";
import { oneLine, shortened } from "../outside_text";
import type { HandOff } from "../protocol.gen";

const reasonLimit = 240;

/** `goose suggests quality-reviewer goes on: tests are thin` */
export function handOffNotice({ fromAgent, toAgent, reason, fromRun }: HandOff): string {
  const why = reason === null ? "" : `: ${shortened(oneLine(reason), reasonLimit)}`;
  return t("{0} suggests {1} goes on after {2}{3}", oneLine(fromAgent), oneLine(toAgent), fromRun, why);
}

/** Names a proposal once and for all: ids begin anew when a folder's data is removed. */
export function handOffKey({ id, proposedAt }: HandOff): string {
  return `${id}@${proposedAt}`;
}
