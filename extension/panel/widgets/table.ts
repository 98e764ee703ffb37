// A table of plain texts with a heading, such as the figures behind a picture. For lists of thousands use a windowed list.

import { el } from "../dom";

export interface Column<T> {
  heading: string;
  text(row: T): string;
  /** Numbers stand on the right. */
  isNumber?: boolean;
}

export function table<T>(caption: string, columns: readonly Column<T>[], rows: readonly T[]): HTMLElement {
  const alignment = ({ isNumber = false }: Column<T>) => (isNumber ? { class: "number" } : {});
  return el(
    "table",
    { class: "table" },
    el("caption", { text: caption }),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...columns.map((column) =>
          el("th", { text: column.heading, attributes: { scope: "col" }, ...alignment(column) }),
        ),
      ),
    ),
    el(
      "tbody",
      {},
      ...rows.map((row) =>
        el("tr", {}, ...columns.map((column) => el("td", { text: column.text(row), ...alignment(column) }))),
      ),
    ),
  );
}
