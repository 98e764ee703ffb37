// The view of prompts. It holds what is drawn and nothing else.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { ours } from "../ours";
import type { PromptsModel } from "./prompts_model";
import { drawPromptsRow } from "./prompts_row_drawn";
import { commitRows, drawnText, type PromptsRow, promptRows, topRows } from "./prompts_rows";

export const PROMPTS_VIEW = ours("prompts");

export class PromptsTree implements vscode.TreeDataProvider<PromptsRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly listening: vscode.Disposable;
  private drawn = "";

  constructor(
    private readonly link: HostLink,
    private readonly model: PromptsModel,
  ) {
    this.listening = model.onDidChange(() => this.drawChanged());
  }

  getTreeItem(row: PromptsRow): vscode.TreeItem {
    return drawPromptsRow(row, { nowMs: Date.now() });
  }

  getChildren(row?: PromptsRow): PromptsRow[] {
    const { snapshot } = this.model;
    if (row === undefined) {
      // VS Code asks for rows when somebody looks at the view, and not before.
      this.link.wake();
      return topRows(snapshot);
    }
    if (row.kind === "prompt-commit") return commitRows(row.session);
    return row.kind === "prompt-now" && snapshot !== undefined ? promptRows(snapshot) : [];
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private drawChanged(): void {
    const drawn = drawnText(this.model.snapshot, Date.now());
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.changed.fire(undefined);
  }
}
