// Diffs of files that wait: one file against the state before a task, or all of them in one editor.

import * as vscode from "vscode";
import type { Author, ChangedFile, WhichContent } from "../protocol.gen";
import { beforeUri } from "./before_text";
import { authorWords } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { lastName } from "./path_text";

/** @param author whose work it is shown against; nothing means everything that waits */
export async function openFileDiff(model: ChangesModel, file: ChangedFile, author?: Author): Promise<void> {
  const title = `${lastName(file.path)} (before ${author === undefined ? "what is pending" : authorWords(author)} ↔ now)`;
  await vscode.commands.executeCommand(
    "vscode.diff",
    beforeUri(model.folder, before(file, author)),
    nowUri(model, file),
    title,
  );
}

export async function openAllDiffs(model: ChangesModel): Promise<void> {
  const resources = model.files.map((file) => {
    const now = nowUri(model, file);
    const then = beforeUri(model.folder, before(file, undefined));
    // A side that is not there is left out, so that the file is shown as new or as deleted.
    const isNew = file.hunks.some(({ kind }) => kind === "created");
    return [now, isNew ? undefined : then, file.body === "absent" ? undefined : now];
  });
  await vscode.commands.executeCommand("vscode.changes", "Pending Changes", resources);
}

/** The file itself, so that it can be edited in the diff; a stand-in where there is none, or it has no plain name. */
function nowUri(model: ChangesModel, { path, body }: ChangedFile): vscode.Uri {
  const isThere = body === "text" || body === "whole" || body === "large";
  return (isThere ? model.uriOf(path) : undefined) ?? beforeUri(model.folder, { path });
}

function before({ path }: ChangedFile, author: Author | undefined): WhichContent {
  if (author?.task) return { path, beforeTask: author.task };
  if (author?.run) return { path, beforeRun: author.run };
  return { path, beforePending: true };
}
