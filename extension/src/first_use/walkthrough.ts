// The walkthrough: opened on request, and once by itself on the first start after the extension was installed, unless the
// person does not want that of any extension. Who is at work in an editor keeps the focus.

import * as vscode from "vscode";
import { ours } from "../ours";

export const OPEN_WALKTHROUGH = ours("openWalkthrough");

const walkthrough = ours("first-use");
const shownKey = "walkthroughShown";
const openOnInstall = "workbench.welcomePage.walkthroughs.openOnInstall";

export async function openWalkthrough(extension: vscode.ExtensionContext, how: { inactive: boolean }): Promise<void> {
  // Who has opened it has seen it, however that came.
  await extension.globalState.update(shownKey, true);
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", walkthroughId(extension), how);
}

export async function openFirstTime(extension: vscode.ExtensionContext): Promise<void> {
  if (extension.globalState.get(shownKey) === true) return;
  if (vscode.workspace.getConfiguration().get<boolean>(openOnInstall) !== true) return;
  await openWalkthrough(extension, { inactive: vscode.window.activeTextEditor !== undefined });
}

/** Whoever tries the demo has found the way in already. */
export async function notAtFirst(extension: vscode.ExtensionContext): Promise<void> {
  await extension.globalState.update(shownKey, true);
}

function walkthroughId({ extension }: vscode.ExtensionContext): string {
  return `${extension.id}#${walkthrough}`;
}
