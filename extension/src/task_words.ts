// How a task is named, described and drawn wherever it appears: words, and icons by their names. Nothing here knows the
// editor, since the panel's page says the same.

import { assertNever } from "./assert_never";
import { t } from "./l10n";
import { oneLine } from "./outside_text";
import type { Priority, Status, Task } from "./protocol.gen";
import { LOOKS, type Look, STATUS_LOOKS } from "./state_look";

/** As much of a task as its words are made of. */
export type SaidOfTask = Pick<Task, "id" | "title" | "status" | "priority" | "holder" | "assignee" | "waitsFor">;

export function statusWord(status: Status): string {
  return STATUS_LOOKS[status].word;
}

export function priorityWord(priority: Priority): string {
  switch (priority) {
    case "high":
      return t("high");
    case "medium":
      return t("medium");
    case "low":
      return t("low");
    default:
      return assertNever(priority);
  }
}

/** What stands beside the title: id, what is particular about it now, priority. */
export function taskFacts(task: SaidOfTask): string {
  return [task.id, ...particulars(task), priorityWord(task.priority)].join(" · ");
}

/** How a task is drawn. */
export function taskLook({ status, waitsFor, priority }: Pick<Task, "status" | "waitsFor" | "priority">): Look {
  if (status !== "pending") return STATUS_LOOKS[status];
  return waitsFor > 0 ? LOOKS.later : { ...LOOKS.pending, icon: priorityIcon(priority) };
}

/** The facts a screen reader reads and a hover shows. */
export function taskSentence(task: SaidOfTask): string {
  const facts = [
    statusWord(task.status),
    t("priority {0}", priorityWord(task.priority)),
    task.id,
    ...particulars(task),
  ];
  return [oneLine(task.title), ...new Set(facts)].join(", ");
}

/** What is particular about it now, besides what every task has. */
export function particulars(task: SaidOfTask): string[] {
  const { status, holder, waitsFor, assignee } = task;
  switch (status) {
    case "pending":
      return [
        ...(waitsFor > 0 ? [t("waits for {0}", waitsFor)] : []),
        ...(assignee === null ? [] : [t("for {0}", oneLine(assignee))]),
      ];
    case "in-progress":
    case "completed":
      return holder === null ? [] : [oneLine(holder)];
    case "failed":
    case "partial":
    case "blocked":
      return [statusWord(status), ...(holder === null ? [] : [oneLine(holder)])];
    case "cancelled":
      return [statusWord(status)];
    default:
      return assertNever(status);
  }
}

function priorityIcon(priority: Priority): string {
  switch (priority) {
    case "high":
      return "arrow-circle-up";
    case "medium":
      return LOOKS.pending.icon;
    case "low":
      return "arrow-circle-down";
    default:
      return assertNever(priority);
  }
}
