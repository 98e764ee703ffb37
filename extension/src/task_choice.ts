// Which tasks a command is for: the rows it was called on, those selected in the view, one named by its id, or the one
// the person picks from a list that the host filters.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { withoutIcons } from "./outside_text";
import type { Status, Task } from "./protocol.gen";
import { isTaskRow, type QueueRow } from "./queue_row";
import { isOnLostRow } from "./review/change_groups";
import { taskIcon } from "./task_icon";
import { statusWord, taskFacts } from "./task_words";
import { tellDone, tellError } from "./told";
import { TypedSearch } from "./typed_search";

const listLimit = 100;

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
  // Never a list to pick another from: the person pointed at a row, which is drawn anew.
  if (isOnLostRow(args)) {
    tellDone(t("The list had just changed. Nothing was done; press again"));
    return [];
  }
  if (isTaskRow(first)) {
    const rows = Array.isArray(all) && all.includes(first) ? all.filter(isTaskRow) : [first];
    return rows.map(({ task }) => task);
  }
  if (isSelectionWanted(first)) {
    const tasks = context.view.selection.filter(isTaskRow).map(({ task }) => task);
    if (tasks.length === 0) tellDone(t("No task is selected"));
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
  tellDone(
    t("{0} is for one task at a time, and {1} are selected. Select the one you mean", wanted.title, tasks.length),
  );
  return undefined;
}

interface TaskItem extends vscode.QuickPickItem {
  task: Task;
}

function pickTask({ link, log }: ChoiceContext, title: string, statuses: Status[]): Promise<Task | undefined> {
  const pick = vscode.window.createQuickPick<TaskItem>();
  pick.title = title;
  pick.placeholder = t("Which task? Type a part of its title, its description or its id");
  let picked: Task | undefined;
  /** Taken among the rows for what was typed before: it counts if it is among those for what stands there now. */
  let early: string | undefined;
  const take = (task: Task | undefined) => {
    picked = task;
    if (picked !== undefined) pick.hide();
  };
  const search = new TypedSearch<Task[]>({
    typed: () => pick.value.trim(),
    ask: (typed) => matchingTasks(link, statuses, typed),
    show: (tasks) => {
      pick.items = tasks.map(taskItem);
      if (tasks.length === 0) pick.placeholder = t("No task is {0}", statuses.map(statusWord).join(", "));
      pick.busy = false;
      take(tasks.find(({ id }) => id === early));
      early = undefined;
    },
    fail: (error) => {
      pick.hide();
      tellError(error, log);
    },
  });
  const begin = () => {
    pick.busy = true;
    early = undefined;
    search.changed();
  };
  return new Promise((resolve) => {
    pick.onDidChangeValue(begin);
    pick.onDidAccept(() => {
      const task = pick.selectedItems[0]?.task;
      if (pick.busy) early = task?.id;
      else take(task);
    });
    pick.onDidHide(() => {
      search.dispose();
      pick.dispose();
      resolve(picked);
    });
    pick.show();
    begin();
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
