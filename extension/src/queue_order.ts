// Where a moved task goes, in terms the host understands: next to which other one. The order itself is the host's.

import type { HostLink } from "./host_link";
import type { Place, Task } from "./protocol.gen";

const pageLimit = 1_000;

/** The place one step up or down among pending tasks; nothing when it is the first or the last. */
export async function placeOneStep(
  link: HostLink,
  shown: readonly Task[],
  task: Task,
  step: "up" | "down",
): Promise<Place | undefined> {
  const at = shown.findIndex(({ id }) => id === task.id);
  const beside = at < 0 ? undefined : shown[step === "up" ? at - 1 : at + 1];
  if (beside !== undefined) return step === "up" ? { before: beside.id } : { after: beside.id };
  if (at === 0 && step === "up") return undefined;
  return stepInWholeQueue(link, task, step);
}

/**
 * The place of a task that was dropped on another: behind it when it came from above, before it when it came from
 * below, so that every place can be reached.
 */
export function placeOfDrop(shown: readonly Task[], dropped: string, target: string): Place {
  const from = shown.findIndex(({ id }) => id === dropped);
  const to = shown.findIndex(({ id }) => id === target);
  return from >= 0 && from < to ? { after: target } : { before: target };
}

async function stepInWholeQueue(link: HostLink, task: Task, step: "up" | "down"): Promise<Place | undefined> {
  let previous: Task | undefined;
  for (let after: string | null | undefined; after !== null; ) {
    const page = await link.call("augment/queue/list", {
      statuses: ["pending"],
      limit: pageLimit,
      ...(after === undefined ? {} : { after }),
    });
    for (const current of page.tasks) {
      if (step === "up" && current.id === task.id) return previous && { before: previous.id };
      if (step === "down" && previous?.id === task.id) return { after: current.id };
      previous = current;
    }
    after = page.next;
  }
  return undefined;
}
