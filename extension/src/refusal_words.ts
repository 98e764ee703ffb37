// Refusals of one order on many tasks, in one text. Pure.

import { t } from "./l10n";

/** So many are told; of more a notification would be cut off. */
const told = 3;

/** @param messages the host's sentences, each of which names what it is about; one and the same is told once */
export function refusalsText(messages: readonly string[]): string {
  const each = [...new Set(messages)];
  const more = each.length - told;
  const words = each.slice(0, told).join(" ");
  return more > 0 ? t("{0} And {1} more.", words, more.toLocaleString()) : words;
}
