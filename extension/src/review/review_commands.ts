// The commands of review. Each finds out what it is about and sends the order; what it does to files the host decides.

import * as vscode from "vscode";
import type { Selection, Verdict } from "../protocol.gen";
import { confirm } from "../questions";
import { tellDone } from "../told";
import { pendingWords } from "./change_words";
import { isChangesRow, OPEN_FILE_DIFF, OPEN_HUNK } from "./changes_row";
import { CHANGES_VIEW } from "./changes_tree";
import { type DecideContext, decide, preview, redo, undo } from "./decide";
import { chosenFile, chosenHunks, chosenTaskChanges, type ReviewChoiceContext } from "./decision_choice";
import { acknowledgeChosen, checkForSecrets } from "./finding_acknowledge";
import { ACKNOWLEDGE_FINDING } from "./finding_actions";
import type { Findings } from "./findings";
import { type HunkWay, revealHunk } from "./hunk_reveal";
import { openAllDiffs, openFileDiff } from "./review_diff";
import { assignChanges, startWorking } from "./work_choice";

export type ReviewContext = DecideContext & ReviewChoiceContext & { way: HunkWay; findings: Findings };

type Command = (context: ReviewContext, ...args: unknown[]) => Promise<void>;

export const reviewCommands: { readonly [id: string]: Command } = {
  "augment-orchestrator.approveHunk": (context, ...args) => decideOn(context, "approve", chosenHunks(context, args)),
  "augment-orchestrator.rejectHunk": (context, ...args) => decideOn(context, "reject", chosenHunks(context, args)),
  "augment-orchestrator.approveFile": (context, ...args) => decideOn(context, "approve", chosenFile(context, args)),
  "augment-orchestrator.rejectFile": (context, ...args) => decideOn(context, "reject", chosenFile(context, args)),
  "augment-orchestrator.approveTask": (context, ...args) =>
    decideOn(context, "approve", chosenTaskChanges(context, args, "Approve Changes of a Task")),
  "augment-orchestrator.rejectTask": (context, ...args) =>
    decideOn(context, "reject", chosenTaskChanges(context, args, "Reject Changes of a Task")),
  "augment-orchestrator.approveAll": (context) => decideAll(context, "approve"),
  "augment-orchestrator.rejectAll": (context) => decideAll(context, "reject"),
  "augment-orchestrator.previewHunk": previewHunk,
  "augment-orchestrator.undoDecision": (context) => undo(context),
  "augment-orchestrator.redoDecision": (context) => redo(context),
  "augment-orchestrator.reviewAll": reviewAll,
  "augment-orchestrator.nextHunk": ({ way }) => way.go("next"),
  "augment-orchestrator.previousHunk": ({ way }) => way.go("previous"),
  "augment-orchestrator.checkSecrets": (context) => checkForSecrets(context, context.findings),
  [ACKNOWLEDGE_FINDING]: acknowledgeChosen,
  "augment-orchestrator.startWorking": ({ link }) => startWorking(link),
  "augment-orchestrator.assignChanges": assign,
  "augment-orchestrator.focusChanges": async () => void (await vscode.commands.executeCommand(`${CHANGES_VIEW}.focus`)),
  "augment-orchestrator.refreshChanges": refreshChanges,
  [OPEN_HUNK]: openHunk,
  [OPEN_FILE_DIFF]: openFileChanges,
};

async function decideOn(
  context: ReviewContext,
  verdict: Verdict,
  chosen: Promise<Selection | undefined>,
): Promise<void> {
  const what = await chosen;
  if (what !== undefined) await decide(context, verdict, what);
}

async function decideAll(context: ReviewContext, verdict: Verdict): Promise<void> {
  const { counts } = context.model;
  if (counts.pendingHunks === 0) return tellDone("Nothing waits for a decision");
  const [question, button] =
    verdict === "approve" ? ["Approve everything?", "Approve All"] : ["Reject everything?", "Reject All"];
  if (await confirm(question, `${pendingWords(counts)}. It can be undone.`, button))
    await decide(context, verdict, { all: true });
}

async function previewHunk(context: ReviewContext, ...args: unknown[]): Promise<void> {
  const what = await chosenHunks(context, args);
  if (what !== undefined) await preview(context, "reject", what);
}

async function reviewAll({ model }: ReviewContext): Promise<void> {
  await model.refreshed();
  if (model.files.length === 0) return tellDone("Nothing waits for a decision");
  await openAllDiffs(model);
}

async function refreshChanges({ link, model }: ReviewContext): Promise<void> {
  link.wake();
  model.refresh();
}

async function assign(context: ReviewContext, ...args: unknown[]): Promise<void> {
  const { model, link } = context;
  const isAboutSome = args[0] !== undefined;
  if (!isAboutSome && model.counts.unknownHunks === 0) return tellDone("The author of every pending change is known");
  const what = isAboutSome ? await chosenHunks(context, args) : { unknown: true };
  if (what !== undefined && (await assignChanges(link, what))) model.refresh();
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
  const uri = of instanceof vscode.Uri ? of : vscode.window.activeTextEditor?.document.uri;
  const file = uri && model.fileOf(uri);
  if (file === undefined) return tellDone("Nothing in this file waits for a decision");
  await openFileDiff(model, file);
}
