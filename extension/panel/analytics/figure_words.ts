// Figures in words: rates with what they are counted over, times, amounts. Where there is nothing to count a dash says so, never 0 %.

import { assertNever } from "../../src/assert_never";
import { t } from "../../src/l10n";
import { durationText } from "../../src/moments";
import type { Bucket, BucketFigures, CostFigures, Figures, Rate } from "../../src/protocol.gen";
import { sizeText } from "../../src/sizes";

export const NOTHING = "–";

/** `67 %`; nothing can be said of none. */
export function percentText({ part, of }: Rate): string {
  return of === 0 ? NOTHING : `${Math.round((100 * part) / of)} %`;
}

/** `67 % (2 of 3)` */
export function rateText(rate: Rate): string {
  return rate.of === 0
    ? NOTHING
    : t("{0} ({1} of {2})", percentText(rate), rate.part.toLocaleString(), rate.of.toLocaleString());
}

export function lengthText(ms: number | null): string {
  if (ms === null) return NOTHING;
  return ms > 0 && ms < 1_000 ? t("{0} ms", ms) : durationText(ms);
}

export function costText(costs: readonly CostFigures[]): string {
  return costs.length === 0 ? NOTHING : costs.map(({ amount, currency }) => `${amount} ${currency}`).join(", ");
}

export function tokensText({ tokens }: Figures): string {
  return tokens.runs === 0 ? NOTHING : (tokens.input + tokens.output).toLocaleString();
}

/** Processor time of all runs that it is known of. */
export function cpuText({ resources }: Figures): string {
  return lengthText(resources.runs === 0 ? null : resources.cpuTotalMs);
}

export function memoryText(bytes: number | null): string {
  return bytes === null ? NOTHING : sizeText(bytes);
}

/** Whether anything at all was counted. */
export function isNothing({ runs, tasks, hunks }: Figures): boolean {
  return runs.ended + tasks.ended + hunks.approved + hunks.rejected + hunks.undone + hunks.redone === 0;
}

/** The parts of a period for a table: the newest first, without those in which nothing happened. */
export function tableParts(parts: readonly BucketFigures[]): BucketFigures[] {
  return parts.filter(({ figures }) => !isNothing(figures)).reverse();
}

/** Says of a table that it leaves parts out. */
export function leftOutText(bucket: Bucket): string {
  switch (bucket) {
    case "hour":
      return t("The newest hour comes first. Hours in which nothing happened are left out.");
    case "day":
      return t("The newest day comes first. Days on which nothing happened are left out.");
    case "week":
      return t("The newest week comes first. Weeks in which nothing happened are left out.");
    default:
      return assertNever(bucket);
  }
}

const two = (value: number) => String(value).padStart(2, "0");

/** The parts that a period is counted in. */
export interface Parts {
  bucket: Bucket;
  /** The one that was asked with: where the clock was changed meanwhile, the parts from before begin by it as well. */
  utcOffsetMinutes: number;
}

/** Where a part of the period begins: `2026-11-16`, or `2026-11-16 05:00` for an hour. */
export function partText(ms: number, parts: Parts): string {
  const begin = beginText(ms, parts);
  return parts.bucket === "week" ? t("week of {0}", begin) : begin;
}

/** The same where there is little room: `11-16`. */
export function shortPartText(ms: number, parts: Parts): string {
  return beginText(ms, parts).slice("2026-".length);
}

function beginText(ms: number, { bucket, utcOffsetMinutes }: Parts): string {
  const date = new Date(ms + utcOffsetMinutes * 60_000);
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return bucket === "hour" ? `${day} ${two(date.getUTCHours())}:00` : day;
}
