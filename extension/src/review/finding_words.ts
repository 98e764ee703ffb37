// What the scan found in added lines, in words, and which findings a decision is about. The value itself is never told.

import { t } from "../l10n";
import { oneLine } from "../outside_text";
import type { Author, ChangedFile, Finding, Flag, Hunk, Selection } from "../protocol.gen";
import type { Stop } from "./hunk_order";

/** Short, to stand beside a hunk: `aws access key id`. */
export function ruleWords({ rule }: Pick<Finding, "rule">): string {
  return oneLine(rule).replaceAll("-", " ");
}

/** Those that stop approval until somebody has looked at them. */
export function stopping(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ allowed }) => allowed === null);
}

export function findingCount(count: number): string {
  return count === 1 ? t("1 finding") : t("{0} findings", count.toLocaleString());
}

/** The sentence at the line. */
export function findingSentence({ message, allowed }: Finding): string {
  return allowed === null ? oneLine(message) : t("{0} Allowed: {1}", oneLine(message), oneLine(allowed));
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
  const more = others.length === 0 ? "" : t(", and {0} more", others.length);
  return t(
    "Found in {0}, line {1}: {2}{3}. Say why it may stay, or reject it.",
    oneLine(first.path),
    first.line + 1,
    ruleWords(first),
    more,
  );
}

/** What an approval of everything leaves for the person to look at, in a sentence or two; empty when it leaves nothing. */
export function heldBackWords(files: readonly ChangedFile[]): string {
  const hunks = files.flatMap((file) => file.hunks);
  const outside = hunks.filter(({ flag }) => flag !== null).length;
  const found = hunks.filter(({ flag, findings }) => flag === null && stopping(findings).length > 0).length;
  return [
    ...(found === 0
      ? []
      : [
          found === 1
            ? t("1 hunk holds findings and is left waiting.")
            : t("{0} hunks hold findings and are left waiting.", found.toLocaleString()),
        ]),
    ...(outside === 0
      ? []
      : [
          outside === 1
            ? t("1 hunk is outside of what was agreed to and is left waiting.")
            : t("{0} hunks are outside of what was agreed to and are left waiting.", outside.toLocaleString()),
        ]),
  ].join(" ");
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

/** The hunks that a selection means, each with its file. */
export function selectedStops(files: readonly ChangedFile[], what: Selection): Stop[] {
  const named = new Set(what.hunks);
  return files
    .filter(({ path }) => what.file === undefined || what.file === path)
    .flatMap(({ path, hunks }) => hunks.map((hunk) => ({ path, hunk })))
    .filter(({ hunk }) => named.has(hunk.id) || isSelected(hunk, what));
}

function selectedHunks(files: readonly ChangedFile[], what: Selection): Hunk[] {
  return selectedStops(files, what).map(({ hunk }) => hunk);
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
