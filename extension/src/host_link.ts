// Keeps one connection to the workspace's host for as long as the window is open: starts the sidecar, starts it again
// with back-off when it ends, stops when that does not help. The host holds the state, so nothing is lost in between.

import * as vscode from "vscode";
import { Backoff } from "./backoff";
import { Connection } from "./connection";
import type { Methods, Moved } from "./protocol.gen";
import { messageOf, NotConnected } from "./refusal";
import { programFault, programPath } from "./sidecar";

export type LinkState =
  | { kind: "no-folder" }
  | { kind: "restricted" }
  | { kind: "starting" }
  | { kind: "connected"; pid: number }
  | { kind: "reconnecting"; reason: string }
  /** The person stopped the host. */
  | { kind: "stopped" }
  /** Trying again did not help, or cannot. */
  | { kind: "down"; reason: string };

export class HostLink implements vscode.Disposable {
  private readonly stateEmitter = new vscode.EventEmitter<LinkState>();
  private readonly movedEmitter = new vscode.EventEmitter<Moved>();
  readonly onDidChangeState = this.stateEmitter.event;
  /** The host wrote something. It carries no data; fetch what is shown. */
  readonly onMoved = this.movedEmitter.event;

  private current: LinkState;
  private connection: Connection | undefined;
  /** Ends the loop that keeps the connection. */
  private round = new AbortController();

  constructor(
    private readonly extensionPath: string,
    private readonly folder: string | undefined,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.current = folder === undefined ? { kind: "no-folder" } : { kind: "restricted" };
  }

  get state(): LinkState {
    return this.current;
  }

  /** Starts, or starts anew. Only to be called in a trusted workspace. */
  start(): void {
    if (this.folder === undefined || !vscode.workspace.isTrusted) return;
    this.endRound();
    this.round = new AbortController();
    void this.keepConnected(this.folder, this.round.signal);
  }

  /** Asks the host to leave, and does not start another. */
  async stopHost(): Promise<void> {
    const connection = this.connected();
    this.round.abort();
    try {
      await connection.call("augment/host/stop", {});
    } catch (error) {
      // A host that leaves at once cannot answer any more.
      if (!(error instanceof NotConnected)) {
        this.start();
        throw error;
      }
    }
    this.endRound();
    this.enter({ kind: "stopped" });
  }

  async call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
    return this.connected().call(method, params);
  }

  dispose(): void {
    this.endRound();
    this.stateEmitter.dispose();
    this.movedEmitter.dispose();
  }

  private connected(): Connection {
    if (this.connection === undefined || this.current.kind !== "connected") {
      throw new NotConnected(
        'There is no connection to the host. Run "Augment: Restart Host Connection", or look at the log.',
      );
    }
    return this.connection;
  }

  private async keepConnected(folder: string, round: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    this.enter({ kind: "starting" });
    while (!round.aborted) {
      const program = programPath(this.extensionPath);
      const fault = await programFault(program);
      if (round.aborted) return;
      if (fault !== undefined) return this.giveUp(fault);

      this.log.info(`Starting ${program} for ${folder}`);
      const { reason, workedMs } = await this.connectOnce(program, folder, round);
      if (round.aborted) return;
      const delayMs = backoff.afterFailure(workedMs);
      if (delayMs === undefined) return this.giveUp(reason);
      this.log.warn(`The connection to the host ended: ${reason} Trying again in ${delayMs} ms.`);
      this.enter({ kind: "reconnecting", reason });
      await pauseUnless(round, delayMs);
    }
  }

  /** Returns when the connection has ended, with the reason and how long it had worked. */
  private async connectOnce(
    program: string,
    folder: string,
    round: AbortSignal,
  ): Promise<{ reason: string; workedMs: number }> {
    const connection = new Connection(program, folder, this.log);
    this.connection = connection;
    try {
      const { pid, workspace } = await connection.ready;
      if (round.aborted) return { reason: "", workedMs: 0 };
      const connectedAt = performance.now();
      this.log.info(`Connected to the host with pid ${pid} for ${workspace}`);
      connection.onMoved((moved) => this.movedEmitter.fire(moved));
      this.enter({ kind: "connected", pid });
      return { reason: await connection.ended, workedMs: performance.now() - connectedAt };
    } catch (error) {
      return { reason: messageOf(error), workedMs: 0 };
    } finally {
      connection.dispose();
      if (this.connection === connection) this.connection = undefined;
    }
  }

  private giveUp(reason: string): void {
    this.log.error(reason);
    this.enter({ kind: "down", reason });
  }

  private endRound(): void {
    this.round.abort();
    this.connection?.dispose();
    this.connection = undefined;
  }

  private enter(state: LinkState): void {
    this.current = state;
    this.stateEmitter.fire(state);
  }
}

function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
