// Agents in the editor: makes the parts and connects them. In a folder that is not trusted there is no host, and so nothing
// to show or to start.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { provideText } from "../read_only_text";
import { agentChangeText, agentText, handOffText, questionText, runText } from "./agent_documents";
import type { StartContext } from "./agent_start";
import { decideHandOff } from "./agents_commands";
import type { AgentsModel } from "./agents_model";
import { AGENTS_VIEW, AgentsTree, agentsBadge } from "./agents_tree";
import { Notices } from "./notices";
import { OutputTerminals } from "./output_terminal";
import { ToldFile } from "./told_file";

/** Menus and the palette read them. */
const keys = {
  isKnown: "augmentOrchestrator.agentsKnown",
  hasActiveRun: "augmentOrchestrator.hasActiveRun",
  hasRun: "augmentOrchestrator.hasRun",
  hasQuestion: "augmentOrchestrator.hasQuestion",
  hasProposal: "augmentOrchestrator.hasProposal",
} as const;

/** @returns what its commands need; it is disposed of with the extension */
export function beginAgents(
  extension: vscode.ExtensionContext,
  link: HostLink,
  model: AgentsModel,
  sessions: Pick<StartContext, "wayOn" | "asking">,
  log: vscode.LogOutputChannel,
): StartContext {
  const terminals = new OutputTerminals(link);
  const context = { link, model, terminals, log, ...sessions };
  const tree = new AgentsTree(link, model);
  const view = vscode.window.createTreeView(AGENTS_VIEW, { treeDataProvider: tree, showCollapseAll: false });
  const place = extension.storageUri && vscode.Uri.joinPath(extension.storageUri, "told.json").fsPath;
  const told = new ToldFile(place, (message) => log.warn(message));
  extension.subscriptions.push(
    terminals,
    tree,
    view,
    new Notices(link, model, told, log, (handOff, accept) => decideHandOff(context, handOff, accept)),
    provideText(link, agentText),
    provideText(link, agentChangeText),
    provideText(link, runText),
    provideText(link, questionText),
    provideText(link, handOffText),
    // Agents come from files that nobody watches; who looks at them wants to see them as they are.
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) model.refresh();
    }),
    model.onDidChange(() => {
      view.badge = agentsBadge(model.snapshot?.questions.length ?? 0);
      showKeys(model);
    }),
  );
  return context;
}

function showKeys({ snapshot }: AgentsModel): void {
  const { active = [], ended = [], questions = [], proposals = [] } = snapshot ?? {};
  const set = (key: string, value: boolean) => vscode.commands.executeCommand("setContext", key, value);
  void set(keys.isKnown, snapshot !== undefined);
  void set(keys.hasActiveRun, active.length > 0);
  void set(keys.hasRun, active.length + ended.length > 0);
  void set(keys.hasQuestion, questions.length > 0);
  void set(keys.hasProposal, proposals.length > 0);
}
