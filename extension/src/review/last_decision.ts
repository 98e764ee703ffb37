// The last decision in the status bar, with the way back: a click undoes it, or does it again. It goes after a while; the
// commands to undo and redo stay.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutIcons } from "../outside_text";
import { OwnDecisions } from "./own_decisions";

const shownMs = 15_000;

export interface DecisionShown {
  icon: string;
  /** What was done, without a full stop. */
  words: string;
  /** What a click does, as a title. */
  back: string;
  command: vscode.Command;
}

export class LastDecision implements vscode.Disposable {
  readonly own = new OwnDecisions();
  private readonly item = vscode.window.createStatusBarItem("decision", vscode.StatusBarAlignment.Left, 48.5);
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    this.item.name = t("Augment Last Decision");
  }

  show({ icon, words, back, command }: DecisionShown): void {
    this.item.text = `$(${icon}) ${withoutIcons(words)} · ${back}`;
    this.item.tooltip = t("{0}. Click to {1}.", words, back.toLowerCase());
    this.item.accessibilityInformation = { label: t("Augment: {0}", `${words} · ${back}`), role: "button" };
    this.item.command = command;
    this.item.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.item.hide(), shownMs);
  }

  /** Something else tells of it with its own way back. */
  hide(): void {
    clearTimeout(this.timer);
    this.item.hide();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.item.dispose();
  }
}
