// A question of a run, answered where it stands: its options as buttons, or a box for a text. What it is about is shown as
// the agent wrote it, as text.

import { t } from "../../src/l10n";
import "@vscode-elements/elements/dist/vscode-textarea/index.js";
import { isRecommended, optionText } from "../../src/agents/question_words";
import { oneLine } from "../../src/outside_text";
import type { Question } from "../../src/protocol.gen";
import { el } from "../dom";
import type { Host } from "../host";
import type { Drafts } from "../kept";
import { LONGEST } from "../messages";
import { answerButtons } from "./answers";
import { button } from "./button";
import { icon } from "./icon";
import type { Keyed } from "./keyed";

const detailLimit = 4_000;

/** Names a question once and for all: ids begin anew when a folder's data is removed. */
export function questionKey({ id, askedAt }: Question): string {
  return `${id}@${askedAt}`;
}

export function questionCards(host: Host, drafts: Drafts): Keyed<Question> {
  return {
    key: questionKey,
    make: (question) => questionCard(host, question, drafts),
    // A question never changes; when it is answered it goes.
    update: () => {},
  };
}

function questionCard(host: Host, question: Question, drafts: Drafts): HTMLElement {
  const { agent, run, detail, options } = question;
  const isCut = detail.length > detailLimit;
  return el(
    "article",
    { class: "ask", attributes: { "aria-label": t("Question of {0}", oneLine(agent)) } },
    el("h3", {}, icon("question", "list.warningForeground"), el("span", { text: asked(question) })),
    el("p", { class: "quiet", text: t("{0} asks · {1}", oneLine(agent), run) }),
    detail.trim() === ""
      ? undefined
      : el("pre", {
          class: "detail",
          text: isCut ? `${detail.slice(0, detailLimit)}…` : detail,
          tabIndex: 0,
          role: "group",
          attributes: { "aria-label": t("What it is about") },
        }),
    options.length === 0 ? textAnswer(host, question, drafts) : optionAnswers(host, question, isCut),
  );
}

/** What the agent would choose is said beside the options, and is no more prominent than the others. */
function optionAnswers(host: Host, question: Question, isCut: boolean): HTMLElement {
  const recommended = question.options.find((choice) => isRecommended(choice, question));
  const answers = question.options.map((choice) => ({
    label: optionText(choice),
    act: () => host.act("question/choose", { question: question.id, choice: choice.value }),
  }));
  const details = button({
    label: t("Show Details"),
    icon: "open-preview",
    act: () => void host.act("question/show", { question: question.id }),
  });
  return el(
    "div",
    { class: "answers" },
    answerButtons(answers, ...(isCut ? [details] : [])),
    recommended === undefined
      ? undefined
      : el("p", { class: "quiet", text: t("The agent recommends: {0}", optionText(recommended)) }),
  );
}

function asked({ question }: Question): string {
  return oneLine(question) || t("It asks for an answer.");
}

function textAnswer(host: Host, question: Question, drafts: Drafts): HTMLElement {
  const box = el("vscode-textarea", { class: "answer-text" });
  box.label = t("Your answer to {0}", question.id);
  box.placeholder = t("Your answer");
  box.rows = 2;
  box.maxLength = LONGEST.answer;
  box.value = drafts.of(questionKey(question));
  const keep = () => drafts.put(questionKey(question), box.value, asked(question));
  box.addEventListener("input", keep);
  const send = () => (box.value.trim() === "" ? undefined : say(box.value));
  const say = async (text: string) => {
    // It is on its way, and its question goes before it is known to have come.
    drafts.drop(questionKey(question));
    const isSaid = await host.act("question/say", { question: question.id, text });
    if (!isSaid) keep();
  };
  return el("div", { class: "answers" }, box, answerButtons([{ label: t("Answer"), act: send }]));
}
