// The commands on sessions, plans and findings. Each finds out what it is about and sends the order; whether it may be done
// the host decides.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import type { FlagAnswer } from "../protocol.gen";
import { tellDone } from "../told";
import { commitRecord, completeSession, openSessionSummary, resumeSession } from "./completion_flow";
import { answerFlag, askFlagAnswer, chosenFlag, type FlagContext, flagAbout, lostRow, openFlag } from "./flag_answer";
import { adjustScope, confirmScope, startSession } from "./scope_flow";
import { showPlanPage, showReportPage, showSessionPage } from "./session_documents";
import { type EndContext, endSession } from "./session_end";
import { ANSWER_FLAG } from "./session_status";
import { checkpointNotice, sessionName } from "./session_words";
import {
  ANSWER_CHECKPOINT,
  CONFIRM_SCOPE,
  CONTINUE_SESSION,
  OPEN_FLAG,
  OPEN_SUMMARY,
  SHOW_PLAN,
  SHOW_REPORT,
  START_SESSION,
} from "./sessions_row_drawn";
import { isSessionsRow } from "./sessions_rows";
import { SESSION_VIEW } from "./sessions_tree";
import { checkpointOf, type ShownCheckpoint } from "./shown_checkpoint";

export type SessionsContext = EndContext & FlagContext;

type Command = (context: SessionsContext, ...args: unknown[]) => Promise<void>;

export const sessionsCommands: { readonly [id: string]: Command } = {
  [START_SESSION]: async (context) => void (await startSession(context)),
  [CONFIRM_SCOPE]: async (context) => void (await confirmScope(context)),
  [ours("adjustScope")]: async (context) => void (await adjustScope(context)),
  [CONTINUE_SESSION]: continueShown,
  [ANSWER_CHECKPOINT]: askCheckpoint,
  [ours("endSession")]: (context) => endSession(context),
  [ours("completeSession")]: completeSession,
  [ours("commitRecord")]: commitRecord,
  [ours("resumeSession")]: resumeSession,
  [OPEN_SUMMARY]: openSessionSummary,
  [SHOW_REPORT]: showReport,
  [SHOW_PLAN]: () => showPlanPage(),
  [ours("showSession")]: async () => void (await vscode.commands.executeCommand(`${SESSION_VIEW}.focus`)),
  [ours("refreshSession")]: refresh,
  [ANSWER_FLAG]: async (context, ...args) => {
    const flag = await chosenFlag(context, args);
    if (flag !== undefined) await askFlagAnswer(context, flag);
  },
  [OPEN_FLAG]: async (context, ...args) => {
    const flag = await chosenFlag(context, args);
    if (flag !== undefined) await openFlag(context, flag);
  },
  [ours("extendScope")]: (context, about) => answerChosen(context, about, "extend"),
  [ours("logFlag")]: (context, about) => answerChosen(context, about, "log"),
  [ours("allowFlagOnce")]: (context, about) => answerChosen(context, about, "allow-once"),
};

/** Answers the checkpoint that was shown, and no other one. */
export async function continueSession({ link, model }: SessionsContext, shown: ShownCheckpoint): Promise<void> {
  const { session } = await link.call("augment/session/continue", shown);
  model.refresh();
  if (session !== null) tellDone(t("{0} goes on", sessionName(session)));
}

/** Answers the checkpoint of the row, or of the view; one that neither has shown is shown first. */
async function continueShown(context: SessionsContext, row?: unknown): Promise<void> {
  const shown = isSessionsRow(row) && row.kind === "session-state" ? row.session : context.model.session;
  await (shown?.state === "checkpoint" ? continueSession(context, checkpointOf(shown)) : askCheckpoint(context));
}

/** For whoever clicks on a checkpoint: nothing goes on before they have said so. */
async function askCheckpoint(context: SessionsContext): Promise<void> {
  const { session } = await context.link.call("augment/session/status", {});
  if (session?.state !== "checkpoint") return tellDone(t("No checkpoint waits for an answer"));
  const row = (icon: string, label: string, act: () => Promise<unknown>) => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    act,
  });
  const rows = [
    row("debug-continue", t("Continue"), () => continueSession(context, checkpointOf(session))),
    row("edit", t("Adjust Scope…"), () => adjustScope(context, { drawn: session.id })),
    row("book", t("Show Report"), () => showReport(context)),
    row("stop-circle", t("End Session…"), () => endSession(context, session.id)),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: t("{0}: checkpoint", sessionName(session)),
    placeHolder: checkpointNotice(session),
  });
  await picked?.act();
}

/** The report of a row, or the newest one. */
export async function showReport({ link }: SessionsContext, row?: unknown): Promise<void> {
  if (isSessionsRow(row) && row.kind === "session-report") return showReportPage(row.report);
  const { reports } = await link.call("augment/session/reports", { limit: 1 });
  const newest = reports.at(-1);
  await (newest === undefined ? showSessionPage() : showReportPage(newest));
}

async function refresh({ link, model }: SessionsContext): Promise<void> {
  link.wake();
  model.refresh();
}

async function answerChosen(context: SessionsContext, about: unknown, answer: FlagAnswer): Promise<void> {
  const flag = flagAbout(context, about);
  if (flag === undefined) tellDone(lostRow());
  else await answerFlag(context, flag, answer);
}
