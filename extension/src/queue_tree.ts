// What the queue view shows: a snapshot of the host's queue by groups, a page of each that is open, fetched again when
// the host says that the queue moved. It holds what is drawn and nothing else.

import * as vscode from "vscode";
import type { AgentsModel } from "./agents/agents_model";
import { Coalesced } from "./coalesced";
import type { HostLink } from "./host_link";
import { OneAtATime } from "./one_at_a_time";
import { ours } from "./ours";
import type { Task } from "./protocol.gen";
import { GROUPS, type Group, groupCount, groupOf } from "./queue_group";
import { drawRow, type QueueRow, type TaskRow } from "./queue_row";
import { drawnText, fetchSnapshot, type Snapshot } from "./queue_snapshot";
import { messageOf } from "./refusal";

export const QUEUE_VIEW = ours("queue");

const pageSize = 200;
/** VS Code holds back a redraw that comes within 200 ms of the one before, and starts that wait anew with each. */
const restMs = 205;

export class QueueTree implements vscode.TreeDataProvider<QueueRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  private snapshot: Snapshot | undefined;
  /** What the rows were last drawn from. */
  private drawn: string | undefined;
  private drawnAsked = "";
  private readonly open = new Set<Group>(GROUPS.filter((group) => group !== "done"));
  private readonly wanted = new Map<Group, number>();
  private readonly redraw: Coalesced;
  private readonly fetching = new OneAtATime(() => this.fetch());
  private readonly disposables: vscode.Disposable[];
  private view: vscode.TreeView<QueueRow> | undefined;

  constructor(
    private readonly link: HostLink,
    private readonly agents: AgentsModel,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.redraw = new Coalesced(() => this.fetchAndDraw(), restMs);
    this.disposables = [
      this.changed,
      this.redraw,
      link.onMoved(({ parts }) => {
        if (parts.includes("queue")) this.refresh();
      }),
      agents.onDidChange(() => {
        // A row that is drawn anew loses the menu that is open on it.
        if (this.askedText() !== this.drawnAsked) this.refresh();
      }),
      link.onDidChangeState(({ kind }) => {
        if (kind === "connected") this.refresh();
        else if (kind !== "starting" && kind !== "reconnecting") this.clear();
      }),
    ];
  }

  /** The view that shows this tree: it says which groups are open and whether anybody looks. */
  attach(view: vscode.TreeView<QueueRow>): void {
    this.view = view;
    this.disposables.push(
      view.onDidCollapseElement(({ element }) => {
        if (element.kind === "group") this.open.delete(element.group);
      }),
      view.onDidExpandElement(({ element }) => {
        if (element.kind === "group") this.open.add(element.group);
      }),
    );
  }

  refresh(): void {
    this.redraw.ask();
  }

  showMore(group: Group): void {
    this.wanted.set(group, this.wantedOf(group) + pageSize);
    this.refresh();
  }

  /** The tasks of a group that are on screen, in their order. */
  shown(group: Group): readonly Task[] {
    return this.snapshot?.tasks.get(group) ?? [];
  }

  /** The row of a task, fetched if its group was not open. Nothing when it lies beyond what is shown. */
  async rowOf({ id, status }: Pick<Task, "id" | "status">): Promise<TaskRow | undefined> {
    const group = groupOf(status);
    const find = () => this.shown(group).find((task) => task.id === id);
    if (find() === undefined) {
      this.open.add(group);
      await this.fetchQuietly();
      this.draw();
    }
    const task = find();
    return task === undefined ? undefined : { kind: "task", group, task };
  }

  getTreeItem(row: QueueRow): vscode.TreeItem {
    return drawRow(row, this.asked());
  }

  getParent(row: QueueRow): QueueRow | undefined {
    if (row.kind === "group") return undefined;
    return { kind: "group", group: row.group, count: this.snapshot ? groupCount(row.group, this.snapshot.counts) : 0 };
  }

  async getChildren(row?: QueueRow): Promise<QueueRow[]> {
    if (row === undefined) return this.groupRows();
    return row.kind === "group" ? this.taskRows(row.group) : [];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async groupRows(): Promise<QueueRow[]> {
    // VS Code asks for rows when somebody looks at the view, and not before.
    this.link.wake();
    const snapshot = this.snapshot ?? (await this.fetchQuietly());
    if (snapshot === undefined) return [];
    this.drawnAsked = this.askedText();
    return GROUPS.map(
      (group): QueueRow => ({ kind: "group", group, count: groupCount(group, snapshot.counts) }),
    ).filter((row) => row.kind === "group" && row.count > 0);
  }

  private async taskRows(group: Group): Promise<QueueRow[]> {
    if (this.snapshot !== undefined && !this.snapshot.tasks.has(group)) {
      this.open.add(group);
      await this.fetchQuietly();
    }
    if (this.snapshot === undefined) return [];
    const rows = this.shown(group).map((task): QueueRow => ({ kind: "task", group, task }));
    const left = groupCount(group, this.snapshot.counts) - rows.length;
    return left > 0 && rows.length >= this.wantedOf(group) ? [...rows, { kind: "more", group, left }] : rows;
  }

  private async fetchAndDraw(): Promise<void> {
    // While nobody looks, the next look fetches.
    if (this.view !== undefined && !this.view.visible) return this.clear();
    const snapshot = await this.fetchQuietly();
    if (snapshot !== undefined && this.text(snapshot) !== this.drawn) this.draw();
  }

  private draw(): void {
    this.drawn = this.snapshot && this.text(this.snapshot);
    this.changed.fire(undefined);
  }

  private text(snapshot: Snapshot): string {
    return `${drawnText(snapshot)} ${this.askedText()}`;
  }

  private askedText(): string {
    return [...this.asked()].sort().join();
  }

  /** The tasks whose run waits for an answer. */
  private asked(): ReadonlySet<string> {
    return new Set(this.agents.snapshot?.questions.map(({ task }) => task));
  }

  private fetchQuietly(): Promise<Snapshot | undefined> {
    return this.fetching.run();
  }

  private async fetch(): Promise<Snapshot | undefined> {
    if (this.link.state.kind !== "connected") return undefined;
    const wanted = new Map(
      GROUPS.filter((group) => this.open.has(group)).map((group) => [group, this.wantedOf(group)]),
    );
    try {
      const snapshot = await fetchSnapshot((params) => this.link.call("augment/queue/list", params), wanted);
      // The host may have been stopped meanwhile, and what it held is not to be drawn any more.
      if (this.link.state.kind !== "connected") return undefined;
      this.snapshot = snapshot;
      return snapshot;
    } catch (error) {
      // A lost connection is told by the link, and leads to another fetch when it is back.
      this.log.warn(`The queue could not be fetched: ${messageOf(error)}`);
      return undefined;
    }
  }

  private wantedOf(group: Group): number {
    return this.wanted.get(group) ?? pageSize;
  }

  private clear(): void {
    this.snapshot = undefined;
    this.draw();
  }
}
