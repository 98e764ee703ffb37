// A decision changes files, and an editor that shows one reads it again a moment later. What stood in the text from before
// is shown there until then; whoever is led to something that did not stand in it is led there when the new text has come.

import * as vscode from "vscode";
import type { DecidedFile } from "../protocol.gen";
import type { ChangesModel } from "./changes_model";
import { type EarlierText, isStill } from "./earlier_texts";
import type { Stop } from "./hunk_order";

/** An editor that does not follow by then, follows for itself. */
const comesWithinMs = 3_000;

export class TextsToCome {
  private readonly before: Map<vscode.TextDocument, EarlierText>;

  /** To be made before the decision is sent. */
  constructor(private readonly model: ChangesModel) {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => model.pathOf(uri) !== undefined);
    this.before = new Map(
      open.map((document) => [document, { version: document.version, placed: model.hunksIn(document) }]),
    );
  }

  /** The decision was carried out: to be said before anything is fetched. */
  wrote(files: readonly Pick<DecidedFile, "path" | "outcome">[]): void {
    const written = new Set(files.filter(({ outcome }) => outcome === "changed").map(({ path }) => path));
    for (const [document, text] of this.before) {
      const path = this.model.pathOf(document.uri);
      if (path !== undefined && written.has(path) && isStill(document, text)) this.model.earlier.keep(document, text);
    }
  }

  /** Resolves once the editors show a text that the hunk stands in. */
  async come({ path, hunk }: Stop): Promise<void> {
    const lacksIt = (document: vscode.TextDocument) =>
      this.model.pathOf(document.uri) === path &&
      this.model.earlier.of(document) !== undefined &&
      !this.model.hunksIn(document).some((placed) => placed.hunk.id === hunk.id);
    const isMissing = () => [...this.before.keys()].some(lacksIt);
    if (!isMissing()) return;
    await new Promise<void>((resolve) => {
      const over = () => {
        clearTimeout(limit);
        for (const one of listening) one.dispose();
        resolve();
      };
      const look = () => {
        if (!isMissing()) over();
      };
      const limit = setTimeout(over, comesWithinMs);
      const listening = [vscode.workspace.onDidChangeTextDocument(look), this.model.onDidChange(look)];
    });
  }
}
