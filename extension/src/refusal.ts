// What a call that was not answered with a result means: a refusal or failure in the host's own words, or a
// connection that is not there.

import { ResponseError } from "vscode-jsonrpc/node";
import { FAILED, type Preview, REFUSED, type RefusalData, type Task } from "./protocol.gen";

/** The host said no, or could not. The message is a sentence for people. */
export class Refused extends Error {
  constructor(
    message: string,
    /** Stable, for programs. */
    readonly code: string,
    /** For `stale`: the task as it is now. */
    readonly task: Task | undefined,
    /** For `entangled`: what the decision would do. */
    readonly preview: Preview | undefined = undefined,
  ) {
    super(message);
    this.name = "Refused";
  }

  get isStale(): boolean {
    return this.code === "stale";
  }
}

/** There is no host to answer. */
export class NotConnected extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotConnected";
  }
}

/** The refusal in a JSON-RPC error, if it is one. */
export function refusalIn(error: unknown): Refused | undefined {
  if (!(error instanceof ResponseError) || (error.code !== REFUSED && error.code !== FAILED)) return undefined;
  const { code = "unknown", task, preview } = (error.data ?? {}) as Partial<RefusalData>;
  return new Refused(error.message, code, task ?? undefined, preview ?? undefined);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
