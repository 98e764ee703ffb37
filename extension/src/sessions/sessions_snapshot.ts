// What is known of the session that is under way and of the last one that has ended, as of about one moment, put together
// from several answers of the host.

import type { Call } from "../agents/agents_snapshot";
import type { ClosedSession, Flag, SessionReport, SessionStatus } from "../protocol.gen";
import { type Activity, activitiesOf } from "./session_words";

/** How many reports are shown. */
export const REPORT_LIMIT = 50;

/** Among how many sessions the last one that has ended is looked for: others are under way or were given up. */
const lookedThrough = 10;

export interface SessionsSnapshot {
  status: SessionStatus;
  /** Of all sessions, the newest first. */
  reports: SessionReport[];
  /** The tasks that somebody works on, while one of the session may be among them. */
  activities: ReadonlyMap<string, Activity>;
  /** Where these may write besides what the session may, as patterns. */
  taskPaths: ReadonlyMap<string, readonly string[]>;
  /** The last session that has ended, with what came of its steps. */
  ended: ClosedSession | undefined;
}

export async function fetchSessions(call: Call): Promise<SessionsSnapshot> {
  const status = await call("augment/session/status", {});
  const isInScope = status.session?.items.some(({ task, end }) => task !== null && end === null) ?? false;
  const [{ reports }, { tasks }, { questions }] = await Promise.all([
    call("augment/session/reports", { limit: REPORT_LIMIT }),
    isInScope ? call("augment/queue/list", { statuses: ["in-progress"] }) : { tasks: [] },
    isInScope ? call("augment/question/list", { answered: false, run: null }) : { questions: [] },
  ]);
  // Asked for last, so that a session is not told as ended before what its steps came to.
  const ended = await lastEnded(call);
  return {
    status,
    reports: [...reports].sort((one, other) => other.number - one.number),
    activities: activitiesOf(tasks, questions),
    taskPaths: new Map(tasks.map(({ id, scope }) => [id, scope])),
    ended,
  };
}

/** The patterns that a flagged path is outside of; none where they are not all known. */
export function patternsAround(
  { session, task }: Pick<Flag, "session" | "task">,
  { status, taskPaths }: Pick<SessionsSnapshot, "status" | "taskPaths">,
): string[] {
  const own = task === null ? [] : taskPaths.get(task);
  if (own === undefined || status.session?.id !== session) return [];
  return [...new Set([...status.session.paths, ...own])];
}

/** Nothing where none has ended, and for one that ended before sessions were completed in steps. */
async function lastEnded(call: Call): Promise<ClosedSession | undefined> {
  const { sessions } = await call("augment/session/list", { limit: lookedThrough });
  const last = sessions.find(({ state }) => state === "ended");
  if (last === undefined) return undefined;
  const { session, closing } = await call("augment/session/show", { session: last.id });
  return closing === null ? undefined : { session, closing };
}
