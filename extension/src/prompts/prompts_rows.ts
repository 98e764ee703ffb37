// Which rows the view of prompts has and how they lie below each other. Nothing here draws or decides.

import { assertNever } from "../assert_never";
import { agoText } from "../moments";
import type { Intent, NamedChange, Prompt, SessionCommit } from "../protocol.gen";
import { approvedFiles } from "./prompt_words";
import type { PromptsSnapshot } from "./prompts_snapshot";

export type PromptsRow =
  | NowRow
  | NoneRow
  | CautionRow
  | IntentRow
  | UncommittedRow
  | CommitRow
  | ChangeRow
  | SquashedRow
  | MoreRow;

/** The prompt that is under way; its intents lie below it. */
export interface NowRow {
  kind: "prompt-now";
  prompt: Prompt;
}

/** Says that no prompt is under way, above the history. */
export interface NoneRow {
  kind: "prompt-none";
}

/** What the host found when it looked for something interrupted, or why there is no history. */
export interface CautionRow {
  kind: "prompt-caution";
  caution: string;
  at: number;
}

export interface IntentRow {
  kind: "prompt-intent";
  intent: Intent;
  at: number;
}

/** What is approved and in no commit yet. */
export interface UncommittedRow {
  kind: "prompt-uncommitted";
  files: string[];
  /** How many hunks wait for a decision and stay out of it. */
  waiting: number;
}

/** A `session:` commit of the history; what it was made of lies below it. */
export interface CommitRow {
  kind: "prompt-commit";
  session: SessionCommit;
}

export interface ChangeRow {
  kind: "prompt-change";
  session: SessionCommit;
  text: string;
  at: number;
}

export interface SquashedRow {
  kind: "prompt-squashed";
  session: SessionCommit;
  named: NamedChange;
  at: number;
}

/** The history goes on. */
export interface MoreRow {
  kind: "prompt-more";
}

export function isPromptsRow(value: unknown): value is PromptsRow {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    typeof value.kind === "string" &&
    value.kind.startsWith("prompt-")
  );
}

/** None where there is neither a prompt nor a history; then the view says what can be done instead. */
export function topRows(snapshot: PromptsSnapshot | undefined): PromptsRow[] {
  if (snapshot === undefined) return [];
  const { status, history } = snapshot;
  const problem = history?.problem;
  const below: PromptsRow[] = [
    ...[...status.notes, ...(problem === undefined ? [] : [problem])].map(
      (caution, at): PromptsRow => ({ kind: "prompt-caution", caution, at }),
    ),
    ...(history?.sessions ?? []).map((session): PromptsRow => ({ kind: "prompt-commit", session })),
    ...(history?.isCut ? [{ kind: "prompt-more" } as const] : []),
  ];
  if (status.prompt !== null) return [{ kind: "prompt-now", prompt: status.prompt }, ...below];
  return below.length === 0 ? [] : [{ kind: "prompt-none" }, ...below];
}

/** What of the prompt could be committed comes last, since it comes next. */
export function promptRows({ status }: PromptsSnapshot): PromptsRow[] {
  const files = approvedFiles(status.uncommitted);
  return [
    ...(status.prompt?.intents ?? []).map((intent, at): PromptsRow => ({ kind: "prompt-intent", intent, at })),
    ...(files.length === 0 ? [] : [{ kind: "prompt-uncommitted", files, waiting: status.waiting } as const]),
  ];
}

export function commitRows(session: SessionCommit): PromptsRow[] {
  return [
    ...session.changes.map((text, at): PromptsRow => ({ kind: "prompt-change", session, text, at })),
    ...session.squashed.map((named, at): PromptsRow => ({ kind: "prompt-squashed", session, named, at })),
  ];
}

/** Another one for each row: VS Code draws no view in which one repeats. What commits and notes say may. */
export function rowId(row: PromptsRow): string {
  switch (row.kind) {
    case "prompt-now":
      return `now/${row.prompt.id}`;
    case "prompt-none":
      return "none";
    case "prompt-caution":
      return `caution/${row.at}/${row.caution}`;
    case "prompt-intent":
      return `intent/${row.at}/${row.intent.change}/${row.intent.commit}`;
    case "prompt-uncommitted":
      return "uncommitted";
    case "prompt-commit":
      return `commit/${row.session.commit}`;
    case "prompt-change":
      return `change/${row.session.commit}/${row.at}`;
    case "prompt-squashed":
      return `squashed/${row.session.commit}/${row.at}`;
    case "prompt-more":
      return "more";
    default:
      return assertNever(row);
  }
}

/** The same text for what is drawn alike. A row that is drawn anew would lose the click on its button. */
export function drawnText(snapshot: PromptsSnapshot | undefined, nowMs: number): string {
  if (snapshot === undefined) return "";
  const { status, history } = snapshot;
  return JSON.stringify([
    status.prompt,
    status.notes,
    approvedFiles(status.uncommitted),
    status.waiting,
    history?.problem,
    history?.isCut,
    // A commit is named by all that it holds.
    history?.sessions.map(({ commit, squashed, timeMs }) => [commit, squashed, agoText(timeMs, nowMs)]),
  ]);
}
