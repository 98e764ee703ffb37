// The rows of the changes view and how each is drawn. Labels and string tooltips of a tree are not read as Markdown, so
// text from outside stays text.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { ours } from "../ours";
import { oneLine } from "../outside_text";
import { ownName } from "../person_name";
import type { Hunk, HunkKind } from "../protocol.gen";
import { lookIcon } from "../state_icon";
import { LOOKS } from "../state_look";
import type { ChangeGroup, GroupedFile } from "./change_groups";
import {
  authorWords,
  evidenceSentence,
  fileCount,
  groupWords,
  hunkCount,
  hunkFacts,
  hunkLabel,
  remarkLook,
  standingWords,
  warnings,
} from "./change_words";
import type { ChangesModel } from "./changes_model";
import { stopping } from "./finding_words";
import { folderOf, lastName } from "./path_text";

export type ChangesRow = GroupRow | FileRow | HunkRow | CutRow;

export interface GroupRow {
  kind: "change-group";
  group: ChangeGroup;
}

export interface FileRow {
  kind: "change-file";
  group: ChangeGroup;
  grouped: GroupedFile;
}

export interface HunkRow {
  kind: "change-hunk";
  parent: FileRow;
  hunk: Hunk;
}

/** Stands at the end when there are more files than are shown. */
export interface CutRow {
  kind: "change-cut";
  shown: number;
}

export const OPEN_HUNK = ours("openHunk");
export const OPEN_FILE_DIFF = ours("openFileChanges");

export function isChangesRow(value: unknown): value is ChangesRow {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    typeof value.kind === "string" &&
    value.kind.startsWith("change-")
  );
}

export function drawChangesRow(row: ChangesRow, model: ChangesModel): vscode.TreeItem {
  switch (row.kind) {
    case "change-group":
      return drawGroup(row);
    case "change-file":
      return drawFile(row, model);
    case "change-hunk":
      return drawHunk(row);
    case "change-cut":
      return drawCut(row);
    default:
      return assertNever(row);
  }
}

function drawGroup({ group }: GroupRow): vscode.TreeItem {
  const { author, files, hunks, key } = group;
  const isUnknown = author.kind === "unknown";
  const { label, facts: description } = groupWords(group);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.id = key;
  item.description = description;
  item.iconPath = lookIcon(isUnknown ? LOOKS.unknownAuthor : LOOKS.toReview);
  item.contextValue = isUnknown ? "changes.group.unknown" : "changes.group";
  const facts = t("{0} in {1}", hunkCount(hunks), fileCount(files.length));
  item.tooltip = isUnknown
    ? t("{0}: {1}. Assign them to a task, or decide.", label, facts)
    : `${label}\n${authorWords(author)}: ${facts}`;
  item.accessibilityInformation = { label: `${label}, ${authorWords(author)}, ${facts}` };
  return item;
}

function drawFile(row: FileRow, model: ChangesModel): vscode.TreeItem {
  const { group, grouped } = row;
  const { file, hunks } = grouped;
  const name = oneLine(lastName(file.path));
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `${group.key}/${file.path}`;
  item.description = [oneLine(folderOf(file.path)), ...(file.awaitsSave ? [t("save to finish")] : [])]
    .filter((text) => text !== "")
    .join(" · ");
  item.iconPath = vscode.ThemeIcon.File;
  const uri = model.uriOf(file.path);
  if (uri !== undefined) item.resourceUri = uri;
  item.contextValue = group.author.kind === "unknown" ? "changes.file.unknown" : "changes.file";
  item.tooltip = `${oneLine(file.path)}\n${hunkCount(hunks.length)}${file.moreHunks ? t(", and more that are not shown") : ""}`;
  item.accessibilityInformation = { label: `${oneLine(file.path)}, ${hunkCount(hunks.length)}` };
  item.command = { command: OPEN_FILE_DIFF, title: t("Open Changes"), arguments: [row] };
  return item;
}

function drawHunk(row: HunkRow): vscode.TreeItem {
  const { parent, hunk } = row;
  const item = new vscode.TreeItem(hunkLabel(hunk));
  item.id = `${parent.group.key}/${parent.grouped.file.path}/${hunk.id}`;
  item.description = hunkFacts(hunk);
  item.iconPath = hunkIcon(hunk);
  const marks = [
    ...(stopping(hunk.findings).length > 0 ? ["found"] : []),
    ...(hunk.flag === null ? [] : ["outside"]),
    ...(hunk.author.kind === "unknown" ? ["unknown"] : []),
  ];
  item.contextValue = ["changes.hunk", ...marks].join(".");
  item.tooltip = [
    `${authorWords(hunk.author)}, ${standingWords(hunk.standing)}, ${oneLine(hunk.summary)}`,
    evidenceSentence(hunk.evidence, hunk.author),
    ...warnings(hunk, ownName()),
  ].join("\n");
  item.accessibilityInformation = { label: `${hunkLabel(hunk)}, ${hunkFacts(hunk)}, ${authorWords(hunk.author)}` };
  item.command = { command: OPEN_HUNK, title: t("Go to Hunk"), arguments: [row] };
  return item;
}

function drawCut({ shown }: CutRow): vscode.TreeItem {
  const item = new vscode.TreeItem(t("More files are not shown"));
  item.id = "cut";
  item.description = t("the first {0} are", shown.toLocaleString());
  item.tooltip = t("Decide some of these, or use augment-cli changes list.");
  item.accessibilityInformation = { label: `${item.label}, ${item.description}. ${item.tooltip}` };
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  return item;
}

function hunkIcon(hunk: Hunk): vscode.ThemeIcon {
  const remark = remarkLook(hunk);
  if (remark !== undefined) return lookIcon(remark);
  const [name, color] = kindIcon(hunk.kind, hunk);
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}

function kindIcon(kind: HunkKind, { added, removed }: Hunk): [icon: string, color: string] {
  switch (kind) {
    case "created":
      return ["diff-added", "gitDecoration.addedResourceForeground"];
    case "deleted":
      return ["diff-removed", "gitDecoration.deletedResourceForeground"];
    case "renamed":
      return ["diff-renamed", "gitDecoration.modifiedResourceForeground"];
    case "lines":
      if (removed === 0) return ["diff-added", "gitDecoration.addedResourceForeground"];
      if (added === 0) return ["diff-removed", "gitDecoration.deletedResourceForeground"];
      return ["diff-modified", "gitDecoration.modifiedResourceForeground"];
    case "replaced":
    case "mode":
    case "link":
      return ["diff-modified", "gitDecoration.modifiedResourceForeground"];
    default:
      return assertNever(kind);
  }
}
