// Activation: makes the parts and connects them. No rule and no state lives here.

import * as vscode from "vscode";
import { beginAgents } from "./agents/agents";
import { agentsCommands } from "./agents/agents_commands";
import { AgentsModel } from "./agents/agents_model";
import type { AugmentApi } from "./api";
import { archiveCommands } from "./archive/archive_commands";
import { hostCommands } from "./host_commands";
import { HostLink, type LinkState } from "./host_link";
import { ledgerText } from "./ledger_document";
import { withoutLinks } from "./outside_text";
import { queueCommands } from "./queue_commands";
import { QueueDrag } from "./queue_drag";
import { GROUPS } from "./queue_group";
import { SHOW_MORE } from "./queue_row";
import { QUEUE_VIEW, QueueTree } from "./queue_tree";
import { provideText } from "./read_only_text";
import { NotConnected } from "./refusal";
import { beginReview } from "./review/review";
import { reviewCommands } from "./review/review_commands";
import { beginSessions } from "./sessions/sessions";
import { sessionsCommands } from "./sessions/sessions_commands";
import { wayOn } from "./sessions/way_on";
import { SERVER_PATH_SETTING } from "./sidecar";
import { REVEAL_TASK, StatusBar } from "./status_bar";
import { badgeWords } from "./status_words";
import { provideDescriptions } from "./task_description";
import { taskText } from "./task_document";
import { revealTask } from "./task_reveal";
import { tellError } from "./told";
import { noticeForeignProgram } from "./workspace_settings";

/** Menus, welcome texts and enablement read it: the kind of the link's state. */
const stateKey = "augmentOrchestrator.state";

export function activate(extension: vscode.ExtensionContext): AugmentApi {
  const log = vscode.window.createOutputChannel("Augment Orchestrator", { log: true });
  const folder = openedFolder(log);
  const link = new HostLink(extension.extensionPath, folder?.fsPath, log);
  const tree = new QueueTree(link, log);
  const view = vscode.window.createTreeView(QUEUE_VIEW, {
    treeDataProvider: tree,
    dragAndDropController: new QueueDrag(link, tree, log),
    canSelectMany: true,
    showCollapseAll: false,
  });
  tree.attach(view);
  const agents = new AgentsModel(link, log);
  const statusBar = new StatusBar(link, agents, log);
  const context = { link, tree, view, log };

  extension.subscriptions.push(
    log,
    link,
    tree,
    view,
    agents,
    statusBar,
    provideText(link, taskText),
    provideText(link, ledgerText),
    provideDescriptions(link),
    link.onDidChangeState((state) => showState(state, log)),
    statusBar.onDidChangeStatus((status) => {
      view.badge = status && badgeWords(status);
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(SERVER_PATH_SETTING)) return;
      if (link.state.kind === "resting") void link.rest();
      else link.start();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(begin),
  );
  const register = (id: string, command: (...args: unknown[]) => Promise<void>) => {
    const run = (...args: unknown[]) => command(...args).catch((error: unknown) => tellError(error, log));
    extension.subscriptions.push(vscode.commands.registerCommand(id, run));
  };
  for (const [id, command] of Object.entries(queueCommands)) register(id, (...args) => command(context, ...args));
  for (const [id, command] of Object.entries(hostCommands)) register(id, () => command(context));
  const review = folder && beginReview(extension, link, folder, log);
  for (const [id, command] of Object.entries(reviewCommands)) {
    register(id, async (...args) => {
      if (review === undefined) throw new NotConnected("No folder is open, so there is nothing to review.");
      await command(review, ...args);
    });
  }
  const sessions = beginSessions(extension, link, review, log);
  for (const [id, command] of Object.entries(sessionsCommands)) register(id, (...args) => command(sessions, ...args));
  const starting = beginAgents(
    extension,
    link,
    agents,
    {
      wayOn: (refused, task) => wayOn(sessions, refused, task),
      asking: (work) => sessions.notices.during(work),
    },
    log,
  );
  for (const [id, command] of Object.entries(agentsCommands)) register(id, (...args) => command(starting, ...args));
  const archive = { link, review, log };
  for (const [id, command] of Object.entries(archiveCommands)) register(id, () => command(archive));
  register(REVEAL_TASK, async (id) => {
    if (typeof id === "string") await revealTask(context, id);
  });
  register(SHOW_MORE, async (wanted) => {
    const group = GROUPS.find((known) => known === wanted);
    if (group !== undefined) tree.showMore(group);
  });

  showState(link.state, log);
  begin();

  function begin(): void {
    if (folder === undefined || !vscode.workspace.isTrusted) return;
    void noticeForeignProgram(folder, log);
    void link.rest();
  }

  const version: string = extension.extension.packageJSON.version;
  return { version, call: (method, params) => link.call(method, params), onMoved: link.onMoved };
}

/** A workspace is one opened folder; of several, the first. */
function openedFolder(log: vscode.LogOutputChannel): vscode.Uri | undefined {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (first === undefined) log.info("No folder is open.");
  else if (others.length > 0)
    log.info(`Of the ${others.length + 1} folders that are open, the first is used: ${first.uri.fsPath}`);
  return first?.uri;
}

function showState(state: LinkState, log: vscode.LogOutputChannel): void {
  void vscode.commands.executeCommand("setContext", stateKey, state.kind);
  if (state.kind === "down") void offerRestart(state.reason, log);
}

async function offerRestart(reason: string, log: vscode.LogOutputChannel): Promise<void> {
  const restart = "Restart";
  const showLog = "Show Log";
  const message = withoutLinks(`Augment Orchestrator is not connected. ${reason}`);
  const answer = await vscode.window.showErrorMessage(message, restart, showLog);
  if (answer === restart) await vscode.commands.executeCommand("augment-orchestrator.restart");
  if (answer === showLog) log.show();
}
