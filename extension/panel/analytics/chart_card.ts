// A chart with its name, what it says in words, and the table behind it. Other figures are drawn into the same card, so that the
// keyboard and where its table is scrolled to stay.

import { t } from "../../src/l10n";
import type { Analytics } from "../../src/protocol.gen";
import { el, setAttribute, setText, themeColor } from "../dom";
import { keepOpen, type Unfolded } from "../kept";
import { table } from "../widgets/table";
import type { ChartData } from "./charts";
import { leftOutText, tableParts } from "./figure_words";
import { Plot } from "./plot";

export class ChartCard {
  readonly element: HTMLElement;
  private readonly title: HTMLElement;
  private readonly empty = el("p", { class: "quiet chart-empty" });
  private readonly summary = el("p", { class: "quiet chart-summary" });
  private readonly legend = el("ul", { class: "legend", attributes: { "aria-label": t("Colours") } });
  private readonly picture = el("div", { role: "img" });
  private readonly drawing = el("div", {}, this.summary, this.legend, this.picture);
  private readonly rows = el("div", { class: "chart-rows", tabIndex: 0, role: "region" });
  private readonly details = el(
    "details",
    { class: "chart-table" },
    el("summary", { text: t("Show as table") }),
    this.rows,
  );
  private plot: Plot | undefined;
  private isEmpty: boolean | undefined;

  /** @param unfolded the charts whose table is shown */
  constructor(id: string, unfolded: Unfolded) {
    this.title = el("h2", { id: `chart-${id}-title` });
    keepOpen(this.details, unfolded, id);
    this.element = el(
      "section",
      { class: "chart", id: `chart-${id}`, attributes: { "aria-labelledby": this.title.id } },
      this.title,
    );
  }

  show(data: ChartData, { byBucket, bucket }: Analytics, utcOffsetMinutes: number): void {
    const isEmpty = data.empty !== undefined;
    setText(this.title, data.title);
    setText(this.empty, data.empty ?? "");
    if (isEmpty !== this.isEmpty)
      this.element.replaceChildren(this.title, ...(isEmpty ? [this.empty] : [this.drawing, this.details]));
    this.isEmpty = isEmpty;
    this.dispose();
    if (isEmpty) return;
    setText(this.summary, data.summary);
    this.legend.replaceChildren(...data.series.map(({ label, color }) => legendEntry(label, color)));
    const starts = byBucket.map(({ start }) => start);
    this.plot = new Plot(data, starts, { bucket, utcOffsetMinutes });
    setAttribute(this.picture, "aria-label", `${data.title}. ${data.summary}`);
    this.picture.replaceChildren(this.plot.element);
    setAttribute(this.rows, "aria-label", t("{0}: table", data.title));
    const parts = tableParts(byBucket);
    const left = parts.length === byBucket.length ? [] : [el("p", { class: "quiet", text: leftOutText(bucket) })];
    this.rows.replaceChildren(...left, table(data.title, data.columns, parts));
  }

  /** Ends the drawing; what is shown next begins another. */
  dispose(): void {
    this.plot?.dispose();
    this.plot = undefined;
  }
}

function legendEntry(label: string, color: string): HTMLElement {
  const swatch = el("span", { class: "swatch", attributes: { "aria-hidden": "true" } });
  swatch.style.backgroundColor = themeColor(color);
  return el("li", {}, swatch, el("span", { text: label }));
}
