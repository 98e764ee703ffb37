// Where the extension keeps its own files about the workspace.

import * as vscode from "vscode";

/** @returns nothing where no folder is open: then there is no place */
export function keptPlace({ storageUri }: vscode.ExtensionContext, name: string): string | undefined {
  return storageUri && vscode.Uri.joinPath(storageUri, name).fsPath;
}
