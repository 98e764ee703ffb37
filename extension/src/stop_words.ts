// What is said before the host is stopped while something goes on. Pure.

import { t } from "./l10n";
import { oneLine, shortened } from "./outside_text";
import type { OverallStatus, RunInfo } from "./protocol.gen";

const titleLimit = 60;
const titlesShown = 3;

/** What goes on and what stops with the host; nothing when nothing goes on. */
export function stopDetail(
  { counts, active }: Pick<OverallStatus, "counts" | "active">,
  runs: readonly Pick<RunInfo, "agent">[],
): string | undefined {
  const { inProgress } = counts;
  if (inProgress === 0 && runs.length === 0) return undefined;
  const titles = active.slice(0, titlesShown).map(({ title }) => shortened(oneLine(title), titleLimit));
  const more = inProgress - titles.length;
  const listed = [...titles, ...(more > 0 ? [t("and {0} more", more)] : [])].join(", ");
  const agents = [...new Set(runs.map(({ agent }) => oneLine(agent)))].join(", ");
  return [
    ...(inProgress === 0 ? [] : [t("In progress: {0}.", listed)]),
    ...(runs.length === 0
      ? []
      : [t("Running: {0}. An agent goes on for a minute, and is stopped if no host is there by then.", agents)]),
    t("Until the host is started again, nobody follows who changes what."),
  ].join(" ");
}
