// The host as the page sees it: reads that are answered, actions that are carried out, and its clock. It keeps no data.

import type { CallOf } from "../src/agents/agents_snapshot";
import { assertNever } from "../src/assert_never";
import type { Methods, Part } from "../src/protocol.gen";
import type { Action, ActionParams, Link, PageId, ReadMethod, ReadParams, ReadResult, ToPage } from "./messages";
import type { Transport } from "./transport";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export interface HostListener {
  linkChanged(link: Link): void;
  moved(parts: readonly Part[]): void;
  show(page: PageId, about: string | null): void;
  /** An action was not even begun. */
  refused(message: string): void;
}

export class Host {
  private readonly waiting = new Map<number, Waiting>();
  /** Begins anywhere: what is answered late, to a page that was here before, must not have a number of this one. */
  private lastId = Math.floor(Math.random() * 2 ** 52);
  /** How far the host's clock is ahead of this one. */
  private aheadMs = 0;
  private listener: HostListener | undefined;

  constructor(private readonly transport: Transport) {
    transport.onMessage((message) => this.take(message));
  }

  begin(listener: HostListener): void {
    this.listener = listener;
    this.transport.send({ kind: "hello" });
  }

  read<M extends ReadMethod>(method: M, params: ReadParams<M>): Promise<ReadResult<M>> {
    // What comes back under this id is the answer to this method: the host says so by the map that both sides share.
    return this.ask((id) => this.transport.send({ kind: "read", id, method, params })) as Promise<ReadResult<M>>;
  }

  /** The same for what is shared with the editor's own views: methods whose answers are handed on as they are. */
  readonly call: CallOf<Exclude<ReadMethod, "augment/queue/list">> = (method, params) =>
    this.ask((id) => this.transport.send({ kind: "read", id, method, params })) as Promise<
      Methods[typeof method]["result"]
    >;

  /**
   * Never fails.
   * @returns whether it was carried out; what kept it from that the person is told, by the editor or by the panel
   */
  async act<A extends Action>(action: A, params: ActionParams<A>): Promise<boolean> {
    try {
      return (await this.ask((id) => this.transport.send({ kind: "act", id, action, params }))) === true;
    } catch (error) {
      this.listener?.refused(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** The time at the host, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.aheadMs;
  }

  private ask(send: (id: number) => void): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      send(id);
    });
  }

  private take(message: ToPage): void {
    switch (message.kind) {
      case "link":
        this.aheadMs = message.now - Date.now();
        this.listener?.linkChanged(message.link);
        break;
      case "moved":
        this.aheadMs = message.now - Date.now();
        this.listener?.moved(message.parts);
        break;
      case "show":
        this.listener?.show(message.page, message.about);
        break;
      case "answer":
        this.waitingFor(message.id)?.resolve(message.result);
        break;
      case "refusal":
        this.waitingFor(message.id)?.reject(new Error(message.message));
        break;
      default:
        assertNever(message);
    }
  }

  private waitingFor(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }
}
