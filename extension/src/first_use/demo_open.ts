// Trying the demo: our own program makes a new project, never over anything, and a window opens it. Nothing runs in it
// before the person has trusted the folder.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { programPath } from "../program_choice";
import { NotConnected } from "../refusal";
import { programFault, sidecarEnvironment } from "../sidecar";
import { folderIn, reasonIn } from "./demo_answer";
import type { OpenedDemos } from "./opened_demos";

export const TRY_DEMO = ours("tryDemo");

const makeLimitMs = 60_000;

export async function tryDemo(extensionPath: string, opened: OpenedDemos): Promise<void> {
  const program = programPath(extensionPath);
  const fault = await programFault(program);
  if (fault !== undefined) throw new NotConnected(fault);
  const folder = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: t("Making the demo") },
    () => makeDemo(program),
  );
  opened.add(folder);
  // A window with nothing in it is used; one with somebody's work stays as it is.
  const hasWork = vscode.workspace.workspaceFolders !== undefined;
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder), {
    forceNewWindow: hasWork,
    forceReuseWindow: !hasWork,
  });
}

/** @returns the folder of the new project */
function makeDemo(program: string): Promise<string> {
  const env = { ...sidecarEnvironment(process.env), AUGMENT_WORKSPACE: undefined };
  return new Promise((resolve, reject) => {
    execFile(program, ["demo", "--json"], { env, timeout: makeLimitMs, windowsHide: true }, (error, stdout, stderr) => {
      if (error !== null)
        return reject(new NotConnected(t("The demo could not be made. {0}", reasonIn(stderr)).trim()));
      const folder = folderIn(stdout);
      if (folder !== undefined) resolve(folder);
      else reject(new NotConnected(t("The demo could not be made: its folder was not told. Look at the log.")));
    });
  });
}
