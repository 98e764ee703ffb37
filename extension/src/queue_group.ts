// The groups under which the queue is shown. Which status a task has, and in which order tasks stand, the host says.

import { assertNever } from "./assert_never";
import { t } from "./l10n";
import type { Counts, Status } from "./protocol.gen";

export type Group = "in-progress" | "pending" | "trouble" | "done";

/** In the order they are shown. */
export const GROUPS: readonly Group[] = ["in-progress", "pending", "trouble", "done"];

export function groupLabel(group: Group): string {
  switch (group) {
    case "in-progress":
      return t("In progress");
    case "pending":
      return t("Pending");
    case "trouble":
      return t("Needs a look");
    case "done":
      return t("Done");
    default:
      return assertNever(group);
  }
}

export function groupStatuses(group: Group): Status[] {
  switch (group) {
    case "in-progress":
      return ["in-progress"];
    case "pending":
      return ["pending"];
    case "trouble":
      return ["failed", "partial", "blocked"];
    case "done":
      return ["completed", "cancelled"];
    default:
      return assertNever(group);
  }
}

export function groupOf(status: Status): Group {
  switch (status) {
    case "in-progress":
    case "pending":
      return status;
    case "failed":
    case "partial":
    case "blocked":
      return "trouble";
    case "completed":
    case "cancelled":
      return "done";
    default:
      return assertNever(status);
  }
}

export function groupCount(group: Group, counts: Counts): number {
  return groupStatuses(group).reduce((sum, status) => sum + statusCount(status, counts), 0);
}

function statusCount(status: Status, counts: Counts): number {
  return status === "in-progress" ? counts.inProgress : counts[status];
}
