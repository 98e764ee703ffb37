// The commands of review. Each finds out what it is about and sends the order; what it does to files the host decides.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import type { Verdict } from "../protocol.gen";
import { confirm } from "../questions";
import { tellDone, tellError } from "../told";
import { allListed, notListedWords, onYesToAll } from "./all_listed";
import { isOnLostRow, selectionOf } from "./change_groups";
import { pendingWords } from "./change_words";
import { isChangesRow, OPEN_FILE_DIFF, OPEN_HUNK } from "./changes_row";
import { CHANGES_VIEW } from "./changes_tree";
import { type Chosen, isHeard } from "./chosen";
import { type DecideContext, decide, preview, redo, undo } from "./decide";
import {
  chosenFile,
  chosenHunks,
  chosenTaskChanges,
  decidedIn,
  fileShown,
  lostRow,
  type ReviewChoiceContext,
  uriIn,
} from "./decision_choice";
import { acknowledgeChosen, checkForSecrets } from "./finding_acknowledge";
import { ACKNOWLEDGE_FINDING } from "./finding_actions";
import { heldBackWords, selectedStops } from "./finding_words";
import type { Findings } from "./findings";
import { revealHunk } from "./hunk_reveal";
import { type AllDiffs, openFileDiff } from "./review_diff";
import { assignChanges } from "./work_choice";

export type ReviewContext = DecideContext & ReviewChoiceContext & { all: AllDiffs; findings: Findings };

type Command = (context: ReviewContext, ...args: unknown[]) => Promise<void>;

export const reviewCommands: { readonly [id: string]: Command } = {
  [ours("approveHunk")]: (context, ...args) => decideOn(context, "approve", chosenHunks(context, args), args),
  [ours("rejectHunk")]: (context, ...args) => decideOn(context, "reject", chosenHunks(context, args), args),
  [ours("approveFile")]: (context, ...args) => decideOn(context, "approve", chosenFile(context, args), args),
  [ours("rejectFile")]: (context, ...args) => decideOn(context, "reject", chosenFile(context, args), args),
  [ours("approveTask")]: (context, ...args) =>
    decideOn(context, "approve", chosenTaskChanges(context, args, t("Approve Changes of a Task")), args),
  [ours("rejectTask")]: (context, ...args) =>
    decideOn(context, "reject", chosenTaskChanges(context, args, t("Reject Changes of a Task")), args),
  [ours("approveAll")]: (context) => decideAll(context, "approve"),
  [ours("rejectAll")]: (context) => decideAll(context, "reject"),
  [ours("previewHunk")]: previewHunk,
  [ours("undoDecision")]: (context, decision) => undo(context, textIn(decision)),
  [ours("redoDecision")]: (context, decision) => redo(context, textIn(decision)),
  [ours("reviewAll")]: reviewAll,
  [ours("nextHunk")]: ({ flow }) => flow.go("next"),
  [ours("previousHunk")]: ({ flow }) => flow.go("previous"),
  [ours("skipHunk")]: skipHunk,
  [ours("finishReview")]: async ({ flow }) => flow.finish(),
  [ours("checkSecrets")]: (context) => checkForSecrets(context, context.findings),
  [ACKNOWLEDGE_FINDING]: acknowledgeChosen,
  [ours("assignChanges")]: assign,
  // The view's title hands over what has the focus there, or nothing, as a row that is gone does.
  [ours("assignUnknown")]: (context) => assignUnknown(context),
  [ours("focusChanges")]: async () => void (await vscode.commands.executeCommand(`${CHANGES_VIEW}.focus`)),
  [ours("refreshChanges")]: refreshChanges,
  [OPEN_HUNK]: openHunk,
  [OPEN_FILE_DIFF]: openFileChanges,
};

async function decideOn(
  context: ReviewContext,
  verdict: Verdict,
  choosing: Promise<Chosen | undefined>,
  args: readonly unknown[],
): Promise<void> {
  const chosen = await choosing;
  if (chosen !== undefined && isMeant(context, chosen)) await decide(context, verdict, chosen.what, decidedIn(args));
}

/** Whether the person has seen what they decide; if not, it is shown. A whole file is decided by its name. */
function isMeant({ flow, log }: ReviewContext, { what, by }: Chosen): boolean {
  // Two presses may come in one go, so it is asked at the last moment.
  if (!isHeard({ by }, flow.isBusy)) {
    tellDone(t("Not done: what you pressed before is still under way"));
    return false;
  }
  const unseen = by === "call" || what.file !== undefined ? undefined : flow.unseen(what);
  if (unseen !== undefined) flow.bringBefore(unseen).catch((error: unknown) => tellError(error, log));
  return unseen === undefined;
}

async function skipHunk(context: ReviewContext, ...args: unknown[]): Promise<void> {
  const { flow, model, held } = context;
  const asked = held.stop;
  const chosen = await chosenHunks(context, args);
  if (chosen === undefined || !isMeant(context, chosen)) return;
  // Two presses may come in one go: the first has closed the question that the second meant.
  if (held.stop !== asked) return;
  held.close();
  await flow.deciding(async () => {
    for (const stop of selectedStops(model.files, chosen.what)) await flow.skip(stop);
  });
}

async function decideAll(context: ReviewContext, verdict: Verdict): Promise<void> {
  const { model } = context;
  const [question, button] =
    verdict === "approve" ? [t("Approve everything?"), t("Approve All")] : [t("Reject everything?"), t("Reject All")];
  const isDone = await onYesToAll({
    listed: () => allListed(model.files, model.counts),
    ask: (listed, time) => {
      const since = time === "again" ? t("What waits has changed since you were asked, so nothing was done yet. ") : "";
      const held = verdict === "approve" ? heldBackWords(model.files) : "";
      const besides = [notListedWords(listed), held].filter((words) => words !== "").map((words) => `${words} `);
      const detail = t("{0}. {1}It can be undone.", pendingWords(model.counts), besides.join(""));
      return confirm(question, `${since}${detail}`, button);
    },
    refreshed: () => model.refreshed(),
    // By their ids: the host does nothing when one of them is another by now.
    send: (hunks) => decide(context, verdict, { all: true, hunks }, "question"),
  });
  if (!isDone) tellDone(t("Nothing waits for a decision"));
}

async function previewHunk(context: ReviewContext, ...args: unknown[]): Promise<void> {
  const chosen = await chosenHunks(context, args);
  if (chosen !== undefined) await preview(context, "reject", chosen.what);
}

async function reviewAll({ model, all, flow }: ReviewContext): Promise<void> {
  await model.refreshed();
  if (model.files.length === 0) return tellDone(t("Nothing waits for a decision"));
  await all.open();
  await flow.begin("all");
}

async function refreshChanges({ link, model }: ReviewContext): Promise<void> {
  link.wake();
  model.refresh();
}

async function assign(context: ReviewContext, ...args: unknown[]): Promise<void> {
  if (isOnLostRow(args)) return lostRow();
  if (args[0] === undefined) return assignUnknown(context);
  const chosen = await chosenHunks(context, args);
  if (chosen !== undefined) await assignChanges(context, chosen.what);
}

/** All that is listed of what nobody is known to have made. What is written while it is asked whose that is goes on waiting. */
async function assignUnknown(context: ReviewContext): Promise<void> {
  const { model, tree } = context;
  if (model.counts.unknownHunks === 0) return tellDone(t("The author of every pending change is known"));
  const unknown = tree.allGroups().find(({ author }) => author.kind === "unknown");
  if (unknown !== undefined) await assignChanges(context, selectionOf(unknown));
  else tellDone(t("More waits than is listed. Decide some of it to come to the rest."));
}

async function openHunk({ model }: ReviewContext, row: unknown): Promise<void> {
  if (!isChangesRow(row) || row.kind !== "change-hunk") return;
  const file = model.fileAt(row.parent.grouped.file.path);
  if (file !== undefined) await revealHunk(model, file, row.hunk, { preserveFocus: true });
}

async function openFileChanges({ model }: ReviewContext, of: unknown): Promise<void> {
  if (isChangesRow(of)) {
    if (of.kind === "change-file") await openFileDiff(model, of.grouped.file, of.group.author);
    return;
  }
  const file = fileShown(model, uriIn(of));
  if (file === undefined) return tellDone(t("Nothing in this file waits for a decision"));
  await openFileDiff(model, file);
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
