// The board as a person uses it, against a queue that is as slow as the test says.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Place } from "../../src/protocol.gen";
import type { Card } from "../messages";
import type { Page, PageContext } from "../page";
import { fire, makePage, settled } from "../test_page";
import { boardPage } from "./board";

/** A queue of pending tasks that refuses an order about a task that has moved since. */
class Queue {
  readonly order: string[];
  readonly refused: string[] = [];
  readonly said: string[] = [];
  private readonly revisions = new Map<string, number>();
  /** Lists that were read and are not yet answered, the oldest first. */
  readonly held: (() => void)[] = [];
  isHolding = false;
  moved: () => void = () => {};

  constructor(...order: string[]) {
    this.order = order;
  }

  board(): Page {
    const read = (method: string, params: { statuses?: string[] }) => this.read(method, params);
    const act = (_: string, params: { task: string; revision: number; place: Place }) => this.move(params);
    const context = {
      host: { read, act },
      say: (text: string) => this.said.push(text),
      kept: undefined,
      keep() {},
      goTo() {},
      refresh() {},
    };
    return boardPage.make(context as unknown as PageContext);
  }

  private async read(method: string, { statuses = [] }: { statuses?: string[] }): Promise<object> {
    if (method === "augment/question/list") return { questions: [] };
    if (method === "augment/run/list") return { runs: [] };
    const isPending = statuses.includes("pending");
    const tasks = isPending ? this.order.map((id) => this.card(id)) : [];
    if (isPending && this.isHolding) await new Promise<void>((resolve) => this.held.push(resolve));
    const none = { inProgress: 0, completed: 0, failed: 0, partial: 0, blocked: 0, cancelled: 0 };
    return { tasks, counts: { ...none, pending: this.order.length }, next: null };
  }

  private async move({ task, revision, place }: { task: string; revision: number; place: Place }): Promise<boolean> {
    if (revision !== this.revisionOf(task)) {
      this.refused.push(task);
      return false;
    }
    this.order.splice(this.order.indexOf(task), 1);
    if (typeof place === "string") this.order[place === "top" ? "unshift" : "push"](task);
    else if ("before" in place) this.order.splice(this.order.indexOf(place.before), 0, task);
    else this.order.splice(this.order.indexOf(place.after) + 1, 0, task);
    this.revisions.set(task, revision + 1);
    this.moved();
    return true;
  }

  private revisionOf(id: string): number {
    return this.revisions.get(id) ?? 1;
  }

  private card(id: string): Card {
    return {
      id,
      title: `Task ${id}`,
      priority: "medium",
      status: "pending",
      labels: [],
      waitsFor: 0,
      assignee: null,
      holder: null,
      revision: this.revisionOf(id),
    } as unknown as Card;
  }
}

test("a card that is moved twice while the board is fetched goes two places and says where it is", async () => {
  const body = makePage();
  const queue = new Queue("a1", "a2", "a3", "a4");
  const board = queue.board();
  body.append(board.element);
  await board.refresh();
  // What the host tells of the move leads to a fetch that overtakes the board's own.
  queue.isHolding = true;
  queue.moved = () => void settled().then(() => board.refresh());
  const row = [...board.element.querySelectorAll<HTMLElement>(".card")].find(({ dataset }) => dataset.key === "a1");
  assert.ok(row !== undefined);
  row.focus();
  for (let press = 0; press < 2; press += 1) fire(row, "keydown", { key: "ArrowDown", altKey: true });
  // Answered one by one, so that the one that is overtaken is answered before the other.
  for (let round = 0; round < 20; round += 1) {
    await settled();
    await settled();
    queue.held.shift()?.();
  }
  assert.deepEqual([queue.order.join(" "), queue.refused], ["a2 a3 a1 a4", []]);
  assert.deepEqual(
    queue.said.map((text) => text.match(/number \d/)?.[0]),
    ["number 2", "number 3"],
  );
});
