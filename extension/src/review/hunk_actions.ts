// The same decisions as code actions, for those who work by keyboard: the hunk at the cursor, its file, its task.

import * as vscode from "vscode";
import { shortened } from "../outside_text";
import { authorWords, hunkLabel } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { stopping } from "./finding_words";
import { hunkAt } from "./hunk_places";
import { lastName } from "./path_text";

const labelLimit = 40;

export class HunkActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  constructor(private readonly model: ChangesModel) {}

  static register(model: ChangesModel): vscode.Disposable {
    return vscode.languages.registerCodeActionsProvider({ scheme: model.folder.scheme }, new HunkActions(model), {
      providedCodeActionKinds: HunkActions.kinds,
    });
  }

  provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
    const file = this.model.fileOf(document.uri);
    const placed = hunkAt(this.model.hunksIn(document), range.start.line, document.lineCount);
    if (file === undefined || placed === undefined) return [];
    const { hunk } = placed;
    const what = shortened(hunkLabel(hunk), labelLimit);
    const name = lastName(file.path);
    const { task } = hunk.author;
    const whole =
      task === null
        ? []
        : [
            action(`Approve all of ${authorWords(hunk.author)}`, "approveTask", [task]),
            action(`Reject all of ${authorWords(hunk.author)}`, "rejectTask", [task]),
          ];
    const { flag } = hunk;
    return [
      ...(stopping(hunk.findings).length === 0
        ? []
        : [action("Acknowledge what was found in this hunk…", "acknowledgeFinding", [hunk.id])]),
      ...(flag === null ? [] : [action("Answer out-of-scope change…", "answerFlag", [flag.id])]),
      action(`Approve hunk “${what}”`, "approveHunk", [hunk.id]),
      action(`Reject hunk “${what}”`, "rejectHunk", [hunk.id]),
      action(`Approve everything in ${name}`, "approveFile", [document.uri]),
      action(`Reject everything in ${name}`, "rejectFile", [document.uri]),
      ...whole,
      ...(hunk.author.kind === "unknown" ? [action("Assign this hunk to a task…", "assignChanges", [hunk.id])] : []),
    ];
  }
}

function action(title: string, command: string, args: unknown[]): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.command = { title, command: `augment-orchestrator.${command}`, arguments: args };
  return made;
}
