// Which tasks a command is for: the rows it was called on, those selected in the view, one named by its id, or the one
// the person picks from a list that the host filters.

import * as vscode from "vscode";
import { Coalesced } from "./coalesced";
import type { HostLink } from "./host_link";
import { withoutIcons } from "./outside_text";
import type { Status, Task } from "./protocol.gen";
import { isTaskRow, type QueueRow } from "./queue_row";
import { statusWord, taskFacts, taskIcon } from "./task_words";
import { tellDone, tellError } from "./told";

const listLimit = 100;
const restMs = 50;

/** What a keybinding of the view passes, to tell it from the palette. */
interface SelectionWanted {
  selection: true;
}

export interface ChoiceContext {
  link: HostLink;
  view: vscode.TreeView<QueueRow>;
  log: vscode.LogOutputChannel;
}

/** @returns nothing when the person left, or nothing fits */
export async function chosenTasks(
  context: ChoiceContext,
  args: readonly unknown[],
  { title, statuses }: { title: string; statuses: Status[] },
): Promise<Task[]> {
  const [first, all] = args;
  if (isTaskRow(first)) {
    const rows = Array.isArray(all) && all.includes(first) ? all.filter(isTaskRow) : [first];
    return rows.map(({ task }) => task);
  }
  if (isSelectionWanted(first)) {
    const tasks = context.view.selection.filter(isTaskRow).map(({ task }) => task);
    if (tasks.length === 0) tellDone("No task is selected");
    return tasks;
  }
  if (typeof first === "string") return [(await context.link.call("augment/queue/show", { task: first })).task];
  const picked = await pickTask(context, title, statuses);
  return picked === undefined ? [] : [picked];
}

/**
 * For a command on one task: the row it was called on, also when others are selected beside it. A key names no row, so
 * with several selected nothing is done, and that is said.
 */
export async function chosenTask(
  context: ChoiceContext,
  args: readonly unknown[],
  wanted: { title: string; statuses: Status[] },
): Promise<Task | undefined> {
  const [first] = args;
  if (isTaskRow(first)) return first.task;
  const tasks = await chosenTasks(context, args, wanted);
  if (tasks.length <= 1) return tasks[0];
  void vscode.window.showInformationMessage(
    `${wanted.title} is for one task at a time, and ${tasks.length} are selected. Select the one you mean.`,
  );
  return undefined;
}

interface TaskItem extends vscode.QuickPickItem {
  task: Task;
}

function pickTask({ link, log }: ChoiceContext, title: string, statuses: Status[]): Promise<Task | undefined> {
  const pick = vscode.window.createQuickPick<TaskItem>();
  pick.title = title;
  pick.placeholder = "Which task? Type a part of its title, its description or its id";
  pick.busy = true;
  const fetch = new Coalesced(async () => {
    try {
      pick.items = (await matchingTasks(link, statuses, pick.value.trim())).map(taskItem);
      if (pick.items.length === 0) pick.placeholder = `No task is ${statuses.map(statusWord).join(", ")}`;
    } catch (error) {
      pick.hide();
      tellError(error, log);
    } finally {
      pick.busy = false;
    }
  }, restMs);
  return new Promise((resolve) => {
    let picked: Task | undefined;
    pick.onDidChangeValue(() => fetch.ask());
    pick.onDidAccept(() => {
      picked = pick.selectedItems[0]?.task;
      if (picked !== undefined) pick.hide();
    });
    pick.onDidHide(() => {
      fetch.dispose();
      pick.dispose();
      resolve(picked);
    });
    pick.show();
    fetch.ask();
  });
}

/** The host looks in titles and descriptions; ids are looked for among what comes first. */
async function matchingTasks(link: HostLink, statuses: Status[], text: string): Promise<Task[]> {
  const list = async (filter: { text?: string }) =>
    (await link.call("augment/queue/list", { statuses, limit: listLimit, ...filter })).tasks;
  if (text === "") return list({});
  const [byId, byText] = await Promise.all([list({}), list({ text })]);
  const found = byId.filter(({ id }) => id.startsWith(text.toLowerCase()));
  return [...found, ...byText.filter(({ id }) => !found.some((task) => task.id === id))];
}

function taskItem(task: Task): TaskItem {
  // The host has filtered already, also by what is not shown here.
  return {
    task,
    label: withoutIcons(task.title),
    description: withoutIcons(taskFacts(task)),
    iconPath: taskIcon(task),
    alwaysShow: true,
  };
}

function isSelectionWanted(value: unknown): value is SelectionWanted {
  return typeof value === "object" && value !== null && "selection" in value && value.selection === true;
}
