// What a call that was not answered with a result means: a refusal or failure in the host's own words, or a
// connection that is not there.

import { AnsweredError } from "./json_rpc";
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
    /** For `parallel-branch` and `foreign-commit`: what can be named to go on. */
    readonly named: string | undefined = undefined,
    /** For `shown-otherwise` about a prompt or a session's commit: what would be done now. */
    readonly fresh: Partial<Pick<RefusalData, "start" | "intent" | "finish" | "undo" | "push" | "commit">> = {},
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
  if (!(error instanceof AnsweredError) || (error.code !== REFUSED && error.code !== FAILED)) return undefined;
  const { code = "unknown", task, preview, named, ...more } = (error.data ?? {}) as Partial<RefusalData>;
  const { start = null, intent = null, finish = null, undo = null, push = null, commit = null } = more;
  const fresh = { start, intent, finish, undo, push, commit };
  return new Refused(error.message, code, task ?? undefined, preview ?? undefined, named ?? undefined, fresh);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
