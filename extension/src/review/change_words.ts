// How changes, their authors and their evidence are named wherever they appear. Text from outside is made one line here
// and made fit for its place by whoever puts it there.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { capitalized, oneLine, shortened } from "../outside_text";
import type { Author, ChangeCounts, Evidence, FlagKind, Hunk, Standing, WhoKind } from "../protocol.gen";
import { FLAG_LOOKS, LOOKS, type Look, STANDING_LOOKS } from "../state_look";
import type { ChangeGroup } from "./change_groups";
import { findingSentence, ruleWords, stopping } from "./finding_words";

const lineLimit = 80;
const nameLimit = 24;
const most = 9;

/** `claude · a12`, short enough to stand behind a line. */
export function authorWords({ kind, name, task }: Author): string {
  const who = shortened(oneLine(name ?? ""), nameLimit);
  switch (kind) {
    case "run":
      return [who === "" ? t("an agent") : who, ...(task === null ? [] : [task])].join(" · ");
    case "person":
      return who === "" ? t("a person") : who;
    case "vcs":
      return t("version control");
    case "unknown":
      return LOOKS.unknownAuthor.word;
    case "before":
      return t("there before");
    default:
      return assertNever(kind);
  }
}

/**
 * Whose work something is entangled with, as it follows “entangled with”; empty where it is nobody's.
 * @param me the name of the person who is told
 */
export function entangledWords(authors: readonly Author[], me: string): string {
  const isMine = ({ kind, name }: Author) => kind === "person" && me !== "" && name === me;
  const others = [...new Set(authors.filter((author) => !isMine(author)).map(authorWords))].join(", ");
  if (!authors.some(isMine)) return others === "" ? "" : t("the work of {0}", others);
  return others === "" ? t("your own edit") : t("your own edit and the work of {0}", others);
}

export function standingWords(standing: Standing): string {
  return STANDING_LOOKS[standing].word;
}

/** Who the host writes as when it writes a session's record into plans, changelogs and archives. */
const RECORD_WRITER = "session record";

interface Named {
  kind: Author["kind"] | WhoKind;
  name: string | null;
}

/** A sentence on what an author is known by. */
export function evidenceSentence(evidence: Evidence, { kind, name }: Named): string {
  switch (evidence) {
    case "assigned":
      return t("A person said whose it is.");
    case "declared-content":
      return t("The agent declared this content.");
    case "declared-path":
      return t("The agent declared that it writes this file.");
    case "saved":
      return kind === "person" && name === RECORD_WRITER
        ? t("The host wrote it for the session's record.")
        : t("It was saved from an editor.");
    case "applied":
      return t("An extension of the editor applied it.");
    case "version-control":
      return t("The content is the one that version control brought.");
    case "inferred":
      return t("Inferred: only this run was at work.");
    case "unwatched":
      return t("It was made while nothing was watching.");
    case "nothing":
      return t("There is no evidence for whose it is.");
    default:
      return assertNever(evidence);
  }
}

/** A group of changes: what it is called, and beside that what its title does not say. */
export function groupWords({ author, hunks }: Pick<ChangeGroup, "author" | "hunks">): { label: string; facts: string } {
  const title = oneLine(author.taskTitle ?? "");
  const count = hunkCount(hunks);
  if (title !== "") return { label: title, facts: `${authorWords(author)} · ${count}` };
  return { label: authorTitle(author), facts: count };
}

/** An author as a title. Names stay as they are written. */
export function authorTitle(author: Author): string {
  const isNamed = (author.kind === "run" || author.kind === "person") && oneLine(author.name ?? "") !== "";
  return isNamed ? authorWords(author) : capitalized(authorWords(author));
}

/** The host names approvers as the ledger does: `person:ada`. */
export function approverWords(approver: string): string {
  return oneLine(approver).replace(/^person:/, "");
}

/**
 * What a hunk is recognised by: its first line that says something, else what it does to the file. Lines in which
 * something was found are not repeated anywhere.
 */
export function hunkLabel({ kind, addedLines, removedLines, summary, findings }: Hunk): string {
  if (findings.length > 0) return t("Holds {0}", [...new Set(findings.map(ruleWords))].join(", "));
  if (kind !== "lines" && kind !== "replaced") return capitalized(oneLine(summary));
  const said = [...addedLines, ...removedLines].map(oneLine).find((line) => line !== "");
  return said === undefined ? oneLine(summary) : shortened(said, lineLimit);
}

/** What was done to a file that its lines do not show: `Renamed from src/server.js`. Nothing where they do. */
export function wholeFileWords({ kind, summary }: Pick<Hunk, "kind" | "summary">): string | undefined {
  return kind === "renamed" || kind === "mode" || kind === "link" ? capitalized(oneLine(summary)) : undefined;
}

/** Beside the label: where it is and how much. */
export function hunkFacts(hunk: Hunk): string {
  const { kind, line, summary } = hunk;
  const place = kind === "lines" ? [t("line {0}", (line + 1).toLocaleString())] : [];
  const isSaid = hunkLabel(hunk) === capitalized(oneLine(summary));
  const where = isSaid ? place : [...place, oneLine(summary)];
  return [...where, ...remarks(hunk)].join(" · ");
}

/** What a change outside of what was agreed to is called. */
export function flagKindWords(kind: FlagKind): string {
  return FLAG_LOOKS[kind].word;
}

/** What is particular about it: that something was found in it, that it is outside the scope, entangled, flagged, or approved by one of two. */
export function remarks({ entangledWith, flagged, standing, findings, flag }: Hunk): string[] {
  const found = [...new Set(stopping(findings).map(ruleWords))].join(", ");
  return [
    ...(found === "" ? [] : [`⚠ ${found}`]),
    ...(flag === null ? [] : [flagKindWords(flag.kind)]),
    ...(entangledWith.length === 0 ? [] : [LOOKS.entangled.word]),
    ...(flagged === null ? [] : [LOOKS.flagged.word]),
    ...(standing === "half-approved" ? [standingWords(standing)] : []),
  ];
}

/** The look of what has to be looked at first in it; nothing for an ordinary hunk. */
export function remarkLook({ entangledWith, flagged, standing, findings, flag }: Hunk): Look | undefined {
  if (stopping(findings).length > 0) return LOOKS.finding;
  if (flag !== null) return FLAG_LOOKS[flag.kind];
  if (standing === "half-approved") return STANDING_LOOKS[standing];
  if (entangledWith.length > 0) return LOOKS.entangled;
  return flagged === null ? undefined : LOOKS.flagged;
}

/**
 * Why a person should look closely, in sentences; nothing when there is no reason.
 * @param me the name of the person who is told
 */
export function warnings({ entangledWith, flagged, approvedBy, findings, flag }: Hunk, me: string): string[] {
  return [
    ...(entangledWith.length === 0
      ? []
      : [t("It is entangled with {0}. Rejecting shows the result first.", entangledWords(entangledWith, me))]),
    ...(flagged === null ? [] : [oneLine(flagged)]),
    ...(flag === null ? [] : [oneLine(flag.message)]),
    ...findings.map(findingSentence),
    ...(approvedBy.length === 0
      ? []
      : [t("Approved by {0}; a second approver is needed.", approvedBy.map(approverWords).join(", "))]),
  ];
}

export function hunkCount(count: number): string {
  return count === 1 ? t("1 hunk") : t("{0} hunks", count.toLocaleString());
}

export function fileCount(count: number): string {
  return count === 1 ? t("1 file") : t("{0} files", count.toLocaleString());
}

export function pendingWords({ pendingFiles, pendingHunks }: ChangeCounts): string {
  return t("{0} in {1} to review", hunkCount(pendingHunks), fileCount(pendingFiles));
}

/** The host's sentence on a decision, without the command that a terminal would be told. */
export function decisionSentence(message: string): string {
  return message.replace(/\s*Undo with `[^`]*`\.?/, "").trim();
}

/** At most two characters, since the explorer drops longer ones silently. */
export function badgeText(count: number): string {
  return count > most ? `${most}+` : String(count);
}
