// The summary of an archived session, opened as the file that it is. It tells what agents said and may come from elsewhere,
// so it is shown as plain text: an editor for Markdown would make a link of `[text](command:…)` that runs the command.

import * as vscode from "vscode";
import { t } from "../l10n";
import type { ReviewContext } from "../review/review_commands";
import { tellDone } from "../told";

/** @param archive the folder of the archive, from the root of the workspace */
export async function openSummary(review: ReviewContext | undefined, archive: string): Promise<void> {
  const path = `${archive}/summary.md`;
  const uri = review?.model.uriOf(path);
  const isThere = uri !== undefined && (await isFile(uri));
  if (!isThere) {
    tellDone(t("There is no {0} any more", path));
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const plain = await vscode.languages.setTextDocumentLanguage(document, "plaintext");
  await vscode.window.showTextDocument(plain, { preview: true });
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.File;
  } catch {
    return false;
  }
}
