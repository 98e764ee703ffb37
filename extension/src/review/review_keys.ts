// What menus, keys and welcome texts go by: which files have something pending, and whether the cursor is on a hunk.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import { setOurs } from "../run_ours";
import type { ChangesModel } from "./changes_model";
import { stoppedHunks } from "./finding_words";
import { type HunkHere, hunksShown } from "./hunk_here";
import type { AllDiffs } from "./review_diff";
import type { ReviewFlow } from "./review_flow";

const restMs = 50;

export class ReviewKeys implements vscode.Disposable {
  private readonly set = new Map<string, string>();
  private readonly look: Coalesced;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly model: ChangesModel,
    private readonly here: HunkHere,
    private readonly all: AllDiffs,
    flow: ReviewFlow,
  ) {
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
      flow.onDidChange(() => {
        const { approved, rejected, skipped } = flow.tally;
        this.tell("reviewBegun", approved + rejected + skipped.length > 0);
        ask();
      }),
      vscode.window.tabGroups.onDidChangeTabs(ask),
      vscode.window.onDidChangeTextEditorSelection(ask),
      vscode.window.onDidChangeActiveTextEditor(ask),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private lookNow(): void {
    const editor = vscode.window.activeTextEditor;
    const shown = editor && hunksShown(this.model, editor.document);
    this.tell("hunkAtCursor", this.here.stop !== undefined);
    this.tell("fileHasPending", (shown?.hunks.length ?? 0) > 0);
    this.tell("allDiffsShown", this.all.isShown);
  }

  private tell(name: string, value: boolean | string[]): void {
    const known = JSON.stringify(value);
    if (this.set.get(name) === known) return;
    this.set.set(name, known);
    void setOurs(name, value);
  }
}
