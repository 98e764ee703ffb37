// One task as a read-only page of plain text: all its fields, what it depends on, its attempts, its newest records.

import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { recordLine } from "./ledger_document";
import { durationText, momentText } from "./moments";
import { oneLine } from "./outside_text";
import type { Run, Task, TaskDetails, TaskSummary } from "./protocol.gen";
import { showText, type TextKind } from "./read_only_text";
import { priorityWord, statusWord } from "./task_words";

const scheme = "augment-task";

export const taskText: TextKind = {
  scheme,
  part: "queue",
  write: async (link: HostLink, id: string) => taskPage(await link.call("augment/queue/show", { task: id })),
};

export async function showTask(id: string): Promise<void> {
  await showText(scheme, t("Task {0}", id), id);
}

export function taskPage({ task, dependencies, dependents, dependentsLeftOut, runs, records }: TaskDetails): string {
  const others = dependentsLeftOut > 0 ? [t("… and {0} more", dependentsLeftOut)] : [];
  const title = oneLine(task.title);
  const sections = [
    [title, "=".repeat(Math.min(title.length, 80))],
    fields(task),
    section(t("Description"), task.description.split(/\r?\n/), task.description !== ""),
    section(t("Result"), (task.result ?? "").split(/\r?\n/), task.result !== null),
    section(t("Depends on"), dependencies.map(summaryLine)),
    section(t("Needed by"), [...dependents.map(summaryLine), ...others]),
    section(t("Attempts"), runs.map(runLine)),
    section(t("Newest records"), records.map(recordLine)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function fields(task: Task): string[] {
  const pairs: [string, string | undefined][] = [
    [t("Id"), task.id],
    [
      t("Status"),
      task.status === "pending" && task.waitsFor > 0
        ? t("pending, waits for {0}", task.waitsFor)
        : statusWord(task.status),
    ],
    [t("Priority"), priorityWord(task.priority)],
    [task.status === "in-progress" ? t("Held by") : t("Last held by"), task.holder ?? undefined],
    [t("Lease"), task.lease === null ? undefined : leaseText(task.lease.leftMs, task.lease.lastHeartbeatAt)],
    [t("Attempts"), t("{0} of {1} used, {2} in all", task.attemptsUsed, task.maxAttempts, task.attempt)],
    [t("Assignee"), task.assignee ?? undefined],
    [t("Goal"), task.goal ?? undefined],
    [t("Scope"), list(task.scope)],
    [t("Labels"), list(task.labels)],
    [t("Capabilities"), list(task.capabilities)],
    [t("Time limit"), task.timeLimitMs === null ? undefined : durationText(task.timeLimitMs)],
    [t("Origin"), task.origin],
    [t("Created"), momentText(task.createdAt)],
    [t("Started"), task.startedAt === null ? undefined : momentText(task.startedAt)],
    [t("Ended"), task.endedAt === null ? undefined : momentText(task.endedAt)],
    [t("Revision"), String(task.revision)],
  ];
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(13)} ${oneLine(value)}`]));
}

function section(heading: string, lines: string[], wanted = lines.length > 0): string[] {
  return wanted ? [heading, "-".repeat(heading.length), ...lines] : [];
}

function leaseText(leftMs: number, lastHeartbeatAt: number): string {
  return t("{0} left when shown, last heartbeat {1}", durationText(leftMs), momentText(lastHeartbeatAt));
}

function list(values: string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(", ");
}

function summaryLine({ id, title, status }: TaskSummary): string {
  return `${id}  ${statusWord(status)}  ${oneLine(title)}`;
}

function runLine({ run, agent, startedAt, endedAt, outcome }: Run): string {
  const end = endedAt === null ? t("goes on") : `${momentText(endedAt)}  ${outcome ?? t("ended")}`;
  return `${run}  ${oneLine(agent)}  ${momentText(startedAt)} – ${end}`;
}
