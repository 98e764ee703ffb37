// Sessions in the editor: makes the parts and connects them. In a folder that is not trusted there is no host, and so
// nothing to start.

import * as vscode from "vscode";
import { ToldFile } from "../agents/told_file";
import { openSummary } from "../archive/summary_open";
import type { HostLink } from "../host_link";
import { keptPlace } from "../kept_place";
import { provideText } from "../read_only_text";
import type { ReviewContext } from "../review/review_commands";
import { setOurs } from "../run_ours";
import { runAgain } from "./completion_flow";
import { Unsent } from "./completion_unsent";
import { failedSteps } from "./completion_words";
import { answerFlag } from "./flag_answer";
import { ReportChannel } from "./report_channel";
import { adjustScope, confirmScope } from "./scope_flow";
import { CommitPages, earlierText, planText, reportText, sessionText } from "./session_documents";
import { commitSession } from "./session_end";
import { SessionStatusItem } from "./session_status";
import { hasPlan, planFacts } from "./session_words";
import { continueSession, type SessionsContext, showReport } from "./sessions_commands";
import { SessionsModel } from "./sessions_model";
import { SessionNotices } from "./sessions_notices";
import { SESSION_VIEW, SessionsTree, sessionBadge } from "./sessions_tree";
import { checkpointOf } from "./shown_checkpoint";

/** Menus, welcome texts and the palette read them. */
const keys = {
  /** The state of the session that is under way; `none` where there is none, and empty while that is not known. */
  state: "session",
  hasPlan: "hasPlan",
  hasFlag: "hasFlag",
  hasReport: "hasReport",
  /** A session has ended that can be added to. */
  hasEnded: "hasEnded",
  hasFailedStep: "hasFailedStep",
} as const;

/** @returns what its commands need; it is disposed of with the extension */
export function beginSessions(
  extension: vscode.ExtensionContext,
  link: HostLink,
  review: ReviewContext | undefined,
  log: vscode.LogOutputChannel,
): SessionsContext {
  const model = new SessionsModel(link, log);
  const tree = new SessionsTree(link, model);
  const view = vscode.window.createTreeView(SESSION_VIEW, { treeDataProvider: tree, showCollapseAll: false });
  const told = new ToldFile(keptPlace(extension, "told-sessions.json"), (message) => log.warn(message));
  const channel = new ReportChannel(model);
  const commits = new CommitPages();
  const notices = new SessionNotices(model, told, log, () => ({
    confirmScope: async () => void (await confirmScope(context)),
    adjustScope: async () => void (await adjustScope(context)),
    continueSession: (session) => continueSession(context, checkpointOf(session)),
    showReport: () => showReport(context),
    showSession: async () => void (await vscode.commands.executeCommand(`${SESSION_VIEW}.focus`)),
    answerFlag: (flag, answer) => answerFlag(context, flag, answer),
    commit: (session) => commitSession(context, session, { asEnded: true }),
    openSummary: (archive) => openSummary(review, archive),
    runAgain: (session) => runAgain(context, session),
  }));
  const context: SessionsContext = { link, log, model, review, notices, channel, commits, unsent: new Unsent() };
  const count = () => {
    view.badge = sessionBadge(model, review?.model.files ?? []);
  };
  extension.subscriptions.push(
    model,
    tree,
    view,
    channel,
    notices,
    new SessionStatusItem(model),
    provideText(link, reportText),
    provideText(link, sessionText),
    provideText(link, planText),
    provideText(link, earlierText),
    provideText(link, commits.kind),
    // Plans are files that a person edits; who looks wants to see what they say now.
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) model.refresh();
    }),
    ...(review === undefined ? [] : [review.model.onDidChange(count)]),
    model.onDidChange(() => {
      count();
      view.description = describe(model);
      showKeys(model);
    }),
  );
  return context;
}

/** Beside the title while there is no session: what the plan says. */
function describe({ snapshot, session }: SessionsModel): string {
  return snapshot === undefined || session !== undefined ? "" : planFacts(snapshot.status.governance);
}

function showKeys({ snapshot, session, flags, ended }: SessionsModel): void {
  void setOurs(keys.state, snapshot === undefined ? "" : (session?.state ?? "none"));
  void setOurs(keys.hasPlan, snapshot !== undefined && hasPlan(snapshot.status.governance));
  void setOurs(keys.hasFlag, flags.length > 0);
  void setOurs(keys.hasReport, (snapshot?.reports.length ?? 0) > 0);
  void setOurs(keys.hasEnded, ended !== undefined);
  void setOurs(keys.hasFailedStep, ended !== undefined && failedSteps(ended.closing).length > 0);
}
