// The answers to something that waits, as buttons. While one of them is carried out none can be pressed, so that nothing is
// answered twice.

import { el } from "../dom";
import { type ButtonMade, button } from "./button";

export interface Answer extends Omit<ButtonMade, "act"> {
  /** @returns what is under way; nothing where there is nothing to send */
  act(): Promise<unknown> | undefined;
}

/** @param others what can be done besides answering */
export function answerButtons(answers: readonly Answer[], ...others: readonly HTMLElement[]): HTMLElement {
  const press = async (act: Answer["act"]) => {
    const underWay = act();
    if (underWay === undefined) return;
    for (const one of buttons) one.disabled = true;
    await underWay;
    // What was answered goes; what was refused or given up can be answered again.
    for (const one of buttons) one.disabled = false;
  };
  const buttons = answers.map(({ act, ...made }) => button({ ...made, act: () => void press(act) }));
  return el("div", { class: "buttons" }, ...buttons, ...others);
}
