// How sessions, their progress and what waits in them are named wherever they appear. Text from outside is made one line
// here and made fit for its place by whoever puts it there.

import { assertNever } from "../assert_never";
import { oneLine, shortened } from "../outside_text";
import type {
  Flag,
  Governance,
  PlanView,
  Progress,
  ReportLevel,
  ScopeItem,
  Session,
  SessionState,
} from "../protocol.gen";

const barCells = 10;
const goalLimit = 120;
const nameLimit = 60;

/** `Session 009` */
export function sessionName({ number }: Pick<Session, "number">): string {
  return `Session ${numberText(number)}`;
}

export function numberText(number: number): string {
  return String(number).padStart(3, "0");
}

export function barText({ cells }: Progress): string {
  const full = Math.max(0, Math.min(barCells, cells));
  return "█".repeat(full) + "░".repeat(barCells - full);
}

/** `████████░░ 78% (11/14)`; nothing where there is nothing to count. */
export function progressText(progress: Progress | null): string {
  return progress === null || progress.total === 0 ? "" : `${barText(progress)} ${percentText(progress)}`;
}

/** `78% (11/14)` */
function percentText(progress: Progress | null): string {
  if (progress === null || progress.total === 0) return "";
  return `${progress.percent}% (${progress.done}/${progress.total})`;
}

/** For a narrow place, where the bar is what may be cut off: `78% (11/14) ████████░░`. */
export function narrowProgress(progress: Progress): string {
  return progress.total === 0 ? "" : `${percentText(progress)} ${barText(progress)}`;
}

/** Facts beside each other; those that are empty are left out. */
export function facts(...texts: (string | null | undefined)[]): string {
  return texts
    .map((text) => oneLine(text ?? ""))
    .filter((text) => text !== "")
    .join(" · ");
}

export function stateWords(state: SessionState): string {
  switch (state) {
    case "planned":
      return "scope to confirm";
    case "confirmed":
      return "scope confirmed";
    case "checkpoint":
      return "checkpoint";
    case "working":
    case "ending":
    case "ended":
    case "abandoned":
      return state;
    default:
      return assertNever(state);
  }
}

export function endedCount(items: readonly ScopeItem[]): number {
  return items.filter(({ end }) => end === "completed").length;
}

/** `2/5`: how many things of the scope are done. */
export function scopeCount({ items }: Pick<Session, "items">): string {
  return `${endedCount(items)}/${items.length}`;
}

export function itemFacts({ end, estimate, goal }: ScopeItem): string {
  return facts(end === null || end === "completed" ? null : end, estimate, goal);
}

export function endIcon(end: string | null, isActive: boolean): [icon: string, color: string] {
  switch (end) {
    case null:
      return isActive ? ["play-circle", "charts.blue"] : ["circle-large-outline", "icon.foreground"];
    case "completed":
      return ["pass", "testing.iconPassed"];
    case "partial":
      return ["warning", "list.warningForeground"];
    case "blocked":
      return ["lock", "list.warningForeground"];
    case "cancelled":
      return ["circle-slash", "disabledForeground"];
    case "rejected":
      return ["discard", "list.warningForeground"];
    default:
      return ["error", "testing.iconFailed"];
  }
}

export function pathsText(paths: readonly string[]): string {
  return paths.length === 0 ? "all" : paths.map(oneLine).join(", ");
}

/** Before a session that began by itself is ended for another. */
export function endsQuestion(session: Pick<Session, "number" | "automatic">): { message: string; detail: string } {
  return {
    message: `${sessionName(session)} is under way. End it, and start another?`,
    detail: `It began by itself: ${oneLine(session.automatic ?? "")}. Its record is written to the changelog and the plan.`,
  };
}

/** One line for a notification about one flag. */
export function flagNotice({ kind, path, needed, why }: Flag): string {
  const reason = oneLine(why ?? "");
  const said = reason === "" ? "" : ` The agent says: ${shortened(reason, goalLimit)}`;
  switch (kind) {
    case "out-of-scope":
      return `${oneLine(path)} is outside the scope${needed ? ", and the agent needs it" : ""}.${said}`;
    case "unauthorised":
      return `${oneLine(path)} was changed before any scope was confirmed.${said}`;
    default:
      return assertNever(kind);
  }
}

export function flagsNotice(flags: readonly Flag[]): string {
  const outside = flags.filter(({ kind }) => kind === "out-of-scope").length;
  const early = flags.length - outside;
  const count = (number: number, what: string) => (number === 0 ? [] : [`${changeCount(number)} ${what}`]);
  return [...count(outside, "outside the scope"), ...count(early, "before the scope was confirmed")].join(", ");
}

function changeCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "change" : "changes"}`;
}

/** Names a flag once and for all: ids begin anew when a folder's data is removed. */
export function flagKey({ id, time }: Flag): string {
  return `flag ${id}@${time}`;
}

export function checkpointNotice({ streak }: Pick<Session, "streak">): string {
  return `${streak.toLocaleString()} ${streak === 1 ? "task" : "tasks"} completed. Continue, or adjust scope?`;
}

/** What a person names in one line, one by one. */
export function decisionsIn(text: string): string[] {
  return text
    .split(";")
    .map((decision) => decision.trim())
    .filter((decision) => decision !== "");
}

export function plannedNotice(session: Session): string {
  return `${sessionName(session)} is planned. Its scope waits for your yes; no agent is started before.`;
}

/** @param completed how it was completed, as a sentence; empty where that is not known */
export function selfEndedNotice(
  { number, why, subject }: { number: number; why: string; subject: string },
  completed: string,
): string {
  const also = completed === "" ? "" : ` ${completed}`;
  return `Session ${numberText(number)} ended by itself: ${why}.${also} Commit its record? “${subject}”`;
}

export function reportWords(level: ReportLevel): string {
  switch (level) {
    case "start":
      return "Start";
    case "light":
      return "Task report";
    case "medium":
      return "Checkpoint";
    case "heavy":
      return "Sprint review";
    case "comprehensive":
      return "Session report";
    default:
      return assertNever(level);
  }
}

export function levelIcon(level: ReportLevel): string {
  switch (level) {
    case "start":
      return "debug-start";
    case "light":
      return "note";
    case "medium":
      return "debug-pause";
    case "heavy":
      return "milestone";
    case "comprehensive":
      return "book";
    default:
      return assertNever(level);
  }
}

/** Whether the project says anything of what is to be done. */
export function hasPlan({ phase, sprintGoal, progress, proposed }: Governance): boolean {
  return phase !== null || sprintGoal !== null || progress !== null || proposed.length > 0;
}

/** What was read, in a line. */
export function readWords({ read, missing }: Governance): string {
  const names = (paths: readonly string[]) => paths.map(oneLine).join(", ");
  return [
    read.length === 0 ? "Nothing was read" : `Read ${names(read)}`,
    ...(missing.length === 0 ? [] : [`not there: ${names(missing)}`]),
  ].join("; ");
}

/** What should be known before a scope is confirmed, in sentences. */
export function governanceCautions({ problems, model }: Governance, session: Session | null): string[] {
  const asked = oneLine(model ?? "");
  const atWork = oneLine(session?.model ?? "");
  return [
    ...problems.map(oneLine),
    ...(asked === "" || asked === atWork
      ? []
      : [`The plan asks for ${asked}${atWork === "" ? "" : `, ${atWork} is at work`}.`]),
  ];
}

/** `Session 009 · Phase 1 · ████████░░ 78% (11/14)` */
export function scopeTitle(session: Session): string {
  return facts(sessionName(session), shortened(oneLine(session.phase ?? ""), nameLimit), progressText(session.now));
}

export function goalText(goal: string | null): string {
  return goal === null ? "" : shortened(oneLine(goal), goalLimit);
}

/** What the plan says, beside the title of a view that shows no session. */
export function planFacts({ phase, sprintGoal, progress }: Governance): string {
  return facts(percentText(progress), goalText(sprintGoal ?? phase));
}

/** The summary that a person sees before a session is ended. */
export function endSummary({ items, discovered }: Session): string {
  const titles = (of: readonly ScopeItem[]) => of.map(({ title }) => shortened(oneLine(title), nameLimit)).join(", ");
  const done = items.filter(({ end }) => end === "completed");
  const notDone = items.filter(({ end }) => end !== "completed");
  return [
    `${done.length} of ${items.length} done${done.length === 0 ? "" : `: ${titles(done)}`}.`,
    ...(notDone.length === 0 ? [] : [`Not done: ${titles(notDone)}.`]),
    ...(discovered.length === 0 ? [] : [`${discovered.length} discovered for another time.`]),
  ].join(" ");
}

/** The plan as it is understood, as a page. */
export function planPage(plan: PlanView): string {
  if (plan.path === null)
    return `${["There is no plan in this project.", "", ...plan.problems.map(oneLine)].join("\n").trimEnd()}\n`;
  const phases = plan.phases.map(({ id, name, status, goal }) => {
    const label = name.includes(id) ? name : `${id} ${name}`;
    return `  ${facts(label, status, goal)}`;
  });
  const tasks = (current: boolean) =>
    plan.tasks
      .filter((task) => task.current === current)
      .map(
        ({ title, status, estimate, phase, line }) =>
          `  ${taskMark(status)} ${facts(title, status === "planned" || status === "complete" ? null : status, estimate, current ? null : phase)}  (line ${line})`,
      );
  const section = (heading: string, lines: string[]) => (lines.length === 0 ? [] : ["", heading, ...lines]);
  return `${[
    `Plan: ${oneLine(plan.path)}`,
    ...(plan.phase === null ? [] : [`Phase: ${oneLine(plan.phase)}`]),
    ...(plan.sprintGoal === null ? [] : [`Sprint goal: ${oneLine(plan.sprintGoal)}`]),
    ...(plan.progress === null || plan.progress.total === 0 ? [] : [`Progress: ${progressText(plan.progress)}`]),
    ...(plan.lastUpdated === null ? [] : [`Last updated: ${oneLine(plan.lastUpdated)}`]),
    ...section(
      "Not understood",
      plan.problems.map((problem) => `  ${oneLine(problem)}`),
    ),
    ...section(
      "Worth knowing",
      plan.notes.map((note) => `  ${oneLine(note)}`),
    ),
    ...section("Tasks of this phase", tasks(true)),
    ...section("Other tasks", tasks(false)),
    ...section("Phases", phases),
  ].join("\n")}\n`;
}

function taskMark(status: string): string {
  switch (status) {
    case "complete":
      return "[x]";
    case "in-progress":
      return "[~]";
    case "blocked":
      return "[!]";
    default:
      return "[ ]";
  }
}
