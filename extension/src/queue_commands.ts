// The commands on tasks. Each finds out which tasks it is for, asks what it must know, and sends the order with the
// revision at which the task was shown. Whether it may be done the host decides.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { ours } from "./ours";
import { PERSON_LEASE_MS } from "./person_lease";
import type { OutOfScope, Place, Priority, Status, Task } from "./protocol.gen";
import { askPriority, askText, confirm } from "./questions";
import { placeOneStep } from "./queue_order";
import type { QueueRow } from "./queue_row";
import type { QueueTree } from "./queue_tree";
import { messageOf, Refused } from "./refusal";
import { numberText } from "./sessions/session_words";
import { type ChoiceContext, chosenTask, chosenTasks } from "./task_choice";
import { showDescription } from "./task_description";
import { showTask } from "./task_document";
import { editTitleOf, pickAndEdit } from "./task_edit";
import { priorityWord, statusWord } from "./task_words";
import { offerCommand, tellDone, tellRefusals } from "./told";

export interface QueueContext extends ChoiceContext {
  tree: QueueTree;
  view: vscode.TreeView<QueueRow>;
}

type Command = (context: QueueContext, ...args: unknown[]) => Promise<void>;

const unended: Status[] = ["in-progress", "pending"];
const every: Status[] = ["in-progress", "pending", "failed", "partial", "blocked", "completed", "cancelled"];

export const queueCommands: { readonly [id: string]: Command } = {
  [ours("addTask")]: addTask,
  [ours("editTask")]: editTask,
  [ours("editTitle")]: editTitle,
  [ours("editDescription")]: editDescription,
  [ours("setPriority")]: setPriority,
  [ours("moveUp")]: (context, ...args) => moveOneStep(context, args, "up"),
  [ours("moveDown")]: (context, ...args) => moveOneStep(context, args, "down"),
  [ours("moveToTop")]: (context, ...args) => moveToEnd(context, args, "top"),
  [ours("moveToBottom")]: (context, ...args) => moveToEnd(context, args, "bottom"),
  [ours("cancelTask")]: cancelTasks,
  [ours("retryTask")]: retryTasks,
  [ours("removeTask")]: removeTasks,
  [ours("takeNext")]: takeNext,
  [ours("takeTask")]: takeTask,
  [ours("completeTask")]: completeTask,
  [ours("failTask")]: failTask,
  [ours("showDetails")]: showDetails,
  [ours("copyId")]: copyIds,
};

async function addTask({ link }: QueueContext): Promise<void> {
  let title = "";
  for (let complaint: string | undefined; ; ) {
    const entered = await askText({
      title: t("Add Task (1/2)"),
      prompt: t("What is to be done, in a few words"),
      placeholder: t("For example: Refactor authentication module"),
      value: title,
      ...(complaint === undefined ? {} : { complaint }),
      accept: async (text) => {
        // The host would say so, too, but only after the next question.
        if (text.trim() === "") throw new Error(t("Say in a few words what is to be done."));
        title = text;
      },
    });
    if (!entered) return;
    const priority = await askPriority(t("Add Task (2/2)"), "medium");
    if (priority === undefined) return;
    try {
      const added = await link.call("augment/queue/add", { title, priority });
      return tellDone(t("Added {0} with priority {1}", added.id, priorityWord(added.priority)));
    } catch (error) {
      // Back to the text with the reason, also where the host is gone, so that nothing typed is lost.
      complaint = messageOf(error);
    }
  }
}

async function editTask(context: QueueContext, ...args: unknown[]): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Edit Task"), statuses: unended });
  if (task !== undefined) await pickAndEdit(context.link, task);
}

async function editTitle(context: QueueContext, ...args: unknown[]): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Edit Task Title"), statuses: unended });
  if (task !== undefined) await editTitleOf(context.link, task);
}

async function editDescription(context: QueueContext, ...args: unknown[]): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Edit Task Description"), statuses: unended });
  if (task !== undefined) await showDescription(task.id);
}

async function setPriority(context: QueueContext, ...args: unknown[]): Promise<void> {
  const tasks = await chosenTasks(context, args, { title: t("Set Task Priority"), statuses: unended });
  const [first] = tasks;
  if (first === undefined) return;
  const priority: Priority | undefined = await askPriority(t("Priority of {0}", namesOf(tasks)), first.priority);
  if (priority === undefined) return;
  await forEach(
    context,
    tasks.filter((task) => task.priority !== priority),
    (task) => context.link.call("augment/queue/edit", { task: task.id, revision: task.revision, priority }),
  );
}

async function moveOneStep(context: QueueContext, args: unknown[], step: "up" | "down"): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Move Task"), statuses: ["pending"] });
  if (task === undefined) return;
  const place = await placeOneStep(context.link, context.tree.shown("pending"), task, step);
  if (place === undefined)
    tellDone(step === "up" ? t("{0} is already first", task.id) : t("{0} is already last", task.id));
  else await move(context, task, place);
}

async function moveToEnd(context: QueueContext, args: unknown[], place: "top" | "bottom"): Promise<void> {
  const tasks = await chosenTasks(context, args, { title: t("Move Task"), statuses: ["pending"] });
  // Each goes to the very top, so the last one first keeps their order.
  await forEach(context, place === "top" ? [...tasks].reverse() : tasks, (task) => move(context, task, place));
}

async function move({ link }: QueueContext, task: Task, place: Place): Promise<void> {
  await moveTask(link, task, place);
}

/** @param task as it was shown */
export async function moveTask(
  link: HostLink,
  task: Pick<Task, "id" | "revision" | "priority">,
  place: Place,
): Promise<void> {
  const moved = await link.call("augment/queue/move", { task: task.id, revision: task.revision, place });
  if (moved.priority !== task.priority) tellDone(t("{0} has priority {1} now", moved.id, priorityWord(moved.priority)));
}

async function cancelTasks(context: QueueContext, ...args: unknown[]): Promise<void> {
  const tasks = await chosenTasks(context, args, { title: t("Cancel Task"), statuses: unended });
  const held = tasks.filter(({ status }) => status === "in-progress");
  if (held.length > 0) {
    const question = t("Cancel {0}?", namesOf(held));
    const holders = [...new Set(held.map(({ holder }) => holder ?? t("somebody")))].join(", ");
    if (
      !(await confirm(
        question,
        t("It is being worked on by {0}, whose next word will be refused.", holders),
        t("Cancel Task"),
      ))
    )
      return;
  }
  await forEach(context, tasks, (task) =>
    context.link.call("augment/queue/cancel", { task: task.id, revision: task.revision }),
  );
}

async function retryTasks(context: QueueContext, ...args: unknown[]): Promise<void> {
  const statuses: Status[] = ["failed", "partial", "blocked", "cancelled"];
  const tasks = await chosenTasks(context, args, { title: t("Retry Task"), statuses });
  await forEach(context, tasks, (task) =>
    context.link.call("augment/queue/retry", { task: task.id, revision: task.revision }),
  );
}

async function removeTasks(context: QueueContext, ...args: unknown[]): Promise<void> {
  const tasks = await chosenTasks(context, args, { title: t("Remove Task"), statuses: every });
  if (tasks.length === 0) return;
  const [only] = tasks;
  const question =
    tasks.length === 1 && only ? t("Remove {0}, “{1}”?", only.id, only.title) : t("Remove {0}?", namesOf(tasks));
  if (!(await confirm(question, t("It leaves the queue. What it was stays in the ledger."), t("Remove")))) return;
  await forEach(context, tasks, (task) =>
    context.link.call("augment/queue/remove", { task: task.id, revision: task.revision }),
  );
}

async function takeNext(context: QueueContext): Promise<void> {
  const { taken, outOfScope } = await context.link.call("augment/queue/next", { leaseMs: PERSON_LEASE_MS });
  if (taken === null) {
    void (outOfScope === undefined
      ? offerCommand(nothingReady(outOfScope), t("Add Task…"), ours("addTask"))
      : offerCommand(nothingReady(outOfScope), t("Adjust Scope…"), ours("adjustScope")));
    return;
  }
  await showTask(taken.task.id);
  tellDone(t("You took {0}", taken.task.id));
}

function nothingReady(outOfScope: OutOfScope | undefined): string {
  if (outOfScope === undefined) return t("No task is ready to be taken.");
  const { session, tasks } = outOfScope;
  const others = tasks.length === 1 ? t("1 task outside of it is") : t("{0} tasks outside of it are", tasks.length);
  return t(
    "No task of the confirmed scope of session {0} is ready; {1}. Adjust the scope to add one.",
    numberText(session),
    others,
  );
}

async function takeTask(context: QueueContext, ...args: unknown[]): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Take Task"), statuses: ["pending"] });
  if (task === undefined) return;
  await context.link.call("augment/queue/claim", { task: task.id, leaseMs: PERSON_LEASE_MS });
  await showTask(task.id);
  tellDone(t("You took {0}", task.id));
}

async function completeTask(context: QueueContext, ...args: unknown[]): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Complete Task"), statuses: ["in-progress"] });
  if (task === undefined) return;
  const outcomes = [
    { label: statusWord("completed"), description: t("all of it is done"), outcome: "completed" as const },
    { label: statusWord("partial"), description: t("some of it is done"), outcome: "partial" as const },
    {
      label: statusWord("blocked"),
      description: t("it cannot go on without something else"),
      outcome: "blocked" as const,
    },
  ];
  const picked = await vscode.window.showQuickPick(outcomes, { title: t("How did {0} end?", task.id) });
  if (picked === undefined) return;
  await askText({
    title: t("Result of {0}", task.id),
    prompt: t("What came of it. It may stay empty."),
    accept: async (result) => {
      const { id, attempt } = task;
      const said = result === "" ? {} : { result };
      await context.link.call("augment/queue/complete", { task: id, attempt, outcome: picked.outcome, ...said });
    },
  });
}

async function failTask(context: QueueContext, ...args: unknown[]): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Fail Task"), statuses: ["in-progress"] });
  if (task === undefined) return;
  await askText({
    title: t("Why {0} failed", task.id),
    prompt: t("The reason. It may stay empty."),
    accept: async (reason) => {
      const { id, attempt } = task;
      await context.link.call("augment/queue/fail", { task: id, attempt, ...(reason === "" ? {} : { reason }) });
    },
  });
}

async function showDetails(context: QueueContext, ...args: unknown[]): Promise<void> {
  const task = await chosenTask(context, args, { title: t("Show Task Details"), statuses: every });
  if (task !== undefined) await showTask(task.id);
}

async function copyIds(context: QueueContext, ...args: unknown[]): Promise<void> {
  const tasks = await chosenTasks(context, args, { title: t("Copy Task Id"), statuses: every });
  if (tasks.length === 0) return;
  await vscode.env.clipboard.writeText(tasks.map(({ id }) => id).join(" "));
  tellDone(t("Copied {0}", namesOf(tasks)));
}

/** Goes on after a refusal, so that one stale task does not keep the others from being done. All refusals are told at once. */
async function forEach(context: QueueContext, tasks: Task[], act: (task: Task) => Promise<unknown>): Promise<void> {
  const refused: Refused[] = [];
  try {
    for (const task of tasks) {
      try {
        await act(task);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused.push(error);
      }
    }
  } finally {
    tellRefusals(refused, context.log);
    if (refused.some(({ isStale }) => isStale)) context.tree.refresh();
  }
}

function namesOf(tasks: Task[]): string {
  return tasks.length <= 5 ? tasks.map(({ id }) => id).join(", ") : t("{0} tasks", tasks.length);
}
