// One point of a story as the page shows it, whether it comes from the ledger (session, workspace) or from the steps of one
// file. It names what happened in words and in an icon; it knows nothing of how it is drawn.

import { assertNever } from "../../src/assert_never";
import { t } from "../../src/l10n";
import { capitalized, oneLine } from "../../src/outside_text";
import type {
  Author,
  Evidence,
  HistoryStep,
  OneStep,
  PointKind,
  StepKind,
  TimelinePoint,
  WhoKind,
} from "../../src/protocol.gen";
import { LOOKS } from "../../src/state_look";

export interface Who {
  kind: WhoKind | "before";
  /** What the lane is called. */
  name: string;
  /** The name that the sidecar knows it by; nothing where it knows none. */
  known: string | null;
}

export type Group = "changes" | "decisions" | "tasks" | "session" | "warnings" | "commits";

export const GROUPS: readonly { group: Group; label: () => string; kinds: readonly PointKind[] }[] = [
  { group: "changes", label: () => t("Changes"), kinds: ["revision"] },
  { group: "decisions", label: () => t("Decisions"), kinds: ["decision"] },
  {
    group: "tasks",
    label: () => t("Tasks and runs"),
    kinds: ["task-taken", "task-ended", "run-started", "run-ended", "question"],
  },
  { group: "session", label: () => t("Session and reports"), kinds: ["session", "report", "checkpoint"] },
  { group: "warnings", label: () => t("Flags and findings"), kinds: ["flag", "finding"] },
  { group: "commits", label: () => t("Commits"), kinds: ["commit"] },
];

export interface Moment {
  /** Names it once and for all. */
  key: string;
  time: number | null;
  who: Who;
  group: Group;
  /** A codicon. */
  icon: string;
  what: string;
  where: string;
  told: string;
  evidence: Evidence | null;
  /** The file that a diff can be shown of, and the step that made it. */
  file: string | null;
  step: number | null;
  /** The point's place among all that is recorded: the file may be called otherwise since. */
  sequence: number | null;
}

const changed = { added: "diff-added", removed: "diff-removed", modified: "diff-modified" } as const;

export function pointMoment(point: TimelinePoint): Moment {
  const { label, icon, group } = kindWords(point.kind);
  const task =
    point.task === null ? "" : [point.task, oneLine(point.taskTitle ?? "")].filter((part) => part !== "").join(" ");
  return {
    key: `r${point.sequence}`,
    time: point.time,
    who: whoOf(point.who.kind, point.who.name),
    group,
    icon,
    what: label,
    where: oneLine(point.file ?? task),
    told: oneLine(point.summary),
    evidence: point.evidence,
    file: point.file,
    step: point.step,
    sequence: point.sequence,
  };
}

export function stepMoment(path: string, step: HistoryStep): Moment {
  const { label, icon, group } = stepWords(step.kind);
  const told = capitalized(oneLine(step.summary));
  return {
    // Steps are counted in each file from its beginning, so the file is part of what names one.
    key: `s${step.step}-${step.kind}-${step.time} ${path}`,
    time: step.kind === "base" ? null : step.time,
    who: authorOf(step.author),
    group,
    icon,
    what: label,
    where: step.author.task === null ? "" : oneLine(`${step.author.task} ${step.author.taskTitle ?? ""}`),
    // Where the words for it are all that is told of it, they are not told twice.
    told: told === label ? "" : told,
    evidence: step.evidence,
    file: path,
    // What goes and comes back with a branch has no content of its own: its number is that of the step before it.
    step: step.kind === "parked" || step.kind === "came-back" ? null : step.step,
    sequence: null,
  };
}

/** What its diff is asked for by, where it has content of its own. */
export function stepMeant({ file, step, sequence }: Moment): OneStep | undefined {
  if (file === null || step === null) return undefined;
  return { path: file, step, ...(sequence === null ? {} : { sequence }) };
}

export function whoOf(kind: WhoKind, known: string | null): Who {
  const named = oneLine(known ?? "");
  switch (kind) {
    case "person":
      return { kind, name: named === "" ? t("A person") : named, known };
    case "agent":
      return { kind, name: named === "" ? t("An agent") : named, known };
    case "vcs":
      return { kind, name: t("Version control"), known: null };
    case "host":
      return { kind, name: t("The host"), known: null };
    case "unknown":
      return { kind, name: t("Unknown"), known: null };
    default:
      return assertNever(kind);
  }
}

function authorOf({ kind, name }: Author): Who {
  switch (kind) {
    case "run":
      return whoOf("agent", name);
    case "before":
      return { kind, name: t("Before tracking"), known: null };
    case "person":
    case "vcs":
    case "unknown":
      return whoOf(kind, name);
    default:
      return assertNever(kind);
  }
}

interface KindWords {
  label: string;
  icon: string;
  group: Group;
}

function kindWords(kind: PointKind): KindWords {
  switch (kind) {
    case "session":
      return { label: t("Session"), icon: "milestone", group: "session" };
    case "task-taken":
      return { label: t("Task taken"), icon: "play", group: "tasks" };
    case "task-ended":
      return { label: t("Task ended"), icon: "tasklist", group: "tasks" };
    case "run-started":
      return { label: t("Run started"), icon: "rocket", group: "tasks" };
    case "run-ended":
      return { label: t("Run ended"), icon: "stop-circle", group: "tasks" };
    case "question":
      return { label: t("Question"), icon: LOOKS.waiting.icon, group: "tasks" };
    case "revision":
      return { label: t("Changed"), icon: changed.modified, group: "changes" };
    case "decision":
      return { label: t("Decided"), icon: "check-all", group: "decisions" };
    case "report":
      return { label: t("Report"), icon: "output", group: "session" };
    case "checkpoint":
      return { label: t("Checkpoint"), icon: "debug-pause", group: "session" };
    case "flag":
      return { label: t("Flag"), icon: LOOKS.flagged.icon, group: "warnings" };
    case "finding":
      return { label: t("Finding"), icon: LOOKS.finding.icon, group: "warnings" };
    case "commit":
      return { label: t("Commit"), icon: "git-commit", group: "commits" };
    default:
      return assertNever(kind);
  }
}

function stepWords(kind: StepKind): KindWords {
  switch (kind) {
    case "base":
      return { label: t("Found"), icon: "file", group: "changes" };
    case "revision":
      return { label: t("Changed"), icon: changed.modified, group: "changes" };
    case "created":
      return { label: t("Created"), icon: changed.added, group: "changes" };
    case "deleted":
      return { label: t("Deleted"), icon: changed.removed, group: "changes" };
    case "renamed":
      return { label: t("Renamed"), icon: "diff-renamed", group: "changes" };
    case "approved":
      return { label: t("Approved"), icon: LOOKS.approved.icon, group: "decisions" };
    case "rejected":
      return { label: t("Rejected"), icon: LOOKS.rejected.icon, group: "decisions" };
    case "taken-back":
      return { label: t("Taken back"), icon: LOOKS.rejected.icon, group: "decisions" };
    case "undone":
      return { label: t("Undone"), icon: "history", group: "decisions" };
    case "redone":
      return { label: t("Redone"), icon: "redo", group: "decisions" };
    case "parked":
      return { label: t("Parked"), icon: "git-branch", group: "commits" };
    case "came-back":
      return { label: t("Came back"), icon: "git-branch", group: "commits" };
    default:
      return assertNever(kind);
  }
}
