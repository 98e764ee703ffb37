// What keeps a hunk from being approved in passing, and what can be done about it, in one sentence each. Pure; whether
// something is allowed the host says.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { oneLine } from "../outside_text";
import type { FlagKind, Hunk, Verdict } from "../protocol.gen";
import { approverWords, entangledWords, flagKindWords } from "./change_words";
import { ruleWords, stopping } from "./finding_words";

export type Hold = "finding" | FlagKind;

/** What has to be looked at before this verdict on a hunk; nothing when it can be given at once. */
export function holdOf({ findings, flag }: Hunk, verdict: Verdict): Hold | undefined {
  switch (verdict) {
    case "reject":
      return undefined;
    case "approve":
      return stopping(findings).length > 0 ? "finding" : flag?.kind;
    default:
      return assertNever(verdict);
  }
}

/**
 * Why a hunk is looked at closely, each with what to do; nothing for an ordinary one.
 * @param me the name of the person who is told
 */
export function explanations(hunk: Hunk, me: string): string[] {
  const { entangledWith, flagged, flag, findings, standing, approvedBy, author } = hunk;
  const found = [...new Set(stopping(findings).map(ruleWords))].join(", ");
  const by = approvedBy.map(approverWords).join(", ");
  return [
    ...(found === "" ? [] : [t("Its lines hold {0}: say why that may stay, or reject the hunk.", found)]),
    ...(flag === null
      ? []
      : [
          t(
            "It is {0}: extend the scope, log it and take it out, allow it once, or reject the hunk.",
            flagKindWords(flag.kind),
          ),
        ]),
    ...(entangledWith.length === 0
      ? []
      : [t("It is entangled with {0}: rejecting shows the result first and asks.", entangledWords(entangledWith, me))]),
    ...(standing === "half-approved"
      ? [
          t(
            "{0} approved it, and a second approver is needed: skip it, or reject the hunk.",
            by === "" ? t("Somebody") : by,
          ),
        ]
      : []),
    // That nobody is known to have made it is said by its colour and its group.
    ...(flagged === null || author.kind === "unknown" ? [] : [oneLine(flagged)]),
  ];
}

/** Why a key that would approve such a hunk has not done so. @param name of its file */
export function holdTitle(hold: Hold, hunk: Hunk, name: string): string {
  switch (hold) {
    case "finding":
      return t("{0} holds {1}", name, [...new Set(stopping(hunk.findings).map(ruleWords))].join(", "));
    case "out-of-scope":
      return t("{0} is outside the agreed scope", name);
    case "unauthorised":
      return t("{0} was changed before a scope was agreed", name);
    default:
      return assertNever(hold);
  }
}
