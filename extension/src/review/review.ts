// Review in the editor: makes its parts and connects them. Nothing of it is there without a folder; in a folder that is
// not trusted there is no host, and so nothing to show.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { keptPlace } from "../kept_place";
import { provideText } from "../read_only_text";
import { beforeText } from "./before_text";
import { BlameHover } from "./blame_hover";
import { BufferLines } from "./buffer_lines";
import { ChangesModel } from "./changes_model";
import { CHANGES_VIEW, ChangesTree, changesBadge } from "./changes_tree";
import { EditorSaves } from "./editor_saves";
import { FileBadges } from "./file_badges";
import { FindingActions } from "./finding_actions";
import { Findings } from "./findings";
import { FlaggedComments } from "./flagged_comments";
import { HeldPick } from "./held_pick";
import { HunkActions } from "./hunk_actions";
import { HunkHere } from "./hunk_here";
import { HunkLens } from "./hunk_lens";
import { HunkSight } from "./hunk_sight";
import { LastDecision } from "./last_decision";
import { LineColours } from "./line_colours";
import { PreviewPages } from "./preview";
import type { ReviewContext } from "./review_commands";
import { AllDiffs } from "./review_diff";
import { ReviewFlow } from "./review_flow";
import { ReviewKeys } from "./review_keys";
import { ReviewStatus } from "./review_status";
import { tellSummary } from "./review_summary";
import { ReviewSourceControl } from "./source_control";
import { UnsavedText } from "./unsaved_text";

/** @returns what its commands need; it is disposed of with the extension */
export function beginReview(
  extension: vscode.ExtensionContext,
  link: HostLink,
  folder: vscode.Uri,
  log: vscode.LogOutputChannel,
): ReviewContext {
  const buffers = new BufferLines();
  const model = new ChangesModel(link, folder, buffers, log);
  const tree = new ChangesTree(link, model);
  const view = vscode.window.createTreeView(CHANGES_VIEW, {
    treeDataProvider: tree,
    canSelectMany: true,
    showCollapseAll: true,
  });
  const unsaved = new UnsavedText(link, model);
  const pages = new PreviewPages(link, folder);
  const comments = new FlaggedComments(model);
  const findings = new Findings(model);
  const all = new AllDiffs(model);
  const sight = new HunkSight();
  const here = new HunkHere(model, all, sight);
  const colours = new LineColours(model, sight, vscode.Uri.joinPath(extension.extensionUri, "extension", "media"));
  const held = new HeldPick();
  const last = new LastDecision();
  const flow = new ReviewFlow(model, here, all, colours, (tally) => tellSummary(context, tally));
  const context = { link, log, model, tree, pages, comments, unsaved, findings, here, all, last, flow, held };
  extension.subscriptions.push(
    buffers,
    model,
    tree,
    view,
    unsaved,
    pages,
    comments,
    here,
    flow,
    last,
    new EditorSaves(link, model, unsaved, log, keptPlace(extension, "unsaved-texts.json")),
    new ReviewSourceControl(model),
    colours,
    new HunkLens(model, flow),
    HunkActions.register(model),
    findings,
    FindingActions.register(model, findings),
    new BlameHover(link, model, buffers, log),
    new FileBadges(model),
    new ReviewKeys(model, here, all, flow),
    new ReviewStatus(model, here, flow),
    provideText(link, beforeText),
    model.onDidChange(() => {
      view.badge = changesBadge(model);
    }),
  );
  return context;
}
