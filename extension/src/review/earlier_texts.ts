// Texts of editors from before a decision: it changed the file, and the editor reads it again a moment later, on a busy
// machine seconds later. Until then hunks stand in it where they stood, and that is where they are shown and meant.

import * as vscode from "vscode";
import type { PlacedHunk } from "./hunk_places";

/** An editor that has not followed by then is asked about: its text may be the file's all the same. */
const followsWithinMs = 3_000;

/** A document with the hunks that stood in it. */
export interface EarlierText {
  version: number;
  placed: readonly PlacedHunk[];
}

export class EarlierTexts implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** A text turned out to be the file's. */
  readonly onDidChange = this.changed.event;
  private readonly kept = new Map<vscode.TextDocument, EarlierText>();
  private readonly timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  private readonly disposables: vscode.Disposable[];

  constructor() {
    this.disposables = [
      this.changed,
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.of(document) === undefined) this.forget(document);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
    ];
  }

  /** The file was written, and the document still has this text, from before. */
  keep(document: vscode.TextDocument, text: EarlierText): void {
    // A second decision on the same text has nothing to add to where hunks stand in it.
    if (this.of(document) === undefined) this.kept.set(document, text);
    clearTimeout(this.timers.get(document));
    this.timers.set(
      document,
      setTimeout(() => void this.ask(document), followsWithinMs),
    );
  }

  /** Nothing when the document has the file's text, or one of the person's. */
  of(document: vscode.TextDocument): EarlierText | undefined {
    const text = this.kept.get(document);
    return text !== undefined && isStill(document, text) ? text : undefined;
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    const text = this.of(document);
    if (text === undefined || !(await isOnDisk(document)) || this.kept.get(document) !== text) return;
    this.forget(document);
    this.changed.fire();
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.timers.get(document));
    this.timers.delete(document);
    this.kept.delete(document);
  }
}

export function isStill(document: vscode.TextDocument, { version }: EarlierText): boolean {
  return !document.isClosed && !document.isDirty && document.version === version;
}

async function isOnDisk(document: vscode.TextDocument): Promise<boolean> {
  const { uri } = document;
  const lines = (text: string) => text.replaceAll("\r\n", "\n");
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return lines(await vscode.workspace.decode(bytes, { uri })) === lines(document.getText());
  } catch {
    // Gone or no text any more: the editor shows that by itself.
    return false;
  }
}
