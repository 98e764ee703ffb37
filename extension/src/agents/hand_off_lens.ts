// What can be done with the text of a hand-off, in words above its first line. The same is in the title bar of its editor.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { oneLine } from "../outside_text";
import type { HandOffTexts } from "./hand_off_texts";

export class HandOffLens implements vscode.CodeLensProvider, vscode.Disposable {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  private readonly registered: vscode.Disposable;

  constructor(private readonly texts: HandOffTexts) {
    this.onDidChangeCodeLenses = texts.onDidChange;
    this.registered = vscode.languages.registerCodeLensProvider({ scheme: "untitled" }, this);
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const handOff = this.texts.handOffOf(uri);
    if (handOff === undefined) return [];
    const agent = oneLine(handOff.toAgent);
    const lens = (title: string, command: string, tooltip: string) =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title,
        tooltip,
        command: ours(command),
        arguments: [uri],
      });
    return [
      lens(t("Start With This Text"), "startHandOff", t("{0} gets this text to the letter", agent)),
      lens(t("Dismiss"), "dismissHandOff", t("{0} does not go on", agent)),
    ];
  }

  dispose(): void {
    this.registered.dispose();
  }
}
