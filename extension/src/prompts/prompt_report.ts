// Writing the report of a prompt: its kind and title are asked for, the answer is written in an editor, and the file is made and
// committed by the host.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutIcons, withoutLinks } from "../outside_text";
import type { ArtifactKind, Prompt } from "../protocol.gen";
import { askText } from "../questions";
import { tellError } from "../told";
import { askingOfCredentials, type PromptsContext, promptUnderWay } from "./prompt_context";
import { passedEnvironment } from "./prompt_environment";
import { artifactKinds, artifactWords, promptIdOf, promptKey, withNotes } from "./prompt_words";

const title = () => t("Write Prompt Report");

export async function writeReport(context: PromptsContext): Promise<void> {
  const prompt = await promptUnderWay(context);
  if (prompt === undefined) return;
  const artifact = await pickKind();
  if (artifact === undefined) return;
  let named = "";
  const isNamed = await askText({
    title: t("{0}: Title", title()),
    prompt: t("A title for the report; its file is named after it."),
    value: prompt.headline,
    accept: async (text) => {
      named = text.trim();
      if (named === "") throw new Error(t("A title is needed."));
    },
  });
  if (!isNamed) return;
  const subject = await chooseSubject(prompt);
  if (subject === undefined) return;
  await context.texts.open({ kind: "answer", prompt: promptKey(prompt), artifact, title: named, subject }, "");
}

/** The text stays in its editor until the report is written. */
export async function writeAnswer(context: PromptsContext, about: unknown): Promise<void> {
  const chosen = context.texts.chosen("answer", about);
  if (chosen === undefined) return writeReport(context);
  const { document, purpose } = chosen;
  const answer = document.getText();
  const reported = await askingOfCredentials((withCredentials) =>
    context.link.call("augment/prompt/report", {
      answer,
      prompt: promptIdOf(purpose.prompt),
      kind: purpose.artifact,
      scope: null,
      title: purpose.title,
      subject: purpose.subject,
      leave: false,
      withCredentials,
      dryRun: false,
      environment: passedEnvironment(process.env),
    }),
  );
  if (reported === undefined) return;
  const { path, notes } = reported;
  context.model.refresh();
  await context.texts.close(document, answer);
  offerReport(context, path, notes);
}

async function pickKind(): Promise<ArtifactKind | undefined> {
  const rows = artifactKinds.map((artifact) => ({ label: artifact, description: artifactWords(artifact), artifact }));
  const picked = await vscode.window.showQuickPick(rows, {
    title: title(),
    placeHolder: t("What kind of report is it?"),
  });
  return picked?.artifact;
}

/** Nothing to say where one was noted. @returns nothing when the person left */
async function chooseSubject({ subjects }: Prompt): Promise<string | null | undefined> {
  if (subjects.length === 1) return null;
  if (subjects.length > 1) {
    const rows = subjects.map((subject) => ({ label: withoutIcons(subject), subject }));
    const picked = await vscode.window.showQuickPick(rows, {
      title: t("{0}: Subject", title()),
      placeHolder: t("Which subject does it belong to?"),
    });
    return picked?.subject;
  }
  let subject: string | undefined;
  await askText({
    title: t("{0}: Subject", title()),
    prompt: t("No subject was noted for the prompt. The folder below Research and Development that it goes to."),
    placeholder: t("Subject"),
    accept: async (text) => {
      if (text.trim() === "") throw new Error(t("A subject is needed."));
      subject = text.trim();
    },
  });
  return subject;
}

/** Told without waiting: whoever works on need not press anything. */
function offerReport({ review, log }: PromptsContext, path: string, notes: readonly string[]): void {
  const ask = async () => {
    const open = t("Open");
    const message = withoutLinks(`${withNotes(t("The report is written: {0}", path), notes)}.`);
    const uri = review?.model.uriOf(path);
    const buttons = uri === undefined ? [] : [open];
    if ((await vscode.window.showInformationMessage(message, ...buttons)) !== open || uri === undefined) return;
    // As plain text: an editor for Markdown makes a link of `[text](command:…)` that runs the command.
    const document = await vscode.workspace.openTextDocument(uri);
    const plain = await vscode.languages.setTextDocumentLanguage(document, "plaintext");
    await vscode.window.showTextDocument(plain, { preview: true });
  };
  ask().catch((error: unknown) => tellError(error, log));
}
