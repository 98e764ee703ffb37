// Follows unsaved edits, so that what the host says about lines of a file is found in the text as the editor has it.

import * as vscode from "vscode";
import { LineMap, lineBreaks } from "./line_map";

export class BufferLines implements vscode.Disposable {
  private readonly maps = new Map<string, LineMap>();
  private readonly disposables: vscode.Disposable[];

  constructor() {
    const forget = ({ uri }: vscode.TextDocument) => this.maps.delete(uri.toString());
    this.disposables = [
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.workspace.onDidSaveTextDocument(forget),
      vscode.workspace.onDidCloseTextDocument(forget),
    ];
  }

  /** Nothing while the text is what is on disk. */
  mapOf({ uri, isDirty }: vscode.TextDocument): LineMap | undefined {
    return isDirty ? this.maps.get(uri.toString()) : undefined;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const { uri, isDirty, lineCount } = document;
    if (uri.scheme !== "file") return;
    const key = uri.toString();
    // Read from disk again, or undone back to it.
    if (!isDirty) {
      this.maps.delete(key);
      return;
    }
    if (contentChanges.length === 0) return;
    let map = this.maps.get(key);
    if (map === undefined) {
      const grown = contentChanges.reduce(
        (sum, { range, text }) => sum + lineBreaks(text) - (range.end.line - range.start.line),
        0,
      );
      map = new LineMap(lineCount - grown);
      this.maps.set(key, map);
    }
    map.apply(contentChanges);
  }
}
