// Finishing a prompt: how it was understood, what was achieved, then the whole message as it would be written, and the commit
// only on a yes to it.

import * as vscode from "vscode";
import { t } from "../l10n";
import { oneLine, shortened, withoutIcons, withoutLinks } from "../outside_text";
import type { FinishedPrompt, Prompt } from "../protocol.gen";
import { askText, confirm } from "../questions";
import { Refused } from "../refusal";
import { onYesTo, type Time } from "../review/yes_to";
import { tellDone, tellError } from "../told";
import { askingOfCredentials, type PromptsContext, promptUnderWay } from "./prompt_context";
import { passedEnvironment } from "./prompt_environment";
import { pushPrompt, undoPrompt } from "./prompt_history";
import { finishPage, modeWords, promptIdOf, promptKey, promptName, shortCommit, withNotes } from "./prompt_words";

const contextShown = 100;
const credentialLeft = () => t("Take out what looks like a credential, then press Enter.");

export async function finishPrompt(context: PromptsContext): Promise<void> {
  const prompt = await promptUnderWay(context);
  if (prompt === undefined) return;
  const way = await askContext(prompt);
  if (way === "editor") await openContext(context, prompt, { isFinishing: true });
  else if (way === "line" ? await askContextLine(context, prompt) : way === "keep") await askSummary(context, prompt);
}

/** Says how a prompt is understood, in an editor. */
export async function editContext(context: PromptsContext): Promise<void> {
  const prompt = await promptUnderWay(context);
  if (prompt !== undefined) await openContext(context, prompt, { isFinishing: false });
}

/** What stands in the editor becomes the context; a prompt that is to be finished with it goes on there. */
export async function keepContext(context: PromptsContext, about: unknown): Promise<void> {
  const chosen = context.texts.chosen("context", about);
  if (chosen === undefined) return editContext(context);
  const { document, purpose } = chosen;
  const text = document.getText();
  const prompt = await setContext(context, promptIdOf(purpose.prompt), text);
  if (prompt === undefined) return;
  await context.texts.close(document, text);
  if (purpose.isFinishing) await askSummary(context, prompt);
  else tellDone(t("The context of {0} is kept", promptName(prompt).toLowerCase()));
}

async function openContext(
  { texts }: PromptsContext,
  prompt: Prompt,
  { isFinishing }: { isFinishing: boolean },
): Promise<void> {
  await texts.open({ kind: "context", prompt: promptKey(prompt), isFinishing }, prompt.context);
}

/** @returns the prompt with it; nothing where the person would rather change the text */
async function setContext({ link, model }: PromptsContext, id: string, text: string): Promise<Prompt | undefined> {
  const status = await askingOfCredentials((withCredentials) =>
    link.call("augment/prompt/context", { context: text, prompt: id, withCredentials }),
  );
  model.refresh();
  return status?.prompt ?? undefined;
}

type Way = "keep" | "line" | "editor";

/** How the prompt was understood is part of the message. @returns nothing when the person left */
async function askContext({ id, context }: Prompt): Promise<Way | undefined> {
  const row = (way: Way, icon: string, label: string, description: string) => ({
    way,
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
  });
  const rows = [
    ...(context === ""
      ? []
      : [row("keep", "check", t("Keep the Context"), withoutIcons(shortened(oneLine(context), contextShown)))]),
    row("line", "edit", t("Write the Context in One Line…"), ""),
    row("editor", "file", t("Write the Context in an Editor…"), t("for more than a line")),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: t("Finish Prompt {0} (1/3)", id),
    placeHolder: t("How was the prompt understood, and how was it gone about?"),
    ignoreFocusOut: true,
  });
  return picked?.way;
}

function askContextLine(context: PromptsContext, { id }: Prompt): Promise<boolean> {
  return askText({
    title: t("Finish Prompt {0} (1/3)", id),
    prompt: t("How the prompt was understood, and how it was gone about."),
    accept: async (text) => {
      if ((await setContext(context, id, text)) === undefined) throw new Error(credentialLeft());
    },
  });
}

async function askSummary(context: PromptsContext, prompt: Prompt): Promise<void> {
  let dry: FinishedPrompt | undefined;
  let summary = "";
  let isAllowed = false;
  const [include, leave]: [string[], string[]] = [[], []];
  const finish = (order: { dryRun: true } | { dryRun: false; confirm: string }) =>
    askingOfCredentials((withCredentials) => {
      isAllowed ||= withCredentials;
      return context.link.call("augment/prompt/finish", {
        summary,
        prompt: prompt.id,
        context: null,
        include,
        leave,
        bookmark: null,
        withCredentials: isAllowed,
        ...order,
        environment: passedEnvironment(process.env),
      });
    });
  await askText({
    title: t("Finish Prompt {0} (2/3)", prompt.id),
    prompt: t("What was achieved, in one line. The message is shown before anything is written."),
    placeholder: "session: …",
    accept: async (text) => {
      summary = text.trim();
      dry = await askingOfOthers({ include, leave }, () => finish({ dryRun: true }));
      if (dry === undefined) throw new Error(credentialLeft());
    },
  });
  if (dry === undefined) return;
  const finished = await onYesTo(dry, {
    ask: (shown, time) => agrees(context, prompt, shown, time),
    send: ({ confirm: yes }) => finish({ dryRun: false, confirm: yes }),
    refused: async () => context.model.refresh(),
    // Another prompt may be under way by now: its message was not asked for here.
    fresh: ({ fresh }) => (fresh.finish?.prompt.id === prompt.id ? fresh.finish : undefined),
  });
  if (finished === undefined) return;
  context.model.refresh();
  offerPush(context, finished);
}

/**
 * Asks about branches and commits that may or may not belong to the prompt, one after the other, and tries again with each
 * answer.
 */
async function askingOfOthers<T>(others: { include: string[]; leave: string[] }, send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Refused) || error.named === undefined) throw error;
      const way =
        error.code === "parallel-branch"
          ? { names: others.leave, label: t("Leave It Out") }
          : error.code === "foreign-commit"
            ? { names: others.include, label: t("Count It In") }
            : undefined;
      // What was answered already and is refused still is not asked again.
      if (way === undefined || way.names.includes(error.named)) throw error;
      if (!(await confirm(finishQuestion(error.code, error.named), error.message, way.label))) throw error;
      way.names.push(error.named);
    }
  }
}

function finishQuestion(code: string, named: string): string {
  const what = shortened(oneLine(named), contextShown);
  return code === "parallel-branch"
    ? t("The branch {0} may belong to this prompt.", what)
    : t("The commit {0} may belong to this prompt.", what);
}

/** With the whole message in view. */
async function agrees(context: PromptsContext, prompt: Prompt, dry: FinishedPrompt, time: Time): Promise<boolean> {
  await context.pages.show(t("Session commit of {0}", promptName(prompt).toLowerCase()), finishPage(dry));
  const yes = {
    label: t("Make This Commit"),
    description: modeWords(dry.mode, dry.intents.length),
    iconPath: new vscode.ThemeIcon("check"),
  };
  const no = {
    label: t("Not Now"),
    description: t("the prompt stays under way"),
    iconPath: new vscode.ThemeIcon("circle-slash"),
  };
  const picked = await vscode.window.showQuickPick([yes, no], {
    title: t("Finish Prompt {0} (3/3)", prompt.id),
    placeHolder:
      time === "first"
        ? t("Nothing is written yet. Make the commit with the message that is shown?")
        : t("It has changed since you were asked, and nothing is written yet. Make the commit that is shown now?"),
    // It is scrolled and read meanwhile.
    ignoreFocusOut: true,
  });
  return picked === yes;
}

/** Told without waiting: whoever works on need not press anything. */
function offerPush(context: PromptsContext, { finished, prompt, notes }: FinishedPrompt): void {
  const commit = finished === null ? "" : t(" as {0}", shortCommit(finished.commit));
  const message = withoutLinks(`${withNotes(t("{0} is finished{1}", promptName(prompt), commit), notes)}.`);
  const ask = async () => {
    const [push, undo] = [t("Push"), t("Undo")];
    const pressed = await vscode.window.showInformationMessage(message, push, undo);
    if (pressed === push) await pushPrompt(context);
    if (pressed === undo) await undoPrompt(context);
  };
  ask().catch((error: unknown) => tellError(error, context.log));
}
