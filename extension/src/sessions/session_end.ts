// Ending a session: a yes with the summary in view, then its report, then one question that says how it was completed and
// offers the commit that would keep its record.

import * as vscode from "vscode";
import { openSummary } from "../archive/summary_open";
import { t } from "../l10n";
import { withoutLinks } from "../outside_text";
import type { ClosedSession, CommitProposal, EndedSession } from "../protocol.gen";
import { askText, confirm } from "../questions";
import { messageOf, Refused } from "../refusal";
import { tellDone, tellError } from "../told";
import { mustBeShown } from "./checkpoint";
import { type CompletionContext, runAgain } from "./completion_flow";
import { completionSentence, failedSteps } from "./completion_words";
import type { ReportChannel } from "./report_channel";
import type { ScopeContext } from "./scope_flow";
import { type CommitPages, showReportPage } from "./session_documents";
import { changedQuestion, decisionsIn, endSummary, sessionName } from "./session_words";

export interface EndContext extends CompletionContext {
  commits: CommitPages;
  channel: ReportChannel;
}

const shownHash = 10;

/**
 * A mere Enter at each step ends it; Escape leaves it as it is.
 * @param drawn the session that was pressed on; nothing where the one under way is meant
 */
export async function endSession(context: EndContext, drawn?: string): Promise<void> {
  const status = await context.link.call("augment/session/status", {});
  mustBeShown(status, drawn);
  const { session } = status;
  if (session === null) return tellDone(t("There is no session to end"));
  let title = "";
  const isMeant = await askText({
    title: t("End {0} (1/2)", sessionName(session)),
    prompt: t("{0} A title for its entry in the changelog may be given.", endSummary(session)),
    placeholder: t("Leave it empty for a title made from what was done"),
    accept: async (text) => {
      title = text.trim();
    },
  });
  if (!isMeant) return;
  let ended: EndedSession | undefined;
  await askText({
    title: t("End {0} (2/2)", sessionName(session)),
    prompt: t("Decisions that its record should name, separated by semicolons. Answers to agents are in it already."),
    placeholder: t("Leave it empty if there are none"),
    accept: async (text) => {
      // The questions may stay open for long: the host refuses to end another one for it.
      const order = { session: session.id, decisions: decisionsIn(text), ...(title === "" ? {} : { title }) };
      // Whoever ends it here is told how it was completed with what can be done next, and not a second time.
      ended = await context.notices.during(async () => {
        const over = await context.link.call("augment/session/end", order);
        const closed = closedIn(over);
        if (closed !== undefined) context.notices.known(closed);
        return over;
      });
    },
  });
  if (ended !== undefined) await tellEnded(context, ended);
}

async function tellEnded(context: EndContext, ended: EndedSession): Promise<void> {
  context.model.refresh();
  context.channel.tell(ended.documents);
  if (ended.report !== null) await showReportPage(ended.report);
  else tellDone(t("{0} is over; nothing was done in it", sessionName(ended.session)));
  const closed = closedIn(ended);
  if (ended.commit !== null) offerCommit(context, ended, ended.commit);
  // A record that is in no file is what a person should know of.
  else if (ended.report !== null && ended.documents.length > 0)
    context.notices.putUnwritten(
      t("Its record is in no file. {0}.", ended.documents.join("; ")),
      ended.session,
      closed,
    );
  else if (closed !== undefined) context.notices.putCompleted(closed);
}

function closedIn({ session, closing }: EndedSession): ClosedSession | undefined {
  return closing === null ? undefined : { session, closing };
}

interface Button extends vscode.MessageItem {
  press(): Promise<void>;
}

/** What of it the person has looked at: reading is no answer, and the question is put again without it. */
type Looked = "record" | "summary";

/** Told without waiting: whoever works on need not press anything. */
function offerCommit(context: EndContext, first: EndedSession, commit: CommitProposal): void {
  const put = async (ended: EndedSession, looked: readonly Looked[]): Promise<void> => {
    const closed = closedIn(ended);
    const archive = closed?.closing.archive ?? null;
    const hasFailed = closed !== undefined && failedSteps(closed.closing).length > 0;
    const look = (what: Looked, title: string, open: () => Promise<void>): Button[] =>
      looked.includes(what)
        ? []
        : [
            {
              title,
              press: async () => {
                await open();
                await put(ended, [...looked, what]);
              },
            },
          ];
    const again: Button = {
      title: t("Run Again"),
      press: async () => put({ ...ended, closing: await closingAgain(context, ended) }, looked),
    };
    const buttons = [
      commit.problem === null ? commitButton(context, ended, commit) : copyButton(commit),
      ...look("record", t("Show Commit"), () => context.commits.show(ended)),
      ...(archive === null ? [] : look("summary", t("Open Summary"), () => openSummary(context.review, archive))),
      ...(hasFailed ? [again] : []),
    ];
    const words = withoutLinks(commitQuestion(ended, commit));
    const isCalm = commit.problem === null && !hasFailed;
    const pressed = await (isCalm
      ? vscode.window.showInformationMessage(words, ...buttons, { title: t("Not Now"), press: async () => {} })
      : vscode.window.showWarningMessage(words, ...buttons));
    await pressed?.press();
  };
  put(first, []).catch((error: unknown) => tellError(error, context.log));
}

/** What does not work a second time is told, and the question stays. */
async function closingAgain(context: EndContext, { session, closing }: EndedSession): Promise<EndedSession["closing"]> {
  try {
    return (await runAgain(context, session.id)).closing;
  } catch (error) {
    tellError(error, context.log);
    // Somebody may have run them meanwhile.
    return (await context.link.call("augment/session/show", { session: session.id })).closing ?? closing;
  }
}

/** What a person was shown of the record that is to be committed: the proposal, or only that the session has ended. */
export type ShownRecord = { confirm: string } | { asEnded: true };

/** The yes may come days later: where a document has changed by then, it is asked about what would be committed now. */
export async function commitSession({ link, model }: ScopeContext, session: string, first: ShownRecord): Promise<void> {
  for (let shown = first; ; ) {
    try {
      const { commit, notes } = await link.call("augment/session/commit", { session, ...shown });
      model.refresh();
      return tellDone([t("Committed {0}", commit.slice(0, shownHash)), ...notes].join(". "));
    } catch (error) {
      const now = error instanceof Refused ? error.fresh.commit : undefined;
      if (now == null) throw error;
      if (!(await confirm(changedQuestion(now), messageOf(error), t("Commit as It Is Now")))) return;
      shown = { confirm: now.confirm };
    }
  }
}

function commitQuestion(ended: EndedSession, { message, files, problem }: CommitProposal): string {
  const closed = closedIn(ended);
  const [subject = ""] = message.split("\n");
  const over = closed === undefined ? t("{0} is over.", sessionName(ended.session)) : completionSentence(closed);
  if (problem === null) return t("{0} Commit its record? “{1}” ({2})", over, subject, files.join(", "));
  return t("{0} Its record is written, and could not be committed here. {1}", over, problem);
}

function commitButton(context: EndContext, { session }: EndedSession, { confirm }: CommitProposal): Button {
  return { title: t("Commit"), press: () => commitSession(context, session.id, { confirm }) };
}

function copyButton({ message }: CommitProposal): Button {
  return {
    title: t("Copy Message"),
    press: async () => {
      await vscode.env.clipboard.writeText(message);
      tellDone(t("The commit message is copied"));
    },
  };
}
