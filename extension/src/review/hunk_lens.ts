// Buttons above each hunk that waits, in editors of files. What they say is the same until the changes or the text move,
// so they are made once for each.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import { capitalized, oneLine } from "../outside_text";
import { flagKindWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { markLine, type PlacedHunk } from "./hunk_places";

const codeLensSetting = "augmentOrchestrator.review.codeLens";
const restMs = 250;

interface Made {
  moment: number;
  version: number;
  lenses: vscode.CodeLens[];
}

export class HunkLens implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly made = new WeakMap<vscode.TextDocument, Made>();
  private readonly refresh = new Coalesced(async () => this.changed.fire(), restMs);
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly model: ChangesModel) {
    this.disposables = [
      this.changed,
      this.refresh,
      model.onDidChange(() => this.refresh.ask()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(codeLensSetting)) this.refresh.ask();
      }),
      vscode.languages.registerCodeLensProvider({ scheme: model.folder.scheme }, this),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!vscode.workspace.getConfiguration().get<boolean>(codeLensSetting, true)) return [];
    const { moment } = this.model;
    const { version } = document;
    const made = this.made.get(document);
    if (made !== undefined && made.moment === moment && made.version === version) return made.lenses;
    const lenses = this.model.hunksIn(document).flatMap((placed) => lensesOf(placed, document.lineCount));
    this.made.set(document, { moment, version, lenses });
    return lenses;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function lensesOf(placed: PlacedHunk, lineCount: number): vscode.CodeLens[] {
  const { id, entangledWith, flagged, flag } = placed.hunk;
  const line = markLine(placed, lineCount);
  const lens = (title: string, command: string, tooltip: string, about = id) =>
    new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
      title,
      tooltip,
      command: `augment-orchestrator.${command}`,
      arguments: [about],
    });
  const preview = lens("Preview", "previewHunk", "Show what rejecting this hunk would do");
  const outside =
    flag === null
      ? []
      : [
          lens(capitalized(flagKindWords(flag.kind)), "answerFlag", oneLine(flag.message), flag.id),
          lens("Extend", "extendScope", "This file belongs to the scope from now on", flag.id),
          lens("Log", "logFlag", "Put it in the queue as discovered, and take the change out", flag.id),
          lens("Allow once", "allowFlagOnce", "This file for this task, and no more", flag.id),
        ];
  return [
    ...outside,
    lens("Approve", "approveHunk", "Keep this hunk"),
    lens("Reject", "rejectHunk", "Take this hunk out and bring back what it replaced"),
    ...(entangledWith.length > 0 || flagged !== null ? [preview] : []),
  ];
}
