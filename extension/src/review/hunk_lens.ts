// Buttons above each hunk that waits, in editors of files. What they say is the same until the changes or the text move,
// so they are made once for each.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import { t } from "../l10n";
import { ours } from "../ours";
import { capitalized, oneLine, withoutIcons } from "../outside_text";
import { flagKindWords, wholeFileWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { markLine, type PlacedHunk } from "./hunk_places";
import { noteLine, noteWords } from "./line_notes";
import type { ReviewFlow } from "./review_flow";
import { placeWords } from "./review_words";

const codeLensSetting = "augmentOrchestrator.review.codeLens";
const restMs = 250;

interface Made {
  moment: number;
  round: number;
  version: number;
  lenses: vscode.CodeLens[];
}

export class HunkLens implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly made = new WeakMap<vscode.TextDocument, Made>();
  private readonly refresh = new Coalesced(async () => this.changed.fire(), restMs);
  private readonly disposables: vscode.Disposable[];
  /** Another number for each time that places may have changed. */
  private round = 0;

  constructor(
    private readonly model: ChangesModel,
    private readonly flow: ReviewFlow,
  ) {
    this.disposables = [
      this.changed,
      this.refresh,
      model.onDidChange(() => this.refresh.ask()),
      flow.onDidChange(() => {
        this.round += 1;
        this.refresh.ask();
      }),
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
    const { round } = this;
    const made = this.made.get(document);
    if (made?.moment === moment && made.round === round && made.version === version) return made.lenses;
    const lenses = this.model.hunksIn(document).flatMap((placed) => {
      const place = this.flow.placeOf(placed.hunk.id);
      return lensesOf(placed, place && placeWords(place), document);
    });
    this.made.set(document, { moment, round, version, lenses });
    return lenses;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function lensesOf(placed: PlacedHunk, place: string | undefined, document: vscode.TextDocument): vscode.CodeLens[] {
  const { id, entangledWith, flagged, flag } = placed.hunk;
  const line = markLine(placed, document.lineCount);
  const lens = (title: string, command: string, tooltip: string, about = id) =>
    new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
      title,
      tooltip,
      command: ours(command),
      arguments: [about],
    });
  const preview = lens(t("Preview"), "previewHunk", t("Show what rejecting this hunk would do"));
  // One button for all of its answers: most hunks need none of them.
  const outside =
    flag === null
      ? []
      : [lens(t("{0}…", capitalized(flagKindWords(flag.kind))), "answerFlag", oneLine(flag.message), flag.id)];
  const whole = wholeFileWords(placed.hunk);
  // What has no room behind a line is told here.
  const note = noteLine(placed, document) === undefined ? [withoutIcons(noteWords(placed))] : [];
  const facts = [...(place === undefined ? [] : [capitalized(place)]), ...note].join(" · ");
  return [
    ...(whole === undefined
      ? []
      : [lens(withoutIcons(whole), "focusChanges", t("What was done to the file. Show all changes"))]),
    ...outside,
    lens(t("Approve"), "approveHunk", t("Keep this hunk")),
    lens(t("Reject"), "rejectHunk", t("Take this hunk out and bring back what it replaced")),
    lens(t("Skip"), "skipHunk", t("Leave this hunk for later: it comes again at the end of the review")),
    ...(entangledWith.length > 0 || flagged !== null ? [preview] : []),
    ...(facts === ""
      ? []
      : [
          lens(
            facts,
            "focusChanges",
            place === undefined ? t("Who made it. Show all changes") : t("How far this review is. Show all changes"),
          ),
        ]),
  ];
}
