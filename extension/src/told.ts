// What the person is told after a command: the host's own sentence for a refusal, a short word in the status bar for
// what was done.

import * as vscode from "vscode";
import { withoutIcons, withoutLinks } from "./outside_text";
import { messageOf, NotConnected, Refused } from "./refusal";

const shortWordMs = 4_000;

export function tellError(error: unknown, log: vscode.LogOutputChannel): void {
  const message = withoutLinks(messageOf(error));
  if (error instanceof Refused) {
    log.info(`Refused (${error.code}): ${message}`);
    void vscode.window.showWarningMessage(message);
  } else if (error instanceof NotConnected) {
    void offerLog(message, log);
  } else {
    log.error(error instanceof Error ? error : String(error));
    void offerLog(`Something went wrong: ${message}`, log);
  }
}

export function tellDone(message: string): void {
  vscode.window.setStatusBarMessage(withoutIcons(message), shortWordMs);
}

async function offerLog(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const showLog = "Show Log";
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
