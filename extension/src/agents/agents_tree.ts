// The agents view. It holds what is drawn and nothing else.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { ours } from "../ours";
import { oneLine } from "../outside_text";
import type { AgentsModel } from "./agents_model";
import { drawAgentsRow } from "./agents_row_drawn";
import { type AgentsRow, drawnText, groupRows, parentOf, rowsBelow, rowsOf } from "./agents_rows";
import type { AgentsSnapshot } from "./agents_snapshot";
import { evidence } from "./run_words";

export const AGENTS_VIEW = ours("agents");

const nothing: AgentsSnapshot = { agents: [], problems: [], active: [], ended: [], questions: [], proposals: [] };

export class AgentsTree implements vscode.TreeDataProvider<AgentsRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly listening: vscode.Disposable;
  private drawn = "";

  constructor(
    private readonly link: HostLink,
    private readonly model: AgentsModel,
  ) {
    this.listening = model.onDidChange(() => this.drawChanged());
  }

  getTreeItem(row: AgentsRow): vscode.TreeItem {
    return drawAgentsRow(row, this.snapshot);
  }

  async resolveTreeItem(item: vscode.TreeItem, row: AgentsRow): Promise<vscode.TreeItem> {
    if (row.kind !== "agents-run") return item;
    // The host does not tell of every sign of life, so the row may know an old one.
    const run = await this.link.call("augment/run/show", { run: row.run.run }).then(
      (details) => details.run,
      () => row.run,
    );
    item.tooltip = [
      t("{0} ({1}) on {2}, {3}", oneLine(run.agent), run.run, run.task, oneLine(run.title)),
      ...evidence(run),
    ].join("\n");
    return item;
  }

  getParent(row: AgentsRow): AgentsRow | undefined {
    return parentOf(row, this.snapshot);
  }

  getChildren(row?: AgentsRow): AgentsRow[] {
    if (row === undefined) {
      // VS Code asks for rows when somebody looks at the view, and not before.
      this.link.wake();
      return groupRows(this.snapshot);
    }
    if (row.kind === "agents-group") return rowsOf(row.group, this.snapshot);
    return row.kind === "agents-run" ? rowsBelow(row.run, this.snapshot) : [];
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private drawChanged(): void {
    const drawn = drawnText(this.snapshot);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.changed.fire(undefined);
  }

  private get snapshot(): AgentsSnapshot {
    return this.model.snapshot ?? nothing;
  }
}

/** The number of questions on the view. */
export function agentsBadge(questions: number): vscode.ViewBadge | undefined {
  if (questions === 0) return undefined;
  return {
    value: questions,
    tooltip: questions === 1 ? t("1 question waits for you") : t("{0} questions wait for you", questions),
  };
}
