// How much waits for a decision, in the status bar; a click leads to it. Nothing is shown when nothing waits.

import * as vscode from "vscode";
import { pendingWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { CHANGES_VIEW } from "./changes_tree";

export class ReviewStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("changes", vscode.StatusBarAlignment.Left, 49);
  private readonly listening: vscode.Disposable;

  constructor(private readonly model: ChangesModel) {
    this.item.name = "Augment Changes to Review";
    this.item.command = { title: "Focus Changes", command: `${CHANGES_VIEW}.focus` };
    this.listening = model.onDidChange(() => this.show());
  }

  dispose(): void {
    this.item.dispose();
    this.listening.dispose();
  }

  private show(): void {
    const { counts } = this.model;
    if (counts.pendingHunks === 0) {
      this.item.hide();
      return;
    }
    const unknown = counts.unknownHunks === 0 ? "" : `, ${counts.unknownHunks.toLocaleString()} by an unknown author`;
    const words = `${pendingWords(counts)}${unknown}`;
    this.item.text = `$(git-compare) ${counts.pendingHunks.toLocaleString()} to review`;
    this.item.tooltip = words;
    this.item.accessibilityInformation = { label: `Augment: ${words}`, role: "button" };
    this.item.show();
  }
}
