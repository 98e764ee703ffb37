// Keeps one connection to the workspace's host: starts the sidecar when it is first needed, starts it again with
// back-off when it ends, stops when that does not help. The host holds the state, so nothing is lost in between.

import * as vscode from "vscode";
import { assertNever } from "./assert_never";
import { Backoff } from "./backoff";
import { type ApplyEdit, Connection } from "./connection";
import { t } from "./l10n";
import { programPath } from "./program_choice";
import type { Methods, Moved } from "./protocol.gen";
import { messageOf, NotConnected } from "./refusal";
import { dataPath, programFault } from "./sidecar";
import { UsedFolder } from "./used_folder";

/** Somebody may begin to use a folder from a terminal, which nobody tells of: so often it is looked whether it has data. */
const lookEveryMs = 3_000;

export type LinkState =
  | { kind: "no-folder" }
  | { kind: "restricted" }
  /** Nothing runs yet: nobody has needed it, and the folder was not used before. */
  | { kind: "resting" }
  | { kind: "starting" }
  /** The folder is spelled as the host spells it, with links resolved. */
  | { kind: "connected"; pid: number; folder: string }
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
  private edit: ApplyEdit = async () => ({ applied: false, failureReason: "Nothing here edits documents." });
  private connection: Connection | undefined;
  private used: UsedFolder | undefined;
  private looks: NodeJS.Timeout | undefined;
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
    const { signal } = this.round;
    this.keepConnected(this.folder, signal).catch((error: unknown) => {
      if (!signal.aborted) this.giveUp(messageOf(error));
    });
  }

  /** The folder is trusted now: one that is used comes up, any other rests until it is, or is needed. */
  async rest(): Promise<void> {
    const { folder } = this;
    if (folder === undefined || !vscode.workspace.isTrusted) return;
    // Another program may keep its data elsewhere.
    this.used = new UsedFolder(
      () => this.askWhere(folder),
      () => performance.now(),
    );
    if (this.current.kind === "restricted") this.enter({ kind: "resting" });
    if ((await this.isUsed()) === false)
      this.log.info(`${folder} was not used before: nothing is started until somebody uses it.`);
  }

  /** Whether somebody uses the folder by now, be it from a terminal: then it comes up. Nothing where that is not known. */
  async isUsed(): Promise<boolean | undefined> {
    if (this.current.kind !== "resting") return true;
    try {
      const isUsed = await this.used?.look();
      if (isUsed) this.wake();
      return isUsed;
    } catch (error) {
      // Whoever needs it is told by the start itself.
      this.log.warn(`Whether ${this.folder} is used could not be found out: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** Somebody needs the host. */
  wake(): void {
    if (this.current.kind === "resting") this.start();
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
    this.wake();
    await this.settled();
    return this.connected().call(method, params);
  }

  /** Tells the host something that it does not answer; nothing when there is no connection. */
  notify(method: string, params: object): void {
    if (this.current.kind === "connected") this.connection?.notify(method, params);
  }

  /** Who carries out the edits that the host asks for. */
  onApplyEdit(edit: ApplyEdit): vscode.Disposable {
    const before = this.edit;
    this.edit = edit;
    return new vscode.Disposable(() => {
      this.edit = before;
    });
  }

  dispose(): void {
    clearInterval(this.looks);
    this.endRound();
    this.stateEmitter.dispose();
    this.movedEmitter.dispose();
  }

  private async askWhere(folder: string): Promise<string> {
    const program = programPath(this.extensionPath);
    const fault = await programFault(program);
    if (fault !== undefined) throw new Error(fault);
    return dataPath(program, folder);
  }

  private connected(): Connection {
    if (this.connection === undefined || this.current.kind !== "connected") {
      throw new NotConnected(whyNot(this.current));
    }
    return this.connection;
  }

  /** A first try that is under way is waited for. */
  private settled(): Promise<void> {
    if (this.current.kind !== "starting") return Promise.resolve();
    return new Promise((resolve) => {
      const listening = this.onDidChangeState(({ kind }) => {
        if (kind === "starting") return;
        listening.dispose();
        resolve();
      });
    });
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
    let connection: Connection | undefined;
    try {
      connection = new Connection(program, folder, this.log, (params) => this.edit(params));
      this.connection = connection;
      const { pid, workspace } = await connection.ready;
      if (round.aborted) return { reason: "", workedMs: 0 };
      const connectedAt = performance.now();
      this.log.info(`Connected to the host with pid ${pid} for ${workspace}`);
      connection.onMoved((moved) => this.movedEmitter.fire(moved));
      this.enter({ kind: "connected", pid, folder: workspace });
      return { reason: await connection.ended, workedMs: performance.now() - connectedAt };
    } catch (error) {
      return { reason: messageOf(error), workedMs: 0 };
    } finally {
      connection?.dispose();
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
    clearInterval(this.looks);
    if (state.kind === "resting") this.looks = setInterval(() => void this.isUsed(), lookEveryMs);
    this.stateEmitter.fire(state);
  }
}

function whyNot({ kind }: LinkState): string {
  switch (kind) {
    case "no-folder":
      return t("No folder is open, so there is no host to ask. Open a folder first.");
    case "restricted":
      return t("This folder is not trusted, so nothing runs for it. Trust the folder first.");
    case "resting":
    case "starting":
    case "connected":
    case "reconnecting":
    case "stopped":
    case "down":
      return t('There is no connection to the host. Run "Augment: Restart Host Connection", or look at the log.');
    default:
      return assertNever(kind);
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
