// The sidecar: where its program is, whether it can run, and starting it. Only the person's own settings may name
// another program; a workspace's never.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";

export const SERVER_PATH_SETTING = "augmentOrchestrator.serverPath";

const programName = process.platform === "win32" ? "augment-cli.exe" : "augment-cli";

/** The program to start: the person's own choice, else the one inside the extension. */
export function programPath(extensionPath: string): string {
  const chosen = vscode.workspace.getConfiguration().inspect<unknown>(SERVER_PATH_SETTING)?.globalValue;
  return typeof chosen === "string" && chosen.trim() !== ""
    ? chosen.trim()
    : join(extensionPath, "dist", "bin", programName);
}

/** Why the program cannot be started, in sentences with what to do; nothing when it can. */
export async function programFault(path: string): Promise<string | undefined> {
  const remedy = `Reinstall the extension, or set ${SERVER_PATH_SETTING} to the program's full path.`;
  if (!isAbsolute(path)) return `The program path "${path}" is not a full path. ${remedy}`;
  try {
    if (!(await stat(path)).isFile()) return `"${path}" is not a program. ${remedy}`;
  } catch {
    return `The program augment-cli was not found at "${path}". ${remedy}`;
  }
  try {
    await access(path, constants.X_OK);
  } catch {
    return `The program at "${path}" may not be executed. Make it executable (chmod +x), or reinstall the extension.`;
  }
  return undefined;
}

/** Starts the byte pipe to the folder's host. It ends when its input is closed or the host goes away. */
export function startSidecar(program: string, folder: string): ChildProcessWithoutNullStreams {
  return spawn(program, ["serve", "--stdio", "-C", folder], {
    env: environment(),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}

/** The host outlives the editor and starts other programs, so it gets the person's environment, not the editor's. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name)),
  );
}
