// The commands on prompts and their commits. Each finds out what it is about and sends the order; whether it may be done the
// host decides.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { oneLine, withoutIcons } from "../outside_text";
import type { SessionCommit } from "../protocol.gen";
import { isOnLostRow } from "../review/change_groups";
import { tellDone } from "../told";
import { type PromptsContext, promptUnderWay } from "./prompt_context";
import { showPromptPage, showSessionCommitPage } from "./prompt_documents";
import { editContext, finishPrompt, keepContext } from "./prompt_finish";
import { checkPrompt, dropPrompt, pushPrompt, undoPrompt } from "./prompt_history";
import { commitIntent } from "./prompt_intent";
import { BEGIN_PROMPT, KEEP_CONTEXT, WRITE_ANSWER } from "./prompt_lens";
import { writeAnswer, writeReport } from "./prompt_report";
import { beginWithText, startFromSelection, startPrompt } from "./prompt_start";
import { commitFacts, shortCommit } from "./prompt_words";
import { COMMIT_INTENT, SHOW_MORE_COMMITS, SHOW_PROMPT, SHOW_SESSION_COMMIT, START_PROMPT } from "./prompts_row_drawn";
import { isPromptsRow } from "./prompts_rows";
import { PROMPTS_VIEW } from "./prompts_tree";

type Command = (context: PromptsContext, ...args: unknown[]) => Promise<void>;

export const promptsCommands: { readonly [id: string]: Command } = {
  [START_PROMPT]: (context) => startPrompt(context),
  [ours("startPromptFromSelection")]: (context) => startFromSelection(context),
  [BEGIN_PROMPT]: beginWithText,
  [COMMIT_INTENT]: (context) => commitIntent(context),
  [ours("editPromptContext")]: (context) => editContext(context),
  [KEEP_CONTEXT]: keepContext,
  [ours("finishPrompt")]: (context) => finishPrompt(context),
  [ours("writePromptReport")]: (context) => writeReport(context),
  [WRITE_ANSWER]: writeAnswer,
  [ours("pushPrompt")]: (context) => pushPrompt(context),
  [ours("undoPrompt")]: (context) => undoPrompt(context),
  [ours("checkPrompt")]: (context) => checkPrompt(context),
  [ours("dropPrompt")]: (context) => dropPrompt(context),
  [SHOW_PROMPT]: showPrompt,
  [SHOW_SESSION_COMMIT]: showSessionCommit,
  [SHOW_MORE_COMMITS]: async ({ model }) => model.showMore(),
  [ours("showPrompts")]: async () => void (await vscode.commands.executeCommand(`${PROMPTS_VIEW}.focus`)),
  [ours("refreshPrompts")]: refresh,
};

async function showPrompt(context: PromptsContext): Promise<void> {
  const prompt = await promptUnderWay(context);
  if (prompt !== undefined) await showPromptPage(prompt);
}

async function showSessionCommit(context: PromptsContext, ...args: unknown[]): Promise<void> {
  if (isOnLostRow(args)) return tellDone(t("The list had just changed. Nothing was opened; press again"));
  const session = await chosenCommit(context, args[0]);
  if (session !== undefined) await showSessionCommitPage(session);
}

async function chosenCommit({ link, model }: PromptsContext, row: unknown): Promise<SessionCommit | undefined> {
  if (isPromptsRow(row)) return row.kind === "prompt-commit" ? row.session : undefined;
  const { sessions } = await link.call("augment/prompt/list", { limit: model.historyLimit, branch: null });
  if (sessions.length === 0) {
    tellDone(t("The history holds no session commits"));
    return undefined;
  }
  const rows = sessions.map((session) => ({
    label: withoutIcons(session.summary),
    description: withoutIcons(commitFacts(session, shortCommit(session.commit))),
    detail: withoutIcons(session.changes.map(oneLine).join("; ")),
    session,
  }));
  const picked = await vscode.window.showQuickPick(rows, {
    title: t("Show Session Commit"),
    placeHolder: t("Which commit?"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.session;
}

async function refresh({ link, model }: PromptsContext): Promise<void> {
  link.wake();
  model.refresh();
}
