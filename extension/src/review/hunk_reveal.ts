// Going to a hunk: its line in the file, in the diff of the file, or among all diffs; a diff where there is no line to go
// to. Whoever reviews in one kind of editor is led on in that kind.

import * as vscode from "vscode";
import type { ChangedFile, Hunk } from "../protocol.gen";
import type { ChangesModel } from "./changes_model";
import { markLine } from "./hunk_places";
import { type AllDiffs, openFileDiff } from "./review_diff";

/** So long is waited for an editor that VS Code said it had opened, as long as it shows all diffs. */
const comesWithinMs = 30_000;

export type ReviewPlace = "file" | "diff" | "all";

/** The kind of editor that the person is in. */
export function placeShown(all: AllDiffs): ReviewPlace {
  if (all.isShown) return "all";
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab?.input instanceof vscode.TabInputTextDiff ? "diff" : "file";
}

export async function revealHunk(
  model: ChangesModel,
  file: ChangedFile,
  hunk: Pick<Hunk, "id" | "author">,
  { preserveFocus, place = "file", all }: { preserveFocus: boolean; place?: ReviewPlace; all?: AllDiffs },
): Promise<void> {
  const uri = model.uriOf(file.path);
  if (file.body !== "text" || uri === undefined)
    return openFileDiff(model, file, place === "file" ? hunk.author : undefined, { preserveFocus });
  const document = await vscode.workspace.openTextDocument(uri);
  // Asked for anew after each wait: an agent may write meanwhile.
  const lineNow = (): number | undefined => {
    const placed = model.hunksIn(document).find(({ hunk: { id } }) => id === hunk.id);
    return placed === undefined ? undefined : markLine(placed, document.lineCount);
  };
  const goTo = (editor: vscode.TextEditor) => putCursor(editor, lineNow() ?? 0);
  const range = () => new vscode.Range(lineNow() ?? 0, 0, lineNow() ?? 0, 0);
  if (place === "all" && all !== undefined && (await leadAmongAll(all, document, range(), goTo))) return;
  const active = vscode.window.activeTextEditor;
  if (place !== "file" && active !== undefined && active.document === document) return goTo(active);
  if (place !== "file") return openFileDiff(model, file, undefined, { preserveFocus, selection: range() });
  const editor = await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
  if (lineNow() !== undefined) goTo(editor);
}

export function putCursor(editor: vscode.TextEditor, line: number): void {
  const range = new vscode.Range(line, 0, line, 0);
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** @returns false when it is not shown there */
async function leadAmongAll(
  all: AllDiffs,
  document: vscode.TextDocument,
  range: vscode.Range,
  goTo: (editor: vscode.TextEditor) => void,
): Promise<boolean> {
  // The diff that has the keys would keep them, so they go elsewhere first.
  if (vscode.window.activeTextEditor?.document !== document)
    await vscode.commands.executeCommand("workbench.action.focusStatusBar");
  if (!(await all.lead(document.uri, range))) return false;
  const editor = await editorOf(document, all);
  if (editor === undefined) return false;
  goTo(editor);
  // Among all diffs the one that was led to last is the one that takes the keys.
  await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  return true;
}

/** The editor among all diffs that shows a document: it belongs to no column. It is made when it comes into view. */
async function editorOf(document: vscode.TextDocument, all: AllDiffs): Promise<vscode.TextEditor | undefined> {
  const find = () =>
    vscode.window.visibleTextEditors.find((editor) => editor.document === document && editor.viewColumn === undefined);
  const found = find();
  if (found !== undefined) return found;
  return new Promise((resolve) => {
    const over = (editor: vscode.TextEditor | undefined) => {
      clearTimeout(limit);
      listening.dispose();
      resolve(editor);
    };
    const limit = setTimeout(() => over(undefined), comesWithinMs);
    const listening = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => {
        const come = find();
        if (come !== undefined) over(come);
      }),
      vscode.window.tabGroups.onDidChangeTabs(() => {
        if (!all.isShown) over(undefined);
      }),
    );
  });
}
