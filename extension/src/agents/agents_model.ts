// What is known of agents, runs, questions and proposals, as the host last told it: fetched when the host says that agents
// moved, and asked by everything that shows them. It decides nothing.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import type { HostLink } from "../host_link";
import { OneAtATime } from "../one_at_a_time";
import type { RunInfo } from "../protocol.gen";
import { messageOf } from "../refusal";
import { runOf } from "./agents_rows";
import { type AgentsSnapshot, fetchAgents } from "./agents_snapshot";

const restMs = 150;

export class AgentsModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Something that is shown may be different now. */
  readonly onDidChange = this.changed.event;

  private current: AgentsSnapshot | undefined;
  private readonly fetch: Coalesced;
  private readonly fetching = new OneAtATime(() => this.fetchNow());
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.fetch = new Coalesced(() => this.fetching.run(), restMs);
    this.disposables = [
      this.changed,
      this.fetch,
      link.onMoved(({ parts }) => {
        if (parts.includes("agents") || parts.includes("settings")) this.refresh();
      }),
      link.onDidChangeState(({ kind }) => {
        if (kind === "connected") this.refresh();
        else if (kind !== "starting" && kind !== "reconnecting") this.keep(undefined);
      }),
    ];
  }

  refresh(): void {
    this.fetch.ask();
  }

  /** Resolves when what is known is not older than this call. */
  async refreshed(): Promise<void> {
    await this.fetching.run();
  }

  /** Nothing while it is not known. */
  get snapshot(): AgentsSnapshot | undefined {
    return this.current;
  }

  run(id: string): RunInfo | undefined {
    return this.current && runOf(id, this.current);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async fetchNow(): Promise<void> {
    if (this.link.state.kind !== "connected") return;
    try {
      const snapshot = await fetchAgents((method, params) => this.link.call(method, params));
      if (this.link.state.kind === "connected") this.keep(snapshot);
    } catch (error) {
      // A lost connection is told by the link, and leads to another fetch when it is back.
      this.log.warn(`Agents and runs could not be fetched: ${messageOf(error)}`);
    }
  }

  private keep(snapshot: AgentsSnapshot | undefined): void {
    if (snapshot === undefined && this.current === undefined) return;
    this.current = snapshot;
    this.changed.fire();
  }
}
