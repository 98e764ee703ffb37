// What waits, by whose work it is: one group for each task, one for what nobody is known to have made, which comes
// first because somebody has to say whose it is.

import type { Author, ChangedFile, Hunk, Selection } from "../protocol.gen";

/** More would not fit into one order to the host, and nobody has looked at so many. */
export const MOST_HUNKS = 20_000;

export interface ChangeGroup {
  key: string;
  author: Author;
  files: GroupedFile[];
  hunks: number;
}

export interface GroupedFile {
  file: ChangedFile;
  /** Those of the group. */
  hunks: Hunk[];
}

export function groupChanges(files: readonly ChangedFile[]): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const file of files) {
    for (const hunk of file.hunks) {
      const key = groupKey(hunk.author);
      let group = groups.get(key);
      if (group === undefined) {
        group = { key, author: hunk.author, files: [], hunks: 0 };
        groups.set(key, group);
      }
      let grouped = group.files.at(-1);
      if (grouped?.file !== file) {
        grouped = { file, hunks: [] };
        group.files.push(grouped);
      }
      grouped.hunks.push(hunk);
      group.hunks += 1;
    }
  }
  return [...groups.values()].sort((one, other) => order(one) - order(other) || (one.key < other.key ? -1 : 1));
}

/**
 * What to send for everything of a group, or for what of it is in one file: whose work it is, and the hunks that are shown.
 * The host does nothing when one of them is another by now, and what was written since waits until somebody has seen it.
 */
export function selectionOf(
  { author, files }: Pick<ChangeGroup, "author" | "files">,
  only?: GroupedFile,
): ShownSelection {
  const hunks = shownHunks(only === undefined ? files : [only]);
  return only === undefined
    ? { ...whose(author), all: true, hunks }
    : { ...whose(author), file: only.file.path, hunks };
}

/** A selection that is bound to what is shown. */
export type ShownSelection = Selection & { hunks: string[] };

/** By their ids, which are other ones as soon as what they hold is. */
export function shownHunks(files: readonly Pick<ChangedFile, "hunks">[]): string[] {
  return files.flatMap(({ hunks }) => hunks.map(({ id }) => id)).slice(0, MOST_HUNKS);
}

function whose({ kind, task, run }: Author): Selection {
  if (kind === "unknown") return { unknown: true };
  if (task !== null) return { task };
  return run === null ? {} : { run };
}

function groupKey({ kind, task, run, name }: Author): string {
  if (kind === "unknown") return "unknown";
  if (task !== null) return `task:${task}`;
  return run === null ? `${kind}:${name ?? ""}` : `run:${run}`;
}

function order({ author }: ChangeGroup): number {
  return author.kind === "unknown" ? 0 : 1;
}

/**
 * Whether a command was called on a row that is gone: the tree hands over nothing in its place, beside what is selected.
 * The palette and keys hand over nothing at all, and then the cursor says what is meant.
 */
export function isOnLostRow(args: readonly unknown[]): boolean {
  return args.length > 1 && args[0] === undefined;
}
