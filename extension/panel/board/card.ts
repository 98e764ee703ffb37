// A task as a card: its title, the words and the icon that the queue view has for it, how its run stands, and buttons for
// what is done most.

import { runLabel, stateWords } from "../../src/agents/run_words";
import { t } from "../../src/l10n";
import { oneLine } from "../../src/outside_text";
import type { Question, RunInfo } from "../../src/protocol.gen";
import { LOOKS, type Look, RUN_LOOKS } from "../../src/state_look";
import { particulars, priorityWord, taskLook, taskSentence } from "../../src/task_words";
import { el, setAttribute, setText } from "../dom";
import type { Card } from "../messages";
import { iconButton } from "../widgets/button";
import { icon, setIcon } from "../widgets/icon";

const shownLabels = 3;

/** A card with what is known about its run. */
export interface CardItem {
  card: Card;
  run: RunInfo | undefined;
  question: Question | undefined;
}

export interface CardButton {
  icon: string;
  label: string;
  act(): void;
}

export function makeCard(): HTMLElement {
  return el(
    "div",
    { class: "card" },
    el("div", { class: "card-head" }, icon("blank"), el("span", { class: "card-title" })),
    el("div", { class: "card-facts" }),
    el("div", { class: "card-buttons" }),
  );
}

/** @param buttons those of this card; they are made anew only where they differ */
export function updateCard(row: HTMLElement, item: CardItem, buttons: readonly CardButton[]): void {
  const { card } = item;
  const title = oneLine(card.title);
  const [sign, titleText] = row.querySelectorAll<HTMLElement>(".card-head > *");
  const { icon: drawn, color } = lookOf(item);
  if (sign !== undefined) setIcon(sign, drawn, color);
  if (titleText !== undefined) setText(titleText, title);
  setAttribute(row, "title", title);
  setAttribute(row, "aria-label", sentenceOf(item));
  row.draggable = card.status !== "in-progress" && card.status !== "completed";
  row.classList.toggle("asks", item.question !== undefined);
  const facts = row.querySelector<HTMLElement>(".card-facts");
  if (facts !== null) updateFacts(facts, item);
  const held = row.querySelector<HTMLElement>(".card-buttons");
  if (held !== null) updateButtons(held, item, buttons);
}

/** The facts of the queue view, each apart so that a narrow card breaks between them. */
function updateFacts(facts: HTMLElement, { card, run, question }: CardItem): void {
  const words = [
    card.id,
    ...(question !== undefined
      ? [t("{0} asks you", oneLine(question.agent))]
      : run === undefined
        ? particulars(card)
        : [runLabel(run)]),
    priorityWord(card.priority),
  ];
  const labels = card.labels.slice(0, shownLabels).map(oneLine);
  const more = card.labels.length - labels.length;
  const text = words.join(" · ");
  const drawn = JSON.stringify([text, labels, more]);
  if (facts.dataset.drawn === drawn) return;
  facts.dataset.drawn = drawn;
  facts.replaceChildren(
    el("span", { text }),
    ...labels.map((label) => el("span", { class: "label", text: label })),
    ...(more > 0 ? [el("span", { class: "label", text: `+${more}` })] : []),
  );
}

/** A button is about the run and the question that it was made for, so others need others. */
function updateButtons(held: HTMLElement, { run, question }: CardItem, buttons: readonly CardButton[]): void {
  const drawn = [...buttons.map(({ label }) => label), run?.run, question?.id].join("|");
  if (held.dataset.drawn === drawn) return;
  held.dataset.drawn = drawn;
  held.replaceChildren(...buttons.map(iconButton));
}

function lookOf({ card, run, question }: CardItem): Look {
  if (question !== undefined) return LOOKS.waiting;
  return run === undefined ? taskLook(card) : RUN_LOOKS[run.state];
}

function sentenceOf({ card, run, question }: CardItem): string {
  return [
    taskSentence(card),
    ...(run === undefined ? [] : [stateWords(run.state)]),
    ...(question === undefined ? [] : [t("asks: {0}", oneLine(question.question))]),
    ...(card.labels.length === 0 ? [] : [t("labels {0}", card.labels.map(oneLine).join(", "))]),
  ].join(", ");
}
