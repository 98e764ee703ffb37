// Which rows of a long list are there to be seen: arithmetic on rows of one height, without the page.

export interface ListPlace {
  scrollTop: number;
  viewHeight: number;
  rowHeight: number;
  count: number;
}

/** The rows on screen with some on either side, the end not included. */
export function shownRows(
  { scrollTop, viewHeight, rowHeight, count }: ListPlace,
  beside = 4,
): { first: number; end: number } {
  if (rowHeight <= 0 || count === 0) return { first: 0, end: 0 };
  const last = Math.max(0, count - 1);
  const first = Math.min(last, Math.max(0, Math.floor(scrollTop / rowHeight) - beside));
  const end = Math.min(count, Math.max(first + 1, Math.ceil((scrollTop + viewHeight) / rowHeight) + beside));
  return { first, end };
}

/** Where to scroll so that a row is wholly on screen: not at all when it is. */
export function scrollToRow(row: number, { scrollTop, viewHeight, rowHeight }: ListPlace): number {
  const top = row * rowHeight;
  if (top < scrollTop || rowHeight > viewHeight) return top;
  return Math.max(scrollTop, top + rowHeight - viewHeight);
}

export type Step = "ArrowUp" | "ArrowDown" | "Home" | "End" | "PageUp" | "PageDown";

/** The row that a key leads to; the same one where there is no other. */
export function stepFrom(row: number, step: Step, { viewHeight, rowHeight, count }: ListPlace): number {
  const page = Math.max(1, Math.floor(viewHeight / Math.max(1, rowHeight)) - 1);
  const to = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    Home: 0,
    End: count - 1,
    PageUp: row - page,
    PageDown: row + page,
  }[step];
  return Math.max(0, Math.min(count - 1, to));
}

/** How many rows lie below the screen, to know when more is to be fetched. */
export function rowsBelow({ scrollTop, viewHeight, rowHeight, count }: ListPlace): number {
  return rowHeight <= 0 ? 0 : Math.max(0, count - Math.ceil((scrollTop + viewHeight) / rowHeight));
}
