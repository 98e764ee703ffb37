// Which figures are looked at: a period, an agent, a type of task. What was kept before is looked at before it is trusted.

import { t } from "../../src/l10n";
import type { AskAnalytics, Bucket } from "../../src/protocol.gen";

export const PERIODS = [
  { id: "day", label: () => t("Last 24 hours"), days: 1, bucket: "hour" },
  { id: "week", label: () => t("Last 7 days"), days: 7, bucket: "day" },
  { id: "month", label: () => t("Last 30 days"), days: 30, bucket: "day" },
  { id: "quarter", label: () => t("Last 13 weeks"), days: 91, bucket: "week" },
  { id: "year", label: () => t("Last 52 weeks"), days: 364, bucket: "week" },
] as const satisfies readonly { id: string; label: () => string; days: number; bucket: Bucket }[];

export type PeriodId = (typeof PERIODS)[number]["id"];

export interface Choice {
  period: PeriodId;
  agent: string;
  label: string;
}

export function choiceIn(value: unknown): Choice {
  const fields = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  const text = (name: string) => {
    const found = fields.get(name);
    return typeof found === "string" ? found : "";
  };
  const period = PERIODS.find(({ id }) => id === fields.get("period"))?.id ?? "month";
  return { period, agent: text("agent"), label: text("label") };
}

const dayMs = 86_400_000;

export type Asked = AskAnalytics & { utcOffsetMinutes: number };

/** What is asked for: days begin at the person's own midnight. */
export function asked({ period, agent, label }: Choice, nowMs: number): Asked {
  const { days, bucket } = PERIODS.find(({ id }) => id === period) ?? PERIODS[2];
  return {
    from: nowMs - days * dayMs,
    to: nowMs + 1,
    bucket,
    utcOffsetMinutes: -new Date(nowMs).getTimezoneOffset(),
    ...(agent === "" ? {} : { agent }),
    ...(label === "" ? {} : { label }),
  };
}
