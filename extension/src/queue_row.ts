// The rows of the queue view and how each is drawn. Titles are plain text: labels and string tooltips of a tree are
// not read as Markdown.

import * as vscode from "vscode";
import { assertNever } from "./assert_never";
import { t } from "./l10n";
import { ours } from "./ours";
import { oneLine } from "./outside_text";
import type { Task } from "./protocol.gen";
import { type Group, groupLabel } from "./queue_group";
import { lookIcon } from "./state_icon";
import { LOOKS } from "./state_look";
import { taskIcon } from "./task_icon";
import { priorityWord, statusWord, taskFacts, taskSentence } from "./task_words";

export type QueueRow = GroupRow | TaskRow | MoreRow;

export interface GroupRow {
  kind: "group";
  group: Group;
  count: number;
}

export interface TaskRow {
  kind: "task";
  group: Group;
  task: Task;
}

/** Stands below a group of which not all is shown. */
export interface MoreRow {
  kind: "more";
  group: Group;
  left: number;
}

export const SHOW_MORE = ours("showMore");
export const SHOW_DETAILS = ours("showDetails");

export function isTaskRow(value: unknown): value is TaskRow {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "task" && "task" in value;
}

/** @param asked the tasks whose run waits for an answer */
export function drawRow(row: QueueRow, asked: ReadonlySet<string>): vscode.TreeItem {
  switch (row.kind) {
    case "group":
      return drawGroup(row);
    case "task":
      return drawTask(row, asked.has(row.task.id));
    case "more":
      return drawMore(row);
    default:
      return assertNever(row);
  }
}

function drawGroup({ group, count }: GroupRow): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(groupLabel(group), group === "done" ? Collapsed : Expanded);
  item.id = group;
  item.description = count.toLocaleString();
  item.contextValue = `group.${group}`;
  item.accessibilityInformation = {
    label: `${groupLabel(group)}, ${count === 1 ? t("1 task") : t("{0} tasks", count)}`,
  };
  return item;
}

function drawTask(row: TaskRow, asks: boolean): vscode.TreeItem {
  const { group, task } = row;
  const item = new vscode.TreeItem(oneLine(task.title));
  // A task that moves between groups is briefly in both or in none; ids that hold the group never clash.
  item.id = `${group}/${task.id}`;
  item.description = taskFacts(task);
  item.iconPath = asks ? lookIcon(LOOKS.waiting) : taskIcon(task);
  item.contextValue = `task.${task.status}`;
  item.tooltip = hover(task, asks);
  item.accessibilityInformation = {
    label: asks ? `${taskSentence(task)}, ${LOOKS.waiting.word}` : taskSentence(task),
  };
  item.command = { command: SHOW_DETAILS, title: t("Show Task Details"), arguments: [row] };
  return item;
}

function hover(task: Task, asks: boolean): string {
  const lines = [
    oneLine(task.title),
    t(
      "{0}, {1}, priority {2}",
      task.id,
      asks ? LOOKS.waiting.word : statusWord(task.status),
      priorityWord(task.priority),
    ),
  ];
  if (task.holder !== null) {
    const holder = oneLine(task.holder);
    lines.push(task.status === "in-progress" ? t("Held by {0}", holder) : t("Last held by {0}", holder));
  }
  if (task.waitsFor > 0)
    lines.push(task.waitsFor === 1 ? t("Waits for 1 other task") : t("Waits for {0} other tasks", task.waitsFor));
  if (task.attemptsUsed > 0) lines.push(t("Attempt {0} of {1}", task.attemptsUsed, task.maxAttempts));
  if (task.result !== null) lines.push("", task.result.slice(0, 1_000));
  else if (task.description !== "") lines.push("", task.description.slice(0, 1_000));
  return lines.join("\n");
}

function drawMore({ group, left }: MoreRow): vscode.TreeItem {
  const item = new vscode.TreeItem(t("Show more…"));
  item.id = `${group}/…more`;
  item.description = t("{0} not shown", left.toLocaleString());
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.contextValue = "more";
  item.command = { command: SHOW_MORE, title: t("Show More"), arguments: [group] };
  return item;
}
