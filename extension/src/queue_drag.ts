// Reordering by drag and drop: pending rows onto other pending rows, or onto the group for its end.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import type { Place } from "./protocol.gen";
import { placeOfDrop } from "./queue_order";
import { isTaskRow, type QueueRow } from "./queue_row";
import { QUEUE_VIEW, type QueueTree } from "./queue_tree";
import { tellError } from "./told";

const mime = `application/vnd.code.tree.${QUEUE_VIEW}`;

interface Dragged {
  task: string;
  /** At which it was shown. */
  revision: number;
}

export class QueueDrag implements vscode.TreeDragAndDropController<QueueRow> {
  readonly dragMimeTypes = [mime];
  readonly dropMimeTypes = [mime];

  constructor(
    private readonly link: HostLink,
    private readonly tree: QueueTree,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  handleDrag(rows: readonly QueueRow[], transfer: vscode.DataTransfer): void {
    const dragged = rows
      .filter(isTaskRow)
      .filter(({ group }) => group === "pending")
      .map(({ task }): Dragged => ({ task: task.id, revision: task.revision }));
    if (dragged.length > 0) transfer.set(mime, new vscode.DataTransferItem(JSON.stringify(dragged)));
  }

  async handleDrop(target: QueueRow | undefined, transfer: vscode.DataTransfer): Promise<void> {
    if (target !== undefined && target.group !== "pending") return;
    const dragged = readDragged(await transfer.get(mime)?.asString());
    try {
      let place: Place | undefined;
      for (const { task, revision } of dragged) {
        if (isTaskRow(target) && target.task.id === task) continue;
        // Several dragged at once stay in their order behind the first.
        place ??= isTaskRow(target) ? placeOfDrop(this.tree.shown("pending"), task, target.task.id) : "bottom";
        await this.link.call("augment/queue/move", { task, revision, place });
        place = place === "bottom" ? place : { after: task };
      }
    } catch (error) {
      tellError(error, this.log);
      // What was shown may be old; after a success the host's own notice redraws, and a second redraw would get in the
      // way of the next drag.
      this.tree.refresh();
    }
  }
}

function readDragged(text: string | undefined): Dragged[] {
  const value: unknown = text === undefined ? [] : JSON.parse(text);
  return Array.isArray(value) ? value.filter(isDragged) : [];
}

function isDragged(value: unknown): value is Dragged {
  return (
    typeof value === "object" &&
    value !== null &&
    "task" in value &&
    typeof value.task === "string" &&
    "revision" in value &&
    typeof value.revision === "number"
  );
}
