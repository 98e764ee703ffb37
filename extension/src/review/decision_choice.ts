// What a decision is about: the row, button, comment or file it was asked on, or where the cursor is. It returns what to
// send; nothing means that there was nothing to decide on, and that was said.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutIcons } from "../outside_text";
import type { ChangedFile, Selection } from "../protocol.gen";
import { tellDone } from "../told";
import { isOnLostRow, selectionOf, shownHunks } from "./change_groups";
import { authorWords, hunkCount } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { type ChangesRow, isChangesRow } from "./changes_row";
import type { ChangesTree } from "./changes_tree";
import { type Chosen, type ChosenBy, calledOn, selectionOfFiles } from "./chosen";
import type { DecidedIn } from "./decide";
import type { FlaggedComments } from "./flagged_comments";
import type { HeldPick } from "./held_pick";
import { type HunkHere, pathShown } from "./hunk_here";
import { type EditorChange, hunksOfChange } from "./hunk_places";

export interface ReviewChoiceContext {
  model: ChangesModel;
  tree: ChangesTree;
  comments: FlaggedComments;
  here: HunkHere;
  held: HeldPick;
}

/** Where a command was called: rows and the peek of the editor's own differences are lists; else it is about the editor. */
export function decidedIn([first, second]: readonly unknown[]): DecidedIn {
  const isOnRow = isChangesRow(first) || (typeof first === "object" && first !== null && "resourceUri" in first);
  return isOnRow || Array.isArray(second) ? "list" : "editor";
}

/** For commands on hunks. Title bars and menus of editors pass an address, and mean the hunk at the cursor. */
export async function chosenHunks(context: ReviewChoiceContext, args: readonly unknown[]): Promise<Chosen | undefined> {
  const [first, second, third] = args;
  if (isChangesRow(first)) return chosen("call", selectionOfRows(first, second));
  if (isOnLostRow(args)) return lostRow();
  if (typeof first === "string") return chosen("call", { hunks: [first] });
  const commented = context.comments.hunkOf(first);
  if (commented !== undefined) return chosen("call", { hunks: [commented] });
  if (first instanceof vscode.Uri && Array.isArray(second) && typeof third === "number")
    return chosen("call", hunksAtChange(context, first, second[third]));
  // What a list asks about is named in it, wherever the cursor is.
  const asked = context.held.stop;
  if (asked !== undefined) return chosen("call", { hunks: [asked.hunk.id] });
  return chosen("place", hunkAtCursor(context));
}

/** For commands on files: all that are selected. */
export async function chosenFile(
  { model }: ReviewChoiceContext,
  args: readonly unknown[],
): Promise<Chosen | undefined> {
  const [first, second] = args;
  if (isChangesRow(first)) return chosen("call", selectionOfRows(first, second));
  if (isOnLostRow(args)) return lostRow();
  const named = calledOn(args).flatMap((value) => uriIn(value) ?? []);
  const files = (named.length === 0 ? [undefined] : named).flatMap((uri) => fileShown(model, uri) ?? []);
  if (files.length === 0) tellDone(t("Nothing in this file waits for a decision"));
  // An editor's title bar passes the file that it shows, which is another one once the review has led on.
  return chosen(decidedIn(args) === "list" ? "call" : "place", selectionOfFiles(files));
}

/** The file that is meant, by default the one in the editor, on either side of a diff; nothing when none of it waits. */
export function fileShown(
  model: ChangesModel,
  uri: vscode.Uri | undefined = vscode.window.activeTextEditor?.document.uri,
): ChangedFile | undefined {
  const path = uri && pathShown(model, uri);
  return path === undefined ? undefined : model.fileAt(path);
}

/** For commands on tasks: the row, the id, or the one that is picked. */
export async function chosenTaskChanges(
  { tree }: ReviewChoiceContext,
  args: readonly unknown[],
  title: string,
): Promise<Chosen | undefined> {
  const [first, second] = args;
  if (isChangesRow(first)) return chosen("call", selectionOfRows(first, second));
  if (isOnLostRow(args)) return lostRow();
  if (typeof first === "string") {
    const shown = tree.allGroups().find(({ author }) => author.task === first);
    // What is not listed nobody can have seen.
    if (shown === undefined) tellDone(t("Nothing of task {0} waits for a decision", first));
    return chosen("call", shown && selectionOf(shown));
  }
  const items = tree.allGroups().map((group) => ({
    label: withoutIcons(group.author.taskTitle ?? authorWords(group.author)),
    description: withoutIcons(`${authorWords(group.author)} · ${hunkCount(group.hunks)}`),
    group,
  }));
  if (items.length === 0) {
    tellDone(t("Nothing waits for a decision"));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: t("Whose changes?") });
  return chosen("call", picked && selectionOf(picked.group));
}

function chosen(by: ChosenBy, what: Selection | undefined): Chosen | undefined {
  return what && { what, by };
}

/** Never the cursor's hunk instead: the person pointed at something else. */
export function lostRow(): undefined {
  tellDone(t("The list had just changed. Nothing was decided; press again"));
}

/**
 * What the rows stand for: several selected ones are sent as the hunks that they hold. Where not each of those was pointed
 * at, the host holds back what has to be looked at.
 */
function selectionOfRows(first: ChangesRow, all: unknown): Selection | undefined {
  const rows = Array.isArray(all) && all.includes(first) ? all.filter(isChangesRow) : [first];
  if (rows.length > 1) {
    const hunks = [...new Set(rows.flatMap(hunksIn))];
    return rows.every(({ kind }) => kind === "change-hunk") ? { hunks } : { all: true, hunks };
  }
  if (first.kind === "change-group") return selectionOf(first.group);
  if (first.kind === "change-file") return selectionOf(first.group, first.grouped);
  return first.kind === "change-hunk" ? { hunks: [first.hunk.id] } : undefined;
}

function hunksIn(row: ChangesRow): string[] {
  if (row.kind === "change-hunk") return [row.hunk.id];
  if (row.kind === "change-file") return shownHunks([row.grouped]);
  return row.kind === "change-group" ? shownHunks(row.group.files) : [];
}

function hunksAtChange({ model }: ReviewChoiceContext, uri: vscode.Uri, change: unknown): Selection | undefined {
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  const hunks = document && isEditorChange(change) ? hunksOfChange(model.hunksIn(document), change) : [];
  if (hunks.length > 0) return { hunks: hunks.map(({ hunk }) => hunk.id) };
  tellDone(t("This difference does not wait for a decision: it is your own, or not saved yet"));
  return undefined;
}

function hunkAtCursor({ here }: ReviewChoiceContext): Selection | undefined {
  const { stop } = here;
  if (stop !== undefined) return { hunks: [stop.hunk.id] };
  tellDone(t("No pending hunk is at the cursor"));
  return undefined;
}

/** Explorers and title bars pass an address, source control views a resource. */
export function uriIn(value: unknown): vscode.Uri | undefined {
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
