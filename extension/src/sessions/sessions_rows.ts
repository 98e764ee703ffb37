// Which rows the session view has and how they lie below each other. Nothing here draws or decides.

import { assertNever } from "../assert_never";
import type { Flag, ScopeItem, Session, SessionReport } from "../protocol.gen";
import { governanceCautions } from "./session_words";
import type { SessionsSnapshot } from "./sessions_snapshot";

export type SessionsGroup = "scope" | "flags" | "discovered" | "reports";

export type SessionsRow = StateRow | CautionRow | SessionsGroupRow | ItemRow | FlagRow | DiscoveredRow | ReportRow;

/** Where the session stands, with its number and its progress. */
export interface StateRow {
  kind: "session-state";
  session: Session;
}

/** Something in the project's documents that was not understood, or a model that the plan asks for. */
export interface CautionRow {
  kind: "session-caution";
  caution: string;
}

export interface SessionsGroupRow {
  kind: "session-group";
  group: SessionsGroup;
  count: number;
}

export interface ItemRow {
  kind: "session-item";
  item: ScopeItem;
  /** Among items of the same title. */
  at: number;
  isActive: boolean;
}

export interface FlagRow {
  kind: "session-flag";
  flag: Flag;
}

export interface DiscoveredRow {
  kind: "session-discovered";
  title: string;
  at: number;
}

export interface ReportRow {
  kind: "session-report";
  report: SessionReport;
}

export function isSessionsRow(value: unknown): value is SessionsRow {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    typeof value.kind === "string" &&
    value.kind.startsWith("session-")
  );
}

/** Without a session only what earlier ones have left to answer; where that is nothing, the view says what can be done. */
export function topRows(snapshot: SessionsSnapshot | undefined): SessionsRow[] {
  if (snapshot === undefined) return [];
  const { session, flags } = snapshot.status;
  if (session === null)
    return flags.length === 0 ? [] : [{ kind: "session-group", group: "flags", count: flags.length }];
  const groups: SessionsGroup[] = ["flags", "scope", "discovered", "reports"];
  return [
    { kind: "session-state", session },
    ...governanceCautions(snapshot.status.governance, session).map(
      (caution): SessionsRow => ({ kind: "session-caution", caution }),
    ),
    ...groups
      .map((group): SessionsGroupRow => ({ kind: "session-group", group, count: rowsOf(group, snapshot).length }))
      .filter(({ count }) => count > 0),
  ];
}

export function rowsOf(group: SessionsGroup, { status, reports, activeTasks }: SessionsSnapshot): SessionsRow[] {
  const { session, flags } = status;
  if (session === null) return group === "flags" ? flags.map((flag) => ({ kind: "session-flag", flag })) : [];
  switch (group) {
    case "scope":
      return session.items.map((item, at) => ({
        kind: "session-item",
        item,
        at,
        isActive: item.task !== null && activeTasks.has(item.task),
      }));
    case "flags":
      return flags.map((flag) => ({ kind: "session-flag", flag }));
    case "discovered":
      return session.discovered.map((title, at) => ({ kind: "session-discovered", title, at }));
    case "reports":
      return reports
        .filter((report) => report.session === session.id)
        .map((report) => ({ kind: "session-report", report }));
    default:
      return assertNever(group);
  }
}

/** The same text for two snapshots that are drawn alike. A row that is drawn anew would lose the click on its button. */
export function drawnText(snapshot: SessionsSnapshot | undefined): string {
  if (snapshot === undefined) return "";
  const { session, governance, flags } = snapshot.status;
  return JSON.stringify([
    session,
    governance.problems,
    governance.model,
    flags,
    snapshot.reports.map(({ number }) => number),
    [...snapshot.activeTasks].sort(),
  ]);
}
