// The ways to a scope: starting a session, confirming what it proposes, adjusting what was agreed to.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import type { Session, SessionStatus } from "../protocol.gen";
import { tellDone } from "../told";
import { adjustment, confirmation } from "./scope_choices";
import { adjustQuestion, askScope, confirmQuestion } from "./scope_pick";
import { endsQuestion, sessionName } from "./session_words";
import type { SessionsModel } from "./sessions_model";
import type { SessionNotices } from "./sessions_notices";

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
  return confirmScope(context, { status, task });
}

/** A session that began by itself is not ended unseen. */
async function agreesToEnd(session: Session): Promise<boolean> {
  const { message, detail } = endsQuestion(session);
  const yes: vscode.MessageItem = { title: "End It and Start" };
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}

interface Known {
  status?: SessionStatus;
  /** A task of the queue that is to be in the scope. */
  task?: string | undefined;
}

/** Asks for a yes to what is proposed; starts a session where there is none. @returns whether a scope is agreed to */
export async function confirmScope(context: ScopeContext, { status: known, task }: Known = {}): Promise<boolean> {
  const status = known ?? (await context.link.call("augment/session/status", {}));
  const { session } = status;
  if (session === null) return known === undefined ? startSession(context, task) : false;
  if (session.state !== "planned") return adjustScope(context, status);
  context.notices.asked(session);
  return askScope(context, {
    session,
    about: status,
    wanted: task,
    ...confirmQuestion(session),
    accept: async (choices) => {
      await context.link.call("augment/session/confirm", confirmation(choices));
      context.model.refresh();
      tellDone(`The scope of ${sessionName(session).toLowerCase()} is confirmed`);
    },
  });
}

/** Adjusting answers a checkpoint, too; where nothing is changed at one, it goes on as agreed. */
export async function adjustScope(context: ScopeContext, known?: SessionStatus): Promise<boolean> {
  const status = known ?? (await context.link.call("augment/session/status", {}));
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
      if (!isSame) await context.link.call("augment/session/adjust", order);
      else if (session.state === "checkpoint") await context.link.call("augment/session/continue", {});
      context.model.refresh();
      tellDone(isSame ? "The scope stays as it is" : "The scope is adjusted");
    },
  });
}
