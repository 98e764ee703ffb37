import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../../src/protocol.gen";
import type { Host } from "../host";
import { Drafts } from "../kept";
import { ACTIONS } from "../messages";
import { found, makePage, settled } from "../test_page";
import { questionCards } from "./question_card";

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
