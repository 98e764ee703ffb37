// The board: all tasks in four columns, moved by drag or by key, filtered by the host. It asks for orders and draws what
// comes of them; the order of tasks and what may be done with one are the host's.

import { t } from "../../src/l10n";
import "@vscode-elements/elements/dist/vscode-option/index.js";
import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import "@vscode-elements/elements/dist/vscode-textfield/index.js";
import { assertNever } from "../../src/assert_never";
import type { Place } from "../../src/protocol.gen";
import { priorityWord } from "../../src/task_words";
import { el, setText } from "../dom";
import { LONGEST } from "../messages";
import type { Page, PageContext, PageKind } from "../page";
import { button } from "../widgets/button";
import { openMenu } from "../widgets/menu";
import { stateNote } from "../widgets/state_note";
import { fetchBoard, fetchMore, PAGE_SIZE } from "./board_fetch";
import type { CardItem } from "./card";
import { cardButtons, cardEntries } from "./card_actions";
import { Column } from "./column";
import { type BoardData, COLUMNS, type ColumnId, columnCount, columnLabel, dropOn, emptyWords } from "./columns";
import { type Filter, filterIn, isFilter, NO_FILTER } from "./filter";

const filterRestMs = 50;
const keepRestMs = 150;
/** Of a board that was scrolled far down not all is fetched before it is drawn again. */
const keptLimit = 1_000;
const keyWords = () =>
  t(
    "Arrow keys go from card to card. Alt with an arrow moves a card. Enter shows its details, Shift+F10 what can be done with it.",
  );

export const boardPage: PageKind = {
  id: "board",
  get label() {
    return t("Board");
  },
  icon: "project",
  parts: ["queue", "agents"],
  make: (context) => new Board(context),
};

class Board implements Page {
  readonly element: HTMLElement;
  private readonly columns: ReadonlyMap<ColumnId, Column>;
  private readonly columnsElement: HTMLElement;
  private readonly emptyNote: HTMLElement;
  private readonly shownCount = el("span", { class: "shown-count" });
  private data: BoardData | undefined;
  private filter: Filter;
  /** The filter that `data` was fetched by. */
  private fetchedBy: Filter | undefined;
  private readonly wanted = new Map<ColumnId, number>();
  private dragged: CardItem | undefined;
  /** Moves by key one after the other, each from where the one before has led. */
  private moves: Promise<void> = Promise.resolve();
  private round = 0;
  /** The fetch that began last. */
  private newest: Promise<void> = Promise.resolve();
  /** Scroll places from before the page was hidden, until they are taken up. */
  private places: ReadonlyMap<string, number>;
  private filterTimer: ReturnType<typeof setTimeout> | undefined;
  private sayCount = false;
  private isFetchingMore = false;
  private keepTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly context: PageContext) {
    const kept = keptIn(context.kept);
    this.filter = kept.filter;
    this.places = kept.places;
    for (const [column, count] of kept.wanted) this.wanted.set(column, Math.min(count, keptLimit));
    this.columns = new Map(COLUMNS.map((id) => [id, this.makeColumn(id)]));
    const keys = el("p", { class: "only-read", id: "board-keys", text: keyWords() });
    for (const { list } of this.columns.values()) list.describeBy(keys.id);
    this.columnsElement = el("div", { class: "columns" }, ...[...this.columns.values()].map(({ element }) => element));
    this.emptyNote = stateNote({
      icon: "checklist",
      title: t("No tasks yet."),
      texts: [
        t("Add what is to be done; you and your agents take it from here."),
        t('In a terminal: augment-cli queue add --title "…"'),
      ],
      actions: [{ label: t("Add Task…"), icon: "add", isPrimary: true, act: () => this.add() }],
    });
    this.element = el("div", { class: "board" }, this.toolbar(), keys, this.emptyNote, this.columnsElement);
  }

  /** Done once what is shown is not older than the call. */
  refresh(): Promise<void> {
    this.newest = this.fetch();
    return this.newest;
  }

  focus(): void {
    for (const column of this.columns.values()) if (column.list.focusRow(0)) return;
  }

  private toolbar(): HTMLElement {
    const box = el("vscode-textfield", { class: "filter", attributes: { type: "search" } });
    box.label = t("Filter tasks");
    box.placeholder = t("Filter: words, label:name, priority:high");
    box.maxLength = LONGEST.filter;
    box.value = this.filter.typed;
    box.addEventListener("input", () => this.setFilter({ ...this.filter, typed: box.value }));
    const select = el("vscode-single-select", { class: "priority" });
    select.label = t("Priority");
    for (const value of ["any", "high", "medium", "low"] as const) {
      const option = el("vscode-option", {
        text: value === "any" ? t("Any priority") : priorityWord(value),
        attributes: { value },
      });
      option.selected = value === this.filter.priority;
      select.append(option);
    }
    select.addEventListener("change", () =>
      this.setFilter({ ...this.filter, ...filterIn({ priority: select.value }), typed: box.value }),
    );
    return el(
      "div",
      { class: "toolbar", role: "toolbar", attributes: { "aria-label": t("Board") } },
      button({ label: t("Add Task…"), icon: "add", isPrimary: true, act: () => this.add() }),
      box,
      select,
      this.shownCount,
    );
  }

  private async fetch(): Promise<void> {
    this.round += 1;
    const { round, filter } = this;
    const fetched = await fetchBoard(this.context.host, filter, this.wanted).then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    );
    // A later fetch has begun and knows more: whoever waits for this one waits for that.
    if (round !== this.round) return this.newest;
    this.isFetchingMore = false;
    if ("error" in fetched) throw fetched.error;
    this.data = fetched.data;
    this.fetchedBy = filter;
    this.draw(fetched.data);
  }

  private makeColumn(id: ColumnId): Column {
    const { host } = this.context;
    const menu = (item: CardItem, at: HTMLElement) =>
      openMenu(
        at,
        t("Actions on {0}", item.card.id),
        cardEntries(host, item, { step: (to) => this.moveByStep(item, to) }),
      );
    return new Column(id, {
      buttons: (item) =>
        cardButtons(host, item, () => {
          const row = this.columns.get(id)?.list.rowOf(item.card.id);
          const now = this.columns.get(id)?.list.itemOf(row ?? null);
          if (row !== undefined) menu(now ?? item, row);
        }),
      open: ({ card }) => void host.act("task/show", { task: card.id }),
      menu,
      key: (event, item) => this.onKey(event, id, item),
      dragged: (item) => {
        this.dragged = item;
      },
      takes: (column) => this.dragged !== undefined && dropOn(column, this.dragged.card) !== undefined,
      dropped: (column, beside) => this.onDrop(column, beside),
      needsMore: (column) => void this.fetchMore(column),
      scrolled: () => this.keepSoon(),
    });
  }

  private draw(data: BoardData): void {
    const isFiltered = isFilter(this.filter);
    const all = COLUMNS.reduce((sum, column) => sum + columnCount(column, data), 0);
    let shown = 0;
    for (const [id, column] of this.columns) {
      const cards = data.cards.get(id) ?? [];
      const isUnfinished = data.next.has(id);
      shown += isFiltered ? cards.length : 0;
      column.show(
        cards.map((card) => ({ card, run: data.runs.get(card.id), question: data.questions.get(card.id) })),
        {
          count: isFiltered
            ? `${cards.length.toLocaleString()}${isUnfinished ? "+" : ""}`
            : columnCount(id, data).toLocaleString(),
          empty: emptyWords(id, isFiltered),
          isUnfinished,
        },
      );
      const place = this.places.get(id);
      if (place !== undefined) column.list.scrollTop = place;
    }
    this.places = new Map();
    this.emptyNote.hidden = all > 0;
    this.columnsElement.hidden = all === 0;
    const more = data.next.size > 0 ? t("at least ") : "";
    const words = isFiltered
      ? t("{0}{1} of {2} shown", more, shown.toLocaleString(), taskCount(all))
      : all === 0
        ? ""
        : taskCount(all);
    setText(this.shownCount, words);
    if (this.sayCount) this.context.say(isFiltered ? words : t("All {0} shown", taskCount(all)));
    this.sayCount = false;
  }

  private setFilter(filter: Filter): void {
    this.filter = filter;
    this.wanted.clear();
    this.keep();
    clearTimeout(this.filterTimer);
    this.filterTimer = setTimeout(() => {
      this.sayCount = true;
      this.context.refresh();
    }, filterRestMs);
  }

  private async fetchMore(column: ColumnId): Promise<void> {
    const { data, filter } = this;
    // Until what was asked for is there, nothing more is.
    if (this.isFetchingMore || data === undefined || filter !== this.fetchedBy) return;
    this.isFetchingMore = true;
    try {
      const more = await fetchMore(this.context.host, filter, data, column);
      if (filter !== this.filter) return;
      this.wanted.set(column, (this.wanted.get(column) ?? PAGE_SIZE) + PAGE_SIZE);
      if (data === this.data) this.data = more;
    } catch {
      // A fetch of all tells what is wrong.
      this.context.refresh();
      return;
    } finally {
      this.isFetchingMore = false;
    }
    // The end may still be near.
    if (this.data !== undefined) this.draw(this.data);
  }

  private add(): void {
    void this.context.host.act("task/add", {});
  }

  private onKey(event: KeyboardEvent, column: ColumnId, item: CardItem): boolean {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (ctrlKey || metaKey || shiftKey) return false;
    if (altKey) {
      const to = ({ ArrowUp: "up", ArrowDown: "down", Home: "top", End: "bottom" } as const)[key];
      if (to !== undefined) this.moveByStep(item, to);
      else if (key === "ArrowLeft" || key === "ArrowRight")
        this.moveToColumn(column, item, key === "ArrowLeft" ? -1 : 1);
      else return false;
      return true;
    }
    if (key === "ArrowLeft" || key === "ArrowRight") return this.goToColumn(column, key === "ArrowLeft" ? -1 : 1);
    return false;
  }

  /** The nearest column on that side that has a card, at about the same height. */
  private goToColumn(from: ColumnId, side: -1 | 1): boolean {
    const list = this.columns.get(from)?.list;
    const row = list?.currentIndex() ?? 0;
    for (let at = COLUMNS.indexOf(from) + side; at >= 0 && at < COLUMNS.length; at += side) {
      const id = COLUMNS[at];
      if (id !== undefined && this.columns.get(id)?.list.focusRow(row)) break;
    }
    return true;
  }

  private moveToColumn(from: ColumnId, item: CardItem, side: -1 | 1): void {
    const to = COLUMNS[COLUMNS.indexOf(from) + side];
    // A task that waits or is done goes back to the pending ones, however many columns lie between.
    const goal = side < 0 && dropOn("pending", item.card) === "retry" ? "pending" : to;
    if (goal === undefined || dropOn(goal, item.card) === undefined)
      this.context.say(t("{0} cannot be moved there", item.card.id));
    else this.carryOut(goal, item, undefined);
  }

  private onDrop(column: ColumnId, beside: { item: CardItem; side: "before" | "after" } | undefined): void {
    const { dragged } = this;
    this.dragged = undefined;
    if (dragged !== undefined && beside?.item.card.id !== dragged.card.id)
      this.carryOut(column, dragged, beside && placeBeside(beside.item, beside.side));
  }

  private carryOut(column: ColumnId, { card }: CardItem, place: Place | undefined): void {
    const { host } = this.context;
    const drop = dropOn(column, card);
    switch (drop) {
      case undefined:
        break;
      case "start-agent":
        void host.act("task/start-agent", { task: card.id });
        break;
      case "retry":
        void host.act("task/retry", { task: card.id });
        break;
      case "reorder":
        this.move(card.id, () => place ?? "bottom");
        break;
      default:
        assertNever(drop);
    }
  }

  private moveByStep({ card }: CardItem, to: "up" | "down" | "top" | "bottom"): void {
    if (card.status !== "pending") {
      this.context.say(t("{0} is not pending, so it has no place to be moved to", card.id));
      return;
    }
    this.move(card.id, () => {
      if (to === "top" || to === "bottom") return to;
      const cards = this.data?.cards.get("pending") ?? [];
      const at = cards.findIndex(({ id }) => id === card.id);
      const beside = cards[to === "up" ? at - 1 : at + 1];
      if (beside === undefined) return undefined;
      return to === "up" ? { before: beside.id } : { after: beside.id };
    });
  }

  /** @param placeOf where it goes, as things stand when its turn comes; nothing where it is there already */
  private move(id: string, placeOf: () => Place | undefined): void {
    this.moves = this.moves.then(async () => {
      const card = this.data?.cards.get("pending")?.find((one) => one.id === id);
      const place = placeOf();
      if (card === undefined) return;
      if (place === undefined) return this.context.say(t("{0} cannot be moved further", id));
      const { revision, priority } = card;
      if (await this.context.host.act("task/move", { task: id, revision, priority, place })) {
        await this.refresh().catch(() => this.context.refresh());
        this.sayPlace(id);
      } else this.context.refresh();
    });
  }

  private sayPlace(id: string): void {
    const list = this.columns.get("pending")?.list;
    const cards = this.data?.cards.get("pending") ?? [];
    const at = cards.findIndex((card) => card.id === id);
    // Whoever has gone on to another card is left there.
    if (list?.hasFocus() === true && list.currentKey === id) list.focusKey(id);
    const card = cards[at];
    if (card !== undefined) {
      const priority = priorityWord(card.priority);
      this.context.say(t("{0} is number {1} in {2}, priority {3}", id, at + 1, columnLabel("pending"), priority));
    }
  }

  /** Scrolling is not slowed down by what is written down of it. */
  private keepSoon(): void {
    clearTimeout(this.keepTimer);
    this.keepTimer = setTimeout(() => this.keep(), keepRestMs);
  }

  private keep(): void {
    const places = [...this.columns].map(([id, { list }]) => [id, Math.round(list.scrollTop)]);
    this.context.keep({
      filter: this.filter,
      places: Object.fromEntries(places),
      wanted: Object.fromEntries(this.wanted),
    });
  }
}

function placeBeside({ card }: CardItem, side: "before" | "after"): Place {
  return side === "before" ? { before: card.id } : { after: card.id };
}

function taskCount(count: number): string {
  return count === 1 ? t("1 task") : t("{0} tasks", count.toLocaleString());
}

interface Kept {
  filter: Filter;
  places: ReadonlyMap<string, number>;
  wanted: ReadonlyMap<ColumnId, number>;
}

/** What another version kept is not trusted to have this one's form. */
function keptIn(value: unknown): Kept {
  const fields: { filter?: unknown; places?: unknown; wanted?: unknown } =
    typeof value === "object" && value !== null ? value : {};
  const numbers = (of: unknown) => {
    const known = typeof of === "object" && of !== null ? new Map<string, unknown>(Object.entries(of)) : new Map();
    return new Map(
      COLUMNS.flatMap((column) => {
        const number = known.get(column);
        return typeof number === "number" && Number.isInteger(number) && number > 0 ? [[column, number] as const] : [];
      }),
    );
  };
  return {
    filter: fields.filter === undefined ? NO_FILTER : filterIn(fields.filter),
    places: numbers(fields.places),
    wanted: numbers(fields.wanted),
  };
}
