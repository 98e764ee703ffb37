// Ending a session: a yes with the summary in view, then its report, then the commit that would keep its record.

import * as vscode from "vscode";
import { withoutLinks } from "../outside_text";
import type { CommitProposal, EndedSession } from "../protocol.gen";
import { askText } from "../questions";
import { tellDone, tellError } from "../told";
import type { ReportChannel } from "./report_channel";
import type { ScopeContext } from "./scope_flow";
import { type CommitPages, showReportPage } from "./session_documents";
import { decisionsIn, endSummary, numberText, sessionName } from "./session_words";

export interface EndContext extends ScopeContext {
  commits: CommitPages;
  channel: ReportChannel;
}

const shownHash = 10;

/** A mere Enter at each step ends it; Escape leaves it as it is. */
export async function endSession(context: EndContext): Promise<void> {
  const { session } = await context.link.call("augment/session/status", {});
  if (session === null) return tellDone("There is no session to end");
  let title = "";
  const isMeant = await askText({
    title: `End ${sessionName(session)} (1/2)`,
    prompt: `${endSummary(session)} A title for its entry in the changelog may be given.`,
    placeholder: "Title, made of what was done where it is left empty",
    accept: async (text) => {
      title = text.trim();
    },
  });
  if (!isMeant) return;
  let ended: EndedSession | undefined;
  await askText({
    title: `End ${sessionName(session)} (2/2)`,
    prompt: "Decisions that its record should name, separated by semicolons. Answers to agents are in it already.",
    placeholder: "Decisions, none where it is left empty",
    accept: async (text) => {
      const decisions = decisionsIn(text);
      ended = await context.link.call("augment/session/end", { decisions, ...(title === "" ? {} : { title }) });
    },
  });
  if (ended !== undefined) await tellEnded(context, ended);
}

async function tellEnded(context: EndContext, ended: EndedSession): Promise<void> {
  context.model.refresh();
  context.channel.tell(ended.documents);
  if (ended.report !== null) await showReportPage(ended.report);
  else tellDone(`${sessionName(ended.session)} is over; nothing was done in it`);
  if (ended.commit !== null) offerCommit(context, ended, ended.commit);
  else if (ended.report !== null && ended.documents.length > 0) tellUnwritten(ended);
}

/** A record that is in no file is what a person should know of. */
function tellUnwritten({ session, documents }: EndedSession): void {
  const words = `The record of session ${numberText(session.number)} is in no file. ${documents.join("; ")}.`;
  void vscode.window.showWarningMessage(withoutLinks(words));
}

/** Told without waiting: whoever works on need not press anything. */
function offerCommit(context: EndContext, ended: EndedSession, commit: CommitProposal): void {
  const put = async ({ withPage }: { withPage: boolean }): Promise<void> => {
    const show = "Show";
    const pressed = await (commit.problem === null
      ? askCommit(context, ended, commit, withPage ? [show] : [])
      : tellProblem(ended, commit, commit.problem, withPage ? [show] : []));
    if (pressed !== show) return;
    await context.commits.show(ended);
    // Reading is no answer.
    await put({ withPage: false });
  };
  put({ withPage: true }).catch((error: unknown) => tellError(error, context.log));
}

export async function commitSession({ link, model }: ScopeContext, session: string): Promise<void> {
  const { commit, notes } = await link.call("augment/session/commit", { session });
  model.refresh();
  tellDone([`Committed ${commit.slice(0, shownHash)}`, ...notes].join(". "));
}

async function askCommit(
  context: EndContext,
  { session }: EndedSession,
  { message, files }: CommitProposal,
  others: string[],
): Promise<string | undefined> {
  const commit = "Commit";
  const [subject = ""] = message.split("\n");
  const question = `Commit the record of session ${numberText(session.number)}? “${subject}” (${files.join(", ")})`;
  const pressed = await vscode.window.showInformationMessage(withoutLinks(question), commit, ...others, "Not Now");
  if (pressed === commit) await commitSession(context, session.id);
  return pressed;
}

async function tellProblem(
  { session }: EndedSession,
  { message }: CommitProposal,
  problem: string,
  others: string[],
): Promise<string | undefined> {
  const copy = "Copy Message";
  const words = `The record of session ${numberText(session.number)} is written, and could not be committed here. ${problem}`;
  const pressed = await vscode.window.showWarningMessage(withoutLinks(words), copy, ...others);
  if (pressed !== copy) return pressed;
  await vscode.env.clipboard.writeText(message);
  tellDone("The commit message is copied");
  return pressed;
}
