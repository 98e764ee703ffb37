// Analytics: how runs and tasks ended, how long they took, what was decided about the work, what it cost and used, for a period, an
// agent and a type of task. Behind every chart stands its table. It keeps what is looked at, and no figures.

import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import { type Analytics, MOST_NAMED, type NamedFigures } from "../../src/protocol.gen";
import { el } from "../dom";
import { fieldsOf, Unfolded } from "../kept";
import type { Page, PageContext, PageKind } from "../page";
import { button } from "../widgets/button";
import { choose, offer } from "../widgets/choice";
import { stateNote } from "../widgets/state_note";
import { type Column, table } from "../widgets/table";
import { ChartCard } from "./chart_card";
import { chartsOf } from "./charts";
import {
  costText,
  cpuText,
  isNothing,
  lengthText,
  memoryText,
  percentText,
  rateText,
  tokensText,
} from "./figure_words";
import { asked, type Choice, choiceIn, PERIODS } from "./period";

export const analyticsPage: PageKind = {
  id: "analytics",
  get label() {
    return t("Analytics");
  },
  icon: "graph",
  parts: ["ledger"],
  make: (context) => new AnalyticsPage(context),
};

class AnalyticsPage implements Page {
  readonly element: HTMLElement;
  private choice: Choice;
  private readonly cards = new Map<string, ChartCard>();
  private readonly open: Unfolded;
  private drawn = "";
  private agents: readonly string[] = [];
  private labels: readonly string[] = [];
  private readonly periods = choose(t("Period"));
  private readonly agentChoice = choose(t("Agent"));
  private readonly labelChoice = choose(t("Type of task"));
  private readonly tiles = el("dl", { class: "tiles" });
  private readonly charts = el("div", { class: "charts" });
  private readonly byAgent = groupTable(t("By agent"));
  private readonly byType = groupTable(t("By type of task"));
  private readonly more = el("p", {
    class: "quiet",
    text: t("More happened than is counted, so the oldest is left out. Choose a shorter period."),
  });
  private readonly note = el("div", {});
  private readonly content = el(
    "div",
    { class: "analytics-content" },
    this.tiles,
    this.charts,
    this.byAgent,
    this.byType,
    this.more,
  );

  constructor(private readonly context: PageContext) {
    this.choice = choiceIn(context.kept);
    this.open = new Unfolded(fieldsOf(context.kept).get("open"), () => this.keep());
    for (const [element, name] of [
      [this.periods, "period"],
      [this.agentChoice, "agent"],
      [this.labelChoice, "label"],
    ] as const)
      element.addEventListener("change", () => this.choose({ ...this.choice, [name]: element.value }));
    this.element = el("div", { class: "analytics" }, this.toolbar(), this.note, this.content);
    this.drawChoices();
  }

  async refresh(): Promise<void> {
    const { choice } = this;
    const ask = asked(choice, this.context.host.now());
    const figures = await this.context.host.read("augment/analytics", ask);
    if (choice !== this.choice) return;
    if (choice.agent === "") this.agents = namesOf(figures.byAgent);
    if (choice.label === "") this.labels = namesOf(figures.byType);
    this.drawChoices();
    this.draw(figures, ask.utcOffsetMinutes);
  }

  focus(): void {
    this.periods.focus();
  }

  private toolbar(): HTMLElement {
    return el(
      "div",
      { class: "toolbar", role: "toolbar", attributes: { "aria-label": t("Analytics") } },
      this.periods,
      this.agentChoice,
      this.labelChoice,
      button({ label: t("Export CSV…"), icon: "export", act: () => this.exportCsv() }),
    );
  }

  private exportCsv(): void {
    const ask = asked(this.choice, this.context.host.now());
    void this.context.host.act("analytics/export", ask).then((isDone) => {
      if (isDone) this.context.say(t("The figures are exported."));
    });
  }

  private choose(value: object): void {
    this.choice = choiceIn(value);
    this.keep();
    this.context.refresh();
  }

  private keep(): void {
    this.context.keep({ ...this.choice, open: this.open.toKeep() });
  }

  private drawChoices(): void {
    const { period, agent, label } = this.choice;
    const named = (names: readonly string[], chosen: string) =>
      [...new Set([...names, ...(chosen === "" ? [] : [chosen])])].map((name) => ({
        value: name,
        label: oneLine(name),
      }));
    offer(
      this.periods,
      PERIODS.map((one) => ({ value: one.id, label: one.label() })),
      period,
    );
    offer(this.agentChoice, [{ value: "", label: t("All agents") }, ...named(this.agents, agent)], agent);
    offer(this.labelChoice, [{ value: "", label: t("All types") }, ...named(this.labels, label)], label);
  }

  private draw(figures: Analytics, utcOffsetMinutes: number): void {
    const { total, byAgent, byType, byBucket, more } = figures;
    const isEmpty = isNothing(total);
    // Where nothing counted has moved, what is looked at stays as it is.
    const drawn = JSON.stringify([this.choice, utcOffsetMinutes, total, byAgent, byType, byBucket]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.note.replaceChildren(...(isEmpty ? [this.emptyNote()] : []));
    this.content.hidden = isEmpty;
    if (isEmpty) {
      for (const card of this.cards.values()) card.dispose();
      return;
    }
    this.tiles.replaceChildren(...tiles(figures));
    for (const data of chartsOf(figures, utcOffsetMinutes)) this.cardOf(data.id).show(data, figures, utcOffsetMinutes);
    this.byAgent.replaceChildren(figuresTable(t("By agent"), t("Agent"), t("unknown"), byAgent));
    this.byType.replaceChildren(figuresTable(t("By type of task"), t("Type (label)"), t("no label"), byType));
    this.more.hidden = !more;
  }

  /** A chart has one card, whatever it shows. */
  private cardOf(id: string): ChartCard {
    const known = this.cards.get(id);
    if (known !== undefined) return known;
    const card = new ChartCard(id, this.open);
    this.cards.set(id, card);
    this.charts.append(card.element);
    return card;
  }

  private emptyNote(): HTMLElement {
    const { agent, label, period } = this.choice;
    const isFiltered = agent !== "" || label !== "";
    const name = (PERIODS.find(({ id }) => id === period) ?? PERIODS[2]).label();
    return stateNote({
      icon: "graph",
      title: t("Nothing to count: {0}.", name.toLowerCase()),
      texts: [
        isFiltered
          ? t("No run, task or decision of that kind ended in this period.")
          : t(
              "Once a run has ended, how it ended and how long it took appear here; once you approve or reject hunks, how much of the work was good.",
            ),
      ],
      actions: isFiltered
        ? [{ label: t("Show All"), isPrimary: true, act: () => this.choose({ period }) }]
        : [{ label: t("Go to the Board"), act: () => this.context.goTo("board") }],
    });
  }
}

/** The figures that people look for first. */
function tiles({ total }: Analytics): HTMLElement[] {
  const { runs, tasks, times, hunks, tokens, costs, resources } = total;
  const { success } = runs;
  const { approval } = hunks;
  const tile = (name: string, value: string, told: string) =>
    el(
      "div",
      { class: "tile" },
      el("dt", { text: name }),
      el("dd", { class: "tile-value", text: value }),
      el("dd", { class: "quiet", text: told }),
    );
  return [
    tile(
      t("Success of runs"),
      percentText(runs.success),
      success.of === 0
        ? t("no runs yet")
        : t("{0} of {1} runs", success.part.toLocaleString(), success.of.toLocaleString()),
    ),
    tile(t("Tasks completed"), tasks.completed.toLocaleString(), t("{0} ended", tasks.ended.toLocaleString())),
    tile(
      t("Median time of a run"),
      lengthText(times.medianMs),
      times.runs === 0 ? t("no run has ended") : t("{0} in all", lengthText(times.totalMs)),
    ),
    tile(
      t("Hunks approved"),
      percentText(hunks.approval),
      approval.of === 0
        ? t("no decisions on hunks yet")
        : t("{0} of {1} decisions on hunks", approval.part.toLocaleString(), approval.of.toLocaleString()),
    ),
    costs.length > 0 || tokens.runs === 0
      ? tile(
          t("Cost"),
          costText(costs),
          tokens.runs === 0 ? t("no agent told it") : t("{0} tokens, {1}", tokensText(total), toldBy(tokens.runs)),
        )
      : tile(t("Tokens"), tokensText(total), t("{0}; no agent told a cost", toldBy(tokens.runs))),
    tile(
      t("Processor time"),
      cpuText(total),
      resources.runs === 0
        ? t("not known of any run")
        : t("at most {0} in one process", memoryText(resources.peakMemoryBytes)),
    ),
  ];
}

function toldBy(runs: number): string {
  return runs === 1 ? t("told by 1 run") : t("told by {0} runs", runs.toLocaleString());
}

/** The part that scrolls; it stays while its table changes. */
function groupTable(caption: string): HTMLElement {
  return el("div", { class: "group-table", tabIndex: 0, role: "region", attributes: { "aria-label": caption } });
}

function figuresTable(caption: string, heading: string, none: string, rows: readonly NamedFigures[]): HTMLElement {
  const text = (heading: string, of: (row: NamedFigures) => string): Column<NamedFigures> => ({
    heading,
    text: of,
    isNumber: true,
  });
  const columns: Column<NamedFigures>[] = [
    { heading, text: ({ name }) => (name === null ? `(${none})` : oneLine(name)) },
    text(t("Runs"), ({ figures }) => figures.runs.ended.toLocaleString()),
    text(t("Success"), ({ figures }) => rateText(figures.runs.success)),
    text(t("Failure"), ({ figures }) => rateText(figures.runs.failure)),
    text(t("Median"), ({ figures }) => lengthText(figures.times.medianMs)),
    text(t("Nine in ten within"), ({ figures }) => lengthText(figures.times.p90Ms)),
    text(t("Tasks"), ({ figures }) => figures.tasks.ended.toLocaleString()),
    text(t("Approved"), ({ figures }) => rateText(figures.hunks.approval)),
    text(t("Rejected"), ({ figures }) => rateText(figures.hunks.rejection)),
    text(t("Processor time"), ({ figures }) => cpuText(figures)),
    text(t("Peak memory"), ({ figures }) => memoryText(figures.resources.peakMemoryBytes)),
    text(t("Tokens"), ({ figures }) => tokensText(figures)),
    text(t("Cost"), ({ figures }) => costText(figures.costs)),
  ];
  const busiest = rows.length < MOST_NAMED ? caption : t("{0}, the {1} busiest", caption, MOST_NAMED);
  return table(busiest, columns, rows);
}

function namesOf(rows: readonly NamedFigures[]): string[] {
  return rows.flatMap(({ name }) => (name === null ? [] : [name])).sort();
}
