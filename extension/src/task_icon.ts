// The icon of a task as the editor's own views draw it.

import type * as vscode from "vscode";
import type { Task } from "./protocol.gen";
import { lookIcon } from "./state_icon";
import { taskLook } from "./task_words";

export function taskIcon(task: Pick<Task, "status" | "waitsFor" | "priority">): vscode.ThemeIcon {
  return lookIcon(taskLook(task));
}
