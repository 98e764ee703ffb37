// The checkpoint of a session as it was shown, which an order about it names. Pure, and for the panel's page, too.

import type { Session } from "../protocol.gen";

/** A checkpoint of a session, as an answer to it names it. */
export interface ShownCheckpoint {
  session: string;
  checkpoint: number;
}

/** What an answer to the checkpoint that was shown names, so that it answers no other one. */
export function checkpointOf({ id, checkpoints }: Pick<Session, "id" | "checkpoints">): ShownCheckpoint {
  return { session: id, checkpoint: checkpoints };
}

/** The checkpoint that a session was shown at; null where it waited at none. */
export function checkpointShown({ state, checkpoints }: Pick<Session, "state" | "checkpoints">): number | null {
  return state === "checkpoint" ? checkpoints : null;
}
