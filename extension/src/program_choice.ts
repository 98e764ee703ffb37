// Which program is the sidecar. Only the person's own settings may name another one; a workspace's never.

import { join } from "node:path";
import * as vscode from "vscode";
import { SERVER_PATH_SETTING } from "./sidecar";

const programName = process.platform === "win32" ? "augment-cli.exe" : "augment-cli";

/** The program to start: the person's own choice, else the one inside the extension. */
export function programPath(extensionPath: string): string {
  const chosen = vscode.workspace.getConfiguration().inspect<unknown>(SERVER_PATH_SETTING)?.globalValue;
  return typeof chosen === "string" && chosen.trim() !== ""
    ? chosen.trim()
    : join(extensionPath, "dist", "bin", programName);
}
