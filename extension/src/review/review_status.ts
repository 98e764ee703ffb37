// How much waits for a decision, in the status bar, and where the cursor is on a hunk, which of them it is. A click leads to
// the list. Nothing is shown when nothing waits.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import { t } from "../l10n";
import { capitalized } from "../outside_text";
import { LOOKS } from "../state_look";
import { pendingWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { CHANGES_VIEW } from "./changes_tree";
import type { HunkHere } from "./hunk_here";
import type { ReviewFlow } from "./review_flow";
import { placeWords, tallyWords, waitWords } from "./review_words";

const restMs = 50;

export class ReviewStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("changes", vscode.StatusBarAlignment.Left, 49);
  private readonly look: Coalesced;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly model: ChangesModel,
    private readonly here: HunkHere,
    private readonly flow: ReviewFlow,
  ) {
    this.item.name = t("Augment Changes to Review");
    this.item.command = { title: t("Focus Changes"), command: `${CHANGES_VIEW}.focus` };
    this.look = new Coalesced(async () => this.show(), restMs);
    const ask = () => this.look.ask();
    this.disposables = [
      this.item,
      this.look,
      model.onDidChange(ask),
      // A place that is left goes at once, before anything else is shown: at the next one the same may stand there.
      flow.onDidChange(() => (flow.isBusy ? this.show() : ask())),
      vscode.window.onDidChangeTextEditorSelection(ask),
      vscode.window.onDidChangeActiveTextEditor(ask),
      vscode.window.tabGroups.onDidChangeTabs(ask),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private show(): void {
    const { counts } = this.model;
    if (counts.pendingHunks === 0) {
      this.item.hide();
      return;
    }
    // Who is being led somewhere is not there yet: a key that is pressed now is not heard.
    const stop = this.flow.isBusy ? undefined : this.here.stop;
    const place = stop && this.flow.placeOf(stop.hunk.id);
    const unknown =
      counts.unknownHunks === 0
        ? ""
        : t(", {0} by an {1}", counts.unknownHunks.toLocaleString(), LOOKS.unknownAuthor.word);
    const words = `${pendingWords(counts)}${unknown}`;
    const done = tallyWords(this.flow.tally);
    const lines = [words, ...(done === "" ? [] : [t("In this review: {0}", done)])];
    const short = waitWords(counts.pendingHunks, place);
    this.item.text = `$(${LOOKS.toReview.icon}) ${short}`;
    this.item.tooltip = [...(place === undefined ? [] : [capitalized(placeWords(place))]), ...lines].join("\n");
    this.item.accessibilityInformation = { label: t("Augment: {0}", [short, ...lines].join(", ")), role: "button" };
    this.item.show();
  }
}
