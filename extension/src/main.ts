// Activation: makes the parts and connects them. No rule and no state lives here.

import * as vscode from "vscode";
import { beginAgents } from "./agents/agents";
import { agentsCommands } from "./agents/agents_commands";
import { AgentsModel } from "./agents/agents_model";
import { ToldFile } from "./agents/told_file";
import type { AugmentApi } from "./api";
import { archiveCommands } from "./archive/archive_commands";
import { beginFirstUse } from "./first_use/first_use";
import { hostCommands } from "./host_commands";
import { HostLink, type LinkState } from "./host_link";
import { keptPlace } from "./kept_place";
import { speak, t } from "./l10n";
import { ledgerText } from "./ledger_document";
import { OpenCauses } from "./open_causes";
import { ours } from "./ours";
import { withoutLinks } from "./outside_text";
import { fileMeant, SHOW_FILE_HISTORY } from "./panel/file_history";
import { OPEN_PANEL, OrchestratorPanel } from "./panel/panel";
import { programPath } from "./program_choice";
import { beginPrompts } from "./prompts/prompts";
import { promptsCommands } from "./prompts/prompts_commands";
import { queueCommands } from "./queue_commands";
import { QueueDrag } from "./queue_drag";
import { GROUPS } from "./queue_group";
import { SHOW_MORE } from "./queue_row";
import { QUEUE_VIEW, QueueTree } from "./queue_tree";
import { provideText } from "./read_only_text";
import { NotConnected } from "./refusal";
import { beginReview } from "./review/review";
import { reviewCommands } from "./review/review_commands";
import { startWorking } from "./review/work_choice";
import { runOurs, setOurs } from "./run_ours";
import { beginSessions } from "./sessions/sessions";
import { sessionsCommands } from "./sessions/sessions_commands";
import { wayOn } from "./sessions/way_on";
import { SettingsFiles } from "./settings_files/settings_files";
import { SERVER_PATH_SETTING } from "./sidecar";
import { LINK_LOOKS } from "./state_look";
import { REVEAL_TASK, StatusBar } from "./status_bar";
import { badgeWords } from "./status_words";
import { provideDescriptions } from "./task_description";
import { taskText } from "./task_document";
import { revealTask } from "./task_reveal";
import { offerInTerminals } from "./terminals";
import { tellError } from "./told";
import { noticeForeignProgram } from "./workspace_settings";

/** Menus, welcome texts and enablement read it: the kind of the link's state. */
const stateKey = "state";

export function activate(extension: vscode.ExtensionContext): AugmentApi {
  const tooSoon = speak((text, ...values) => vscode.l10n.t(text, ...values));
  const log = vscode.window.createOutputChannel("Augment Orchestrator", { log: true });
  if (tooSoon.length > 0) log.error(`Asked for before the language was known: ${tooSoon.join(" | ")}`);
  const offer = () => offerInTerminals(extension.environmentVariableCollection, programPath(extension.extensionPath));
  offer();
  const folder = openedFolder(log);
  const link = new HostLink(extension.extensionPath, folder?.fsPath, log);
  const agents = new AgentsModel(link, log);
  const tree = new QueueTree(link, agents, log);
  const view = vscode.window.createTreeView(QUEUE_VIEW, {
    treeDataProvider: tree,
    dragAndDropController: new QueueDrag(link, tree, log),
    canSelectMany: true,
    showCollapseAll: false,
  });
  tree.attach(view);
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
      offer();
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
  if (folder !== undefined) extension.subscriptions.push(new SettingsFiles(link, folder, log));
  const review = folder && beginReview(extension, link, folder, log);
  for (const [id, command] of Object.entries(reviewCommands)) {
    register(id, async (...args) => {
      if (review === undefined) throw new NotConnected(t("No folder is open, so there is nothing to review."));
      await command(review, ...args);
    });
  }
  const sessions = beginSessions(extension, link, review, log);
  for (const [id, command] of Object.entries(sessionsCommands)) register(id, (...args) => command(sessions, ...args));
  register(ours("startWorking"), () => startWorking(link, (refused, task) => wayOn(sessions, refused, task)));
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
  const prompts = beginPrompts(extension, link, review, log);
  for (const [id, command] of Object.entries(promptsCommands)) register(id, (...args) => command(prompts, ...args));
  const archive = { link, review, log };
  for (const [id, command] of Object.entries(archiveCommands)) register(id, () => command(archive));
  const panel = new OrchestratorPanel(extension.extensionUri, {
    link,
    log,
    queue: context,
    agents: starting,
    sessions,
    review,
  });
  extension.subscriptions.push(panel);
  register(OPEN_PANEL, async (page) => panel.open(page));
  register(SHOW_FILE_HISTORY, async (uri) => panel.open("history", fileMeant(review, uri)));
  const firstUse = beginFirstUse(extension, link, folder, { sessions, agents: starting }, log);
  for (const [id, command] of Object.entries(firstUse)) register(id, command);
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
    const told = new ToldFile(keptPlace(extension, "told-settings.json"), (message) => log.warn(message));
    void noticeForeignProgram(folder, told, log);
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
  void setOurs(stateKey, state.kind);
  if (state.kind === "down") void offerRestart(state.reason, log);
}

const causes = new OpenCauses();

async function offerRestart(reason: string, log: vscode.LogOutputChannel): Promise<void> {
  const restart = t("Restart");
  const showLog = t("Show Log");
  const message = withoutLinks(t("Augment Orchestrator is {0}. {1}", LINK_LOOKS.down.word, reason));
  const answer = await causes.show(message, () => vscode.window.showErrorMessage(message, restart, showLog));
  if (answer === restart) await runOurs("restart");
  if (answer === showLog) log.show();
}
