// The program in VS Code's own terminals: it is found there by its name, after whatever the person has on the PATH, and what the
// host advises can be typed there. Nothing is run.

import { delimiter, dirname, isAbsolute } from "node:path";
import * as vscode from "vscode";
import { t } from "./l10n";

/** Lets terminals that are opened from now on find the program. */
export function offerInTerminals(collection: vscode.EnvironmentVariableCollection, program: string): void {
  collection.clear();
  if (!isAbsolute(program)) return;
  // What is kept would outlive the extension.
  collection.persistent = false;
  collection.description = t("`augment-cli` is found here.");
  collection.append("PATH", `${delimiter}${dirname(program)}`);
}

/** A shell that does not tell when it is ready is waited for so long. */
const patienceMs = 10_000;

/** Types a command for the person, who reads and runs it, or not. */
export async function typeInTerminal(command: string): Promise<void> {
  const terminal = vscode.window.createTerminal({ name: "Augment", iconPath: new vscode.ThemeIcon("terminal") });
  const ready = isReady(terminal);
  terminal.show();
  await ready;
  if (terminal.exitStatus === undefined) terminal.sendText(command, false);
}

/** What is typed before the shell asks for it stands there twice. */
async function isReady(terminal: vscode.Terminal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, patienceMs);
    const listening = vscode.window.onDidChangeTerminalShellIntegration((change) => {
      if (change.terminal === terminal) done();
    });
    function done(): void {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    }
  });
}
