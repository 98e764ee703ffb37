// Saying whose work it is: which task somebody starts to work on from here, and which one unknown changes belong to.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import type { Selection, Status } from "../protocol.gen";
import { askText } from "../questions";
import { pickTaskOr, type TaskPick } from "../task_pick";
import { tellDone } from "../told";
import { fileCount, hunkCount } from "./change_words";

/** Somebody who works in the editor has no pulse to send, so what they start stays theirs for a working day. */
const personLeaseMs = 12 * 60 * 60_000;

/** Picks a task that waits, or makes one, and takes it, so that changes from now on are known to be for it. */
export async function startWorking(link: HostLink): Promise<void> {
  const fresh: TaskPick<"new"> = {
    label: "New task…",
    iconPath: new vscode.ThemeIcon("add"),
    special: "new",
    alwaysShow: true,
  };
  const picked = await pickTaskOr(
    link,
    { title: "Start Working on…", placeHolder: "What are the next changes for?", statuses: ["pending"] },
    [fresh],
  );
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
  const me: TaskPick<"me"> = {
    label: "Me",
    description: "I made these changes",
    iconPath: new vscode.ThemeIcon("person"),
    special: "me",
  };
  const statuses: Status[] = ["in-progress", "completed", "partial", "blocked", "failed"];
  const picked = await pickTaskOr(link, { title: "Assign Changes", placeHolder: "Whose are they?", statuses }, [me]);
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
