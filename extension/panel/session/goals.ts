// Which bars a session has: the plan's current phase, the session's own scope, and each goal that things of the scope serve.

import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { Session } from "../../src/protocol.gen";
import { endedCount, facts, goalText, toReview, waitingHunks } from "../../src/sessions/session_words";
import type { GoalBar } from "../widgets/goal_bar";

export function goalBars({ items, now, before, phase, sprintGoal }: Session): GoalBar[] {
  const gained = now.done - before.done;
  const bars: GoalBar[] = [];
  if (now.total > 0) {
    bars.push({
      name: goalText(sprintGoal ?? phase) || t("The plan"),
      done: now.done,
      total: now.total,
      // A goal of the plan and one of the scope can have the same words.
      remark: facts(t("of the plan"), gained > 0 ? t("{0} in this session", gained.toLocaleString()) : null),
    });
  }
  // What is done may not be looked at yet.
  const remark = toReview(waitingHunks(items));
  if (items.length > 0)
    bars.push({
      name: t("Scope of this session"),
      done: endedCount(items),
      total: items.length,
      ...(remark === "" ? {} : { remark }),
    });
  const goals = new Map<string, typeof items>();
  for (const item of items) {
    const goal = oneLine(item.goal ?? "");
    if (goal !== "") goals.set(goal, [...(goals.get(goal) ?? []), item]);
  }
  // One goal that all of the scope serves says nothing that the scope's own bar does not.
  const isSame = goals.size === 1 && [...goals.values()][0]?.length === items.length;
  if (!isSame) {
    for (const [goal, served] of goals)
      bars.push({
        name: goalText(goal),
        done: endedCount(served),
        total: served.length,
        remark: t("of this scope"),
      });
  }
  return bars;
}
