// Commands of ours that are run, and what conditions in the manifest ask for.

import * as vscode from "vscode";
import { ours } from "./ours";

export function runOurs(name: string, ...args: unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(ours(name), ...args);
}

/** Sets `augmentOrchestrator.<name>` for the conditions of commands, keys and views. */
export function setOurs(name: string, value: unknown): Thenable<unknown> {
  return vscode.commands.executeCommand("setContext", `augmentOrchestrator.${name}`, value);
}
