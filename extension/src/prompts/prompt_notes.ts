// What a step of a prompt has done, with what the host notes about it. Notes are to be read, so they are told where they stay;
// without any, a short word is enough.

import * as vscode from "vscode";
import { withoutLinks } from "../outside_text";
import { tellDone, tellError } from "../told";
import { notSaid, withNotes } from "./prompt_words";

/** What can be done about it. */
export interface Offer {
  button: string;
  run(): Thenable<void>;
}

export interface Noted {
  notes: readonly string[];
  /** What the person has before them anyway. */
  said?: readonly string[];
  offer?: Offer | undefined;
}

export function tellNoted(log: vscode.LogOutputChannel, done: string, { notes, said = [], offer }: Noted): void {
  const news = notSaid(notes, said);
  if (news.length === 0) {
    tellDone(done);
    return;
  }
  const told = async () => {
    const message = withoutLinks(`${withNotes(done, news)}.`);
    const pressed = await vscode.window.showInformationMessage(message, ...(offer === undefined ? [] : [offer.button]));
    if (offer !== undefined && pressed === offer.button) await offer.run();
  };
  // Told without waiting: whoever works on need not press anything.
  told().catch((error: unknown) => tellError(error, log));
}
