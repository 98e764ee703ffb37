// The newest decisions, read from the ledger, and which of them stand. A decision that was undone does not, unless the undo
// was taken back in its turn; one whose files could not be written never did.

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
  /** An approval or a rejection that stands. */
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
  const notWritten = notWrittenIn(records);
  // Where a file of an undo could not be written, what it was to undo stands there.
  const isTakenBack = (id: string): boolean =>
    entries.some((entry) => entry.takesBack === id && !notWritten.has(entry.id) && !isTakenBack(entry.id));
  return entries.map(({ id, kind, record }) => {
    const data = fieldsOf(record.data);
    const hunks = hunkCount(numberIn(data.get("hunks")));
    const files = numberIn(data.get("files"));
    const isNothing = files > 0 && (notWritten.get(id) ?? 0) >= files;
    const text = t(
      "{0} {1} in {2} · {3} · {4}",
      decisionWord(kind),
      hunks,
      fileCount(files),
      actorWords(record.actor),
      id,
    );
    return {
      id,
      kind,
      time: record.time,
      text: isNothing ? t("{0} · nothing was written", text) : text,
      paths: listIn(data.get("paths")),
      canUndo: (kind === "approved" || kind === "rejected") && !isNothing && !isTakenBack(id),
    };
  });
}

/**
 * The newest that can be undone; not what a policy decides by itself, which goes on all the time.
 * @param records of the kinds `review…`, newest first
 */
export function newestToUndo(records: readonly LedgerRecord[]): DecisionMade | undefined {
  const policys = new Set(
    records
      .filter(({ actor }) => actor === "host")
      .flatMap(entryIn)
      .map(({ id }) => id),
  );
  return decisionsIn(records).find(({ id, canUndo }) => canUndo && !policys.has(id));
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

/** In how many of its files a decision could not be carried out, or was given up later, where there are any. */
function notWrittenIn(records: readonly LedgerRecord[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, subject, data } of records) {
    const id = decisionOf(subject);
    const count = kind === "review.carried-out" ? numberIn(fieldsOf(data).get("notWritten")) : 0;
    if (id !== undefined && count > 0) counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}

function decisionOf(subject: string): string | undefined {
  return subject.match(/^decision:(.+)$/)?.[1];
}

function entryIn(record: LedgerRecord): Entry[] {
  const kind = kinds.find((known) => record.kind === `review.${known}`);
  const id = decisionOf(record.subject);
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
