// What a decision is about: the row, button, comment or file it was asked on, or where the cursor is. It returns what to
// send; nothing means that there was nothing to decide on, and that was said.

import * as vscode from "vscode";
import { withoutIcons } from "../outside_text";
import type { Selection } from "../protocol.gen";
import { tellDone } from "../told";
import { isOnLostRow, selectionOf } from "./change_groups";
import { authorWords, hunkCount } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { type ChangesRow, isChangesRow } from "./changes_row";
import type { ChangesTree } from "./changes_tree";
import type { FlaggedComments } from "./flagged_comments";
import { type EditorChange, hunkAt, hunksOfChange } from "./hunk_places";

export interface ReviewChoiceContext {
  model: ChangesModel;
  tree: ChangesTree;
  comments: FlaggedComments;
}

/** For commands on hunks. */
export async function chosenHunks(
  context: ReviewChoiceContext,
  args: readonly unknown[],
): Promise<Selection | undefined> {
  const [first, second, third] = args;
  if (isChangesRow(first)) return selectionOfRows(first, second);
  if (isOnLostRow(args)) return lostRow();
  if (typeof first === "string") return { hunks: [first] };
  const commented = context.comments.hunkOf(first);
  if (commented !== undefined) return { hunks: [commented] };
  if (first instanceof vscode.Uri && Array.isArray(second) && typeof third === "number")
    return hunksAtChange(context, first, second[third]);
  return hunkAtCursor(context);
}

/** For commands on files. */
export async function chosenFile(
  { model }: ReviewChoiceContext,
  args: readonly unknown[],
): Promise<Selection | undefined> {
  const [first, second] = args;
  if (isChangesRow(first)) return selectionOfRows(first, second);
  if (isOnLostRow(args)) return lostRow();
  const uri = uriIn(first) ?? vscode.window.activeTextEditor?.document.uri;
  const file = uri && model.fileOf(uri);
  if (file === undefined) tellDone("Nothing in this file waits for a decision");
  return file && { file: file.path };
}

/** For commands on tasks: the row, the id, or the one that is picked. */
export async function chosenTaskChanges(
  { tree }: ReviewChoiceContext,
  args: readonly unknown[],
  title: string,
): Promise<Selection | undefined> {
  const [first, second] = args;
  if (isChangesRow(first)) return selectionOfRows(first, second);
  if (isOnLostRow(args)) return lostRow();
  if (typeof first === "string") return { task: first };
  const items = tree.allGroups().map((group) => ({
    label: withoutIcons(group.author.taskTitle ?? authorWords(group.author)),
    description: withoutIcons(`${authorWords(group.author)} · ${hunkCount(group.hunks)}`),
    group,
  }));
  if (items.length === 0) {
    tellDone("Nothing waits for a decision");
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: "Whose changes?" });
  return picked && selectionOf(picked.group);
}

/** Never the cursor's hunk instead: the person pointed at something else. */
function lostRow(): undefined {
  tellDone("The list was drawn anew meanwhile, so nothing was decided. Press again.");
}

/** What the rows stand for: several selected ones are sent as the hunks that they hold. */
function selectionOfRows(first: ChangesRow, all: unknown): Selection | undefined {
  const rows = Array.isArray(all) && all.includes(first) ? all.filter(isChangesRow) : [first];
  if (rows.length > 1) return { hunks: [...new Set(rows.flatMap(hunkIds))] };
  if (first.kind === "change-group") return selectionOf(first.group);
  if (first.kind === "change-file") return selectionOf(first.group, first.grouped.file.path);
  return first.kind === "change-hunk" ? { hunks: [first.hunk.id] } : undefined;
}

function hunkIds(row: ChangesRow): string[] {
  if (row.kind === "change-hunk") return [row.hunk.id];
  if (row.kind === "change-file") return row.grouped.hunks.map(({ id }) => id);
  return row.kind === "change-group" ? row.group.files.flatMap(({ hunks }) => hunks.map(({ id }) => id)) : [];
}

function hunksAtChange({ model }: ReviewChoiceContext, uri: vscode.Uri, change: unknown): Selection | undefined {
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  const hunks = document && isEditorChange(change) ? hunksOfChange(model.hunksIn(document), change) : [];
  if (hunks.length > 0) return { hunks: hunks.map(({ hunk }) => hunk.id) };
  void vscode.window.showInformationMessage(
    "This difference is not among what waits for a decision: it is your own, or it is not saved yet.",
  );
  return undefined;
}

function hunkAtCursor({ model }: ReviewChoiceContext): Selection | undefined {
  const editor = vscode.window.activeTextEditor;
  const placed =
    editor && hunkAt(model.hunksIn(editor.document), editor.selection.active.line, editor.document.lineCount);
  if (placed !== undefined) return { hunks: [placed.hunk.id] };
  tellDone("No pending hunk is at the cursor");
  return undefined;
}

/** Explorers and title bars pass an address, source control views a resource. */
function uriIn(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  const has = typeof value === "object" && value !== null && "resourceUri" in value ? value.resourceUri : undefined;
  return has instanceof vscode.Uri ? has : undefined;
}

function isEditorChange(value: unknown): value is EditorChange {
  return (
    typeof value === "object" &&
    value !== null &&
    "modifiedStartLineNumber" in value &&
    typeof value.modifiedStartLineNumber === "number" &&
    "modifiedEndLineNumber" in value &&
    typeof value.modifiedEndLineNumber === "number"
  );
}
