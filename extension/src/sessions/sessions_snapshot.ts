// What is known of the session that is under way, as of about one moment, put together from several answers of the host.

import type { Call } from "../agents/agents_snapshot";
import type { SessionReport, SessionStatus } from "../protocol.gen";

/** How many reports are shown. */
export const REPORT_LIMIT = 50;

export interface SessionsSnapshot {
  status: SessionStatus;
  /** Of all sessions, the newest first. */
  reports: SessionReport[];
  /** The tasks of the session that somebody works on. */
  activeTasks: ReadonlySet<string>;
}

export async function fetchSessions(call: Call): Promise<SessionsSnapshot> {
  const status = await call("augment/session/status", {});
  const isInScope = status.session?.items.some(({ task, end }) => task !== null && end === null) ?? false;
  const [{ reports }, { tasks }] = await Promise.all([
    call("augment/session/reports", { limit: REPORT_LIMIT }),
    isInScope ? call("augment/queue/list", { statuses: ["in-progress"] }) : { tasks: [] },
  ]);
  return {
    status,
    reports: [...reports].sort((one, other) => other.number - one.number),
    activeTasks: new Set(tasks.map(({ id }) => id)),
  };
}
