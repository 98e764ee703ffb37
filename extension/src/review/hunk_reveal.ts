// Going to a hunk: its line in the file, or a diff where there is no line to go to.

import * as vscode from "vscode";
import type { ChangedFile, Hunk } from "../protocol.gen";
import { tellDone } from "../told";
import type { ChangesModel } from "./changes_model";
import { nextStop, previousStop, type Standpoint, stopsOf } from "./hunk_order";
import { markLine } from "./hunk_places";
import { openFileDiff } from "./review_diff";

export async function revealHunk(
  model: ChangesModel,
  file: ChangedFile,
  { id, author }: Pick<Hunk, "id" | "author">,
  { preserveFocus }: { preserveFocus: boolean },
): Promise<void> {
  const uri = model.uriOf(file.path);
  if (file.body !== "text" || uri === undefined) return openFileDiff(model, file, author);
  const document = await vscode.workspace.openTextDocument(uri);
  const placed = model.hunksIn(document).find(({ hunk }) => hunk.id === id);
  const editor = await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
  if (placed === undefined) return;
  const line = markLine(placed, document.lineCount);
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Steps through what waits. A key that is pressed again before the editor is there takes the step after it. */
export class HunkWay {
  private arrived: Promise<void> = Promise.resolve();

  constructor(private readonly model: ChangesModel) {}

  go(direction: "next" | "previous"): Promise<void> {
    const step = this.arrived.then(() => this.step(direction));
    this.arrived = step.catch(() => {});
    return step;
  }

  private async step(direction: "next" | "previous"): Promise<void> {
    const stops = stopsOf(this.model.files);
    const from = standpoint(this.model);
    const stop = direction === "next" ? nextStop(stops, from) : previousStop(stops, from);
    const file = stop && this.model.fileAt(stop.path);
    if (stop === undefined || file === undefined) return tellDone("Nothing waits for a decision");
    await revealHunk(this.model, file, stop.hunk, { preserveFocus: false });
  }
}

/** Where the cursor is, in lines of the file as the host counts them. */
function standpoint(model: ChangesModel): Standpoint | undefined {
  const editor = vscode.window.activeTextEditor;
  const path = editor && model.pathOf(editor.document.uri);
  if (editor === undefined || path === undefined) return undefined;
  const cursor = editor.selection.active.line;
  const { lineCount } = editor.document;
  // On a hunk, wherever in it, that hunk is where one is.
  const here = model
    .hunksIn(editor.document)
    .filter((placed) => markLine(placed, lineCount) <= cursor)
    .reduce<{ line: number; mark: number } | undefined>((last, placed) => {
      const mark = markLine(placed, lineCount);
      return last !== undefined && last.mark > mark ? last : { line: placed.hunk.line, mark };
    }, undefined);
  if (here === undefined) return { path, line: -1 };
  return { path, line: here.mark === cursor ? here.line : here.line + 0.5 };
}
