// The editor's own way to show what differs: marks beside the lines and a peek with buttons, against the file without
// everything that is pending. Files without pending hunks are left to others.

import * as vscode from "vscode";
import { t } from "../l10n";
import { beforeUri } from "./before_text";
import { hunkCount } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { OPEN_FILE_DIFF } from "./changes_row";

const id = "augment";

export class ReviewSourceControl implements vscode.Disposable, vscode.QuickDiffProvider {
  /** It is there only while something waits, so that it takes no room among the person's repositories. */
  private shown: { control: vscode.SourceControl; group: vscode.SourceControlResourceGroup } | undefined;
  private readonly listening: vscode.Disposable;

  constructor(private readonly model: ChangesModel) {
    this.listening = model.onDidChange(() => this.show());
  }

  provideOriginalResource(uri: vscode.Uri): vscode.Uri | undefined {
    const file = this.model.fileOf(uri);
    if (file?.body !== "text") return undefined;
    // Another address than that of the diffs: the editor makes a text of it by itself, and fails where a diff does so at once.
    return beforeUri(this.model.folder, { path: file.path, beforePending: true }).with({ fragment: "margin" });
  }

  dispose(): void {
    this.listening.dispose();
    this.hide();
  }

  private show(): void {
    if (this.model.files.length === 0) {
      this.hide();
      return;
    }
    this.shown ??= this.open();
    // A new list of resources makes VS Code ask again which files have an original.
    this.shown.group.resourceStates = this.model.files.flatMap((file) => {
      const uri = this.model.uriOf(file.path);
      if (uri === undefined) return [];
      const isDeleted = file.body === "absent";
      return [
        {
          resourceUri: uri,
          command: { command: OPEN_FILE_DIFF, title: t("Open Changes"), arguments: [uri] },
          decorations: { tooltip: t("{0} to review", hunkCount(file.hunks.length)), strikeThrough: isDeleted },
          contextValue: "pending",
        },
      ];
    });
  }

  private open(): NonNullable<ReviewSourceControl["shown"]> {
    const control = vscode.scm.createSourceControl(id, t("Augment Review"), this.model.folder);
    control.inputBox.visible = false;
    // The same files are counted by git; counting them again would only double the number on the icon.
    control.count = 0;
    control.quickDiffProvider = this;
    const group = control.createResourceGroup("pending", t("Pending Changes"));
    group.hideWhenEmpty = true;
    return { control, group };
  }

  private hide(): void {
    this.shown?.group.dispose();
    this.shown?.control.dispose();
    this.shown = undefined;
  }
}
