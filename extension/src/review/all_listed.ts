// A yes to everything is a yes to what was listed when it was asked for: what is written or rewritten while the question stands
// is asked about anew. Pure.

import { t } from "../l10n";
import type { ChangeCounts, ChangedFile } from "../protocol.gen";
import { Refused } from "../refusal";
import { shownHunks } from "./change_groups";

export interface Listed {
  /** By their ids, which are other ones as soon as what they hold is. */
  hunks: string[];
  /** How many wait besides: there are limits to what is listed. */
  more: number;
}

export function allListed(
  files: readonly Pick<ChangedFile, "hunks">[],
  { pendingHunks }: Pick<ChangeCounts, "pendingHunks">,
): Listed {
  const hunks = shownHunks(files);
  return { hunks, more: Math.max(0, pendingHunks - hunks.length) };
}

/** What a yes is not to, as a sentence; empty when it is to all that waits. */
export function notListedWords({ hunks, more }: Listed): string {
  if (more === 0) return "";
  return t(
    "Only the first {0} are meant; the other {1} wait until you are asked about them, too.",
    hunks.length.toLocaleString(),
    more.toLocaleString(),
  );
}

export interface AskingAll {
  /** What is listed now. */
  listed(): Listed;
  ask(listed: Listed, time: "first" | "again"): Promise<boolean>;
  /** Resolves when what is listed is not older than this call. */
  refreshed(): Promise<void>;
  send(hunks: string[]): Promise<void>;
}

/** @returns false when there was nothing to ask about */
export async function onYesToAll({ listed, ask, refreshed, send }: AskingAll): Promise<boolean> {
  for (let time: "first" | "again" = "first"; ; time = "again") {
    const shown = listed();
    if (shown.hunks.length === 0) return false;
    if (!(await ask(shown, time))) return true;
    await refreshed();
    if (!isSame(shown.hunks, listed().hunks)) continue;
    try {
      await send(shown.hunks);
      return true;
    } catch (error) {
      // It has changed since it was fetched, and by now it has been fetched again.
      if (!(error instanceof Refused) || error.code !== "unknown-hunk") throw error;
    }
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
