// What the changes view shows: tasks, the files each has changed, and the hunks in them, all of it from the model.

import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { ours } from "../ours";
import type { ChangedFile } from "../protocol.gen";
import { type ChangeGroup, groupChanges } from "./change_groups";
import { pendingWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { type ChangesRow, drawChangesRow } from "./changes_row";

export const CHANGES_VIEW = ours("changes");

export class ChangesTree implements vscode.TreeDataProvider<ChangesRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private groups: ChangeGroup[] | undefined;
  private drawn: { files: readonly ChangedFile[]; isWhole: boolean } | undefined;
  private readonly listening: vscode.Disposable;

  constructor(
    private readonly link: HostLink,
    private readonly model: ChangesModel,
  ) {
    this.listening = model.onDidChange(() => this.drawChanged());
  }

  getTreeItem(row: ChangesRow): vscode.TreeItem {
    return drawChangesRow(row, this.model);
  }

  getParent(row: ChangesRow): ChangesRow | undefined {
    if (row.kind === "change-hunk") return row.parent;
    return row.kind === "change-file" ? { kind: "change-group", group: row.group } : undefined;
  }

  getChildren(row?: ChangesRow): ChangesRow[] {
    if (row === undefined) return this.topRows();
    if (row.kind === "change-group")
      return row.group.files.map((grouped) => ({ kind: "change-file", group: row.group, grouped }));
    if (row.kind === "change-file")
      return row.grouped.hunks.map((hunk) => ({ kind: "change-hunk", parent: row, hunk }));
    return [];
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  /** While rows are drawn anew VS Code does not know them, and a button that is pressed then is about none. */
  private drawChanged(): void {
    const { files, isWhole } = this.model;
    if (isDeepStrictEqual(this.drawn, { files, isWhole })) return;
    this.drawn = { files, isWhole };
    this.groups = undefined;
    this.changed.fire(undefined);
  }

  private topRows(): ChangesRow[] {
    // VS Code asks for rows when somebody looks at the view, and not before.
    this.link.wake();
    const groups = this.allGroups().map((group): ChangesRow => ({ kind: "change-group", group }));
    return this.model.isWhole ? groups : [...groups, { kind: "change-cut", shown: this.model.files.length }];
  }

  allGroups(): ChangeGroup[] {
    this.groups ??= groupChanges(this.model.files);
    return this.groups;
  }
}

/** The number of pending hunks on the view. */
export function changesBadge({ counts }: ChangesModel): vscode.ViewBadge | undefined {
  return counts.pendingHunks === 0 ? undefined : { value: counts.pendingHunks, tooltip: pendingWords(counts) };
}
