// What can be done with a text that is written for a prompt, in words above its first line. The same is in the title bar of its
// editor.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { ours } from "../ours";
import type { PromptTexts, Purpose } from "./prompt_texts";

export const BEGIN_PROMPT = ours("beginPrompt");
export const KEEP_CONTEXT = ours("keepPromptContext");
export const WRITE_ANSWER = ours("writePromptAnswer");

export class PromptLens implements vscode.CodeLensProvider, vscode.Disposable {
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  private readonly registered: vscode.Disposable;

  constructor(private readonly texts: PromptTexts) {
    this.onDidChangeCodeLenses = texts.onDidChange;
    this.registered = vscode.languages.registerCodeLensProvider({ scheme: "untitled" }, this);
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const purpose = this.texts.purposeOf(uri);
    if (purpose === undefined) return [];
    const { told, ...command } = words(purpose);
    const top = new vscode.Range(0, 0, 0, 0);
    // A lens without a command is a text.
    return [
      new vscode.CodeLens(top, { title: told, command: "" }),
      new vscode.CodeLens(top, { ...command, arguments: [uri] }),
    ];
  }

  dispose(): void {
    this.registered.dispose();
  }
}

function words(purpose: Purpose): { told: string; title: string; command: string; tooltip: string } {
  switch (purpose.kind) {
    case "prompt":
      return {
        told: t("Write the prompt here, then press"),
        title: t("Begin"),
        command: BEGIN_PROMPT,
        tooltip: t("The prompt is kept to the letter, with its time"),
      };
    case "context":
      return {
        told: t("Write how the prompt is understood, the approach and its limits, then press"),
        title: purpose.isFinishing ? t("Go On to Finish") : t("Keep"),
        command: KEEP_CONTEXT,
        tooltip: t("It stands in the session commit as the context"),
      };
    case "answer":
      return {
        told: t("Write the answer here, then press"),
        title: t("Write Report"),
        command: WRITE_ANSWER,
        tooltip: t("It is written as a research artifact and committed"),
      };
    default:
      return assertNever(purpose);
  }
}
