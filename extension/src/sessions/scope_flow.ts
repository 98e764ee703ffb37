// The ways to a scope: starting a session, confirming what it proposes, adjusting what was agreed to.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import type { Session, SessionStatus } from "../protocol.gen";
import { confirm } from "../questions";
import { Refused } from "../refusal";
import { tellDone } from "../told";
import { mustBeShown } from "./checkpoint";
import { adjustment, adjustmentOf, confirmation, type ShownScope, shownAnew } from "./scope_choices";
import { adjustQuestion, askScope, confirmQuestion } from "./scope_pick";
import { checkpointNotice, endsQuestion, pathsText, sessionName } from "./session_words";
import type { SessionsModel } from "./sessions_model";
import type { SessionNotices } from "./sessions_notices";
import { checkpointOf } from "./shown_checkpoint";

export interface ScopeContext {
  link: HostLink;
  log: vscode.LogOutputChannel;
  model: SessionsModel;
  notices: SessionNotices;
}

/** @returns whether a scope is agreed to */
export async function startSession(context: ScopeContext, task?: string): Promise<boolean> {
  const now = await context.link.call("augment/session/status", {});
  if (now.session?.state === "planned") return confirmScope(context, { status: now, task });
  const ends = now.session?.automatic == null ? undefined : now.session.id;
  if (now.session !== null && ends !== undefined && !(await agreesToEnd(now.session))) return false;
  // Whoever starts it here is asked for its scope at once, and need not be told that it waits.
  const status = await context.notices.during(async () => {
    const started = await context.link.call("augment/session/start", ends === undefined ? {} : { ends });
    if (started.session !== null) context.notices.asked(started.session);
    return started;
  });
  context.model.refresh();
  return confirmScope(context, { status, task, isStartedForIt: true });
}

/** A session that began by itself is not ended unseen. */
async function agreesToEnd(session: Session): Promise<boolean> {
  const { message, detail } = endsQuestion(session);
  const yes: vscode.MessageItem = { title: t("End It and Start") };
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}

interface Known {
  status?: SessionStatus;
  /** The session that was pressed on; the one under way is meant where it is left out. */
  drawn?: string;
}

interface Wanted extends Known {
  /** A task of the queue that is to be in the scope. */
  task?: string | undefined;
  /** The session was started for that task, so nothing else is picked for it. */
  isStartedForIt?: boolean;
}

async function statusOf({ link }: ScopeContext, { status, drawn }: Known): Promise<SessionStatus> {
  const now = status ?? (await link.call("augment/session/status", {}));
  mustBeShown(now, drawn);
  return now;
}

/** Asks for a yes to what is proposed; starts a session where there is none. @returns whether a scope is agreed to */
export async function confirmScope(
  context: ScopeContext,
  { task, isStartedForIt = false, ...known }: Wanted = {},
): Promise<boolean> {
  const status = await statusOf(context, known);
  const { session } = status;
  if (session === null) return known.status === undefined ? startSession(context, task) : false;
  if (session.state !== "planned") return adjustScope(context, { status });
  context.notices.asked(session);
  return askScope(context, {
    session,
    about: status,
    wanted: task === undefined ? undefined : { task, isAlone: isStartedForIt },
    ...confirmQuestion(session),
    accept: async (choices) => {
      await context.link.call("augment/session/confirm", { ...confirmation(choices), session: session.id });
      context.model.refresh();
      tellDone(t("The scope of {0} is confirmed", sessionName(session).toLowerCase()));
      return true;
    },
  });
}

/** Adjusting answers a checkpoint, too; where nothing is changed at one, it goes on as agreed. */
export async function adjustScope(context: ScopeContext, known: Known = {}): Promise<boolean> {
  const status = await statusOf(context, known);
  const { session } = status;
  if (session === null) return startSession(context);
  if (session.state === "planned") return confirmScope(context, { status });
  return askScope(context, {
    session,
    about: status,
    wanted: undefined,
    ...adjustQuestion(session),
    accept: async (choices) => {
      const order = adjustment(choices);
      const isSame = order.add.length === 0 && order.remove.length === 0 && order.paths === undefined;
      const isSent = await sendAsShown(context, session, async (shown) => {
        if (!isSame) await context.link.call("augment/session/adjust", adjustmentOf(shown, order));
        else if (shown.state === "checkpoint") await context.link.call("augment/session/continue", checkpointOf(shown));
      });
      context.model.refresh();
      if (isSent) tellDone(isSame ? t("The scope stays as it is") : t("The scope is adjusted"));
      return isSent;
    },
  });
}

/**
 * Sends what was picked for a session as it was shown. Where it has come to a checkpoint meanwhile, or may write elsewhere, that is
 * shown and asked about: agents do not go on past a checkpoint that nobody has read.
 * @returns whether it was sent
 */
async function sendAsShown(
  context: ScopeContext,
  first: ShownScope,
  send: (shown: ShownScope) => Promise<void>,
): Promise<boolean> {
  for (let shown = first; ; ) {
    try {
      await send(shown);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { session } = await context.link.call("augment/session/status", {});
      const anew = session === null ? undefined : shownAnew(shown, error.code, session);
      if (session === null || anew === undefined) throw error;
      context.model.refresh();
      if (!(await agreesAnew(session, error.code))) return false;
      shown = anew;
    }
  }
}

/** What has come about while the list was open. A no leaves the list as it is, with what was picked. */
function agreesAnew(session: Session, code: string): Promise<boolean> {
  return code === "other-paths"
    ? confirm(
        t("Where this session may write has changed."),
        t(
          "It is {0} by now. Nothing was changed yet; those that you have given would take its place.",
          pathsText(session.paths),
        ),
        t("Replace Them"),
      )
    : confirm(
        checkpointNotice(session),
        t(
          "This checkpoint came while the list was open. Nothing was changed yet, and no agent is started before you answer.",
        ),
        t("Go On with This Scope"),
      );
}
