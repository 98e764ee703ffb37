// A chart drawn with uPlot in the colours of the theme. It is drawn anew when the theme or its width changes, and says nothing to
// screen readers: whoever shows it gives the words.

import uPlot from "uplot";
import { el } from "../dom";
import type { ChartData, Series } from "./charts";
import { type Parts, shortPartText } from "./figure_words";

const height = 180;

export class Plot {
  readonly element = el("div", { class: "plot" });
  private drawn: uPlot | undefined;
  /** The theme changed while the chart was not shown. */
  private isStale = false;
  private readonly watching: MutationObserver;
  private readonly sizing: ResizeObserver;

  constructor(
    private readonly data: ChartData,
    private readonly starts: readonly number[],
    private readonly counted: Parts,
  ) {
    this.watching = new MutationObserver(() => this.draw());
    // The editor tells a page of another theme by the class of its body and the colours at its root.
    for (const [element, name] of [
      [document.body, "class"],
      [document.documentElement, "style"],
    ] as const)
      this.watching.observe(element, { attributes: true, attributeFilter: [name] });
    this.sizing = new ResizeObserver(() => this.fit());
    this.sizing.observe(this.element);
  }

  dispose(): void {
    this.watching.disconnect();
    this.sizing.disconnect();
    this.drawn?.destroy();
  }

  private fit(): void {
    const width = this.element.clientWidth;
    if (width === 0) return;
    if (this.drawn === undefined || this.isStale) this.draw();
    else if (this.drawn.width !== width) this.drawn.setSize({ width, height });
  }

  private draw(): void {
    const width = this.element.clientWidth;
    this.isStale = width === 0;
    if (this.isStale) return;
    this.drawn?.destroy();
    const { form, series } = this.data;
    const stacked = form === "bars" ? stack(series) : series.map(({ values }) => values);
    // Bars are drawn over each other, the highest first, so that each shows its own part.
    const order = form === "bars" ? series.map((_, at) => series.length - 1 - at) : series.map((_, at) => at);
    const lines = order.map((at) => this.line(series[at], at, form));
    const values = order.map((at) => stacked[at] ?? []);
    this.drawn = new uPlot(
      {
        width,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: (_, low, high) => [low - 0.6, high + 0.6] }, y: { range: fromZero } },
        axes: [this.parts(), this.amounts()],
        series: [{}, ...lines],
      },
      [this.starts.map((_, at) => at), ...values],
      this.element,
    );
  }

  private line(series: Series | undefined, at: number, form: ChartData["form"]): uPlot.Series {
    const color = themed(series?.color ?? "foreground");
    if (form === "bars") return { fill: color, width: 0, paths: bars, points: { show: false } };
    const dash = at === 0 ? [] : [6, 4];
    return { stroke: color, width: 2, dash, spanGaps: true, points: { show: true, size: 6, fill: color } };
  }

  private parts(): uPlot.Axis {
    const short = (at: number) => {
      const start = this.starts[at];
      return start === undefined ? "" : shortPartText(start, this.counted);
    };
    const grid = { show: false };
    return {
      ...axis(),
      grid,
      values: (_, places) => places.map((at) => (Number.isInteger(at) ? short(at) : "")),
      space: 70,
    };
  }

  private amounts(): uPlot.Axis {
    const { text, form } = this.data;
    const isWhole = (value: number) => form === "lines" || Number.isInteger(value);
    const size = form === "lines" ? 86 : 60;
    return { ...axis(), values: (_, amounts) => amounts.map((value) => (isWhole(value) ? text(value) : "")), size };
  }
}

const bars = uPlot.paths.bars?.({ size: [0.7, 40] }) ?? (() => null);

function fromZero(_: uPlot, _low: number, high: number | null): [number, number] {
  return [0, Math.max(1, (high ?? 0) * 1.1)];
}

function axis(): uPlot.Axis {
  const grid = { stroke: themed("panel.border"), width: 1 };
  const { fontFamily } = getComputedStyle(document.body);
  return { stroke: themed("foreground"), font: `11px ${fontFamily}`, grid, ticks: grid };
}

/** Each on top of those before. */
function stack(series: readonly Series[]): number[][] {
  let below: number[] = [];
  return series.map(({ values }) => {
    below = values.map((value, at) => (value ?? 0) + (below[at] ?? 0));
    return below;
  });
}

/** A colour of the theme as a canvas takes it. */
function themed(name: string): string {
  const value = getComputedStyle(document.body)
    .getPropertyValue(`--vscode-${name.replaceAll(".", "-")}`)
    .trim();
  return value === "" ? getComputedStyle(document.body).color : value;
}
