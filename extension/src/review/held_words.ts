// What keeps a hunk from being approved in passing, and what can be done about it, in one sentence each. Pure; whether
// something is allowed the host says.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { oneLine } from "../outside_text";
import type { FlagKind, Hunk, Selection, Verdict } from "../protocol.gen";
import { approverWords, entangledWords, flagKindWords } from "./change_words";
import { ruleWords, stopping } from "./finding_words";
import type { Stop } from "./hunk_order";

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
 * What to ask about before a decision on these hunks of a file; nothing where it can be sent at once. What only takes
 * everything of somebody the host holds back by itself.
 */
export function heldOf(
  stops: readonly Stop[],
  verdict: Verdict,
  { all, file }: Selection,
  where: "editor" | "list" | "question",
): Stop | undefined {
  const isAsked = all !== true && (where === "editor" || file !== undefined);
  return isAsked ? stops.find(({ hunk }) => holdOf(hunk, verdict) !== undefined) : undefined;
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

/** Why a key that would approve these hunks has not done so: all that holds them. @param name of their file */
export function holdTitle(hunks: readonly Hunk[], name: string): string {
  const found = new Set(hunks.flatMap(({ findings }) => stopping(findings).map(ruleWords)));
  const flags = new Set(hunks.flatMap(({ flag }) => flag?.kind ?? []));
  return [
    ...(found.size === 0 ? [] : [t("{0} seems to hold: {1}", name, [...found].join(", "))]),
    ...[...flags].map((kind) => flagTitles[kind](name)),
  ].join(" · ");
}

const flagTitles: { readonly [K in FlagKind]: (name: string) => string } = {
  "out-of-scope": (name) => t("{0} is outside the scope", name),
  unauthorised: (name) => t("{0} was changed before a scope was agreed", name),
};
