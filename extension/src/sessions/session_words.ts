// How sessions, their progress and what waits in them are named wherever they appear. Text from outside is made one line
// here and made fit for its place by whoever puts it there.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { oneLine, shortened } from "../outside_text";
import type {
  ChangedFile,
  CommitProposal,
  Flag,
  Governance,
  Hunk,
  PlanView,
  Progress,
  Question,
  ReportLevel,
  ScopeItem,
  Session,
  SessionState,
  Task,
} from "../protocol.gen";
import { hunkCount } from "../review/change_words";
import { LOOKS, type Look, SESSION_LOOKS, STATUS_LOOKS } from "../state_look";

const barCells = 10;
const goalLimit = 120;
const nameLimit = 60;

/** `Session 009` */
export function sessionName({ number }: Pick<Session, "number">): string {
  return t("Session {0}", numberText(number));
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
  return SESSION_LOOKS[state].word;
}

export function endedCount(items: readonly ScopeItem[]): number {
  return items.filter(({ end }) => end === "completed").length;
}

/** `2/5`: how many things of the scope are done. */
export function scopeCount({ items }: Pick<Session, "items">): string {
  return `${endedCount(items)}/${items.length}`;
}

export function itemFacts({ end, estimate, goal, waiting }: ScopeItem): string {
  return facts(end === null || end === "completed" ? null : endWord(end), toReview(waiting), estimate, goal);
}

/** Whether somebody works on a task, and whether whoever does so waits for an answer. */
export type Activity = "active" | "asks";

/** @param worked tasks in progress @param questions those that are not answered */
export function activitiesOf(
  worked: readonly Pick<Task, "id">[],
  questions: readonly Pick<Question, "task">[],
): ReadonlyMap<string, Activity> {
  const asked = new Set(questions.map(({ task }) => task));
  return new Map(worked.map(({ id }) => [id, asked.has(id) ? "asks" : "active"]));
}

/** @param end how a thing of the scope ended; nothing while it has not */
export function endLook(end: string | null, activity: Activity | undefined): Look {
  if (end !== null) return knownEnd(end) ?? LOOKS.failed;
  switch (activity) {
    case undefined:
      return LOOKS.pending;
    case "active":
      return LOOKS.inProgress;
    case "asks":
      return LOOKS.waiting;
    default:
      return assertNever(activity);
  }
}

/** How a thing of the scope stands, in a word. */
export function standingWord(end: string | null, activity: Activity | undefined): string {
  return end === null ? endLook(end, activity).word : endWord(end);
}

/** An end that is not known is told as it came. */
export function endWord(end: string): string {
  return knownEnd(end)?.word ?? end;
}

function knownEnd(end: string): Look | undefined {
  if (end === "rejected") return LOOKS.rejected;
  return Object.entries(STATUS_LOOKS).find(([status]) => status === end)?.[1];
}

export function pathsText(paths: readonly string[]): string {
  return paths.length === 0 ? t("all") : paths.map(oneLine).join(", ");
}

/** Where the work of a session may write. A thing of its scope that has paths of its own says them itself. */
export function sessionPathsText({ paths, items }: Pick<Session, "paths" | "items">): string {
  if (paths.length > 0) return pathsText(paths);
  const own = items.some((item) => item.paths.length > 0);
  return own ? t("everywhere, but tasks with paths of their own only there") : placesText(paths);
}

/** Where some work may write, for those who are to say yes to it. */
export function placesText(patterns: readonly string[]): string {
  return patterns.length === 0 ? t("everywhere in this folder") : t("only {0}", patterns.map(oneLine).join(", "));
}

export function taskCount(count: number): string {
  return count === 1 ? t("1 task") : t("{0} tasks", count.toLocaleString());
}

/** What is done and what is looked at are two things; nothing where all is decided. */
export function toReview(hunks: number): string {
  return hunks === 0 ? "" : t("{0} to review", hunks.toLocaleString());
}

export function waitingHunks(items: readonly ScopeItem[]): number {
  return items.reduce((sum, { waiting }) => sum + waiting, 0);
}

/** Before a session that began by itself is ended for another. */
export function endsQuestion(session: Pick<Session, "number" | "automatic">): { message: string; detail: string } {
  return {
    message: t("{0} is under way. End it, and start another?", sessionName(session)),
    detail: t(
      "It began by itself: {0}. Its record is written to the changelog and the plan.",
      oneLine(session.automatic ?? ""),
    ),
  };
}

/**
 * One line for a notification about one flag.
 * @param patterns what it is outside of, where that is known
 */
export function flagNotice({ kind, path, needed, why }: Flag, patterns: readonly string[] = []): string {
  const reason = oneLine(why ?? "");
  const said = reason === "" ? "" : t(" The agent says: {0}", shortened(reason, goalLimit));
  switch (kind) {
    case "out-of-scope":
      return t(
        "{0} is outside the scope{1}.{2}",
        oneLine(path),
        needed ? t(", and the agent needs it") : "",
        patterns.length === 0
          ? said
          : `${t(" The scope holds {0}.", shortened(pathsText(patterns), goalLimit))}${said}`,
      );
    case "unauthorised":
      return t("{0} was changed before any scope was confirmed.{1}", oneLine(path), said);
    default:
      return assertNever(kind);
  }
}

/** Those that no hunk tells of which waits for a decision: the others are counted with the hunks, and one thing is counted once. */
export function flagsBesides(flags: readonly Flag[], waiting: readonly ChangedFile[]): Flag[] {
  const told = new Set(waiting.flatMap(({ hunks }) => hunks.map(({ flag }) => flag?.id)));
  return flags.filter(({ id }) => !told.has(id));
}

/** A flag that hunks tell of, with them. */
export function flagOfHunks(id: string | undefined, hunks: readonly Hunk[]): Flag | undefined {
  const its = hunks.filter(({ flag }) => flag !== null && flag.id === id);
  const flag = its[0]?.flag ?? undefined;
  return flag && { ...flag, hunks: its.map((hunk) => hunk.id) };
}

export function flagsNotice(flags: readonly Flag[]): string {
  const outside = flags.filter(({ kind }) => kind === "out-of-scope").length;
  const early = flags.length - outside;
  const count = (number: number, what: string) => (number === 0 ? [] : [`${changeCount(number)} ${what}`]);
  return [...count(outside, t("outside the scope")), ...count(early, t("before the scope was confirmed"))].join(", ");
}

function changeCount(count: number): string {
  return count === 1 ? t("1 change") : t("{0} changes", count.toLocaleString());
}

/** Names a flag once and for all: ids begin anew when a folder's data is removed. */
export function flagKey({ id, time }: Flag): string {
  return `flag ${id}@${time}`;
}

export function checkpointNotice({ streak }: Pick<Session, "streak">): string {
  if (streak === 1) return t("1 task completed. Continue, or adjust scope?");
  return t("{0} tasks completed. Continue, or adjust scope?", streak.toLocaleString());
}

/** Asked where the documents of a record are not those that were shown. */
export function changedQuestion({ changed }: Pick<CommitProposal, "changed">): string {
  if (changed.length === 0) return t("The record is not as it was shown. Commit it as it is now?");
  return t(
    "{0} changed after the end of the session. Commit the record as it is now?",
    changed.map(oneLine).join(", "),
  );
}

/** What a person names in one line, one by one. */
export function decisionsIn(text: string): string[] {
  return text
    .split(";")
    .map((decision) => decision.trim())
    .filter((decision) => decision !== "");
}

export function plannedNotice(session: Session): string {
  return t("{0} is planned. Its scope waits for your yes; no agent is started before.", sessionName(session));
}

/** @param completed how it was completed, as a sentence; empty where that is not known */
export function selfEndedNotice(
  { number, why, subject }: { number: number; why: string; subject: string },
  completed: string,
): string {
  const also = completed === "" ? "" : ` ${completed}`;
  return t("Session {0} ended by itself: {1}.{2} Commit its record? “{3}”", numberText(number), why, also, subject);
}

export function reportWords(level: ReportLevel): string {
  switch (level) {
    case "start":
      return t("Session start");
    case "light":
      return t("Task report");
    case "medium":
      return t("Checkpoint");
    case "heavy":
      return t("Sprint review");
    case "comprehensive":
      return t("Session report");
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
    read.length === 0 ? t("Nothing was read") : t("Read {0}", names(read)),
    ...(missing.length === 0 ? [] : [t("not there: {0}", names(missing))]),
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
      : [t("The plan asks for {0}{1}.", asked, atWork === "" ? "" : t(", {0} is at work", atWork))]),
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
  const waiting = waitingHunks(done);
  return [
    t("{0} of {1} done{2}.", done.length, items.length, done.length === 0 ? "" : `: ${titles(done)}`),
    ...(waiting === 0 ? [] : [t("Of that {0} to review; a no later will not change the record.", hunkCount(waiting))]),
    ...(notDone.length === 0 ? [] : [t("Not done: {0}.", titles(notDone))]),
    ...(discovered.length === 0 ? [] : [t("{0} discovered for another time.", discovered.length)]),
  ].join(" ");
}

/** The plan as it is understood, as a page. */
export function planPage(plan: PlanView): string {
  if (plan.path === null)
    return `${[t("There is no plan in this project."), "", ...plan.problems.map(oneLine)].join("\n").trimEnd()}\n`;
  const phases = plan.phases.map(({ id, name, status, goal }) => {
    const label = name.includes(id) ? name : `${id} ${name}`;
    return `  ${facts(label, status, goal)}`;
  });
  const tasks = (current: boolean) =>
    plan.tasks
      .filter((task) => task.current === current)
      .map(({ title, status, estimate, phase, line }) =>
        t(
          "  {0} {1}  (line {2})",
          taskMark(status),
          facts(title, status === "planned" || status === "complete" ? null : status, estimate, current ? null : phase),
          line,
        ),
      );
  const section = (heading: string, lines: string[]) => (lines.length === 0 ? [] : ["", heading, ...lines]);
  return `${[
    t("Plan: {0}", oneLine(plan.path)),
    ...(plan.phase === null ? [] : [t("Phase: {0}", oneLine(plan.phase))]),
    ...(plan.sprintGoal === null ? [] : [t("Sprint goal: {0}", oneLine(plan.sprintGoal))]),
    ...(plan.progress === null || plan.progress.total === 0 ? [] : [t("Progress: {0}", progressText(plan.progress))]),
    ...(plan.lastUpdated === null ? [] : [t("Last updated: {0}", oneLine(plan.lastUpdated))]),
    ...section(
      t("Not understood"),
      plan.problems.map((problem) => `  ${oneLine(problem)}`),
    ),
    ...section(
      t("Worth knowing"),
      plan.notes.map((note) => `  ${oneLine(note)}`),
    ),
    ...section(t("Tasks of this phase"), tasks(true)),
    ...section(t("Other tasks"), tasks(false)),
    ...section(t("Phases"), phases),
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
