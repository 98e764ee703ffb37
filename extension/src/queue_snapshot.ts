// The queue as of one moment, put together from several pages. Each page says at which revision of the host it was
// read; pages of different revisions do not fit together, so they are fetched again.

import type { Counts, ListTasks, Task, TaskList } from "./protocol.gen";
import { type Group, groupStatuses } from "./queue_group";

/** The most that one call may ask for. */
const callLimit = 1_000;
/** A queue that moves faster than it can be read is shown as it was read; the next word of the host leads to more. */
const rounds = 3;

export interface Snapshot {
  counts: Counts;
  tasks: Map<Group, Task[]>;
}

/**
 * The same text for two snapshots that are drawn alike and that commands may act on alike. A row that is drawn anew loses the
 * menu that is open on it, and a lease that is renewed is no reason for that.
 */
export function drawnText({ counts, tasks }: Snapshot): string {
  const drawn = ({ lease, ...shown }: Task) => shown;
  return JSON.stringify([counts, [...tasks].map(([group, listed]) => [group, listed.map(drawn)])]);
}

type List = (params: ListTasks) => Promise<TaskList>;

/** @param wanted the groups to be fetched, with how many tasks of each at most */
export async function fetchSnapshot(list: List, wanted: ReadonlyMap<Group, number>): Promise<Snapshot> {
  for (let round = 1; ; round += 1) {
    const revisions = new Set<number>();
    const noted: List = async (params) => {
      const page = await list(params);
      revisions.add(page.revision);
      return page;
    };
    const [{ counts }, ...tasks] = await Promise.all([
      noted({ limit: 1 }),
      ...[...wanted].map(([group, count]) => fetchGroup(noted, group, count)),
    ]);
    if (revisions.size === 1 || round === rounds) return { counts, tasks: new Map(tasks) };
  }
}

async function fetchGroup(list: List, group: Group, count: number): Promise<[Group, Task[]]> {
  const tasks: Task[] = [];
  const statuses = groupStatuses(group);
  for (let after: string | null | undefined; after !== null && tasks.length < count; ) {
    const limit = Math.min(count - tasks.length, callLimit);
    const page = await list({ statuses, limit, ...(after === undefined ? {} : { after }) });
    tasks.push(...page.tasks);
    after = page.next;
  }
  return [group, tasks];
}
