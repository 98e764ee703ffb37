// What is known of the session, as the host last told it: fetched when the host says that sessions moved, and asked by
// everything that shows them. It decides nothing.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import type { HostLink } from "../host_link";
import { OneAtATime } from "../one_at_a_time";
import type { ClosedSession, Flag, Session } from "../protocol.gen";
import { messageOf } from "../refusal";
import { fetchSessions, patternsAround, type SessionsSnapshot } from "./sessions_snapshot";

const restMs = 150;

export class SessionsModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Something that is shown may be different now. */
  readonly onDidChange = this.changed.event;

  private current: SessionsSnapshot | undefined;
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
        // Which of its tasks somebody works on is the queue's, what they ask is the agents', and what waits of them is the changes'.
        const isAbout = parts.includes("queue") || parts.includes("agents") || parts.includes("changes");
        if (parts.includes("sessions") || (isAbout && this.session !== undefined)) this.refresh();
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
  get snapshot(): SessionsSnapshot | undefined {
    return this.current;
  }

  /** The one that is under way. */
  get session(): Session | undefined {
    return this.current?.status.session ?? undefined;
  }

  /** Those that wait for an answer. */
  get flags(): readonly Flag[] {
    return this.current?.status.flags ?? [];
  }

  /** What a flagged path is outside of; none where that is not known. */
  patternsAround(flag: Flag): string[] {
    return this.current === undefined ? [] : patternsAround(flag, this.current);
  }

  /** The last one that has ended, with what came of its steps. */
  get ended(): ClosedSession | undefined {
    return this.current?.ended;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async fetchNow(): Promise<void> {
    if (this.link.state.kind !== "connected") return;
    try {
      const snapshot = await fetchSessions((method, params) => this.link.call(method, params));
      if (this.link.state.kind === "connected") this.keep(snapshot);
    } catch (error) {
      // A lost connection is told by the link, and leads to another fetch when it is back.
      this.log.warn(`The session could not be fetched: ${messageOf(error)}`);
    }
  }

  private keep(snapshot: SessionsSnapshot | undefined): void {
    if (snapshot === undefined && this.current === undefined) return;
    this.current = snapshot;
    this.changed.fire();
  }
}
