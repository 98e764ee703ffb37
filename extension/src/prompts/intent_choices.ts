// What can be chosen to be committed, and how a choice is told to the host. Nothing here asks.

import { t } from "../l10n";
import type { CommitIntent, UncommittedGroup } from "../protocol.gen";
import { approvedFiles, countText } from "./prompt_words";

export interface IntentChoice {
  label: string;
  description: string;
  /** What its commit would be called; empty where nothing is proposed. */
  proposed: string;
  files: string[];
  which: Pick<CommitIntent, "task" | "own" | "files">;
}

/** All that is approved comes first where there are several groups. */
export function intentChoices(groups: readonly UncommittedGroup[]): IntentChoice[] {
  const each = groups.map(choiceOf);
  const [only] = each;
  const everything = { task: null, own: false, files: [] };
  if (only !== undefined && each.length === 1) return [{ ...only, which: everything }];
  if (only === undefined) return [];
  const files = approvedFiles(groups);
  return [
    { label: t("All that is approved"), description: filesCount(files), proposed: "", files, which: everything },
    ...each,
  ];
}

function choiceOf({ task, about, intent, files }: UncommittedGroup): IntentChoice {
  return {
    label: about,
    description: filesCount(files),
    proposed: intent,
    files: [...files],
    // Files alone would mean all that lies in them, also what the person left out when the prompt began.
    which: task === null ? { task: null, own: true, files: [...files] } : { task, own: false, files: [] },
  };
}

function filesCount(files: readonly string[]): string {
  return countText(files.length, t("file"), t("files"));
}
