// When something was, as short as it can be said: the clock today, else the day and the clock.

import { momentText } from "../../src/moments";

export function clockWords(ms: number, nowMs: number): string {
  const [day = "", clock = ""] = momentText(ms).split(" ");
  return momentText(nowMs).startsWith(day) ? clock : `${day.slice(5)} ${clock.slice(0, 5)}`;
}
