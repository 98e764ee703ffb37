// A list of tasks to pick one from, with a few rows before them for what is no task yet.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { withoutIcons } from "./outside_text";
import type { Status, Task } from "./protocol.gen";
import { taskIcon } from "./task_icon";
import { taskFacts } from "./task_words";

const listLimit = 100;

export type TaskPick<S extends string> = vscode.QuickPickItem & { task?: Task; special?: S };

/** @returns nothing when the person left */
export async function pickTaskOr<S extends string>(
  link: HostLink,
  { title, placeHolder, statuses }: { title: string; placeHolder: string; statuses: Status[] },
  first: TaskPick<S>[],
): Promise<TaskPick<S> | undefined> {
  const { tasks } = await link.call("augment/queue/list", { statuses, limit: listLimit });
  const items = tasks.map(
    (task): TaskPick<S> => ({
      task,
      label: withoutIcons(task.title),
      description: withoutIcons(taskFacts(task)),
      iconPath: taskIcon(task),
    }),
  );
  return vscode.window.showQuickPick([...first, ...items], { title, placeHolder, matchOnDescription: true });
}
