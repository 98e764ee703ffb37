// Which rows the session view has and how they lie below each other. Nothing here draws or decides.

import { assertNever } from "../assert_never";
import type {
  ClosedSession,
  ClosingStep,
  Flag,
  KnowledgeEntry,
  ScopeItem,
  Session,
  SessionReport,
} from "../protocol.gen";
import { type Activity, governanceCautions } from "./session_words";
import type { SessionsSnapshot } from "./sessions_snapshot";

export type SessionsGroup = "scope" | "flags" | "earlier" | "discovered" | "reports";

export type SessionsRow =
  | StateRow
  | CautionRow
  | SessionsGroupRow
  | ItemRow
  | FlagRow
  | EarlierRow
  | DiscoveredRow
  | ReportRow
  | NoneRow
  | EndedRow
  | StepRow;

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
  activity: Activity | undefined;
}

export interface FlagRow {
  kind: "session-flag";
  flag: Flag;
}

/** Something that was learnt in an earlier session and matches this one. */
export interface EarlierRow {
  kind: "session-earlier";
  entry: KnowledgeEntry;
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

/** Says that no session is under way, above the last one. */
export interface NoneRow {
  kind: "session-none";
}

/** The last session that has ended; its steps lie below it. */
export interface EndedRow {
  kind: "session-ended";
  ended: ClosedSession;
  /** Another one is under way, and this one stays folded. */
  isBeside: boolean;
}

export interface StepRow {
  kind: "session-step";
  step: ClosingStep;
  session: string;
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

/**
 * Without a session: what earlier ones have left to answer, and how the last one was completed. None where there is neither;
 * then the view says what can be done instead.
 */
export function topRows(snapshot: SessionsSnapshot | undefined): SessionsRow[] {
  if (snapshot === undefined) return [];
  const { ended } = snapshot;
  const { session, flags } = snapshot.status;
  const last = (isBeside: boolean): SessionsRow[] =>
    ended === undefined ? [] : [{ kind: "session-ended", ended, isBeside }];
  if (session === null) {
    const left: SessionsRow[] =
      flags.length === 0 ? [] : [{ kind: "session-group", group: "flags", count: flags.length }];
    return ended === undefined ? left : [{ kind: "session-none" }, ...left, ...last(false)];
  }
  const groups: SessionsGroup[] = ["flags", "scope", "earlier", "discovered", "reports"];
  return [
    { kind: "session-state", session },
    ...governanceCautions(snapshot.status.governance, session).map(
      (caution): SessionsRow => ({ kind: "session-caution", caution }),
    ),
    ...groups
      .map((group): SessionsGroupRow => ({ kind: "session-group", group, count: rowsOf(group, snapshot).length }))
      .filter(({ count }) => count > 0),
    ...last(true),
  ];
}

export function stepRows({ session, closing }: ClosedSession): StepRow[] {
  return closing.steps.map((step) => ({ kind: "session-step", step, session: session.id }));
}

export function rowsOf(group: SessionsGroup, { status, reports, activities }: SessionsSnapshot): SessionsRow[] {
  const { session, flags, fromEarlier } = status;
  if (session === null) return group === "flags" ? flags.map((flag) => ({ kind: "session-flag", flag })) : [];
  switch (group) {
    case "scope":
      return session.items.map((item, at) => ({
        kind: "session-item",
        item,
        at,
        activity: item.task === null ? undefined : activities.get(item.task),
      }));
    case "flags":
      return flags.map((flag) => ({ kind: "session-flag", flag }));
    case "earlier":
      return fromEarlier.map((entry) => ({ kind: "session-earlier", entry }));
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
  const { session, governance, flags, fromEarlier } = snapshot.status;
  return JSON.stringify([
    session,
    governance.problems,
    governance.model,
    flags,
    session === null ? [] : fromEarlier,
    snapshot.ended,
    snapshot.reports.map(({ number }) => number),
    [...snapshot.activities].sort(),
  ]);
}
