// A comment at each hunk that a person should look at closely: interwoven with other people's work, flagged, or outside of
// what the session was agreed to do. They
// are made for files that are open, and closed up, because VS Code may open its comments panel for the first of them.

import * as vscode from "vscode";
import type { Hunk } from "../protocol.gen";
import { authorWords, hunkLabel, warnings } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { markLine } from "./hunk_places";

const controllerId = "augment-orchestrator.review";

export class FlaggedComments implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController(controllerId, "Augment Review");
  private readonly threads = new Map<string, vscode.CommentThread>();
  private readonly hunkIds = new WeakMap<object, string>();
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

/** That nobody is known to have made a hunk is said by its colour and its group; it alone is not worth opening a panel. */
function needsComment({ entangledWith, flagged, author, flag }: Hunk): boolean {
  return entangledWith.length > 0 || flag !== null || (flagged !== null && author.kind !== "unknown");
}

/** A hunk keeps its id when its flag comes or is answered. */
function say(thread: vscode.CommentThread, hunk: Hunk): void {
  const said = comment(hunk);
  const shown = thread.comments[0]?.body;
  if (shown instanceof vscode.MarkdownString && shown.value === said.body.value) return;
  thread.comments = [said];
  thread.contextValue = hunk.flag === null ? "hunk" : "hunk.outside";
  thread.label =
    hunk.flag === null
      ? "Look closely before you decide"
      : "Outside the scope: extend it, log it and take it out, or allow it once";
}

function comment(hunk: Hunk): vscode.Comment & { body: vscode.MarkdownString } {
  const body = new vscode.MarkdownString();
  body.appendText(`${authorWords(hunk.author)}: ${hunkLabel(hunk)}`).appendMarkdown("\n\n");
  for (const warning of warnings(hunk)) body.appendText(warning).appendMarkdown("\n\n");
  return { body, mode: vscode.CommentMode.Preview, author: { name: "Augment Review" } };
}
