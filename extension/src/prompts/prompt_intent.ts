// Committing an intent: one of the groups of what is approved, under a line that says what it is. What may stand in that line
// the host says, and its refusal is shown below it.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutIcons } from "../outside_text";
import type { CommitIntent, IntentCommitted, Prompt } from "../protocol.gen";
import { askText } from "../questions";
import { Refused } from "../refusal";
import { onYesTo, type Time } from "../review/yes_to";
import { facts } from "../sessions/session_words";
import { tellDone } from "../told";
import { type IntentChoice, intentChoices } from "./intent_choices";
import type { PromptsContext } from "./prompt_context";
import { passedEnvironment } from "./prompt_environment";
import { undoPrompt } from "./prompt_history";
import { tellNoted } from "./prompt_notes";
import { filesText, promptName, shortCommit, waitingWords } from "./prompt_words";

const title = () => t("Commit Intent");

export async function commitIntent(context: PromptsContext): Promise<void> {
  const { link, model, review } = context;
  // The host has to know what is in the editors before it says what is approved.
  review?.unsaved.flush();
  const { prompt, uncommitted, waiting } = await link.call("augment/prompt/status", {});
  if (prompt === null) return tellDone(t("No prompt is under way"));
  const choices = intentChoices(uncommitted);
  if (choices.length === 0) return tellDone(facts(t("Nothing approved is left to commit"), waitingWords(waiting)));
  const choice = await pickChoice(choices, waiting);
  if (choice === undefined) return;
  const done = await commitShown(context, prompt, choice);
  if (done === undefined) return;
  model.refresh();
  const [subject = ""] = done.message.split("\n");
  const name = done.intent === null ? "" : ` ${shortCommit(done.intent.commit)}`;
  const offer = { button: t("Undo"), run: () => undoPrompt(context) };
  tellNoted(context.log, t("Committed{0}: {1}", name, subject), { notes: done.notes, offer });
}

/** The files stand above the line. Where others would be committed when it is sent, they are shown, and the line is kept. */
async function commitShown(
  { link, model }: PromptsContext,
  prompt: Prompt,
  choice: IntentChoice,
): Promise<IntentCommitted | undefined> {
  const environment = passedEnvironment(process.env);
  const call = (order: Pick<CommitIntent, "text" | "dryRun" | "confirm">) =>
    link.call("augment/prompt/intent", {
      decision: null,
      withCredentials: false,
      ...choice.which,
      ...order,
      environment,
    });
  // Another prompt may be under way by now: its commit was not asked for here.
  const freshIn = ({ fresh }: Refused) => (fresh.intent?.prompt.id === prompt.id ? fresh.intent : undefined);
  const first = await call({ text: "", dryRun: true });
  // The list may have stood for long before something was picked in it.
  if (first.prompt.id !== prompt.id) {
    model.refresh();
    tellDone(t("{0} is under way by now, so nothing is committed", promptName(first.prompt)));
    return undefined;
  }
  let text = choice.proposed;
  let sent: Promise<IntentCommitted>;
  return onYesTo(first, {
    ask: ({ files, confirm }, time) =>
      askText({
        title: title(),
        prompt: intentQuestion(filesText(files.map(({ path }) => path)), time),
        placeholder: "intent: …",
        value: text,
        accept: async (typed) => {
          text = typed;
          sent = call({ text, dryRun: false, confirm });
          // What is wrong with the line is said below it; for other files there is another box.
          await sent.catch((error: unknown) => {
            if (!(error instanceof Refused) || freshIn(error) === undefined) throw error;
          });
        },
      }),
    send: () => sent,
    refused: async () => model.refresh(),
    fresh: freshIn,
  });
}

function intentQuestion(files: string, time: Time): string {
  return time === "first"
    ? t("What the commit does, in one line. It takes what is approved in {0}.", files)
    : t(
        "It has changed since you were asked, and nothing is committed yet. It takes what is approved now, in {0}.",
        files,
      );
}

/** The only one without a question. @returns nothing when the person left */
async function pickChoice(choices: readonly IntentChoice[], waiting: number): Promise<IntentChoice | undefined> {
  const [only] = choices;
  if (choices.length === 1) return only;
  const rows = choices.map((choice) => ({
    label: withoutIcons(choice.label),
    description: withoutIcons(choice.description),
    detail: withoutIcons(filesText(choice.files)),
    choice,
  }));
  const picked = await vscode.window.showQuickPick(rows, {
    title: title(),
    placeHolder: facts(t("What is one logical change?"), waitingWords(waiting)),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.choice;
}
