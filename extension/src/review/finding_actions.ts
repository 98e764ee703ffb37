// What can be done about a finding where it stands: look at it and say why it may stay, or take the hunk out.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import type { Finding } from "../protocol.gen";
import type { ChangesModel } from "./changes_model";
import { ruleWords } from "./finding_words";
import type { Findings } from "./findings";

export const ACKNOWLEDGE_FINDING = ours("acknowledgeFinding");

export class FindingActions implements vscode.CodeActionProvider {
  constructor(private readonly findings: Findings) {}

  static register(model: ChangesModel, findings: Findings): vscode.Disposable {
    const provider = new FindingActions(findings);
    return vscode.languages.registerCodeActionsProvider({ scheme: model.folder.scheme }, provider, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    });
  }

  provideCodeActions(
    { uri }: vscode.TextDocument,
    _: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return this.findings.of(uri, diagnostics).flatMap(([diagnostic, finding]) => actionsOn(diagnostic, finding));
  }
}

function actionsOn(diagnostic: vscode.Diagnostic, finding: Finding): vscode.CodeAction[] {
  const { hunk, allowed } = finding;
  if (hunk === null) return [];
  const action = (title: string, command: string, args: unknown[]) => {
    const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    made.command = { title, command, arguments: args };
    made.diagnostics = [diagnostic];
    return made;
  };
  return [
    ...(allowed === null ? [action(t("Acknowledge {0}…", ruleWords(finding)), ACKNOWLEDGE_FINDING, [finding])] : []),
    action(t("Reject hunk with this finding"), ours("rejectHunk"), [hunk]),
  ];
}
