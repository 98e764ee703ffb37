// A list of any length of which only the rows on screen are in the page. All rows have the height that the style sheet
// gives them (`--row-height`). One row takes the Tab key, the arrows go from row to row, and the row that has the focus
// keeps it when the list is drawn anew or scrolled away.

import { el, focused } from "../dom";
import { type ListPlace, rowsBelow, type Step, scrollToRow, shownRows, stepFrom } from "./windowing";

const steps: readonly string[] = ["ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"] satisfies Step[];
/** More is fetched when fewer rows than this lie below the screen. */
const nearEnd = 30;

export interface Rows<T> {
  /** Names an item once and for all. */
  key(item: T): string;
  /** Makes the element of a row, once for each key while it is on screen. */
  make(item: T): HTMLElement;
  /** Brings it up to date. */
  update(row: HTMLElement, item: T): void;
  /** Keys that the list itself has no use for. @returns whether something was done */
  onKey?(event: KeyboardEvent, item: T): boolean;
  /** The end of the list is near. */
  endIsNear?(): void;
  scrolled?(): void;
  /** Another row takes the Tab key. */
  wentTo?(key: string): void;
  /** New rows never move those that are seen, unless the list is at its top. For lists whose rows keep their order. */
  keepsPlace?: true;
}

export interface ListRoles {
  list: "list" | "rowgroup";
  row: "listitem" | "row";
}

export class WindowedList<T> {
  /** The part that scrolls. */
  readonly element: HTMLElement;
  private readonly sizer: HTMLElement;
  private readonly probe: HTMLElement;
  private items: readonly T[] = [];
  private readonly drawn = new Map<string, HTMLElement>();
  /** The key of the row that takes the Tab key. */
  private current: string | undefined;
  private rowHeight = 0;
  private wantedTop: number | undefined;
  private wantedKey: string | undefined;

  constructor(
    label: string,
    private readonly rows: Rows<T>,
    private readonly roles: ListRoles = { list: "list", row: "listitem" },
  ) {
    this.probe = el("div", { class: "row-probe" });
    this.sizer = el("div", { class: "windowed-rows", role: roles.list, attributes: { "aria-label": label } });
    this.element = el("div", { class: "windowed" }, this.probe, this.sizer);
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.sizer.addEventListener("keydown", (event) => this.onKey(event));
    this.sizer.addEventListener("focusin", ({ target }) => this.follow(target));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** @param id of an element that tells what the keys do */
  describeBy(id: string): void {
    this.sizer.setAttribute("aria-describedby", id);
  }

  /** Shows these items instead of those before. */
  show(items: readonly T[]): void {
    const before = Math.max(0, this.currentIndex());
    const hadFocus = this.hasFocus();
    const seen = this.seen();
    this.items = items;
    this.stayAt(seen);
    if (this.currentIndex() >= 0) {
      this.draw();
      return;
    }
    // Where the current row is gone, the one that is there now takes its place, so that the keyboard is not lost.
    const next = items[Math.min(before, items.length - 1)];
    this.current = next && this.rows.key(next);
    this.draw();
    if (hadFocus && this.current !== undefined) this.focusKey(this.current);
  }

  get scrollTop(): number {
    return this.wantedTop ?? this.element.scrollTop;
  }

  /** A list that is not seen yet goes there when it is. */
  set scrollTop(top: number) {
    this.wantedTop = top;
    this.wantedKey = undefined;
    this.draw();
  }

  /** The item that takes the Tab key. */
  get currentItem(): T | undefined {
    return this.items[this.currentIndex()];
  }

  get currentKey(): string | undefined {
    return this.current;
  }

  hasFocus(): boolean {
    return this.sizer.contains(focused() ?? null);
  }

  /** Gives the keyboard to a row. @returns whether it is in the list */
  focusKey(key: string): boolean {
    const at = this.indexOf(key);
    if (at >= 0) this.focusRow(at);
    return at >= 0;
  }

  /** Gives the keyboard to the row at this place, or to the last. @returns whether there is one */
  focusRow(at: number): boolean {
    const item = this.items[Math.min(at, this.items.length - 1)];
    if (item === undefined) return false;
    const key = this.rows.key(item);
    this.reveal(key);
    this.drawn.get(key)?.focus({ preventScroll: true });
    return true;
  }

  /**
   * Brings a row onto the screen and makes it the one that takes the Tab key; the keyboard stays where it is. A list that is
   * not seen yet goes there when it is, and one whose rows are not known yet when they are.
   */
  reveal(key: string): void {
    if (this.items.length > 0 && this.indexOf(key) < 0) return;
    this.wantedKey = key;
    this.wantedTop = undefined;
    this.goTo(key);
    this.draw();
  }

  /** The place of the row that takes the Tab key. */
  currentIndex(): number {
    return this.current === undefined ? -1 : this.indexOf(this.current);
  }

  /** The item of a row's element. */
  itemOf(row: Element | null): T | undefined {
    const key = row instanceof HTMLElement ? row.dataset.key : undefined;
    return key === undefined ? undefined : this.items[this.indexOf(key)];
  }

  rowOf(key: string): HTMLElement | undefined {
    return this.drawn.get(key);
  }

  draw(): void {
    this.rowHeight = this.probe.offsetHeight;
    this.sizer.style.height = `${this.items.length * this.rowHeight}px`;
    if (this.wantedTop !== undefined && this.rowHeight > 0 && this.element.clientHeight > 0) {
      this.element.scrollTop = this.wantedTop;
      this.wantedTop = undefined;
    }
    if (this.wantedKey !== undefined && this.items.length > 0 && this.rowHeight > 0 && this.element.clientHeight > 0) {
      const at = this.indexOf(this.wantedKey);
      if (at >= 0) this.element.scrollTop = scrollToRow(at, this.place());
      this.wantedKey = undefined;
    }
    const place = this.place();
    const { first, end } = shownRows(place);
    const wanted = new Set<string>();
    const order: HTMLElement[] = [];
    const keep = (at: number) => {
      const item = this.items[at];
      if (item === undefined) return;
      wanted.add(this.rows.key(item));
      order.push(this.drawRow(item, at));
    };
    const current = this.currentIndex();
    // The row with the keyboard stays in the page wherever it is.
    if (current >= 0 && current < first) keep(current);
    for (let at = first; at < end; at += 1) keep(at);
    if (current >= end) keep(current);
    for (const [key, row] of this.drawn) {
      if (wanted.has(key)) continue;
      row.remove();
      this.drawn.delete(key);
    }
    putInOrder(this.sizer, order);
    // A list that is not laid out has no end that could be near.
    if (place.rowHeight > 0 && rowsBelow(place) < nearEnd) this.rows.endIsNear?.();
  }

  /** The rows on screen, by their places. Nothing where they may move. */
  private seen(): ReadonlyMap<string, number> {
    const { scrollTop, viewHeight } = this.place();
    if (this.rows.keepsPlace !== true || this.rowHeight <= 0 || scrollTop <= 0) return new Map();
    const first = Math.floor(scrollTop / this.rowHeight);
    const end = Math.ceil((scrollTop + viewHeight) / this.rowHeight);
    return new Map(this.items.slice(first, end).map((item, at) => [this.rows.key(item), first + at]));
  }

  /** Scrolls so that the first of these that is still there stays where it is. */
  private stayAt(seen: ReadonlyMap<string, number>): void {
    for (const [key, before] of seen) {
      const now = this.indexOf(key);
      if (now < 0) continue;
      if (now !== before) this.wantedTop = this.element.scrollTop + (now - before) * this.rowHeight;
      return;
    }
  }

  private drawRow(item: T, at: number): HTMLElement {
    const key = this.rows.key(item);
    let row = this.drawn.get(key);
    if (row === undefined) {
      row = this.rows.make(item);
      row.classList.add("windowed-row");
      row.setAttribute("role", this.roles.row);
      row.dataset.key = key;
      this.drawn.set(key, row);
    }
    this.rows.update(row, item);
    const top = `translateY(${at * this.rowHeight}px)`;
    if (row.style.transform !== top) row.style.transform = top;
    if (this.roles.row === "listitem") {
      row.setAttribute("aria-posinset", String(at + 1));
      row.setAttribute("aria-setsize", String(this.items.length));
    } else row.setAttribute("aria-rowindex", String(at + 1));
    setReachable(row, key === this.current);
    return row;
  }

  private follow(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest<HTMLElement>(".windowed-row") : null;
    const key = row?.dataset.key;
    if (key === undefined || key === this.current) return;
    const before = this.current === undefined ? undefined : this.drawn.get(this.current);
    if (before !== undefined) setReachable(before, false);
    this.goTo(key);
    if (row !== null) setReachable(row, true);
  }

  private goTo(key: string): void {
    const before = this.current;
    this.current = key;
    if (key !== before) this.rows.wentTo?.(key);
  }

  private onKey(event: KeyboardEvent): void {
    const item = this.currentItem;
    if (item === undefined) return;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (isPlain && steps.includes(event.key)) {
      this.focusRow(stepFrom(this.currentIndex(), event.key as Step, this.place()));
    } else if (!(this.rows.onKey?.(event, item) ?? false)) return;
    // What was understood here is not the editor's.
    event.preventDefault();
    event.stopPropagation();
  }

  private scrolled(): void {
    this.draw();
    this.rows.scrolled?.();
  }

  private indexOf(key: string): number {
    return this.items.findIndex((item) => this.rows.key(item) === key);
  }

  private place(): ListPlace {
    return {
      scrollTop: this.element.scrollTop,
      viewHeight: this.element.clientHeight,
      rowHeight: this.rowHeight,
      count: this.items.length,
    };
  }
}

/** Rows are in the page in the order of the list, for screen readers. One that is moved loses the focus and gets it back. */
function putInOrder(parent: HTMLElement, order: readonly HTMLElement[]): void {
  const before = focused();
  let at = parent.firstElementChild;
  for (const row of order) {
    if (row === at) at = at.nextElementSibling;
    else parent.insertBefore(row, at);
  }
  if (before !== undefined && before !== focused() && parent.contains(before)) before.focus({ preventScroll: true });
}

/** The row that has the keyboard and what can be pressed in it are reached with Tab; those of other rows are not. */
function setReachable(row: HTMLElement, isReachable: boolean): void {
  row.tabIndex = isReachable ? 0 : -1;
  for (const inner of row.querySelectorAll<HTMLElement>("button, vscode-button")) inner.tabIndex = isReachable ? 0 : -1;
}
