// JSON-RPC with a process over its streams: requests and notices both ways. Written here because a library for it would be a
// fifth of the extension. It ends once, with every request that was not answered, and never tries again.

import type { Readable, Writable } from "node:stream";
import { FrameReader, framed } from "./frame_reader";
import { t } from "./l10n";

/** The other side answered with an error. */
export class AnsweredError extends Error {
  constructor(
    message: string,
    readonly code: number,
    readonly data: unknown,
  ) {
    super(message);
    this.name = "AnsweredError";
  }
}

export interface Listener {
  onNotice(method: string, params: unknown): void;
  /** The answer, or an error that is told to the other side. */
  onRequest(method: string, params: unknown): Promise<unknown>;
  /** What came is no message, or nothing comes any more. */
  onBroken(reason: string): void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const methodNotFound = -32_601;
const internalError = -32_603;

export class JsonRpc {
  private readonly reader = new FrameReader();
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private isOver = false;

  constructor(
    input: Readable,
    private readonly output: Writable,
    private readonly listener: Listener,
  ) {
    input.on("data", (chunk: Buffer) => this.read(chunk));
    input.on("end", () => this.break(t("Its output has ended.")));
    input.on("error", (error) => this.break(error.message));
  }

  /** Rejects with `AnsweredError` where the other side said no, with another error where it said nothing. */
  request<T>(method: string, params: object): Promise<T> {
    if (this.isOver) return Promise.reject(new Error(t("The connection has ended.")));
    this.lastId += 1;
    const id = this.lastId;
    return new Promise<T>((resolve, reject) => {
      this.pending.set(id, { resolve: (value) => resolve(value as T), reject });
      this.write({ jsonrpc: "2.0", id, method, params });
    });
  }

  notify(method: string, params: object): void {
    if (!this.isOver) this.write({ jsonrpc: "2.0", method, params });
  }

  dispose(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const { reject } of this.pending.values()) reject(new Error(t("The connection ended before the answer.")));
    this.pending.clear();
  }

  private break(reason: string): void {
    if (!this.isOver) this.listener.onBroken(reason);
  }

  private read(chunk: Buffer): void {
    if (this.isOver) return;
    try {
      for (const message of this.reader.take(chunk)) this.handle(message);
    } catch (error) {
      this.break(reasonOf(error));
    }
  }

  private handle(message: unknown): void {
    if (typeof message !== "object" || message === null) throw new Error(t("What came is no message."));
    const { id, method, params, result, error } = message as Record<string, unknown>;
    if (typeof method === "string") {
      if (typeof id === "number" || typeof id === "string") void this.answer(id, method, params);
      else this.listener.onNotice(method, params);
    } else if (typeof id === "number") {
      const asked = this.pending.get(id);
      this.pending.delete(id);
      if (error === undefined || error === null) asked?.resolve(result);
      else asked?.reject(answeredError(error));
    }
  }

  private async answer(id: number | string, method: string, params: unknown): Promise<void> {
    try {
      const result = await this.listener.onRequest(method, params);
      const unknown = { error: { code: methodNotFound, message: `There is no ${method} here.` } };
      this.write({ jsonrpc: "2.0", id, ...(result === undefined ? unknown : { result }) });
    } catch (error) {
      this.write({ jsonrpc: "2.0", id, error: { code: internalError, message: reasonOf(error) } });
    }
  }

  private write(message: object): void {
    if (!this.isOver) this.output.write(framed(message));
  }
}

function answeredError(error: unknown): AnsweredError {
  const { message, code, data } = error as { message?: unknown; code?: unknown; data?: unknown };
  return new AnsweredError(String(message ?? ""), Number(code ?? 0), data);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
