// What a file of figures is called: by the day on which the person has it made.

import { momentText } from "../moments";

export function figuresFileName(nowMs: number): string {
  const [day] = momentText(nowMs).split(" ");
  return `augment-analytics-${day}.csv`;
}
