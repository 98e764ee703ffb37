// Saying whose work it is: which task somebody starts to work on from here, and which one unknown changes belong to.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { withoutIcons } from "../outside_text";
import type { Selection, Status, Task } from "../protocol.gen";
import { askText } from "../questions";
import { taskFacts, taskIcon } from "../task_words";
import { tellDone } from "../told";
import { fileCount, hunkCount } from "./change_words";

/** Somebody who works in the editor has no pulse to send, so what they start stays theirs for a working day. */
const personLeaseMs = 12 * 60 * 60_000;
const listLimit = 100;

type Item = vscode.QuickPickItem & { task?: Task; special?: "new" | "me" };

/** Picks a task that waits, or makes one, and takes it, so that changes from now on are known to be for it. */
export async function startWorking(link: HostLink): Promise<void> {
  const fresh: Item = { label: "New task…", iconPath: new vscode.ThemeIcon("add"), special: "new", alwaysShow: true };
  const picked = await pick(link, "Start Working on…", "What are the next changes for?", ["pending"], [fresh]);
  if (picked?.task !== undefined) return take(link, picked.task.id);
  if (picked?.special !== "new") return;
  await askText({
    title: "Start Working on a New Task",
    prompt: "What is to be done, in a few words",
    accept: async (title) => take(link, (await link.call("augment/queue/add", { title })).id),
  });
}

/** Says whose changes are. @returns whether something was assigned */
export async function assignChanges(link: HostLink, what: Selection): Promise<boolean> {
  const me: Item = {
    label: "Me",
    description: "I made these changes",
    iconPath: new vscode.ThemeIcon("person"),
    special: "me",
  };
  const statuses: Status[] = ["in-progress", "completed", "partial", "blocked", "failed"];
  const picked = await pick(link, "Assign Changes", "Whose are they?", statuses, [me]);
  if (picked === undefined) return false;
  const to = picked.task === undefined ? { toMe: true } : { toTask: picked.task.id };
  const { hunks, files } = await link.call("augment/changes/assign", { what, ...to });
  tellDone(`Assigned ${hunkCount(hunks)} in ${fileCount(files)} to ${picked.task?.id ?? "you"}`);
  return hunks > 0;
}

async function take(link: HostLink, task: string): Promise<void> {
  await link.call("augment/queue/claim", { task, leaseMs: personLeaseMs });
  tellDone(`You are working on ${task}; changes from outside the editor are taken to be for it`);
}

async function pick(
  link: HostLink,
  title: string,
  placeHolder: string,
  statuses: Status[],
  first: Item[],
): Promise<Item | undefined> {
  const { tasks } = await link.call("augment/queue/list", { statuses, limit: listLimit });
  const items = tasks.map(
    (task): Item => ({
      task,
      label: withoutIcons(task.title),
      description: withoutIcons(taskFacts(task)),
      iconPath: taskIcon(task),
    }),
  );
  return vscode.window.showQuickPick([...first, ...items], { title, placeHolder, matchOnDescription: true });
}
