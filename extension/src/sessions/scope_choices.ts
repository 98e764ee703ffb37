// What can be picked for a session's scope, and what a pick means to the host. Pure, so that it can be tested without an
// editor.

import type {
  AdjustScope,
  ConfirmScope,
  PlanTask,
  PlanView,
  ScopeDraft,
  ScopeItem,
  Session,
  Task,
} from "../protocol.gen";
import { checkpointShown } from "./shown_checkpoint";

/** One thing that may be in the scope. */
export interface ScopeChoice {
  title: string;
  task: string | null;
  goal: string | null;
  estimate: string | null;
  /** Patterns of its own that its work may write to, besides those of the session. */
  paths: readonly string[];
  from: "scope" | "typed" | "plan" | "queue";
  isPicked: boolean;
}

/** Everything that the pick is about. */
export interface ScopeChoices {
  choices: ScopeChoice[];
  paths: string[];
  /** Whether the person has said anything about paths. */
  pathsChanged: boolean;
}

/** A task of the queue that is picked from the beginning: with what is proposed, or in the place of it. */
export interface WantedTask {
  task: string;
  isAlone: boolean;
}

/** The scope as it is proposed or agreed to, then what else the plan and the queue hold. What has ended stays as it is. */
export function choicesOf(
  session: Session,
  plan: PlanView | undefined,
  ready: readonly Task[],
  wanted?: WantedTask,
): ScopeChoices {
  const open = session.items.filter(({ end }) => end === null);
  const isInScope = (title: string, task?: string) =>
    session.items.some((item) => item.title === title || (task !== undefined && item.task === task));
  const queued = ready.filter(({ id, title }) => !isInScope(title, id));
  const planned = (plan?.tasks ?? []).filter(
    (task) => isOpen(task) && !isInScope(task.title) && !queued.some(({ title }) => title === task.title),
  );
  const title = ready.find(({ id }) => id === wanted?.task)?.title;
  const isLeft = (item: ScopeItem) => wanted?.isAlone === true && item.task !== wanted.task && item.title !== title;
  return {
    choices: [
      ...open.map((item) => ofItem(item, !isLeft(item))),
      // Those of the current phase come first.
      ...[...planned.filter(({ current }) => current), ...planned.filter(({ current }) => !current)].map(ofPlan),
      ...queued.map((task) => ofTask(task, task.id === wanted?.task)),
    ],
    paths: session.paths,
    pathsChanged: false,
  };
}

/** With one more thing, which is picked. */
export function withTyped(choices: readonly ScopeChoice[], title: string): ScopeChoice[] {
  const known = choices.findIndex((choice) => choice.title === title);
  if (known >= 0) return choices.map((choice, at) => (at === known ? { ...choice, isPicked: true } : choice));
  return [...choices, { title, task: null, goal: null, estimate: null, paths: [], from: "typed", isPicked: true }];
}

/** Where the work on a choice may write, completely: the session's patterns and its own. None means everywhere. */
export function mayWrite(
  { paths: own }: Pick<ScopeChoice, "paths">,
  { paths }: { paths: readonly string[] },
): string[] {
  return [...new Set([...paths, ...own])];
}

export function confirmation({ choices, paths, pathsChanged }: ScopeChoices): ConfirmScope {
  return { items: choices.filter(({ isPicked }) => isPicked).map(draft), ...(pathsChanged ? { paths } : {}) };
}

/** How a session was shown to the person who adjusts its scope. */
export type ShownScope = Pick<Session, "id" | "state" | "checkpoints" | "paths">;

/** An adjustment for what was shown: the host takes it for no other checkpoint, and drops no paths that were not shown. */
export function adjustmentOf(shown: ShownScope, order: AdjustScope): AdjustScope {
  const paths = order.paths === undefined ? {} : { shownPaths: shown.paths };
  return { ...order, session: shown.id, checkpoint: checkpointShown(shown), ...paths };
}

/**
 * What is shown once the person has seen what a refusal was about, and nothing more.
 * @returns nothing where the refusal is about something else
 */
export function shownAnew(shown: ShownScope, code: string, now: Session): ShownScope | undefined {
  if (now.id !== shown.id) return undefined;
  if (code === "other-paths") return { ...shown, paths: now.paths };
  if (code === "other-checkpoint") return { ...shown, state: now.state, checkpoints: now.checkpoints };
  return undefined;
}

/** Only what is different from the scope as it was. */
export function adjustment({ choices, paths, pathsChanged }: ScopeChoices): AdjustScope {
  const added = choices.filter(({ from, isPicked }) => from !== "scope" && isPicked);
  const removed = choices.filter(({ from, isPicked }) => from === "scope" && !isPicked);
  return {
    add: added.map(draft),
    remove: removed.map(({ task, title }) => task ?? title),
    log: [],
    addPaths: [],
    ...(pathsChanged ? { paths } : {}),
  };
}

function draft({ title, task, goal, estimate, from }: ScopeChoice): ScopeDraft {
  if (task !== null) return { task };
  // The host knows what a task of the plan serves.
  if (from === "plan") return { title };
  return { title, ...(goal === null ? {} : { goal }), ...(estimate === null ? {} : { estimate }) };
}

function isOpen({ status }: PlanTask): boolean {
  return status !== "complete";
}

function ofItem({ title, task, goal, estimate, paths }: ScopeItem, isPicked: boolean): ScopeChoice {
  return { title, task, goal, estimate, paths, from: "scope", isPicked };
}

function ofPlan({ title, estimate, phase, current, paths }: PlanTask): ScopeChoice {
  return { title, task: null, goal: current ? null : phase, estimate, paths, from: "plan", isPicked: false };
}

function ofTask({ id, title, goal, scope }: Task, isPicked: boolean): ScopeChoice {
  return { title, task: id, goal, estimate: null, paths: scope, from: "queue", isPicked };
}
