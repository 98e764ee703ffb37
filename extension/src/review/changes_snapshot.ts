// Everything that waits, as of one moment, put together from several pages. Pages of different revisions do not fit
// together, so they are fetched again.

import type { ChangeCounts, ChangedFile, ChangeList, ListChanges } from "../protocol.gen";

const pageSize = 200;
/** Past this many files the list is cut, and what lies beyond is fetched for the files that are looked at. */
const fileLimit = 2_000;
/** What moves faster than it can be read is shown as it was read; the next word of the host leads to more. */
const rounds = 3;

export interface ChangesSnapshot {
  files: ChangedFile[];
  counts: ChangeCounts;
  revision: number;
  /** False when there are more files than were fetched. */
  whole: boolean;
}

type List = (params: ListChanges) => Promise<ChangeList>;

export async function fetchChanges(list: List, limit = fileLimit): Promise<ChangesSnapshot> {
  for (let round = 1; ; round += 1) {
    const snapshot = await fetchOnce(list, limit);
    if (snapshot.ofOneMoment || round === rounds) return snapshot;
  }
}

async function fetchOnce(list: List, limit: number): Promise<ChangesSnapshot & { ofOneMoment: boolean }> {
  const files: ChangedFile[] = [];
  const revisions = new Set<number>();
  let page: ChangeList;
  let after: string | null = null;
  do {
    page = await list({ limit: Math.min(pageSize, limit - files.length), ...(after === null ? {} : { after }) });
    files.push(...page.files);
    revisions.add(page.revision);
    after = page.next;
  } while (after !== null && files.length < limit);
  return {
    files: files.filter(({ hunks }) => hunks.length > 0),
    counts: page.counts,
    revision: page.revision,
    whole: after === null,
    ofOneMoment: revisions.size === 1,
  };
}
