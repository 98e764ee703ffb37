// The session view. It holds what is drawn and nothing else.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { ours } from "../ours";
import type { ChangedFile } from "../protocol.gen";
import { flagsBesides, flagsNotice, scopeCount } from "./session_words";
import type { SessionsModel } from "./sessions_model";
import { drawSessionsRow } from "./sessions_row_drawn";
import { drawnText, rowsOf, type SessionsRow, stepRows, topRows } from "./sessions_rows";

export const SESSION_VIEW = ours("session");

export class SessionsTree implements vscode.TreeDataProvider<SessionsRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly listening: vscode.Disposable;
  private drawn = "";

  constructor(
    private readonly link: HostLink,
    private readonly model: SessionsModel,
  ) {
    this.listening = model.onDidChange(() => this.drawChanged());
  }

  getTreeItem(row: SessionsRow): vscode.TreeItem {
    const { session } = this.model;
    return drawSessionsRow(row, { itemCount: session === undefined ? "" : scopeCount(session) });
  }

  getChildren(row?: SessionsRow): SessionsRow[] {
    const { snapshot } = this.model;
    if (row === undefined) {
      // VS Code asks for rows when somebody looks at the view, and not before.
      this.link.wake();
      return topRows(snapshot);
    }
    if (row.kind === "session-ended") return stepRows(row.ended);
    return row.kind === "session-group" && snapshot !== undefined ? rowsOf(row.group, snapshot) : [];
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private drawChanged(): void {
    const drawn = drawnText(this.model.snapshot);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.changed.fire(undefined);
  }
}

/** The number of flags that wait, on the view, but for those that are counted as hunks that wait. */
export function sessionBadge(
  { flags: all }: Pick<SessionsModel, "flags">,
  waiting: readonly ChangedFile[],
): vscode.ViewBadge | undefined {
  const flags = flagsBesides(all, waiting);
  return flags.length === 0 ? undefined : { value: flags.length, tooltip: flagsNotice(flags) };
}
