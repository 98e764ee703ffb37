// What other extensions get from `activate`:
//
//     const augment = vscode.extensions.getExtension<AugmentApi>("augment-orchestrator.augment-orchestrator");
//     const { call } = await augment.activate();
//     const { tasks } = await call("augment/queue/list", { ready: true });
//
// The methods and their types are those of the protocol (server/protocol/README.md).

import type { Event } from "vscode";
import type { Methods, Moved } from "./protocol.gen";

export interface AugmentApi {
  /** The extension's version. */
  readonly version: string;
  /**
   * Calls a method of the workspace's host, which is started if nothing has needed it yet. Rejects with an error whose message is a sentence for people and, when the
   * host refused, whose `code` is stable; also when there is no connection.
   */
  call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]>;
  /** Fires after the host has written something. It carries no data; fetch what you show. */
  readonly onMoved: Event<Moved>;
}
