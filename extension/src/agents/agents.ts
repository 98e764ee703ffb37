// Agents in the editor: makes the parts and connects them. In a folder that is not trusted there is no host, and so nothing
// to show or to start.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { keptPlace } from "../kept_place";
import { provideText } from "../read_only_text";
import { setOurs } from "../run_ours";
import { agentChangeText, agentText, questionText, runText } from "./agent_documents";
import type { StartContext } from "./agent_start";
import type { AgentsModel } from "./agents_model";
import { AGENTS_VIEW, AgentsTree, agentsBadge } from "./agents_tree";
import { acceptHandOff, dismissHandOff, type HandOffContext } from "./hand_off_decide";
import { HandOffLens } from "./hand_off_lens";
import { HandOffTexts } from "./hand_off_texts";
import { Notices } from "./notices";
import { OutputTerminals } from "./output_terminal";
import { ToldFile } from "./told_file";

/** Menus and the palette read them. */
const keys = {
  isKnown: "agentsKnown",
  hasActiveRun: "hasActiveRun",
  hasRun: "hasRun",
  hasQuestion: "hasQuestion",
  hasProposal: "hasProposal",
} as const;

/** @returns what its commands need; it is disposed of with the extension */
export function beginAgents(
  extension: vscode.ExtensionContext,
  link: HostLink,
  model: AgentsModel,
  sessions: Pick<StartContext, "wayOn" | "asking">,
  log: vscode.LogOutputChannel,
): HandOffContext {
  const terminals = new OutputTerminals(link);
  const texts = new HandOffTexts(link, model, keptPlace(extension, "hand-off-texts.json"), log);
  const context = { link, model, terminals, texts, log, ...sessions };
  const tree = new AgentsTree(link, model);
  const view = vscode.window.createTreeView(AGENTS_VIEW, { treeDataProvider: tree, showCollapseAll: false });
  const told = new ToldFile(keptPlace(extension, "told.json"), (message) => log.warn(message));
  extension.subscriptions.push(
    terminals,
    texts,
    new HandOffLens(texts),
    tree,
    view,
    new Notices(link, model, told, log, {
      accept: (handOff) => acceptHandOff(context, handOff),
      edit: (handOff) => texts.open(handOff),
      dismiss: (handOff) => dismissHandOff(context, handOff),
    }),
    provideText(link, agentText),
    provideText(link, agentChangeText),
    provideText(link, runText),
    provideText(link, questionText),
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
  void setOurs(keys.isKnown, snapshot !== undefined);
  void setOurs(keys.hasActiveRun, active.length > 0);
  void setOurs(keys.hasRun, active.length + ended.length > 0);
  void setOurs(keys.hasQuestion, questions.length > 0);
  void setOurs(keys.hasProposal, proposals.length > 0);
}
