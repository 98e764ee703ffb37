// How a task is named, described and drawn wherever it appears.

import * as vscode from "vscode";
import { assertNever } from "./assert_never";
import { oneLine } from "./outside_text";
import type { Priority, Status, Task } from "./protocol.gen";

export function statusWord(status: Status): string {
  switch (status) {
    case "in-progress":
      return "in progress";
    case "pending":
    case "completed":
    case "failed":
    case "partial":
    case "blocked":
    case "cancelled":
      return status;
    default:
      return assertNever(status);
  }
}

/** What stands beside the title: id, what is particular about it now, priority. */
export function taskFacts(task: Task): string {
  return [task.id, ...particulars(task), task.priority].join(" · ");
}

export function taskIcon({ status, waitsFor, priority }: Task): vscode.ThemeIcon {
  switch (status) {
    case "pending":
      return waitsFor > 0 ? icon("clockface", "disabledForeground") : icon(priorityIcon(priority), "icon.foreground");
    case "in-progress":
      return icon("play-circle", "charts.blue");
    case "completed":
      return icon("pass", "testing.iconPassed");
    case "failed":
      return icon("error", "testing.iconFailed");
    case "partial":
      return icon("warning", "list.warningForeground");
    case "blocked":
      return icon("lock", "list.warningForeground");
    case "cancelled":
      return icon("circle-slash", "disabledForeground");
    default:
      return assertNever(status);
  }
}

/** The facts a screen reader reads and a hover shows. */
export function taskSentence(task: Task): string {
  const facts = [statusWord(task.status), `priority ${task.priority}`, task.id, ...particulars(task)];
  return [oneLine(task.title), ...new Set(facts)].join(", ");
}

function particulars(task: Task): string[] {
  const { status, holder, waitsFor, assignee } = task;
  switch (status) {
    case "pending":
      return [
        ...(waitsFor > 0 ? [`waits for ${waitsFor}`] : []),
        ...(assignee === null ? [] : [`for ${oneLine(assignee)}`]),
      ];
    case "in-progress":
    case "completed":
      return holder === null ? [] : [oneLine(holder)];
    case "failed":
    case "partial":
    case "blocked":
      return [status, ...(holder === null ? [] : [oneLine(holder)])];
    case "cancelled":
      return [status];
    default:
      return assertNever(status);
  }
}

function priorityIcon(priority: Priority): string {
  switch (priority) {
    case "high":
      return "arrow-circle-up";
    case "medium":
      return "circle-large-outline";
    case "low":
      return "arrow-circle-down";
    default:
      return assertNever(priority);
  }
}

function icon(name: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}
