// How a question of a run is put to the person: what a notification says of it, and whether its options fit on buttons.

import { t } from "../l10n";
import { oneLine, shortened } from "../outside_text";
import type { Choice, Question, QuestionAnswer } from "../protocol.gen";
import { approverWords } from "../review/change_words";

const questionLimit = 240;
const detailLines = 6;
const detailLimit = 400;
const buttonCount = 4;
const buttonLimit = 30;

/** One line for a notification; links are taken out where it is shown. */
export function questionNotice(question: Question): string {
  const lines = question.detail
    .split(/\r?\n/)
    .map(oneLine)
    .filter((line) => line !== "");
  const detail = shortened(lines.slice(0, detailLines).join(" ⏎ "), detailLimit);
  const asks = t("{0} asks: {1}", oneLine(question.agent), shortened(oneLine(question.question), questionLimit));
  return detail === "" ? asks : `${asks} — ${detail}${hasMore(question) && !detail.endsWith("…") ? " …" : ""}`;
}

/** The options if each fits on a button of a notification; otherwise they are picked from a list. */
export function buttonsOf(question: Question): { choice: Choice; title: string }[] | undefined {
  const { options } = question;
  if (options.length === 0 || options.length > buttonCount || hasMore(question)) return undefined;
  const buttons = options.map((choice) => ({ choice, title: optionText(choice) }));
  const fits = buttons.every(({ title }) => shortened(title, buttonLimit) === title);
  const differ = new Set(buttons.map(({ title }) => title)).size === buttons.length;
  return fits && differ ? buttons : undefined;
}

/** What an option says, as text that no place of the editor draws as anything else. */
export function optionText({ text, value }: Choice): string {
  return (oneLine(text) || oneLine(value)).replaceAll("$(", "$ (");
}

export function isRecommended({ value, text }: Choice, { recommendation }: Question): boolean {
  return recommendation !== null && (recommendation === value || recommendation === text);
}

/** Who answered what, in a sentence. */
export function answerSentence(question: Question, answer: QuestionAnswer): string {
  if (answer.by === "withdrawn") return t("The question needs no answer any more.");
  const chosen = question.options.find(({ value }) => value === answer.choice);
  const said = chosen === undefined ? oneLine(answer.text ?? answer.choice ?? "") : optionText(chosen);
  return t(
    "The question was answered already by {0}{1}.",
    approverWords(answer.by),
    said === "" ? "" : `: ${shortened(said, detailLimit)}`,
  );
}

/** Names a question once and for all: ids begin anew when a folder's data is removed. */
export function questionKey({ id, askedAt }: Question): string {
  return `${id}@${askedAt}`;
}

/** Whether a notification cannot say all of what it is about. */
export function hasMore({ detail }: Question): boolean {
  const text = detail.trim();
  return text.split("\n").length > detailLines || text.length > detailLimit;
}
