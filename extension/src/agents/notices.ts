// Notifications for what runs ask and propose, each once: what was told is remembered over a reload. What is still open
// afterwards stands in the agents view and in the status bar.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { withoutLinks } from "../outside_text";
import type { Choice, HandOff, Question } from "../protocol.gen";
import { tellError } from "../told";
import { showQuestionPage } from "./agent_documents";
import type { AgentsModel } from "./agents_model";
import { ANSWER_QUESTION } from "./agents_row_drawn";
import { handOffKey, handOffNotice } from "./hand_off_words";
import { answerWith, askAndAnswer } from "./question_answer";
import { buttonsOf, hasMore, questionKey, questionNotice } from "./question_words";
import type { ToldFile } from "./told_file";

/** So many questions that come together are put one by one. */
const mostAtOnce = 2;

interface Button extends vscode.MessageItem {
  press(): Promise<void>;
}

/** What the buttons of a proposal lead to. */
export interface ProposalActions {
  accept(handOff: HandOff): Promise<void>;
  edit(handOff: HandOff): Promise<void>;
  dismiss(handOff: HandOff): Promise<void>;
}

export class Notices implements vscode.Disposable {
  private readonly listening: vscode.Disposable;

  constructor(
    private readonly link: HostLink,
    private readonly model: AgentsModel,
    private readonly told: ToldFile,
    private readonly log: vscode.LogOutputChannel,
    private readonly proposals: ProposalActions,
  ) {
    this.listening = model.onDidChange(() => this.tellNew());
  }

  dispose(): void {
    this.listening.dispose();
  }

  private tellNew(): void {
    const { questions = [], proposals = [] } = this.model.snapshot ?? {};
    const asked = this.told.onlyNew(questions, questionKey);
    if (asked.length > mostAtOnce) this.putMany(asked.length);
    else for (const question of asked) this.putQuestion(question, { withDetails: hasMore(question) });
    for (const handOff of this.told.onlyNew(proposals, handOffKey)) this.putProposal(handOff);
  }

  private putQuestion(question: Question, { withDetails }: { withDetails: boolean }): void {
    const choose = (choice: Choice) => () => answerWith(this.link, question, choice);
    const options = buttonsOf(question)?.map(({ title, choice }): Button => ({ title, press: choose(choice) }));
    const answer: Button = { title: t("Answer…"), press: () => askAndAnswer(this.link, question.id) };
    // Pressing a button closes the notification, and reading about it is no answer.
    const details: Button = {
      title: t("Show Details"),
      press: async () => {
        await showQuestionPage(question.id);
        this.putQuestion(question, { withDetails: false });
      },
    };
    this.put(questionNotice(question), [...(options ?? [answer]), ...(withDetails ? [details] : [])]);
  }

  /** More than can be read at once are answered from a list. */
  private putMany(count: number): void {
    const answer = async () => void (await vscode.commands.executeCommand(ANSWER_QUESTION));
    this.put(t("{0} questions of agents wait for you.", count.toLocaleString()), [
      { title: t("Answer…"), press: answer },
    ]);
  }

  /** Its text opens with buttons of its own, so nothing is put again after it. */
  private putProposal(handOff: HandOff): void {
    const { accept, edit, dismiss } = this.proposals;
    this.put(handOffNotice(handOff), [
      { title: t("Accept"), press: () => accept(handOff) },
      { title: t("Edit Text"), press: () => edit(handOff) },
      { title: t("Dismiss"), press: () => dismiss(handOff) },
    ]);
  }

  private put(message: string, buttons: Button[]): void {
    vscode.window
      .showInformationMessage(withoutLinks(message), ...buttons)
      .then((pressed) => pressed?.press())
      .then(undefined, (error: unknown) => tellError(error, this.log));
  }
}
