// The end of a review as one notification: what came of it, with a way back for all of it and a way to what was skipped.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutIcons, withoutLinks } from "../outside_text";
import type { DecidedFile } from "../protocol.gen";
import { messageOf, Refused } from "../refusal";
import { tellDone, tellError } from "../told";
import { hunkFacts, hunkLabel } from "./change_words";
import type { DecideContext } from "./decide";
import type { Stop } from "./hunk_order";
import { failedSentence, undoneWords } from "./outcome_words";
import type { Tally } from "./review_round";
import { summaryWords } from "./review_words";

/** Told without waiting for an answer. */
export function tellSummary(context: DecideContext, tally: Tally): void {
  const undoAll = t("Undo All");
  const showSkipped = t("Show Skipped");
  const buttons = [
    ...(tally.decisions.length === 0 ? [] : [undoAll]),
    ...(tally.skipped.length === 0 ? [] : [showSkipped]),
  ];
  const told = async () => {
    const pressed = await vscode.window.showInformationMessage(withoutLinks(summaryWords(tally)), ...buttons);
    if (pressed === undoAll) await undoReview(context, tally.decisions);
    if (pressed === showSkipped) await pickSkipped(context, tally.skipped);
  };
  told().catch((error: unknown) => tellError(error, context.log));
}

/** Newest first, so that each meets the files as it left them. What cannot be undone any more is told, the rest is undone. */
async function undoReview(context: DecideContext, decisions: readonly string[]): Promise<void> {
  const { link, model, flow, unsaved, log, last } = context;
  unsaved.flush();
  const undone: DecidedFile[][] = [];
  let refused: Refused | undefined;
  for (const decision of [...decisions].reverse()) {
    try {
      const { texts } = flow.about({ hunks: [] });
      const { files } = await flow.deciding(() => link.call("augment/changes/undo", { decision }));
      if (failedSentence(files) === undefined) last.own.undone(decision);
      texts.wrote(files);
      undone.push(files);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused ??= error;
      log.info(`${decision} was not undone: ${messageOf(error)}`);
    }
  }
  await model.refreshed();
  const words = undoneWords(undone, decisions.length);
  const failed = failedSentence(undone.flat());
  if (failed === undefined) tellDone(words);
  else void vscode.window.showWarningMessage(withoutLinks(`${words.replace(/\.$/, "")}. ${failed}`));
  if (refused !== undefined) throw refused;
}

/** Those of the skipped ones that still wait. */
async function pickSkipped({ flow, model }: DecideContext, skipped: readonly Stop[]): Promise<void> {
  const now = new Set(model.files.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
  const items = skipped
    .filter(({ hunk }) => now.has(hunk.id))
    .map((stop) => ({
      stop,
      label: withoutIcons(hunkLabel(stop.hunk)),
      description: withoutIcons(stop.path),
      detail: withoutIcons(hunkFacts(stop.hunk)),
    }));
  if (items.length === 0) return tellDone(t("Nothing that was skipped waits any more"));
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Skipped in This Review"),
    placeHolder: t("Pick one to go there"),
    matchOnDescription: true,
  });
  if (picked !== undefined) await flow.show(picked.stop);
}
