// The newest decisions, read from the ledger, and which of them stand. A decision that was undone does not, unless the undo
// was taken back in its turn.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { oneLine } from "../outside_text";
import type { Record as LedgerRecord } from "../protocol.gen";
import { LOOKS } from "../state_look";
import { fileCount, hunkCount } from "./change_words";

type DecisionKind = "approved" | "rejected" | "undone" | "redone";

export interface DecisionMade {
  /** For `undo`. */
  id: string;
  kind: DecisionKind;
  time: number;
  /** In words: what, how much, by whom. */
  text: string;
  paths: string[];
  /** An approval or a rejection that was not taken back. */
  canUndo: boolean;
}

interface Entry {
  id: string;
  kind: DecisionKind;
  takesBack: string | undefined;
  record: LedgerRecord;
}

const kinds: readonly DecisionKind[] = ["approved", "rejected", "undone", "redone"];

/** @param records of the kinds `review…`, newest first */
export function decisionsIn(records: readonly LedgerRecord[]): DecisionMade[] {
  const entries = records.flatMap(entryIn);
  const isTakenBack = (id: string): boolean =>
    entries.some((entry) => entry.takesBack === id && !isTakenBack(entry.id));
  return entries.map(({ id, kind, record }) => {
    const data = fieldsOf(record.data);
    const paths = listIn(data.get("paths"));
    const hunks = hunkCount(numberIn(data.get("hunks")));
    const files = fileCount(numberIn(data.get("files")));
    return {
      id,
      kind,
      time: record.time,
      text: t("{0} {1} in {2} · {3} · {4}", decisionWord(kind), hunks, files, actorWords(record.actor), id),
      paths,
      canUndo: (kind === "approved" || kind === "rejected") && !isTakenBack(id),
    };
  });
}

/**
 * The newest that can be undone; not what a policy decides by itself, which goes on all the time.
 * @param records of the kinds `review…`, newest first
 */
export function newestToUndo(records: readonly LedgerRecord[]): DecisionMade | undefined {
  return decisionsIn(records.filter(({ actor }) => actor !== "host")).find(({ canUndo }) => canUndo);
}

export function decisionIcon(kind: DecisionKind): [icon: string, color: string] {
  switch (kind) {
    case "approved":
      return [LOOKS.approved.icon, LOOKS.approved.color];
    case "rejected":
      return [LOOKS.rejected.icon, LOOKS.rejected.color];
    case "undone":
      return ["history", "icon.foreground"];
    case "redone":
      return ["redo", "icon.foreground"];
    default:
      return assertNever(kind);
  }
}

function decisionWord(kind: DecisionKind): string {
  switch (kind) {
    case "approved":
      return t("Approved");
    case "rejected":
      return t("Rejected");
    case "undone":
      return t("Undone:");
    case "redone":
      return t("Redone:");
    default:
      return assertNever(kind);
  }
}

function entryIn(record: LedgerRecord): Entry[] {
  const kind = kinds.find((known) => record.kind === `review.${known}`);
  const [, id] = record.subject.match(/^decision:(.+)$/) ?? [];
  if (kind === undefined || id === undefined) return [];
  const takesBack = fieldsOf(record.data).get("takesBack");
  return [{ id, kind, record, takesBack: typeof takesBack === "string" ? takesBack : undefined }];
}

/** `person:ada` is Ada; a policy and others are called what they are. */
function actorWords(actor: string): string {
  return oneLine(actor.replace(/^person:/, ""));
}

function fieldsOf(data: unknown): Map<string, unknown> {
  return new Map(Object.entries(typeof data === "object" && data !== null ? data : {}));
}

function listIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function numberIn(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
