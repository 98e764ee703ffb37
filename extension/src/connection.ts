// One JSON-RPC connection over one sidecar process: opened once, ended once. It never tries again; `host_link` does.

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import { AnsweredError, JsonRpc } from "./json_rpc";
import { t } from "./l10n";
import { oneLine, shortened } from "./outside_text";
import { type Introduction, type Methods, type Moved, type Notifications, PROTOCOL_VERSION } from "./protocol.gen";
import { NotConnected, refusalIn } from "./refusal";
import { startSidecar } from "./sidecar";

const initializeLimitMs = 30_000;
const lastWordsMs = 200;
const insistAfterMs = 2_000;
const lineLimit = 500;
const moved: keyof Notifications = "augment/moved";
const applyEdit = "workspace/applyEdit";
/** What the host may count on: edits of documents by their version, and being told what is in editors. */
const capabilities = {
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } },
  textDocument: { synchronization: { didSave: true } },
};

/** Carries out an edit that the host asks for, and answers as the language server protocol says. */
export type ApplyEdit = (params: unknown) => Promise<{ applied: boolean; failureReason?: string }>;

export class Connection implements vscode.Disposable {
  /** What the host told about itself. Rejects when the sidecar ends before that. */
  readonly ready: Promise<Introduction>;
  /** Resolves once, with the reason in a sentence, when the process has ended. */
  readonly ended: Promise<string>;

  private readonly process: ChildProcessWithoutNullStreams;
  private readonly rpc: JsonRpc;
  private readonly movedEmitter = new vscode.EventEmitter<Moved>();
  readonly onMoved = this.movedEmitter.event;
  private lastLine = "";
  private isOver = false;

  constructor(
    program: string,
    folder: string,
    private readonly log: vscode.LogOutputChannel,
    edit: ApplyEdit,
  ) {
    this.process = startSidecar(program, folder);
    this.rpc = new JsonRpc(this.process.stdout, this.process.stdin, {
      onNotice: (method, params) => {
        if (method === moved) this.movedEmitter.fire(params as Moved);
      },
      onRequest: async (method, params) => (method === applyEdit ? edit(params) : undefined),
      // Bytes that are no frames, or an output that was closed, leave nothing to talk to.
      onBroken: (reason) => {
        log.debug(`Connection: ${reason}`);
        this.dispose();
      },
    });
    this.process.stdin.on("error", (error) => log.debug(`Writing to the sidecar: ${error.message}`));
    createInterface({ input: this.process.stderr }).on("line", (line) => this.keepLine(line));
    this.ended = this.watchEnd();
    this.ready = this.initialize(folder);
  }

  async call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
    try {
      return await this.rpc.request<Methods[M]["result"]>(method, params);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal) throw refusal;
      if (error instanceof AnsweredError) throw error;
      this.log.debug(`${method}: ${String(error)}`);
      throw new NotConnected(
        t("The connection to the host ended before it answered. Look at the queue, then try again."),
      );
    }
  }

  /** Tells the host something that it does not answer. A connection that is ending loses it, and the next is told anew. */
  notify(method: string, params: object): void {
    this.rpc.notify(method, params);
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.rpc.dispose();
    this.movedEmitter.dispose();
    this.process.stdin.end();
    this.process.kill();
    setTimeout(() => this.process.kill("SIGKILL"), insistAfterMs).unref();
  }

  private async initialize(folder: string): Promise<Introduction> {
    const answer = this.rpc.request<unknown>("initialize", {
      processId: process.pid,
      rootUri: vscode.Uri.file(folder).toString(),
      capabilities,
      clientInfo: { name: "vscode", version: vscode.version },
      initializationOptions: { protocol: PROTOCOL_VERSION },
    });
    const first = await Promise.race([
      answer.catch(async (error: unknown) => {
        if (error instanceof AnsweredError) throw error;
        // A request that could not be sent, or was given up, says nothing; the process's last words do.
        this.dispose();
        throw new Error(await this.ended);
      }),
      pause(initializeLimitMs).then(() => {
        throw new Error(t("The host did not answer for {0} s.", initializeLimitMs / 1000));
      }),
    ]);
    this.rpc.notify("initialized", {});
    return introductionIn(first);
  }

  private watchEnd(): Promise<string> {
    return new Promise((resolve) => {
      this.process.once("error", (error) => {
        this.dispose();
        resolve(t("The program could not be started: {0}.", error.message));
      });
      this.process.once("exit", async (code, signal) => {
        // Its last words may still be in the pipe. A host that it started may hold the pipe open, so do not wait long.
        if (!this.process.stderr.readableEnded) {
          await Promise.race([new Promise((done) => this.process.stderr.once("end", done)), pause(lastWordsMs)]);
        }
        this.dispose();
        resolve(this.lastLine || howItEnded(code, signal));
      });
    });
  }

  private keepLine(line: string): void {
    const text = shortened(oneLine(line), lineLimit);
    if (text === "") return;
    this.lastLine = text.replace(/^error: /, "");
    this.log.info(`sidecar: ${text}`);
  }
}

function introductionIn(answer: unknown): Introduction {
  const capabilities = (answer as { capabilities?: { experimental?: { augment?: Introduction } } } | null)
    ?.capabilities;
  const introduction = capabilities?.experimental?.augment;
  if (introduction === undefined) throw new Error(t("The program that answered is not an Augment Orchestrator host."));
  return introduction;
}

function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null
    ? t("The connection's process ended with code {0}.", code ?? "")
    : t("The connection's process was ended by {0}.", signal);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
