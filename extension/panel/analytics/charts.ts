// What each chart shows: its series over the parts of a period, what it says in one sentence, and the table behind it. Nothing
// here draws.

import { t } from "../../src/l10n";
import type { Analytics, BucketFigures, Figures } from "../../src/protocol.gen";
import type { Column } from "../widgets/table";
import { costText, cpuText, lengthText, memoryText, NOTHING, partText, rateText, tokensText } from "./figure_words";

export interface Series {
  label: string;
  /** A colour of the theme. */
  color: string;
  /** One for each part; null where there is nothing to tell. */
  values: (number | null)[];
}

export interface ChartData {
  id: string;
  title: string;
  /** For those who do not see the picture. */
  summary: string;
  form: "bars" | "lines";
  series: Series[];
  /** A value in words, for the axis and the legend. */
  text(value: number): string;
  /** Said instead of the picture. */
  empty: string | undefined;
  columns: readonly Column<BucketFigures>[];
}

const count = (value: number) => value.toLocaleString();
const mebibyte = 1_048_576;

/** @param utcOffsetMinutes that the figures were asked for with */
export function chartsOf({ byBucket, bucket, total }: Analytics, utcOffsetMinutes: number): ChartData[] {
  const each = (of: (figures: Figures) => number | null) => byBucket.map(({ figures }) => of(figures));
  const part: Column<BucketFigures> = {
    heading: { hour: t("Hour"), day: t("Day"), week: t("Week") }[bucket],
    text: ({ start }) => partText(start, { bucket, utcOffsetMinutes }),
  };
  const number = (heading: string, of: (figures: Figures) => number): Column<BucketFigures> => ({
    heading,
    text: ({ figures }) => count(of(figures)),
    isNumber: true,
  });
  const text = (heading: string, of: (figures: Figures) => string): Column<BucketFigures> => ({
    heading,
    text: ({ figures }) => of(figures),
    isNumber: true,
  });
  const { runs, tasks, times, hunks, tokens, costs, resources } = total;
  const noRuns = runs.ended === 0 ? t("No run has ended in this period.") : undefined;
  const noResources =
    resources.runs === 0
      ? t("What runs used is not known in this period. Runs that are started from here appear here.")
      : undefined;
  const others = (figures: Figures) => figures.runs.partial + figures.runs.blocked + figures.runs.cancelled;
  // In what it is told in, so that the axis is marked at whole ones.
  const peakMebibytes = ({ resources: { peakMemoryBytes } }: Figures) =>
    peakMemoryBytes === null ? null : peakMemoryBytes / mebibyte;
  const failures = (figures: Figures) => figures.runs.failure.part;
  return [
    {
      id: "outcomes",
      title: t("How runs ended"),
      summary: t(
        "Runs that ended: {0}. Success {1}, failure {2}.",
        count(runs.ended),
        rateText(runs.success),
        rateText(runs.failure),
      ),
      form: "bars",
      series: [
        { label: t("Completed"), color: "charts.green", values: each((figures) => figures.runs.completed) },
        { label: t("Partial, blocked, cancelled"), color: "charts.yellow", values: each(others) },
        { label: t("Failed, timed out, disconnected"), color: "charts.red", values: each(failures) },
      ],
      text: count,
      empty: noRuns,
      columns: [
        part,
        number(t("Ended"), (figures) => figures.runs.ended),
        number(t("Completed"), (figures) => figures.runs.completed),
        number(t("Partial"), (figures) => figures.runs.partial),
        number(t("Blocked"), (figures) => figures.runs.blocked),
        number(t("Cancelled"), (figures) => figures.runs.cancelled),
        number(t("Failed"), (figures) => figures.runs.failed),
        number(t("Timed out"), (figures) => figures.runs.timedOut),
        number(t("Disconnected"), (figures) => figures.runs.disconnected),
        text(t("Success"), (figures) => rateText(figures.runs.success)),
      ],
    },
    {
      id: "times",
      title: t("How long runs took"),
      summary: t(
        "Runs: {0}. Half took up to {1}, nine in ten up to {2}.",
        count(times.runs),
        lengthText(times.medianMs),
        lengthText(times.p90Ms),
      ),
      form: "lines",
      series: [
        { label: t("Median"), color: "charts.blue", values: each((figures) => figures.times.medianMs) },
        { label: t("Nine in ten within"), color: "charts.purple", values: each((figures) => figures.times.p90Ms) },
      ],
      text: lengthText,
      empty: noRuns,
      columns: [
        part,
        number(t("Runs"), (figures) => figures.times.runs),
        text(t("Median"), (figures) => lengthText(figures.times.medianMs)),
        text(t("Nine in ten within"), (figures) => lengthText(figures.times.p90Ms)),
        text(t("In all"), (figures) => (figures.times.runs === 0 ? NOTHING : lengthText(figures.times.totalMs))),
      ],
    },
    {
      id: "throughput",
      title: t("Tasks that ended"),
      summary: t("Tasks that ended: {0}, of them completed: {1}.", count(tasks.ended), count(tasks.completed)),
      form: "bars",
      series: [
        { label: t("Completed"), color: "charts.green", values: each((figures) => figures.tasks.completed) },
        {
          label: t("Other"),
          color: "charts.yellow",
          values: each((figures) => figures.tasks.ended - figures.tasks.completed),
        },
      ],
      text: count,
      empty: tasks.ended === 0 ? t("No task has ended in this period.") : undefined,
      columns: [
        part,
        number(t("Ended"), (figures) => figures.tasks.ended),
        number(t("Completed"), (figures) => figures.tasks.completed),
        number(t("Partial"), (figures) => figures.tasks.partial),
        number(t("Blocked"), (figures) => figures.tasks.blocked),
        number(t("Failed"), (figures) => figures.tasks.failed),
        number(t("Cancelled"), (figures) => figures.tasks.cancelled),
      ],
    },
    {
      id: "decisions",
      title: t("What was decided about hunks"),
      summary: t(
        "Hunks approved: {0}, rejected: {1} (approval {2}); undone: {3}.",
        count(hunks.approved),
        count(hunks.rejected),
        rateText(hunks.approval),
        count(hunks.undone),
      ),
      form: "bars",
      series: [
        { label: t("Approved"), color: "charts.green", values: each((figures) => figures.hunks.approved) },
        { label: t("Rejected"), color: "charts.red", values: each((figures) => figures.hunks.rejected) },
        { label: t("Undone"), color: "charts.yellow", values: each((figures) => figures.hunks.undone) },
      ],
      text: count,
      empty:
        hunks.approved + hunks.rejected + hunks.undone === 0 ? t("Nothing was decided in this period.") : undefined,
      columns: [
        part,
        number(t("Approved"), (figures) => figures.hunks.approved),
        number(t("Rejected"), (figures) => figures.hunks.rejected),
        number(t("Undone"), (figures) => figures.hunks.undone),
        number(t("Redone"), (figures) => figures.hunks.redone),
        text(t("Approval"), (figures) => rateText(figures.hunks.approval)),
      ],
    },
    {
      id: "cost",
      title: t("Tokens and cost"),
      summary: t(
        "{0} tokens in and {1} out, told by {2} of {3} runs; cost {4}.",
        count(tokens.input),
        count(tokens.output),
        count(tokens.runs),
        count(runs.ended),
        costText(costs),
      ),
      form: "bars",
      series: [
        { label: t("Tokens in"), color: "charts.blue", values: each((figures) => figures.tokens.input) },
        { label: t("Tokens out"), color: "charts.purple", values: each((figures) => figures.tokens.output) },
      ],
      text: count,
      empty:
        tokens.runs === 0
          ? t("No agent told its tokens or cost in this period. Agents that tell them appear here.")
          : undefined,
      columns: [
        part,
        number(t("Runs that told"), (figures) => figures.tokens.runs),
        text(t("Tokens"), tokensText),
        text(t("Cost"), (figures) => costText(figures.costs)),
      ],
    },
    {
      id: "processor",
      title: t("Processor time of runs"),
      summary: t(
        "Of {0} of {1} runs it is known: {2} of processor time in all, half of them up to {3}.",
        count(resources.runs),
        count(runs.ended),
        cpuText(total),
        lengthText(resources.cpuMedianMs),
      ),
      form: "lines",
      series: [
        {
          label: t("In all"),
          color: "charts.blue",
          values: each((figures) => (figures.resources.runs === 0 ? null : figures.resources.cpuTotalMs)),
        },
        { label: t("Median"), color: "charts.purple", values: each((figures) => figures.resources.cpuMedianMs) },
      ],
      text: lengthText,
      empty: noResources,
      columns: [
        part,
        number(t("Runs it is known of"), (figures) => figures.resources.runs),
        text(t("In all"), cpuText),
        text(t("Median"), (figures) => lengthText(figures.resources.cpuMedianMs)),
      ],
    },
    {
      id: "memory",
      title: t("Peak memory of runs"),
      summary: t(
        "Of {0} of {1} runs it is known: no process of theirs held more than {2}.",
        count(resources.runs),
        count(runs.ended),
        memoryText(resources.peakMemoryBytes),
      ),
      form: "lines",
      series: [
        {
          label: t("Largest process"),
          color: "charts.green",
          values: each(peakMebibytes),
        },
      ],
      text: (value) => memoryText(value * mebibyte),
      empty: noResources,
      columns: [
        part,
        number(t("Runs it is known of"), (figures) => figures.resources.runs),
        text(t("Largest process"), (figures) => memoryText(figures.resources.peakMemoryBytes)),
      ],
    },
  ];
}
