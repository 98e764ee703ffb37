// What a decision is about, and what says so. Pure.

import type { ChangedFile, Selection } from "../protocol.gen";
import { shownHunks } from "./change_groups";

/** What says what is meant: something that the command was called on, or where the person is, which a review moves on. */
export type ChosenBy = "call" | "place";

export interface Chosen {
  what: Selection;
  by: ChosenBy;
}

/**
 * Whoever presses again while a review leads on means what they saw, which may be on its way, and what is there now they
 * have not seen. What a command was called on stays what it is.
 */
export function isHeard({ by }: Pick<Chosen, "by">, isBusy: boolean): boolean {
  return by === "call" || !isBusy;
}

/** All that a command on files was called on: explorers hand over what is selected as a list, source control views one by one. */
export function calledOn(args: readonly unknown[]): unknown[] {
  return args.flat();
}

/** What to send for everything that waits in files: the hunks that are shown, and of which file where it is one alone. */
export function selectionOfFiles(files: readonly ChangedFile[]): Selection | undefined {
  const each = [...new Map(files.map((file) => [file.path, file])).values()];
  const [only] = each;
  if (only === undefined) return undefined;
  const hunks = shownHunks(each);
  // Nobody has looked at each hunk of several files, so the host holds back what has to be looked at.
  return each.length === 1 ? { file: only.path, hunks } : { all: true, hunks };
}
