// What the person is told after a command: the host's own sentence for a refusal, a short word in the status bar for
// what was done.

import * as vscode from "vscode";
import { commandIn } from "./command_in";
import { t } from "./l10n";
import { withoutIcons, withoutLinks } from "./outside_text";
import { messageOf, NotConnected, Refused } from "./refusal";
import { refusalsText } from "./refusal_words";
import { typeInTerminal } from "./terminals";

const shortWordMs = 4_000;

export function tellError(error: unknown, log: vscode.LogOutputChannel): void {
  const message = withoutLinks(messageOf(error));
  if (error instanceof Refused) {
    log.info(`Refused (${error.code}): ${message}`);
    void offerTerminal(message, commandIn(error.message)).catch((failed: unknown) => log.error(String(failed)));
  } else if (error instanceof NotConnected) {
    void offerLog(message, log);
  } else {
    log.error(error instanceof Error ? error : String(error));
    void offerLog(t("Something went wrong: {0}", message), log);
  }
}

/** Several refusals of one order, as one notification. */
export function tellRefusals(refused: readonly Refused[], log: vscode.LogOutputChannel): void {
  if (refused.length === 0) return;
  for (const { code, message } of refused) log.info(`Refused (${code}): ${message}`);
  const each = [...new Set(refused.map(({ message }) => message))];
  const command = each.length === 1 ? commandIn(each.join("")) : undefined;
  void offerTerminal(withoutLinks(refusalsText(each)), command).catch((failed: unknown) => log.error(String(failed)));
}

/** Says why a command did nothing, with the command that helps. */
export async function offerCommand(message: string, button: string, command: string): Promise<void> {
  if ((await vscode.window.showInformationMessage(withoutLinks(message), button)) === button)
    await vscode.commands.executeCommand(command);
}

export function tellDone(message: string): void {
  vscode.window.setStatusBarMessage(withoutIcons(message), shortWordMs);
}

/** A refusal, with the command that it names ready to be run. */
async function offerTerminal(message: string, command: string | undefined): Promise<void> {
  const type = t("Open in Terminal");
  const pressed = await vscode.window.showWarningMessage(message, ...(command === undefined ? [] : [type]));
  if (command !== undefined && pressed === type) await typeInTerminal(command);
}

async function offerLog(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const showLog = t("Show Log");
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
