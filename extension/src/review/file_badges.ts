// The number of pending hunks beside a file's name, in the explorer and wherever else files are listed.

import * as vscode from "vscode";
import { t } from "../l10n";
import { LOOKS } from "../state_look";
import { badgeText, hunkCount } from "./change_words";
import type { ChangesModel } from "./changes_model";

export class FileBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  readonly onDidChangeFileDecorations = this.changed.event;
  private shown = new Map<string, { uri: vscode.Uri; look: string }>();
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly model: ChangesModel) {
    this.disposables = [
      this.changed,
      model.onDidChange(() => this.update()),
      vscode.window.registerFileDecorationProvider(this),
    ];
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const file = this.model.fileOf(uri);
    if (file === undefined) return undefined;
    const count = file.hunks.length;
    const isUnknown = file.hunks.some(({ author }) => author.kind === "unknown");
    const tooltip = isUnknown
      ? t("{0} to review, some by an {1}", hunkCount(count), LOOKS.unknownAuthor.word)
      : t("{0} to review", hunkCount(count));
    const { color } = isUnknown ? LOOKS.unknownAuthor : LOOKS.toReview;
    const decoration = new vscode.FileDecoration(badgeText(count), tooltip, new vscode.ThemeColor(color));
    decoration.propagate = true;
    return decoration;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Only files that differ from what is drawn are told, since each is asked for again. */
  private update(): void {
    const now = new Map<string, { uri: vscode.Uri; look: string }>();
    for (const { path, hunks } of this.model.files) {
      const uri = this.model.uriOf(path);
      if (uri === undefined) continue;
      const { length: unknown } = hunks.filter(({ author }) => author.kind === "unknown");
      now.set(path, { uri, look: `${hunks.length}/${unknown}` });
    }
    const moved = [...now, ...this.shown].filter(([path]) => now.get(path)?.look !== this.shown.get(path)?.look);
    this.shown = now;
    if (moved.length > 0) this.changed.fire(moved.map(([, { uri }]) => uri));
  }
}
