// A yes to what was shown, and to nothing else: where that has changed meanwhile, what would be done now is shown and asked
// about again. Pure.

import type { Preview } from "../protocol.gen";
import { Refused } from "../refusal";

/** Whether it is asked about for the first time, or again since it has changed meanwhile. */
export type Time = "first" | "again";

export interface Asking<S, T> {
  /** Shows what would be done. @returns whether it may be */
  ask(shown: S, time: Time): Promise<boolean>;
  /** Does exactly what was shown. */
  send(shown: S): Promise<T>;
  /** It was refused: what is drawn may be old. */
  refused(): Promise<void>;
  /** What would be done now, as a refusal tells it. */
  fresh(refused: Refused): S | undefined;
}

/** @returns what came of it; nothing after a no */
export async function onYesTo<S, T>(first: S, { ask, send, refused, fresh }: Asking<S, T>): Promise<T | undefined> {
  for (let shown = first; await ask(shown, shown === first ? "first" : "again"); ) {
    try {
      return await send(shown);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await refused();
      const now = fresh(error);
      if (now === undefined) throw error;
      shown = now;
    }
  }
  return undefined;
}

/** The result of a decision, as its refusal tells it. */
export const freshPreview = ({ preview }: Refused): Preview | undefined => preview;

/** Does what is mostly done without a question, and asks where it is refused without a yes. */
export async function onYesIfAsked<T>(
  asking: Omit<Asking<Preview, T>, "send" | "fresh"> & { send(confirm?: string): Promise<T> },
): Promise<T | undefined> {
  try {
    return await asking.send();
  } catch (error) {
    if (!(error instanceof Refused) || error.preview === undefined) throw error;
    return onYesTo(error.preview, { ...asking, send: ({ confirm }) => asking.send(confirm), fresh: freshPreview });
  }
}
