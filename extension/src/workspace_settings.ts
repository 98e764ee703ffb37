// A workspace's own settings may not choose which program runs. VS Code ignores such a setting; the person is told once
// that somebody tried.

import * as vscode from "vscode";
import type { ToldFile } from "./agents/told_file";
import { foreignProgramKey } from "./foreign_program";
import { t } from "./l10n";
import { SERVER_PATH_SETTING } from "./sidecar";

export async function noticeForeignProgram(
  folder: vscode.Uri,
  told: ToldFile,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const file = vscode.Uri.joinPath(folder, ".vscode", "settings.json");
  let text: string;
  try {
    text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
  } catch {
    // Most workspaces have no settings.
    return;
  }
  const key = foreignProgramKey(folder.toString(), text);
  if (key === undefined) return;
  const message = t(
    "This workspace's settings name a program ({0}). It is ignored: only your own settings may choose what runs.",
    SERVER_PATH_SETTING,
  );
  log.warn(message);
  if (told.onlyNew([key], String).length === 0) return;
  const open = t("Open Workspace Settings");
  if ((await vscode.window.showWarningMessage(message, open)) === open) await vscode.window.showTextDocument(file);
}
