// A comment at each hunk that a person should look at closely: something was found in it, it is entangled with other
// people's work, flagged, outside of what the session was agreed to do, or approved by one of two. They are made for files
// that are open, and closed up, and the manifest keeps VS Code from opening its comments panel for the first of them; a key
// that meets such a hunk opens its comment.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { oneLine } from "../outside_text";
import { ownName } from "../person_name";
import type { Hunk } from "../protocol.gen";
import type { ChangesModel } from "./changes_model";
import { findingSentence, stopping } from "./finding_words";
import { explanations } from "./held_words";
import { markLine } from "./hunk_places";

const controllerId = ours("review");

export class FlaggedComments implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController(controllerId, t("Augment Review"));
  private readonly threads = new Map<string, vscode.CommentThread>();
  private readonly hunkIds = new WeakMap<object, string>();
  private expanded: string | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly model: ChangesModel) {
    this.disposables = [
      this.controller,
      model.onDidChange(() => this.show()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.show()),
    ];
  }

  /** The hunk that a thread is about; nothing when it is none of ours. */
  hunkOf(thread: unknown): string | undefined {
    return typeof thread === "object" && thread !== null ? this.hunkIds.get(thread) : undefined;
  }

  /** Opens the comment at a hunk, and closes the one that was opened so before. */
  expand(hunk: string): void {
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    const before = this.expanded === hunk ? undefined : this.threads.get(this.expanded ?? "");
    if (before !== undefined) before.collapsibleState = Collapsed;
    const thread = this.threads.get(hunk);
    if (thread !== undefined) thread.collapsibleState = Expanded;
    this.expanded = thread && hunk;
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private show(): void {
    const wanted = new Set<string>();
    for (const { document } of vscode.window.visibleTextEditors) {
      for (const placed of this.model.hunksIn(document)) {
        const { hunk } = placed;
        if (!needsComment(hunk)) continue;
        wanted.add(hunk.id);
        const line = markLine(placed, document.lineCount);
        const range = new vscode.Range(line, 0, line, 0);
        const shown = this.threads.get(hunk.id);
        if (shown !== undefined) shown.range = range;
        else this.open(document.uri, range, hunk);
        if (shown !== undefined) say(shown, hunk);
      }
    }
    for (const [id, thread] of this.threads) {
      if (wanted.has(id)) continue;
      thread.dispose();
      this.threads.delete(id);
    }
  }

  private open(uri: vscode.Uri, range: vscode.Range, hunk: Hunk): void {
    const thread = this.controller.createCommentThread(uri, range, []);
    say(thread, hunk);
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    thread.canReply = false;
    this.threads.set(hunk.id, thread);
    this.hunkIds.set(thread, hunk.id);
  }
}

function needsComment(hunk: Hunk): boolean {
  return explanations(hunk, ownName()).length > 0;
}

/** A hunk keeps its id when its flag comes or is answered. */
function say(thread: vscode.CommentThread, hunk: Hunk): void {
  const said = comment(hunk);
  const shown = thread.comments[0]?.body;
  if (shown === said.body) return;
  thread.comments = [said];
  const marks = [
    ...(hunk.flag === null ? [] : ["outside"]),
    ...(stopping(hunk.findings).length === 0 ? [] : ["found"]),
    ...(hunk.entangledWith.length === 0 ? [] : ["entangled"]),
  ];
  thread.contextValue = ["hunk", ...marks].join(".");
  thread.label = t("Look closely before you decide");
}

/** Plain text: of Markdown a screen reader is read the source, with an entity for each space. */
function comment(hunk: Hunk): vscode.Comment {
  const { findings, flag } = hunk;
  const lines = [
    ...explanations(hunk, ownName()),
    ...findings.map(findingSentence),
    ...(flag === null ? [] : [oneLine(flag.message)]),
    ...(flag?.why ? [t("The agent says: {0}", oneLine(flag.why))] : []),
  ];
  return { body: lines.join("\n"), mode: vscode.CommentMode.Preview, author: { name: t("Augment Review") } };
}
