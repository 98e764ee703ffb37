// Answering a question of a run: a list of its options, or a box for a text. A question that somebody else has answered
// meanwhile is no error; it is told who did.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { withoutIcons, withoutLinks } from "../outside_text";
import type { Choice, Question } from "../protocol.gen";
import { askText } from "../questions";
import { Refused } from "../refusal";
import { tellDone } from "../told";
import { showQuestionPage } from "./agent_documents";
import { answerSentence, isRecommended, optionText } from "./question_words";

type OptionItem = vscode.QuickPickItem & { choice?: Choice; details?: true };

/** Asks the person for the answer and gives it. */
export async function askAndAnswer(link: HostLink, id: string): Promise<void> {
  const question = await link.call("augment/question/show", { question: id });
  if (question.answer !== null) return tellAnswered(question);
  const title = t("{0} asks ({1})", withoutLinks(question.agent), question.run);
  if (question.options.length === 0) {
    await askText({
      title,
      prompt: question.question,
      accept: (text) => give(link, question, { choice: null, text }),
    });
    return;
  }
  const choice = await pickOption(question, title, { withDetails: question.detail !== "" });
  if (choice !== undefined) await answerWith(link, question, choice);
}

/** What it is about comes first, so that a mere Enter allows nothing. */
async function pickOption(
  question: Question,
  title: string,
  { withDetails }: { withDetails: boolean },
): Promise<Choice | undefined> {
  const details: OptionItem = {
    label: t("Show Details"),
    description: t("what it is about"),
    iconPath: new vscode.ThemeIcon("open-preview"),
    details: true,
  };
  const options = question.options.map(
    (choice): OptionItem => ({
      choice,
      label: withoutIcons(optionText(choice)),
      ...(isRecommended(choice, question) ? { description: t("recommended by the agent") } : {}),
    }),
  );
  const picked = await vscode.window.showQuickPick(withDetails ? [details, ...options] : options, {
    title,
    placeHolder: withoutLinks(question.question),
    ignoreFocusOut: true,
  });
  if (picked?.details !== true) return picked?.choice;
  await showQuestionPage(question.id);
  return pickOption(question, title, { withDetails: false });
}

export async function answerWith(link: HostLink, question: Question, { value }: Choice): Promise<void> {
  await give(link, question, { choice: value, text: null });
}

export async function answerWithText(link: HostLink, question: Question, text: string): Promise<void> {
  await give(link, question, { choice: null, text });
}

async function give(
  link: HostLink,
  question: Question,
  answer: { choice: string | null; text: string | null },
): Promise<void> {
  try {
    await link.call("augment/question/answer", { question: question.id, ...answer });
    tellDone(t("{0} has your answer", question.agent));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const now = await link.call("augment/question/show", { question: question.id });
    if (now.answer === null) throw error;
    tellAnswered(now);
  }
}

function tellAnswered(question: Question): void {
  if (question.answer === null) return;
  tellDone(answerSentence(question, question.answer));
}
