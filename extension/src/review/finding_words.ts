// What the scan found in added lines, in words, and which findings a decision is about. The value itself is never told.

import { oneLine } from "../outside_text";
import type { Author, ChangedFile, Finding, Flag, Hunk, Selection } from "../protocol.gen";

/** Short, to stand beside a hunk: `aws access key id`. */
export function ruleWords({ rule }: Pick<Finding, "rule">): string {
  return oneLine(rule).replaceAll("-", " ");
}

/** Those that stop approval until somebody has looked at them. */
export function stopping(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ allowed }) => allowed === null);
}

export function findingCount(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "finding" : "findings"}`;
}

/** The sentence at the line. */
export function findingSentence({ message, allowed }: Finding): string {
  return allowed === null ? oneLine(message) : `${oneLine(message)} Allowed: ${oneLine(allowed)}`;
}

export type FindingLevel = "error" | "warning" | "information";

export function findingLevel({ kind, allowed }: Finding): FindingLevel {
  if (allowed !== null) return "information";
  return kind === "credential" ? "error" : "warning";
}

/** Why a decision was stopped, in a sentence. */
export function findingsNotice(hunks: readonly Hunk[]): string {
  const [first, ...others] = hunks.flatMap(({ findings }) => stopping(findings));
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `Found in ${oneLine(first.path)}, line ${first.line + 1}: ${ruleWords(first)}${more}. Say why it may stay, or reject it.`;
}

/** The hunks of a selection that are stopped by findings. */
export function stoppedHunks(files: readonly ChangedFile[], what: Selection): Hunk[] {
  return selectedHunks(files, what).filter(({ findings }) => stopping(findings).length > 0);
}

/** The flags that wait on a selection, each once. */
export function flagsIn(files: readonly ChangedFile[], what: Selection): Flag[] {
  const flags = selectedHunks(files, what).flatMap(({ flag }) => flag ?? []);
  return [...new Map(flags.map((flag) => [flag.id, flag])).values()];
}

function selectedHunks(files: readonly ChangedFile[], what: Selection): Hunk[] {
  return files
    .filter(({ path }) => what.file === undefined || what.file === path)
    .flatMap(({ hunks }) => hunks)
    .filter((hunk) => isSelected(hunk, what));
}

function isSelected({ id, author }: Hunk, { hunks, task, run, unknown }: Selection): boolean {
  if (hunks !== undefined) return hunks.some((given) => id.startsWith(given));
  return isBy(author, { ...(task === undefined ? {} : { task }), ...(run === undefined ? {} : { run }) }, unknown);
}

function isBy(author: Author, { task, run }: Pick<Selection, "task" | "run">, unknown: boolean | undefined): boolean {
  if (task !== undefined && author.task !== task) return false;
  if (run !== undefined && author.run !== run) return false;
  return unknown !== true || author.kind === "unknown";
}
