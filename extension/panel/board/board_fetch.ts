// The board as of about one moment, put together from several answers of the host. What moves meanwhile is told by the
// host and leads to another fetch.

import { t } from "../../src/l10n";
import type { Status } from "../../src/protocol.gen";
import type { Host } from "../host";
import type { Card, CardList } from "../messages";
import { type BoardData, COLUMNS, type ColumnId, columnStatuses, withQuestions } from "./columns";
import { type Filter, filterParams } from "./filter";

/** How many more cards of a column are fetched when its end comes near. */
export const PAGE_SIZE = 200;
const callLimit = 1_000;
const runLimit = 200;

type Read = Pick<Host, "read">;

export async function fetchBoard(
  host: Read,
  filter: Filter,
  wanted: ReadonlyMap<ColumnId, number>,
): Promise<BoardData> {
  const [{ questions }, { runs }, ...lists] = await Promise.all([
    host.read("augment/question/list", { answered: false, run: null }),
    host.read("augment/run/list", { task: null, agent: null, active: true, limit: runLimit }),
    ...COLUMNS.map((column) => fetchCards(host, columnStatuses(column), filter, wanted.get(column) ?? PAGE_SIZE)),
  ]);
  const asked = new Map(questions.filter(({ answer }) => answer === null).map((question) => [question.task, question]));
  const listed = new Map(COLUMNS.map((column, at) => [column, lists[at]?.cards ?? []]));
  const counts = lists.at(-1)?.counts;
  if (counts === undefined) throw new Error(t("The host answered without counts."));
  return {
    cards: withQuestions(listed, asked),
    next: new Map(
      COLUMNS.flatMap((column, at) => {
        const next = lists[at]?.next ?? null;
        return next === null ? [] : [[column, next] as const];
      }),
    ),
    counts,
    questions: asked,
    runs: new Map(runs.filter(({ ended }) => !ended).map((run) => [run.task, run])),
  };
}

/** The board with one more page of a column; what was there stays as it was fetched. */
export async function fetchMore(host: Read, filter: Filter, data: BoardData, column: ColumnId): Promise<BoardData> {
  const after = data.next.get(column);
  if (after === undefined) return data;
  const { cards, counts, next } = await fetchCards(host, columnStatuses(column), filter, PAGE_SIZE, after);
  const known = data.cards.get(column) ?? [];
  // One that was moved down meanwhile comes again; the host tells of the move, and all is fetched anew.
  const ids = new Set(known.map(({ id }) => id));
  const more = [...known, ...cards.filter(({ id }) => !ids.has(id))];
  const ways = new Map(data.next);
  if (next === null) ways.delete(column);
  else ways.set(column, next);
  return { ...data, counts, next: ways, cards: withQuestions(new Map(data.cards).set(column, more), data.questions) };
}

async function fetchCards(
  host: Read,
  statuses: Status[],
  filter: Filter,
  count: number,
  from?: string,
): Promise<{ cards: Card[]; counts: CardList["counts"]; next: string | null }> {
  const cards: Card[] = [];
  for (let after = from; ; ) {
    const page = await host.read("augment/queue/list", {
      statuses,
      ...filterParams(filter),
      limit: Math.min(count - cards.length, callLimit),
      ...(after === undefined ? {} : { after }),
    });
    cards.push(...page.tasks);
    if (page.next === null || cards.length >= count) return { cards, counts: page.counts, next: page.next };
    after = page.next;
  }
}
