// What the status bar item says for each state, and where a click on it leads. A pure function: trouble comes before
// activity, activity before rest.

import { assertNever } from "./assert_never";
import type { LinkState } from "./host_link";
import { oneLine, shortened, withoutIcons } from "./outside_text";
import type { OverallStatus } from "./protocol.gen";

const titleLimit = 32;

export interface StatusWords {
  text: string;
  /** Read by screen readers. */
  label: string;
  level: "calm" | "warning" | "error";
  click:
    | { kind: "queue" }
    | { kind: "task"; task: string }
    | { kind: "status" }
    | { kind: "log" }
    | { kind: "restart" }
    | { kind: "trust" }
    | { kind: "open-folder" };
}

export function statusWords(link: LinkState, status: OverallStatus | undefined): StatusWords {
  switch (link.kind) {
    case "no-folder":
      return words("checklist", "Augment: no folder", "calm", { kind: "open-folder" });
    case "restricted":
      return words("shield", "Augment: restricted", "calm", { kind: "trust" });
    case "starting":
      return words("loading~spin", "Augment: starting", "calm", { kind: "log" });
    case "reconnecting":
      return words("loading~spin", "Augment: reconnecting", "warning", { kind: "log" });
    case "stopped":
      return words("debug-disconnect", "Augment: stopped", "calm", { kind: "restart" });
    case "down":
      return words("error", "Augment: not connected", "error", { kind: "log" });
    case "connected":
      return status === undefined
        ? words("loading~spin", "Augment: starting", "calm", { kind: "log" })
        : working(status);
    default:
      return assertNever(link);
  }
}

function working({ counts, active, troubles }: OverallStatus): StatusWords {
  const [first] = active;
  const others = counts.inProgress > 1 ? ` +${counts.inProgress - 1}` : "";
  const title = first === undefined ? undefined : `${shortened(oneLine(first.title), titleLimit)}${others}`;
  const [trouble] = troubles;
  if (trouble !== undefined) {
    const tasks = counts.failed + counts.partial + counts.blocked;
    const count = Math.max(tasks, troubles.length);
    const looks = `${count} ${count === 1 ? "needs" : "need"} a look`;
    const click =
      trouble.task === null ? ({ kind: "status" } as const) : ({ kind: "task", task: trouble.task } as const);
    return words("warning", title === undefined ? `Augment: ${looks}` : `${looks} · ${title}`, "warning", click);
  }
  if (title !== undefined) return words("play-circle", title, "calm", { kind: "queue" });
  const rest = counts.pending > 0 ? `Augment: ${counts.pending.toLocaleString()} pending` : "Augment: no tasks";
  return words("checklist", rest, "calm", { kind: "queue" });
}

function words(icon: string, text: string, level: StatusWords["level"], click: StatusWords["click"]): StatusWords {
  return {
    text: `$(${icon}) ${withoutIcons(text)}`,
    label: text.startsWith("Augment") ? text : `Augment: ${text}`,
    level,
    click,
  };
}
