// What is offered when an agent is not started because of the session: the scope is confirmed, the task is added to it or
// logged, the checkpoint is answered. Whether it may be started the host decides each time.

import * as vscode from "vscode";
import { t } from "../l10n";
import type { Session } from "../protocol.gen";
import { Refused } from "../refusal";
import { tellDone } from "../told";
import { confirmScope, type ScopeContext, startSession } from "./scope_flow";
import { sessionName } from "./session_words";

/**
 * `again`: it is worth another try. `kept`: something else was done about it, and told. `left`: the person was asked and does not
 * want to. `unknown`: nothing to do with sessions.
 */
export type WayOn = "again" | "kept" | "left" | "unknown";

/**
 * Does something that the session may be in the way of. Each way on is offered once: a host that says the same no again is
 * believed.
 * @returns what came of it, or how the person left it
 */
export async function orWayOn<T>(
  attempt: () => Promise<T>,
  offer: (refused: Refused) => Promise<WayOn>,
): Promise<{ done: T } | "kept" | "left"> {
  const offered = new Set<string>();
  for (;;) {
    try {
      return { done: await attempt() };
    } catch (error) {
      if (!(error instanceof Refused) || offered.has(error.code)) throw error;
      offered.add(error.code);
      const way = await offer(error);
      if (way === "unknown") throw error;
      if (way !== "again") return way;
    }
  }
}

export async function wayOn(context: ScopeContext, refused: Refused, task: string | undefined): Promise<WayOn> {
  switch (refused.code) {
    case "scope-not-confirmed":
      return (await confirmScope(context, { task })) ? "again" : "left";
    case "not-in-scope":
    case "no-goal":
      return task === undefined ? "unknown" : takeIn(context, refused, task);
    case "checkpoint-waits":
      await putCheckpoint(context);
      return "kept";
    default:
      return "unknown";
  }
}

type Take = vscode.QuickPickItem & { take(): Promise<WayOn> };

/** Without a session there is no scope to add it to, so one is started with it. */
async function takeIn(context: ScopeContext, refused: Refused, task: string): Promise<WayOn> {
  const { session } = await context.link.call("augment/session/status", {});
  const item = (icon: string, label: string, take: () => Promise<WayOn>): Take => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    take,
  });
  const items =
    session === null
      ? [
          item("play", t("Start a session with it"), async () =>
            (await startSession(context, task)) ? "again" : "left",
          ),
        ]
      : [
          item("add", t("Add to this session's scope"), () => adjust(context, session, task, "add")),
          item("lightbulb", t("Log as discovered for another time"), () => adjust(context, session, task, "log")),
        ];
  const why =
    refused.code === "no-goal"
      ? t("{0} serves no goal of the plan", task)
      : t("{0} is not in the scope{1}", task, session === null ? "" : t(" of {0}", sessionName(session).toLowerCase()));
  const skip = item("circle-slash", t("Skip"), async () => {
    tellDone(t("Nothing was begun on {0}", task));
    return "left";
  });
  const picked = await vscode.window.showQuickPick([...items, { ...skip, description: t("nothing is begun on it") }], {
    title: why,
    placeHolder: t("What is to be done with it?"),
    ignoreFocusOut: true,
  });
  return picked === undefined ? "left" : picked.take();
}

async function adjust(context: ScopeContext, { id }: Session, task: string, how: "add" | "log"): Promise<WayOn> {
  const { link, model } = context;
  const order = how === "add" ? { add: [{ task }], log: [] } : { add: [], log: [task] };
  try {
    // The list was about this task alone, whatever the session waits for.
    await link.call("augment/session/adjust", { ...order, session: id, checkpoint: null, remove: [], addPaths: [] });
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "other-checkpoint") throw error;
    await putCheckpoint(context);
    return "kept";
  }
  model.refresh();
  if (how === "add") return "again";
  tellDone(t("{0} is logged for another time", task));
  return "kept";
}

async function putCheckpoint({ model, notices }: ScopeContext): Promise<void> {
  await model.refreshed();
  if (model.session !== undefined) notices.putCheckpoint(model.session);
}
