// The same decisions as code actions, for those who work by keyboard: the hunk at the cursor, its file, its task.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { shortened } from "../outside_text";
import type { Flag } from "../protocol.gen";
import { BEFORE_SCHEME } from "./before_text";
import { authorWords, hunkLabel } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { stopping } from "./finding_words";
import { FINDING_SOURCE } from "./findings";
import { hunksShown } from "./hunk_here";
import { hunkAt } from "./hunk_places";
import { lastName } from "./path_text";

const labelLimit = 40;

export class HunkActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  constructor(private readonly model: ChangesModel) {}

  static register(model: ChangesModel): vscode.Disposable {
    const selector = [{ scheme: model.folder.scheme }, { scheme: BEFORE_SCHEME }];
    return vscode.languages.registerCodeActionsProvider(selector, new HunkActions(model), {
      providedCodeActionKinds: HunkActions.kinds,
    });
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const shown = hunksShown(this.model, document);
    const placed = shown && hunkAt(shown.hunks, range.start.line, document.lineCount);
    const uri = shown && this.model.uriOf(shown.path);
    if (shown === undefined || placed === undefined || uri === undefined) return [];
    const { hunk } = placed;
    const what = shortened(hunkLabel(hunk), labelLimit);
    const name = lastName(shown.path);
    const { task } = hunk.author;
    const whole =
      task === null
        ? []
        : [
            action(t("Approve all of {0}", authorWords(hunk.author)), "approveTask", [task]),
            action(t("Reject all of {0}", authorWords(hunk.author)), "rejectTask", [task]),
          ];
    const { flag } = hunk;
    return [
      ...(stopping(hunk.findings).length === 0
        ? []
        : [action(t("Acknowledge what was found in this hunk…"), "acknowledgeFinding", [hunk.id])]),
      ...(flag === null ? [] : [answer(flag, diagnostics)]),
      action(t("Approve hunk “{0}”", what), "approveHunk", [hunk.id]),
      action(t("Reject hunk “{0}”", what), "rejectHunk", [hunk.id]),
      action(t("Skip hunk “{0}”", what), "skipHunk", [hunk.id]),
      action(t("Approve everything in {0}", name), "approveFile", [uri]),
      action(t("Reject everything in {0}", name), "rejectFile", [uri]),
      ...whole,
      ...(hunk.author.kind === "unknown" ? [action(t("Assign this hunk to a task…"), "assignChanges", [hunk.id])] : []),
    ];
  }
}

/** The way to settle the problem that stands at the hunk. */
function answer({ id, kind }: Flag, diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction {
  const made = action(
    kind === "unauthorised" ? t("Answer unauthorised change…") : t("Answer out-of-scope change…"),
    "answerFlag",
    [id],
  );
  made.diagnostics = diagnostics.filter(({ source, code }) => source === FINDING_SOURCE && code === kind);
  return made;
}

function action(title: string, command: string, args: unknown[]): vscode.CodeAction {
  const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  made.command = { title, command: ours(command), arguments: args };
  return made;
}
