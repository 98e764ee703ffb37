// From the panel's history to the editor: a step of a file as VS Code's own diff, the file itself, figures saved as a file; and from
// the editor to the history of a file.

import * as vscode from "vscode";
import type { ActionParams } from "../../panel/messages";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { ours } from "../ours";
import { NotConnected } from "../refusal";
import { beforeUri } from "../review/before_text";
import { lastName } from "../review/path_text";
import type { ReviewContext } from "../review/review_commands";
import { figuresFileName } from "./figures_file";

export const SHOW_FILE_HISTORY = ours("showFileHistory");

/** Opens what one step did to a file: the step before on the left, the step itself on the right. */
export async function openStepDiff(
  { model }: ReviewContext,
  link: HostLink,
  asked: ActionParams<"history/open-diff">,
): Promise<void> {
  const { path, step, before } = await link.call("augment/timeline/diff", asked);
  const after = beforeUri(model.folder, { path, step });
  // Before the first step nothing is known, so there is nothing to compare it with.
  if (before === null) await vscode.commands.executeCommand("vscode.open", after);
  else {
    const left = beforeUri(model.folder, { path, step: before });
    await vscode.commands.executeCommand(
      "vscode.diff",
      left,
      after,
      t("{0} (what step {1} did)", lastName(path), step),
    );
  }
}

export async function openFile({ model }: ReviewContext, { path }: ActionParams<"file/open">): Promise<void> {
  const uri = model.uriOf(path);
  if (uri === undefined) throw new Error(t("The editor cannot spell the name of {0}, so it cannot open it.", path));
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    throw new Error(t("{0} is not there any more. Its history still shows what was in it.", path));
  }
  await vscode.commands.executeCommand("vscode.open", uri);
}

/** Saves the figures as a file that the person names. @returns whether they did */
export async function exportFigures(
  { folder }: { folder: vscode.Uri | undefined },
  link: HostLink,
  ask: ActionParams<"analytics/export">,
): Promise<boolean> {
  const { text } = await link.call("augment/analytics/csv", ask);
  const to = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, figuresFileName(Date.now())) }),
    filters: { CSV: ["csv"] },
    title: t("Export Figures as CSV"),
  });
  if (to === undefined) return false;
  await vscode.workspace.fs.writeFile(to, new TextEncoder().encode(text));
  const open = t("Open");
  void vscode.window.showInformationMessage(t("The figures are in {0}.", lastName(to.path)), open).then((answer) => {
    if (answer === open) void vscode.commands.executeCommand("vscode.open", to);
  });
  return true;
}

/** The path of the file that is meant: the one that was clicked on, else the one in the editor. */
export function fileMeant(review: ReviewContext | undefined, argument: unknown): string {
  if (review === undefined) throw new NotConnected(t("No folder is open, so there is no history to show."));
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined)
    throw new Error(t("No file is open. Open the file whose history you want to see, or choose it in the explorer."));
  const path = review.model.pathOf(uri);
  if (path === undefined)
    throw new Error(t("{0} is not in the workspace, so it has no history here.", lastName(uri.path)));
  return path;
}
