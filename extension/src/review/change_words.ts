// How changes, their authors and their evidence are named wherever they appear. Text from outside is made one line here
// and made fit for its place by whoever puts it there.

import { assertNever } from "../assert_never";
import { capitalized, oneLine, shortened } from "../outside_text";
import type { Author, ChangeCounts, Evidence, FlagKind, Hunk, Standing } from "../protocol.gen";
import { findingSentence, ruleWords, stopping } from "./finding_words";

const lineLimit = 80;
const nameLimit = 24;
const most = 9;

/** `claude · a12`, short enough to stand behind a line. */
export function authorWords({ kind, name, task }: Author): string {
  const who = shortened(oneLine(name ?? ""), nameLimit);
  switch (kind) {
    case "run":
      return [who === "" ? "an agent" : who, ...(task === null ? [] : [task])].join(" · ");
    case "person":
      return who === "" ? "a person" : who;
    case "vcs":
      return "version control";
    case "unknown":
      return "unknown author";
    case "before":
      return "there before";
    default:
      return assertNever(kind);
  }
}

export function standingWords(standing: Standing): string {
  switch (standing) {
    case "pending":
    case "approved":
    case "rejected":
      return standing;
    case "half-approved":
      return "needs a second approver";
    default:
      return assertNever(standing);
  }
}

/** A sentence on what an author is known by. */
export function evidenceSentence(evidence: Evidence): string {
  switch (evidence) {
    case "assigned":
      return "A person said whose it is.";
    case "declared-content":
      return "The agent declared this content.";
    case "declared-path":
      return "The agent declared that it writes this file.";
    case "saved":
      return "It was saved from an editor.";
    case "applied":
      return "An extension of the editor applied it.";
    case "version-control":
      return "The content is the one that version control brought.";
    case "inferred":
      return "Inferred: only this run was at work.";
    case "unwatched":
      return "It was made while nothing was watching.";
    case "nothing":
      return "There is no evidence for whose it is.";
    default:
      return assertNever(evidence);
  }
}

/** What a hunk is recognised by: its first line that says something, else what it does to the file. */
export function hunkLabel({ kind, addedLines, removedLines, summary }: Hunk): string {
  if (kind !== "lines" && kind !== "replaced") return capitalized(oneLine(summary));
  const said = [...addedLines, ...removedLines].map(oneLine).find((line) => line !== "");
  return said === undefined ? oneLine(summary) : shortened(said, lineLimit);
}

/** Beside the label: where it is and how much. */
export function hunkFacts(hunk: Hunk): string {
  const { kind, line, summary } = hunk;
  const place = kind === "lines" ? [`line ${(line + 1).toLocaleString()}`] : [];
  const isSaid = hunkLabel(hunk) === capitalized(oneLine(summary));
  const where = isSaid ? place : [...place, oneLine(summary)];
  return [...where, ...remarks(hunk)].join(" · ");
}

/** What a change outside of what was agreed to is called. */
export function flagKindWords(kind: FlagKind): string {
  switch (kind) {
    case "out-of-scope":
      return "out of scope";
    case "unauthorised":
      return "unauthorised";
    default:
      return assertNever(kind);
  }
}

/** What is particular about it: that something was found in it, that it is outside the scope, entangled, flagged, or approved by one of two. */
export function remarks({ entangledWith, flagged, standing, findings, flag }: Hunk): string[] {
  const found = [...new Set(stopping(findings).map(ruleWords))].join(", ");
  return [
    ...(found === "" ? [] : [`⚠ ${found}`]),
    ...(flag === null ? [] : [flagKindWords(flag.kind)]),
    ...(entangledWith.length === 0 ? [] : ["entangled"]),
    ...(flagged === null ? [] : ["flagged"]),
    ...(standing === "half-approved" ? [standingWords(standing)] : []),
  ];
}

/** Why a person should look closely, in sentences; nothing when there is no reason. */
export function warnings({ entangledWith, flagged, approvedBy, findings, flag }: Hunk): string[] {
  const names = [...new Set(entangledWith.map(authorWords))].join(", ");
  return [
    ...(entangledWith.length === 0
      ? []
      : [`It is interwoven with the work of ${names}. Rejecting shows the result first.`]),
    ...(flagged === null ? [] : [oneLine(flagged)]),
    ...(flag === null ? [] : [oneLine(flag.message)]),
    ...findings.map(findingSentence),
    ...(approvedBy.length === 0
      ? []
      : [`Approved by ${approvedBy.map(oneLine).join(", ")}; a second approver is needed.`]),
  ];
}

export function hunkCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "hunk" : "hunks"}`;
}

export function fileCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "file" : "files"}`;
}

export function pendingWords({ pendingFiles, pendingHunks }: ChangeCounts): string {
  return `${hunkCount(pendingHunks)} in ${fileCount(pendingFiles)} to review`;
}

/** The host's sentence on a decision, without the command that a terminal would be told. */
export function decisionSentence(message: string): string {
  return message.replace(/\s*Undo with `[^`]*`\.?/, "").trim();
}

/** At most two characters, since the explorer drops longer ones silently. */
export function badgeText(count: number): string {
  return count > most ? `${most}+` : String(count);
}
