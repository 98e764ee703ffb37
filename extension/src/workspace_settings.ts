// A workspace's own settings may not choose which program runs. VS Code ignores such a setting; the person is told once
// that somebody tried.

import * as vscode from "vscode";
import { SERVER_PATH_SETTING } from "./sidecar";

export async function noticeForeignProgram(folder: vscode.Uri, log: vscode.LogOutputChannel): Promise<void> {
  const file = vscode.Uri.joinPath(folder, ".vscode", "settings.json");
  let text: string;
  try {
    text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
  } catch {
    // Most workspaces have no settings.
    return;
  }
  if (!text.includes(`"${SERVER_PATH_SETTING}"`)) return;
  const message = `This workspace's settings name a program (${SERVER_PATH_SETTING}). It is ignored: only your own settings may choose what runs.`;
  log.warn(message);
  void vscode.window.showWarningMessage(message);
}
