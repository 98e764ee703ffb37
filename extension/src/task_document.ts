// One task as a read-only page of plain text: all its fields, what it depends on, its attempts, its newest records.

import type { HostLink } from "./host_link";
import { recordLine } from "./ledger_document";
import { durationText, momentText } from "./moments";
import { oneLine } from "./outside_text";
import type { Run, Task, TaskDetails, TaskSummary } from "./protocol.gen";
import { showText, type TextKind } from "./read_only_text";
import { statusWord } from "./task_words";

const scheme = "augment-task";

export const taskText: TextKind = {
  scheme,
  part: "queue",
  write: async (link: HostLink, id: string) => taskPage(await link.call("augment/queue/show", { task: id })),
};

export async function showTask(id: string): Promise<void> {
  await showText(scheme, `Task ${id}`, id);
}

export function taskPage({ task, dependencies, dependents, dependentsLeftOut, runs, records }: TaskDetails): string {
  const others = dependentsLeftOut > 0 ? [`… and ${dependentsLeftOut} more`] : [];
  const title = oneLine(task.title);
  const sections = [
    [title, "=".repeat(Math.min(title.length, 80))],
    fields(task),
    section("Description", task.description.split(/\r?\n/), task.description !== ""),
    section("Result", (task.result ?? "").split(/\r?\n/), task.result !== null),
    section("Depends on", dependencies.map(summaryLine)),
    section("Needed by", [...dependents.map(summaryLine), ...others]),
    section("Attempts", runs.map(runLine)),
    section("Newest records", records.map(recordLine)),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function fields(task: Task): string[] {
  const pairs: [string, string | undefined][] = [
    ["Id", task.id],
    [
      "Status",
      task.status === "pending" && task.waitsFor > 0 ? `pending, waits for ${task.waitsFor}` : statusWord(task.status),
    ],
    ["Priority", task.priority],
    [task.status === "in-progress" ? "Held by" : "Last held by", task.holder ?? undefined],
    ["Lease", task.lease === null ? undefined : leaseText(task.lease.leftMs, task.lease.lastHeartbeatAt)],
    ["Attempts", `${task.attemptsUsed} of ${task.maxAttempts} used, ${task.attempt} in all`],
    ["Assignee", task.assignee ?? undefined],
    ["Goal", task.goal ?? undefined],
    ["Scope", list(task.scope)],
    ["Labels", list(task.labels)],
    ["Capabilities", list(task.capabilities)],
    ["Time limit", task.timeLimitMs === null ? undefined : durationText(task.timeLimitMs)],
    ["Origin", task.origin],
    ["Created", momentText(task.createdAt)],
    ["Started", task.startedAt === null ? undefined : momentText(task.startedAt)],
    ["Ended", task.endedAt === null ? undefined : momentText(task.endedAt)],
    ["Revision", String(task.revision)],
  ];
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(13)} ${oneLine(value)}`]));
}

function section(heading: string, lines: string[], wanted = lines.length > 0): string[] {
  return wanted ? [heading, "-".repeat(heading.length), ...lines] : [];
}

function leaseText(leftMs: number, lastHeartbeatAt: number): string {
  return `${durationText(leftMs)} left when shown, last heartbeat ${momentText(lastHeartbeatAt)}`;
}

function list(values: string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(", ");
}

function summaryLine({ id, title, status }: TaskSummary): string {
  return `${id}  ${statusWord(status)}  ${oneLine(title)}`;
}

function runLine({ run, agent, startedAt, endedAt, outcome }: Run): string {
  const end = endedAt === null ? "goes on" : `${momentText(endedAt)}  ${outcome ?? "ended"}`;
  return `${run}  ${oneLine(agent)}  ${momentText(startedAt)} – ${end}`;
}
