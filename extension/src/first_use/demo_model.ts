// How far the person has come in the demo, as the host last told it. A workspace that is no demo is asked once and then left
// in peace: it does not become one.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import type { HostLink } from "../host_link";
import { OneAtATime } from "../one_at_a_time";
import { messageOf } from "../refusal";
import type { DemoAt } from "./demo_steps";

const restMs = 150;

export class DemoModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  private current: DemoAt | undefined;
  private isNone = false;
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
      link.onMoved(() => this.refresh()),
      link.onDidChangeState(({ kind }) => {
        if (kind === "connected") this.refresh();
      }),
    ];
  }

  /** Nothing where this is no demo, or that is not known. */
  get at(): DemoAt | undefined {
    return this.current;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** What is known once the host was asked anew. */
  async now(): Promise<DemoAt | undefined> {
    await this.fetching.run();
    return this.current;
  }

  private refresh(): void {
    if (!this.isNone) this.fetch.ask();
  }

  private async fetchNow(): Promise<void> {
    if (this.link.state.kind !== "connected") return;
    try {
      const { stage, ...rest } = await this.link.call("augment/demo/status", {});
      this.isNone = stage === null;
      const was = JSON.stringify(this.current);
      this.current = stage === null ? undefined : { stage, ...rest };
      if (JSON.stringify(this.current) !== was) this.changed.fire();
    } catch (error) {
      // A lost connection is told by the link, and leads to another fetch when it is back.
      this.log.debug(`Whether this is a demo could not be fetched: ${messageOf(error)}`);
    }
  }
}
