// The fields of a task that a person may edit: what each is called, how its value reads as text, and what the text asks
// the host for. A text that cannot be sent is told here; whether a value is allowed the host decides.

import { t } from "./l10n";
import type { EditTask, Task } from "./protocol.gen";

export type FieldChange = Omit<EditTask, "task" | "revision">;

export interface TextField {
  name(): string;
  /** What the text may be, for the prompt. */
  takes(): string;
  /** The present value, as it would be typed. */
  text(task: Task): string;
  /** @throws with a sentence when the text is no such value */
  change(text: string): FieldChange;
}

const durationUnits: [number, string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
  [1, "ms"],
];

export const titleField: TextField = {
  name: () => t("Title"),
  takes: () => t("What is to be done, in a few words."),
  text: ({ title }) => title,
  change: (title) => ({ title }),
};

/** Those that fit into one line. The description is edited as a document, the priority picked. */
export const textFields: readonly TextField[] = [
  titleField,
  {
    name: () => t("Goal"),
    takes: () => t("What it is for. Empty clears it."),
    text: ({ goal }) => goal ?? "",
    change: (goal) => ({ goal: goal.trim() }),
  },
  listField(
    () => t("Labels"),
    () => t("Labels"),
    ({ labels }) => labels,
    (labels) => ({ labels }),
  ),
  listField(
    () => t("Scope"),
    () => t("Paths or patterns of the files it may change"),
    ({ scope }) => scope,
    (scope) => ({ scope }),
  ),
  listField(
    () => t("Capabilities"),
    () => t("What an agent must be able to do to take it"),
    ({ capabilities }) => capabilities,
    (capabilities) => ({ capabilities }),
  ),
  {
    name: () => t("Assignee"),
    takes: () => t("The only one who may take it. Empty lets anybody."),
    text: ({ assignee }) => assignee ?? "",
    change: (assignee) => ({ assignee: assignee.trim() }),
  },
  listField(
    () => t("Depends on"),
    () => t("Ids of the tasks it waits for"),
    ({ dependsOn }) => dependsOn,
    (dependsOn) => ({ dependsOn }),
  ),
  {
    name: () => t("Time limit"),
    takes: () => t("How long an attempt may take, as 90s, 30m, 2h or 1d. Empty clears it."),
    text: ({ timeLimitMs }) => (timeLimitMs === null ? "" : durationInput(timeLimitMs)),
    change: (text) => ({ timeLimitMs: text.trim() === "" ? 0 : durationMs(text) }),
  },
  {
    name: () => t("Attempts"),
    takes: () => t("How many attempts it gets, a whole number."),
    text: ({ maxAttempts }) => String(maxAttempts),
    change: (text) => ({ maxAttempts: wholeNumber(text) }),
  },
];

/** Divided at commas, except within the braces of a pattern such as `src/{core,host}/**`. */
export function listIn(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth = Math.max(0, depth - 1);
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** As the command line writes and reads it: one number with one unit, minutes without. */
export function durationInput(ms: number): string {
  const [unitMs, unit] = durationUnits.find(([size]) => ms % size === 0) ?? [1, "ms"];
  return `${ms / unitMs}${unit}`;
}

export function durationMs(text: string): number {
  const [, count, unit = "m"] = /^(\d+)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const [unitMs] = durationUnits.find(([, name]) => name === unit) ?? [];
  const ms = Number(count) * (unitMs ?? Number.NaN);
  if (!Number.isSafeInteger(ms)) throw new Error(t('"{0}" is not a duration. Write 90s, 30m, 2h or 1d.', text));
  return ms;
}

function wholeNumber(text: string): number {
  const digits = text.trim();
  if (!/^\d{1,9}$/.test(digits)) throw new Error(t('"{0}" is not a whole number. Write one, such as 3.', text));
  return Number(digits);
}

function listField(
  name: () => string,
  what: () => string,
  values: (task: Task) => string[],
  change: (values: string[]) => FieldChange,
): TextField {
  return {
    name,
    takes: () => t("{0}, divided by commas. Empty clears it.", what()),
    text: (task) => values(task).join(", "),
    change: (text) => change(listIn(text)),
  };
}
