// What is offered when an agent is not started because of the session: the scope is confirmed, the task is added to it or
// logged, the checkpoint is answered. Whether it may be started the host decides each time.

import * as vscode from "vscode";
import type { Refused } from "../refusal";
import { tellDone } from "../told";
import { confirmScope, type ScopeContext, startSession } from "./scope_flow";
import { sessionName } from "./session_words";

/** `again`: it is worth another try. `left`: the person was asked and does not want to. `unknown`: nothing to do with sessions. */
export type WayOn = "again" | "left" | "unknown";

export async function wayOn(context: ScopeContext, refused: Refused, task: string | undefined): Promise<WayOn> {
  switch (refused.code) {
    case "scope-not-confirmed":
      return (await confirmScope(context, { task })) ? "again" : "left";
    case "not-in-scope":
    case "no-goal":
      return task === undefined ? "unknown" : takeIn(context, refused, task);
    case "checkpoint-waits":
      await putCheckpoint(context);
      return "left";
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
      ? [item("play", "Start a session with it", async () => ((await startSession(context, task)) ? "again" : "left"))]
      : [
          item("add", "Add to this session's scope", () => adjust(context, task, "add")),
          item("lightbulb", "Log as discovered for another time", () => adjust(context, task, "log")),
        ];
  const why =
    refused.code === "no-goal"
      ? `${task} serves no goal of the plan`
      : `${task} is not in the scope${session === null ? "" : ` of ${sessionName(session).toLowerCase()}`}`;
  const picked = await vscode.window.showQuickPick([...items, item("circle-slash", "Skip", async () => "left")], {
    title: why,
    placeHolder: "What is to be done with it?",
    ignoreFocusOut: true,
  });
  return picked === undefined ? "left" : picked.take();
}

async function adjust({ link, model }: ScopeContext, task: string, how: "add" | "log"): Promise<WayOn> {
  const order = how === "add" ? { add: [{ task }], log: [] } : { add: [], log: [task] };
  await link.call("augment/session/adjust", { ...order, remove: [], addPaths: [] });
  model.refresh();
  if (how === "add") return "again";
  tellDone(`${task} is logged for another time`);
  return "left";
}

async function putCheckpoint({ model, notices }: ScopeContext): Promise<void> {
  await model.refreshed();
  if (model.session !== undefined) notices.putCheckpoint(model.session);
}
