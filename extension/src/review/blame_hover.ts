// Who wrote a line, in which task, when, and on what evidence, under the pointer. Every text from outside is appended
// as text, and nothing in it can become a link that runs a command.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { momentText } from "../moments";
import { oneLine } from "../outside_text";
import { ownName } from "../person_name";
import type { Blame, BlameSpan } from "../protocol.gen";
import { messageOf } from "../refusal";
import type { BufferLines } from "./buffer_lines";
import { authorWords, evidenceSentence, standingWords, warnings } from "./change_words";
import type { ChangesModel } from "./changes_model";
import { hunkAt } from "./hunk_places";

export class BlameHover implements vscode.HoverProvider, vscode.Disposable {
  /** The last answer, and the revision of the host it is of. */
  private kept: { path: string; revision: number; blame: Promise<Blame | undefined> } | undefined;
  private revision = 0;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly model: ChangesModel,
    private readonly buffers: BufferLines,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.disposables = [
      link.onMoved(({ parts }) => {
        if (parts.includes("changes")) this.revision += 1;
      }),
      vscode.languages.registerHoverProvider({ scheme: model.folder.scheme }, this),
    ];
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const path = this.model.pathOf(document.uri);
    // Looking at a text is no reason to start anything.
    if (path === undefined || this.link.state.kind !== "connected") return undefined;
    const map = this.buffers.mapOf(document);
    const line = map === undefined ? position.line : map.lineInFile(position.line);
    if (line === undefined) return undefined;
    const span = (await this.blameOf(path))?.spans.find(({ start, end }) => start <= line && line < end);
    if (span === undefined || span.author.kind === "before") return undefined;
    const hunk = hunkAt(this.model.hunksIn(document), position.line, document.lineCount)?.hunk;
    return new vscode.Hover(words(span, hunk === undefined ? [] : warnings(hunk, ownName())));
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private blameOf(path: string): Promise<Blame | undefined> {
    const { revision } = this;
    if (this.kept?.path !== path || this.kept.revision !== revision) {
      const blame = this.link.call("augment/blame", { path }).catch((error: unknown) => {
        // A file that is not followed has no story; a hover is no place to say so.
        this.log.debug(`Whose the lines of ${path} are is not known: ${messageOf(error)}`);
        return undefined;
      });
      this.kept = { path, revision, blame };
    }
    return this.kept.blame;
  }
}

function words({ author, evidence, time, standing }: BlameSpan, warned: string[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const line = (said: string) => text.appendText(oneLine(said)).appendMarkdown("\n\n");
  text.appendMarkdown("**").appendText(authorWords(author)).appendMarkdown("**");
  text.appendText(` · ${[standingWords(standing), ...(time === null ? [] : [momentText(time)])].join(" · ")}`);
  text.appendMarkdown("\n\n");
  if (author.taskTitle !== null) line(author.taskTitle);
  if (evidence !== null) line(evidenceSentence(evidence, author));
  for (const warning of warned) line(`⚠ ${warning}`);
  return text;
}
