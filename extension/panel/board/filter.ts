// What a person types to see fewer tasks: words, `label:name` and `priority:high`, understood as the sidecar's own filter,
// which looks through all tasks and not only through those on screen.

import type { ListTasks, Priority } from "../../src/protocol.gen";
import { LONGEST } from "../messages";

export interface Filter {
  /** As it was typed. */
  typed: string;
  /** Of the list beside the box; it comes before one that is typed. */
  priority: Priority | "any";
}

export const NO_FILTER: Filter = { typed: "", priority: "any" };

const priorities: readonly Priority[] = ["high", "medium", "low"];

/** The part of a list's parameters that the filter stands for. */
export function filterParams({ typed, priority }: Filter): Pick<ListTasks, "text" | "label" | "priority"> {
  const words: string[] = [];
  let label = "";
  let named: Priority | undefined;
  for (const word of partsOf(typed)) {
    const [, kind = "", value = ""] = word.match(/^(label|priority):(.*)$/i) ?? [];
    if (kind.toLowerCase() === "label" && value !== "") label = value.slice(0, LONGEST.name);
    else if (kind.toLowerCase() === "priority")
      named = priorities.find((known) => known.startsWith(value.toLowerCase() || "-"));
    else words.push(word);
  }
  const wanted = priority === "any" ? named : priority;
  const text = words.join(" ");
  return {
    ...(text === "" ? {} : { text }),
    ...(label === "" ? {} : { label }),
    ...(wanted === undefined ? {} : { priority: wanted }),
  };
}

export function isFilter(filter: Filter): boolean {
  return Object.keys(filterParams(filter)).length > 0;
}

/** What was kept, if it is a filter. */
export function filterIn(value: unknown): Filter {
  const fields = typeof value === "object" && value !== null ? value : {};
  const typed = "typed" in fields && typeof fields.typed === "string" ? fields.typed.slice(0, LONGEST.filter) : "";
  const priority = "priority" in fields ? priorities.find((known) => known === fields.priority) : undefined;
  return { typed, priority: priority ?? "any" };
}

/** Words apart; a value in quotes is one, so that a label may have several words. */
function partsOf(typed: string): string[] {
  const parts = typed.matchAll(/((?:label|priority):)?(?:"([^"]*)"?|(\S+))/gi);
  return [...parts]
    .map(([, kind = "", quoted, plain = ""]) => `${kind}${quoted ?? plain}`)
    .filter((part) => part !== "");
}
