import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../../src/protocol.gen";
import type { Host } from "../host";
import { Drafts } from "../kept";
import { ACTIONS } from "../messages";
import { fire, found, makePage, settled } from "../test_page";
import { button, iconButton } from "./button";
import { questionCards, questionKey } from "./question_card";

const question = {
  id: "q1",
  run: "a1.1",
  task: "a1",
  agent: "goose",
  question: "Which door?",
  detail: "",
  options: [],
  askedAt: 1_000,
  recommendation: null,
  answer: null,
} as unknown as Question;

test("no more can be typed than is taken as an answer", () => {
  makePage();
  const card = questionCards({} as unknown as Host, new Drafts(undefined, () => {})).make(question);
  const { maxLength } = found(card, "vscode-textarea") as HTMLElement & { maxLength: number };
  const fits = (length: number) => ACTIONS["question/say"]({ question: "q1", text: "x".repeat(length) });
  assert.deepEqual([fits(maxLength), fits(maxLength + 1)], [true, false]);
});

test("the second press of a double click is for nothing that has come under it meanwhile", async () => {
  makePage();
  const pressed: string[] = [];
  const one = button({ label: "One", act: () => pressed.push("one") });
  const two = iconButton({ label: "Two", icon: "check", act: () => pressed.push("two") });
  const step = iconButton({ label: "Step", icon: "chevron-left", isStep: true, act: () => pressed.push("step") });
  for (const detail of [1, 2]) for (const each of [one, two, step]) fire(each, "click", { detail });
  assert.deepEqual(pressed, ["one", "two", "step", "step"]);
});

test("what was typed is kept until it is sent, and again where it was refused", async () => {
  makePage();
  const drafts = new Drafts(undefined, () => {});
  const outcomes = [false, true];
  const act = () => Promise.resolve(outcomes.shift());
  const card = questionCards({ act } as unknown as Host, drafts).make(question);
  const box = found(card, "vscode-textarea") as HTMLElement & { value: string };
  box.value = "The left one";
  fire(box, "input");
  const kept = async () => {
    found(card, "vscode-button", "Answer").click();
    await settled();
    return drafts.toKeep();
  };
  assert.deepEqual(await kept(), { [questionKey(question)]: { text: "The left one", about: question.question } });
  assert.deepEqual(await kept(), {});
});

test("while an answer is under way no other can be given, and after a refusal one can", async () => {
  makePage();
  const sent: string[] = [];
  let end = (_: boolean) => {};
  const act = (_: string, { choice }: { choice: string }) => {
    sent.push(choice);
    return new Promise<boolean>((resolve) => {
      end = resolve;
    });
  };
  const options = ["yes", "no"].map((value) => ({ value, text: value }));
  const cards = questionCards({ act } as unknown as Host, new Drafts(undefined, () => {}));
  const card = cards.make({ ...question, options } as unknown as Question);
  const buttons = [...card.querySelectorAll("vscode-button")];
  const isOff = () => buttons.map(({ disabled }) => disabled === true);
  buttons[0]?.click();
  assert.deepEqual([sent, isOff()], [["yes"], [true, true]]);
  end(false);
  await settled();
  assert.deepEqual(isOff(), [false, false]);
});
