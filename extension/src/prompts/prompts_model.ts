// What is known of prompts, as the host last told it: fetched when the host says that they moved, and asked by everything
// that shows them. The history is read only while somebody looks at it. It decides nothing.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import type { HostLink } from "../host_link";
import { OneAtATime } from "../one_at_a_time";
import type { Prompt } from "../protocol.gen";
import { messageOf } from "../refusal";
import { fetchHistory, type PromptsSnapshot } from "./prompts_snapshot";

const restMs = 250;
const pageSize = 50;

export class PromptsModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Something that is shown may be different now. */
  readonly onDidChange = this.changed.event;

  private current: PromptsSnapshot | undefined;
  private isLookedAt = false;
  private limit = pageSize;
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
        // What is approved can be committed for the prompt; nobody asks for it where it is not shown.
        const showsApproved = this.isLookedAt && this.prompt !== undefined;
        if (parts.includes("prompts") || (showsApproved && parts.includes("changes"))) this.refresh();
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

  /** Whether somebody sees the history. */
  look(isLookedAt: boolean): void {
    this.isLookedAt = isLookedAt;
    if (isLookedAt) this.refresh();
  }

  showMore(): void {
    this.limit += pageSize;
    this.refresh();
  }

  /** How many `session:` commits are asked for. */
  get historyLimit(): number {
    return this.limit;
  }

  /** Nothing while it is not known. */
  get snapshot(): PromptsSnapshot | undefined {
    return this.current;
  }

  /** The one that is under way. */
  get prompt(): Prompt | undefined {
    return this.current?.status.prompt ?? undefined;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async fetchNow(): Promise<void> {
    if (this.link.state.kind !== "connected") return;
    try {
      const status = await this.link.call("augment/prompt/status", {});
      const history = this.isLookedAt
        ? await fetchHistory((method, params) => this.link.call(method, params), this.limit)
        : this.current?.history;
      if (this.link.state.kind === "connected") this.keep({ status, history });
    } catch (error) {
      // A lost connection is told by the link, and leads to another fetch when it is back.
      this.log.warn(`The prompt could not be fetched: ${messageOf(error)}`);
    }
  }

  private keep(snapshot: PromptsSnapshot | undefined): void {
    if (snapshot === undefined && this.current === undefined) return;
    this.current = snapshot;
    this.changed.fire();
  }
}
