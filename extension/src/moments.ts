// Moments as the host gives them (milliseconds since 1970), in the person's own time.

import { t } from "./l10n";

/** `2026-11-16 05:49:38` */
export function momentText(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** `59 min 45 s`: the two largest units, rounded down. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60];
  const parts: [number, string][] = [
    [days, t("{0} d", days)],
    [hours, t("{0} h", hours)],
    [minutes, t("{0} min", minutes)],
    [rest, t("{0} s", rest)],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return t("{0} s", 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join(" ");
}

/** `3 h ago`, and the day itself for what lies further back than a month. */
export function agoText(ms: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - ms) / 60_000);
  if (minutes < 1) return t("just now");
  if (minutes < 60) return t("{0} min ago", minutes);
  if (minutes < 24 * 60) return t("{0} h ago", Math.floor(minutes / 60));
  const days = Math.floor(minutes / (24 * 60));
  return days <= 30 ? t("{0} d ago", days) : momentText(ms).slice(0, 10);
}
