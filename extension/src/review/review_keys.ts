// What menus, keys and welcome texts go by: which files have something pending, and whether the cursor is on a hunk.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import type { ChangesModel } from "./changes_model";
import { stoppedHunks } from "./finding_words";
import { hunkAt } from "./hunk_places";

const restMs = 50;

export class ReviewKeys implements vscode.Disposable {
  private readonly set = new Map<string, string>();
  private readonly look: Coalesced;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly model: ChangesModel) {
    this.look = new Coalesced(async () => this.lookNow(), restMs);
    const ask = () => this.look.ask();
    this.disposables = [
      this.look,
      model.onDidChange(() => {
        this.tell(
          "pendingPaths",
          model.files.flatMap(({ path }) => model.uriOf(path)?.fsPath ?? []),
        );
        this.tell("hasPending", model.counts.pendingHunks > 0);
        this.tell("hasUnknown", model.counts.unknownHunks > 0);
        this.tell("hasFinding", stoppedHunks(model.files, { all: true }).length > 0);
        ask();
      }),
      vscode.window.onDidChangeTextEditorSelection(ask),
      vscode.window.onDidChangeActiveTextEditor(ask),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private lookNow(): void {
    const editor = vscode.window.activeTextEditor;
    const hunks = editor === undefined ? [] : this.model.hunksIn(editor.document);
    const placed = editor && hunkAt(hunks, editor.selection.active.line, editor.document.lineCount);
    this.tell("hunkAtCursor", placed !== undefined);
    this.tell("fileHasPending", hunks.length > 0);
  }

  private tell(name: string, value: boolean | string[]): void {
    const known = JSON.stringify(value);
    if (this.set.get(name) === known) return;
    this.set.set(name, known);
    void vscode.commands.executeCommand("setContext", `augmentOrchestrator.${name}`, value);
  }
}
