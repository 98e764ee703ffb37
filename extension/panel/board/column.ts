// One column of the board: its heading with a count, its cards, and the place where a card is dropped.

import { el, setText } from "../dom";
import { WindowedList } from "../widgets/windowed_list";
import { type CardButton, type CardItem, makeCard, updateCard } from "./card";
import { type ColumnId, columnLabel } from "./columns";

/** Not a type that an editor takes: a card is dropped in the board and nowhere else. */
const mime = "application/x-augment-task";

export interface ColumnEvents {
  buttons(item: CardItem): CardButton[];
  open(item: CardItem): void;
  menu(item: CardItem, at: HTMLElement): void;
  /** @returns whether the key meant something */
  key(event: KeyboardEvent, item: CardItem): boolean;
  dragged(item: CardItem | undefined): void;
  /** Whether what is dragged may be dropped here. */
  takes(column: ColumnId): boolean;
  /** @param beside the card that it was dropped next to; nothing where there is none */
  dropped(column: ColumnId, beside: { item: CardItem; side: "before" | "after" } | undefined): void;
  needsMore(column: ColumnId): void;
  scrolled(): void;
}

export class Column {
  readonly element: HTMLElement;
  readonly list: WindowedList<CardItem>;
  private readonly count = el("span", { class: "count" });
  private readonly empty = el("p", { class: "empty" });
  private readonly mark = el("div", { class: "drop-mark", hidden: true });
  private isUnfinished = false;

  constructor(
    readonly id: ColumnId,
    private readonly events: ColumnEvents,
  ) {
    this.list = new WindowedList<CardItem>(columnLabel(id), {
      key: ({ card }) => card.id,
      make: (item) => this.makeRow(item),
      update: (row, item) => updateCard(row, item, events.buttons(item)),
      onKey: (event, item) => this.onKey(event, item),
      endIsNear: () => {
        if (this.isUnfinished) events.needsMore(id);
      },
      scrolled: () => events.scrolled(),
    });
    this.list.element.append(this.mark);
    this.element = el(
      "section",
      { class: "column", attributes: { "aria-label": columnLabel(id), "data-column": id } },
      el("h2", {}, el("span", { text: columnLabel(id) }), this.count),
      this.empty,
      this.list.element,
    );
    this.element.addEventListener("dragover", (event) => this.onDragOver(event));
    this.element.addEventListener("dragleave", (event) => {
      if (!(event.relatedTarget instanceof Node && this.element.contains(event.relatedTarget))) this.unmark();
    });
    this.element.addEventListener("drop", (event) => this.onDrop(event));
  }

  show(
    items: readonly CardItem[],
    { count, empty, isUnfinished }: { count: string; empty: string; isUnfinished: boolean },
  ): void {
    this.isUnfinished = isUnfinished;
    setText(this.count, count);
    setText(this.empty, empty);
    this.empty.hidden = items.length > 0;
    this.list.element.hidden = items.length === 0;
    this.list.show(items);
  }

  private makeRow(item: CardItem): HTMLElement {
    const row = makeCard();
    const now = () => this.list.itemOf(row) ?? item;
    row.addEventListener("dblclick", () => this.events.open(now()));
    row.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      event.stopPropagation();
      row.focus({ preventScroll: true });
      this.events.menu(now(), row);
    });
    row.addEventListener("dragstart", (event) => {
      event.dataTransfer?.setData(mime, now().card.id);
      if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = "move";
      row.classList.add("dragged");
      this.events.dragged(now());
    });
    row.addEventListener("dragend", () => {
      row.classList.remove("dragged");
      this.events.dragged(undefined);
    });
    return row;
  }

  private onKey(event: KeyboardEvent, item: CardItem): boolean {
    const row = this.list.rowOf(item.card.id);
    const isOnRow = event.target === row;
    if (isOnRow && event.key === "Enter") this.events.open(item);
    else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      if (row !== undefined) this.events.menu(item, row);
    } else return this.events.key(event, item);
    return true;
  }

  private onDragOver(event: DragEvent): void {
    if (!(event.dataTransfer?.types.includes(mime) ?? false) || !this.events.takes(this.id)) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "move";
    this.element.classList.add("takes");
    const beside = this.besideAt(event);
    this.mark.hidden = beside === undefined || this.id !== "pending";
    if (beside !== undefined) {
      const top = this.list.element.getBoundingClientRect().top - this.list.scrollTop;
      const edge = beside.row.getBoundingClientRect()[beside.side === "before" ? "top" : "bottom"];
      this.mark.style.transform = `translateY(${edge - top}px)`;
    }
  }

  private onDrop(event: DragEvent): void {
    if (!this.events.takes(this.id)) return;
    event.preventDefault();
    const beside = this.besideAt(event);
    this.unmark();
    this.events.dropped(this.id, beside && { item: beside.item, side: beside.side });
  }

  /** The card under the pointer, or the nearest one above or below it. */
  private besideAt({
    clientY,
    target,
  }: DragEvent): { row: HTMLElement; item: CardItem; side: "before" | "after" } | undefined {
    const rows = [...this.list.element.querySelectorAll<HTMLElement>(".windowed-row")];
    const under = target instanceof Element ? target.closest<HTMLElement>(".windowed-row") : null;
    const row = under ?? rows.find((one) => one.getBoundingClientRect().bottom > clientY) ?? rows.at(-1);
    const item = row && this.list.itemOf(row);
    if (row === undefined || item === undefined) return undefined;
    const { top, height } = row.getBoundingClientRect();
    return { row, item, side: clientY < top + height / 2 ? "before" : "after" };
  }

  private unmark(): void {
    this.element.classList.remove("takes");
    this.mark.hidden = true;
  }
}
