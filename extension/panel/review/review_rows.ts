// What waits for a decision as rows of one list: a row for whose work it is, and one below it for each file. Counts are of
// what was fetched.

import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { ChangedFile, Hunk } from "../../src/protocol.gen";
import { type ChangeGroup, type GroupedFile, groupChanges, selectionOf } from "../../src/review/change_groups";
import { authorTitle, authorWords, fileCount, hunkCount, remarks } from "../../src/review/change_words";
import { folderOf, lastName } from "../../src/review/path_text";
import { type PanelSelection, SELECTION } from "../messages";

export interface ReviewRow {
  kind: "group" | "file";
  key: string;
  /** What a decision on the row is about: the hunks that it counts. Null where it cannot be told. */
  what: PanelSelection | null;
  /** Whose it is; null where no task is known. */
  task: string | null;
  isUnknown: boolean;
  /** For files. */
  path: string | null;
  title: string;
  facts: string;
  /** What is particular: found, out of scope, entangled, flagged. */
  remarks: string[];
}

export function reviewRows(files: readonly ChangedFile[]): ReviewRow[] {
  return groupChanges(files).flatMap((group) => [
    groupRow(group),
    ...group.files.map((grouped) => fileRow(group, grouped)),
  ]);
}

function groupRow(group: ChangeGroup): ReviewRow {
  const { author, files, hunks, key } = group;
  const title = oneLine(author.taskTitle ?? "");
  const who = authorWords(author);
  return {
    kind: "group",
    key,
    what: workOf(group),
    task: author.task,
    isUnknown: author.kind === "unknown",
    path: null,
    title: title === "" ? authorTitle(author) : title,
    facts: [
      ...(title === "" ? [] : [who]),
      hunksText(hunks, { isCut: files.some(({ file }) => file.moreHunks) }),
      fileCount(files.length),
    ].join(" · "),
    remarks: [],
  };
}

function fileRow(group: ChangeGroup, grouped: GroupedFile): ReviewRow {
  const { file, hunks } = grouped;
  const { path } = file;
  const folder = oneLine(folderOf(path));
  return {
    kind: "file",
    key: `${group.key}/${path}`,
    what: workOf(group, grouped),
    task: group.author.task,
    isUnknown: group.author.kind === "unknown",
    path,
    title: oneLine(lastName(path)),
    facts: [
      ...(folder === "" ? [] : [folder]),
      hunksText(hunks.length, { isCut: file.moreHunks }),
      ...extentTexts(hunks),
      ...(file.awaitsSave ? [t("waits to be saved")] : []),
    ].join(" · "),
    remarks: [...new Set(hunks.flatMap(remarks))],
  };
}

function workOf(group: ChangeGroup, only?: GroupedFile): PanelSelection | null {
  const shown = selectionOf(group, only);
  return SELECTION(shown) ? shown : null;
}

/** @param isCut whether the host left some of them out */
function hunksText(count: number, { isCut }: { isCut: boolean }): string {
  return `${hunkCount(count)}${isCut ? t(", and more that are not shown") : ""}`;
}

/** What is decided as a whole says what it is: a file that is gone has no lines to count. */
function extentTexts(hunks: readonly Hunk[]): string[] {
  const wholes = hunks.filter(({ kind }) => kind !== "lines").map(({ summary }) => oneLine(summary));
  const hasLines = wholes.length === 0 || hunks.some(({ added, removed }) => added + removed > 0);
  return [...new Set(wholes), ...(hasLines ? [linesText(hunks)] : [])];
}

/** `+3 −1` */
function linesText(hunks: readonly Hunk[]): string {
  const sum = (of: (hunk: Hunk) => number) => hunks.reduce((all, hunk) => all + of(hunk), 0).toLocaleString();
  return `+${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
}
