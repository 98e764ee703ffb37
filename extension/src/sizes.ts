// How large something is.

import { t } from "./l10n";

/** `512 MiB`: in one unit, rounded down, as the command line tells it. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return t("{0} bytes", bytes);
  return bytes < 1_048_576 ? `${Math.floor(bytes / 1_024)} KiB` : `${Math.floor(bytes / 1_048_576)} MiB`;
}
