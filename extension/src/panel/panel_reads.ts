// What the page asks to know: methods of the sidecar, called as they are. Of long lists only what the page shows is handed
// on.

import type { Card, ReadMethod } from "../../panel/messages";
import type { HostLink } from "../host_link";
import { oneLine } from "../outside_text";
import type { ChangeList, Methods, TaskList } from "../protocol.gen";

/** @param params have the shape that the method's entry in the map asks for */
export async function read(link: HostLink, method: ReadMethod, params: object): Promise<unknown> {
  const result = await link.call(method, params as Methods[ReadMethod]["params"]);
  switch (method) {
    case "augment/queue/list":
      return asCards(result as TaskList);
    case "augment/changes/list":
      return withoutLines(result as ChangeList);
    default:
      return result;
  }
}

function asCards({ tasks, ...list }: TaskList): Omit<TaskList, "tasks"> & { tasks: Card[] } {
  return { ...list, tasks: tasks.map(({ description, result, scope, lease, ...card }) => card) };
}

/** Of the lines of a hunk the one that it is named by. */
function withoutLines({ files, ...list }: ChangeList): ChangeList {
  const first = (lines: string[]) => lines.filter((line) => oneLine(line) !== "").slice(0, 1);
  return {
    ...list,
    files: files.map((file) => ({
      ...file,
      hunks: file.hunks.map((hunk) => ({
        ...hunk,
        addedLines: first(hunk.addedLines),
        removedLines: first(hunk.removedLines),
      })),
    })),
  };
}
