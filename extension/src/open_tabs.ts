// The tabs of text documents: which have one, by their names, and closing one. A document that is open without a tab was
// closed by the person.

import * as vscode from "vscode";
import type { BoundTexts } from "./bound_texts";

function openTabs(): ReadonlySet<string> {
  return new Set(vscode.window.tabGroups.all.flatMap((group) => namesOf(group.tabs)));
}

/**
 * Closes an editor whose text is kept elsewhere. Should the person type on or go to another one in that moment, it stays.
 * @param kept the text that is not lost with the editor
 */
export async function closeWithoutSaving(document: vscode.TextDocument, kept: string): Promise<void> {
  if (document.isClosed || document.getText() !== kept) return;
  await vscode.window.showTextDocument(document);
  // The command is about whichever editor is active, and takes its text as it is by then.
  if (vscode.window.activeTextEditor?.document !== document || document.getText() !== kept) return;
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}

/** Has what documents are for forgotten when they are closed, or turn out to be others. */
export function followTabs<T>(texts: BoundTexts<T>, onForgotten: () => void): vscode.Disposable {
  const look = () => {
    // When the window comes back, there is not even a group of tabs at first.
    if (vscode.window.tabGroups.all.length > 0) texts.firstTabs(openTabs());
  };
  look();
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabGroups(look),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      const open = openTabs();
      const names = namesOf(closed).filter((name) => !open.has(name));
      if (texts.closed(names)) onForgotten();
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (texts.opened(document.uri.toString(), document.getText())) onForgotten();
    }),
  );
}

function namesOf(tabs: readonly vscode.Tab[]): string[] {
  return tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : []));
}
