// Editing a task: a list of its fields with their present values, and a question for the one that is picked.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { oneLine, shortened, withoutIcons } from "./outside_text";
import type { Task } from "./protocol.gen";
import { askPriority, askText } from "./questions";
import { Refused } from "./refusal";
import { showDescription } from "./task_description";
import { type TextField, textFields, titleField } from "./task_fields";
import { priorityWord } from "./task_words";

const valueLimit = 80;

type Item = vscode.QuickPickItem & { run: () => Promise<void> };

export async function pickAndEdit(link: HostLink, task: Task): Promise<void> {
  const item = (label: string, value: string, run: () => Promise<void>): Item => ({
    label,
    description: withoutIcons(shortened(oneLine(value), valueLimit)) || t("none"),
    run,
  });
  const [title, ...others] = textFields.map((field) =>
    item(field.name(), field.text(task), () => editField(link, task, field)),
  );
  const items = [
    ...(title === undefined ? [] : [title]),
    item(t("Description"), task.description, () => showDescription(task.id)),
    item(t("Priority"), priorityWord(task.priority), () => editPriority(link, task)),
    ...others,
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Edit {0}", task.id),
    placeHolder: t("Which field?"),
    matchOnDescription: true,
  });
  await picked?.run();
}

export function editTitleOf(link: HostLink, task: Task): Promise<void> {
  return editField(link, task, titleField);
}

async function editField(link: HostLink, task: Task, field: TextField): Promise<void> {
  const before = field.text(task);
  let { revision } = task;
  await askText({
    title: t("{0} of {1}", field.name(), task.id),
    prompt: before === "" ? field.takes() : t("Was: {0}. {1}", before, field.takes()),
    value: before,
    accept: async (text) => {
      if (text === before && revision === task.revision) return;
      const change = field.change(text);
      try {
        await link.call("augment/queue/edit", { task: task.id, revision, ...change });
      } catch (error) {
        // The box stays with the reason; pressing Enter again is a decision made knowing it.
        if (error instanceof Refused && error.task !== undefined) revision = error.task.revision;
        throw error;
      }
    },
  });
}

async function editPriority(link: HostLink, task: Task): Promise<void> {
  const priority = await askPriority(t("Priority of {0}", task.id), task.priority);
  if (priority === undefined || priority === task.priority) return;
  await link.call("augment/queue/edit", { task: task.id, revision: task.revision, priority });
}
