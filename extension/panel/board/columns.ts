// The columns of the board, which task stands in which, and what dropping a card on one means. A run that asks makes its
// task wait; that is what a person should see first. Everything else is the task's status, which the host says.

import { assertNever } from "../../src/assert_never";
import { t } from "../../src/l10n";
import type { Counts, Question, RunInfo, Status } from "../../src/protocol.gen";
import type { Card } from "../messages";

export const COLUMNS = ["pending", "in-progress", "waiting", "done"] as const;
export type ColumnId = (typeof COLUMNS)[number];

/** What the board knows of all its tasks. */
export interface BoardData {
  cards: ReadonlyMap<ColumnId, readonly Card[]>;
  /** Columns of which not all is fetched, each with where to go on. */
  next: ReadonlyMap<ColumnId, string>;
  counts: Counts;
  /** By task: what its run asks. */
  questions: ReadonlyMap<string, Question>;
  /** By task: its run that has not ended. */
  runs: ReadonlyMap<string, RunInfo>;
}

export function columnLabel(column: ColumnId): string {
  switch (column) {
    case "pending":
      return t("Pending");
    case "in-progress":
      return t("In progress");
    case "waiting":
      return t("Waiting for you");
    case "done":
      return t("Done");
    default:
      return assertNever(column);
  }
}

/** What an empty column says. */
export function emptyWords(column: ColumnId, isFiltered: boolean): string {
  if (isFiltered) return t("Nothing here matches the filter.");
  switch (column) {
    case "pending":
      return t("Nothing waits to be taken.");
    case "in-progress":
      return t("Nobody works on a task. Start an agent on a pending one.");
    case "waiting":
      return t("Nothing needs you.");
    case "done":
      return t("Nothing is done yet.");
    default:
      return assertNever(column);
  }
}

export function columnStatuses(column: ColumnId): Status[] {
  switch (column) {
    case "pending":
    case "in-progress":
      return [column];
    case "waiting":
      return ["failed", "partial", "blocked"];
    case "done":
      return ["completed", "cancelled"];
    default:
      return assertNever(column);
  }
}

/** Tasks that are worked on go to the column of those that wait while their run asks. */
export function withQuestions(
  listed: ReadonlyMap<ColumnId, readonly Card[]>,
  questions: ReadonlyMap<string, Question>,
): Map<ColumnId, readonly Card[]> {
  const working = listed.get("in-progress") ?? [];
  const asks = ({ id }: Card) => questions.has(id);
  return new Map([
    ...listed,
    ["in-progress", working.filter((card) => !asks(card))],
    ["waiting", [...working.filter(asks), ...(listed.get("waiting") ?? [])]],
  ]);
}

/** How many tasks a column has in all, whatever is fetched of it. */
export function columnCount(column: ColumnId, { counts, cards, questions }: BoardData): number {
  const asking = (cards.get("waiting") ?? []).filter(
    ({ id, status }) => status === "in-progress" && questions.has(id),
  ).length;
  switch (column) {
    case "pending":
      return counts.pending;
    case "in-progress":
      return Math.max(0, counts.inProgress - asking);
    case "waiting":
      return asking + counts.failed + counts.partial + counts.blocked;
    case "done":
      return counts.completed + counts.cancelled;
    default:
      return assertNever(column);
  }
}

export type Drop = "reorder" | "start-agent" | "retry";

/** What it means to bring a card to a column; nothing where it means nothing. Whether it may be the host decides. */
export function dropOn(column: ColumnId, { status }: Pick<Card, "status">): Drop | undefined {
  switch (status) {
    case "pending":
      return column === "pending" ? "reorder" : column === "in-progress" ? "start-agent" : undefined;
    case "failed":
    case "partial":
    case "blocked":
    case "cancelled":
      return column === "pending" ? "retry" : undefined;
    case "in-progress":
    case "completed":
      return undefined;
    default:
      return assertNever(status);
  }
}
