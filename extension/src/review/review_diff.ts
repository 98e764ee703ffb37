// Diffs of files that wait: one file against the state before a task, or all of them in one editor.

import * as vscode from "vscode";
import { t } from "../l10n";
import type { Author, ChangedFile, WhichContent } from "../protocol.gen";
import { beforeUri } from "./before_text";
import { authorWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { lastName } from "./path_text";

/** VS Code's own editors of many diffs are opened by it; the documented `vscode.changes` cannot lead to a place in one. */
const openAll = "_workbench.openMultiDiffEditor";

function allTitle(): string {
  return t("Pending Changes");
}

interface FilePair {
  originalUri: vscode.Uri | undefined;
  modifiedUri: vscode.Uri | undefined;
}

/** @param author whose work it is shown against; nothing means everything that waits */
export async function openFileDiff(
  model: ChangesModel,
  file: ChangedFile,
  author?: Author,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const title = t(
    "{0} (before {1} ↔ now)",
    lastName(file.path),
    author === undefined ? t("what is pending") : authorWords(author),
  );
  await vscode.commands.executeCommand(
    "vscode.diff",
    beforeUri(model.folder, before(file, author)),
    nowUri(model, file),
    title,
    options,
  );
}

/** The editor that shows the diffs of all files that wait. */
export class AllDiffs {
  private count = 0;
  /** What it was opened with: a file that is decided meanwhile stays in it. */
  private opened: { source: vscode.Uri; pairs: FilePair[] } | undefined;

  constructor(private readonly model: ChangesModel) {}

  /** Whether it is the active editor. */
  get isShown(): boolean {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    return this.opened !== undefined && tab !== undefined && isOfAll(tab);
  }

  /** Opens it with what waits now, in place of one that shows what waited before. */
  async open(): Promise<void> {
    const before = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isOfAll);
    this.count += 1;
    const source = vscode.Uri.from({ scheme: "multi-diff-editor", path: `augment-review-${this.count}` });
    this.opened = { source, pairs: this.model.files.map((file) => pairOf(this.model, file)) };
    await this.show();
    // A preview has given way already.
    const left = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => before.includes(tab));
    if (left.length > 0) await vscode.window.tabGroups.close(left, true);
  }

  /** Leads to lines of a file in it; for a file that waits only now it is opened anew. @returns whether the file is in it */
  async lead(uri: vscode.Uri, range: vscode.Range): Promise<boolean> {
    const holds = (pairs: readonly FilePair[]) =>
      pairs.some(({ modifiedUri }) => modifiedUri?.toString() === uri.toString());
    const isNew = this.opened !== undefined && !holds(this.opened.pairs);
    if (isNew && holds(this.model.files.map((file) => pairOf(this.model, file)))) await this.open();
    const isIn = this.opened !== undefined && holds(this.opened.pairs);
    // VS Code counts these lines from 1.
    const lines = {
      startLineNumber: range.start.line + 1,
      startColumn: 1,
      endLineNumber: range.end.line + 1,
      endColumn: 1,
    };
    if (isIn) await this.show({ modifiedUri: uri, range: lines });
    return isIn;
  }

  private async show(reveal?: { modifiedUri: vscode.Uri; range: object }): Promise<void> {
    if (this.opened === undefined) return;
    const { source, pairs } = this.opened;
    try {
      await vscode.commands.executeCommand(openAll, {
        title: allTitle(),
        multiDiffSourceUri: source,
        resources: pairs,
        ...(reveal === undefined ? {} : { reveal }),
      });
    } catch (error) {
      if (reveal !== undefined) throw error;
      // An editor that does not know it has the documented way, without places.
      const resources = pairs.map(({ originalUri, modifiedUri }) => [
        modifiedUri ?? originalUri,
        originalUri,
        modifiedUri,
      ]);
      await vscode.commands.executeCommand("vscode.changes", allTitle(), resources);
    }
  }
}

/** VS Code adds to the title how many files it was opened with. */
function isOfAll({ label, input }: vscode.Tab): boolean {
  return label.startsWith(allTitle()) && !named.some((kind) => input instanceof kind);
}

/** The kinds of editors that the API names. Those of many files are not among them. */
const named = [
  vscode.TabInputText,
  vscode.TabInputTextDiff,
  vscode.TabInputCustom,
  vscode.TabInputWebview,
  vscode.TabInputNotebook,
  vscode.TabInputNotebookDiff,
  vscode.TabInputTerminal,
];

function pairOf(model: ChangesModel, file: ChangedFile): FilePair {
  // A side that is not there is left out, so that the file is shown as new or as deleted.
  const isNew = file.hunks.some(({ kind }) => kind === "created");
  return {
    originalUri: isNew ? undefined : beforeUri(model.folder, before(file, undefined)),
    modifiedUri: file.body === "absent" ? undefined : nowUri(model, file),
  };
}

/** The file itself, so that it can be edited in the diff; a stand-in where there is none, or it has no plain name. */
function nowUri(model: ChangesModel, { path, body }: ChangedFile): vscode.Uri {
  const isThere = body === "text" || body === "whole" || body === "large";
  return (isThere ? model.uriOf(path) : undefined) ?? beforeUri(model.folder, { path });
}

function before({ path }: ChangedFile, author: Author | undefined): WhichContent {
  if (author?.task) return { path, beforeTask: author.task };
  if (author?.run) return { path, beforeRun: author.run };
  return { path, beforePending: true };
}
