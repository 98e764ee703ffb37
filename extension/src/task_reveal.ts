// Going to a task: its row in the queue view, or its page when it lies beyond the rows that are shown.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { isTaskRow, type QueueRow, type TaskRow } from "./queue_row";
import { QUEUE_VIEW, type QueueTree } from "./queue_tree";
import { showTask } from "./task_document";

/** A view that was hidden draws itself anew when it is shown, and loses a selection made meanwhile. */
const tries = 3;
const settleMs = 250;

type QueueView = vscode.TreeView<QueueRow>;

export async function revealTask(
  { link, tree, view }: { link: HostLink; tree: QueueTree; view: QueueView },
  id: string,
): Promise<void> {
  await vscode.commands.executeCommand(`${QUEUE_VIEW}.focus`);
  const { task } = await link.call("augment/queue/show", { task: id });
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const row = await tree.rowOf(task);
    if (row === undefined) return showTask(task.id);
    await view.reveal(row, { select: true, focus: true, expand: true });
    if ((await isSelected(view, row)) || !view.visible) return;
  }
}

/** Whether the view says, now or within a short time, that the row is selected. */
function isSelected(view: QueueView, { task }: TaskRow): Promise<boolean> {
  const has = (rows: readonly QueueRow[]) => rows.some((row) => isTaskRow(row) && row.task.id === task.id);
  if (has(view.selection)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const answer = (selected: boolean) => {
      clearTimeout(timer);
      listening.dispose();
      resolve(selected);
    };
    const timer = setTimeout(() => answer(false), settleMs);
    const listening = view.onDidChangeSelection(({ selection }) => {
      if (has(selection)) answer(true);
    });
  });
}
