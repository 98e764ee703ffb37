// Keeps the host informed of text that is in editors and not on disk, by the standard document notifications, and carries
// out the edits that it asks for, so that a decision about such a file goes through the editor and loses nothing typed.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import type { ChangesModel } from "./changes_model";
import { namesIn } from "./path_text";
import { type AppliedEdit, documentEditsIn, type TextEdit } from "./workspace_edit";

/** The host is not told of longer texts, and finds out by the file itself. */
export const TEXT_LIMIT = 2 * 1024 * 1024;
/** Whole texts are sent, so a longer one is sent less often. What is decided is decided on the text as it is then. */
const restMs = 200;
const restMsPerLine = 0.02;

export class UnsavedText implements vscode.Disposable {
  /** The documents that the host has been told of, by its name for them, with the version it knows. */
  private readonly told = new Map<string, number>();
  private readonly applying = new Set<string>();
  private readonly held = new Set<string>();
  private readonly waiting = new Set<vscode.TextDocument>();
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly model: ChangesModel,
  ) {
    this.disposables = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.changed(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.close(document)),
      link.onDidChangeState(({ kind }) => {
        // Another connection knows of nothing yet.
        this.told.clear();
        if (kind === "connected") this.lookAtAll();
      }),
      link.onApplyEdit((params) => this.apply(params)),
    ];
  }

  /** Sends at once what waits to be sent, so that what is asked next is asked of the text as it is. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const document of this.waiting) this.look(document);
    this.waiting.clear();
  }

  /** A save begins: until it is told, the host goes on to know of the text, so that it is not taken for given up. */
  hold({ uri }: vscode.TextDocument): void {
    this.held.add(uri.toString());
  }

  /** The host has been told how the text came about that was saved, or there is nothing to tell. */
  release(document: vscode.TextDocument): void {
    const key = this.hostUri(document.uri);
    this.held.delete(document.uri.toString());
    if (key === undefined || !this.told.has(key)) return;
    if (!document.isDirty) this.link.notify("textDocument/didSave", { textDocument: { uri: key } });
    this.look(document);
  }

  /** Whether the text of the document is being changed by the host. */
  isApplying(uri: vscode.Uri): boolean {
    return this.applying.has(uri.toString());
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private changed(document: vscode.TextDocument): void {
    if (this.model.pathOf(document.uri) === undefined) return;
    this.waiting.add(document);
    this.timer ??= setTimeout(() => this.flush(), restMs + document.lineCount * restMsPerLine);
  }

  private lookAtAll(): void {
    for (const document of vscode.workspace.textDocuments) this.look(document);
  }

  /** Tells the host what it should know of a document and does not yet. */
  private look(document: vscode.TextDocument): void {
    const key = this.hostUri(document.uri);
    if (key === undefined || document.isClosed) return;
    const { version, languageId, isDirty } = document;
    const known = this.told.get(key);
    if (!isDirty && this.held.has(document.uri.toString())) return;
    // A text that is what is on disk follows the disk; only one that is not has to be known.
    if (known === version && isDirty) return;
    const text = document.getText();
    if (!isDirty || text.length > TEXT_LIMIT) {
      this.close(document);
      return;
    }
    this.told.set(key, version);
    if (known === undefined)
      this.link.notify("textDocument/didOpen", { textDocument: { uri: key, languageId, version, text } });
    else
      this.link.notify("textDocument/didChange", { textDocument: { uri: key, version }, contentChanges: [{ text }] });
  }

  private close({ uri }: vscode.TextDocument): void {
    const key = this.hostUri(uri);
    if (key !== undefined && this.told.delete(key))
      this.link.notify("textDocument/didClose", { textDocument: { uri: key } });
  }

  /** How the host names a file of the workspace: its folder may be reached here by another way. Nothing without a host. */
  private hostUri(uri: vscode.Uri): string | undefined {
    const { state } = this.link;
    const names = namesIn(this.model.pathOf(uri) ?? "");
    if (state.kind !== "connected" || names === undefined) return undefined;
    return vscode.Uri.joinPath(vscode.Uri.file(state.folder), ...names).toString();
  }

  private documentOf(hostUri: string): vscode.TextDocument | undefined {
    const wanted = vscode.Uri.parse(hostUri, true).toString();
    return vscode.workspace.textDocuments.find(({ uri, isClosed }) => !isClosed && this.hostUri(uri) === wanted);
  }

  private async apply(params: unknown): Promise<AppliedEdit> {
    const changes = documentEditsIn(params);
    if (changes === undefined)
      return { applied: false, failureReason: "The edit is of a kind that is not understood." };
    const edit = new vscode.WorkspaceEdit();
    const keys: string[] = [];
    for (const { uri, version, edits } of changes) {
      const document = this.documentOf(uri);
      if (document === undefined) return { applied: false, failureReason: `${uri} is not open.` };
      if (version !== null && version !== document.version)
        return { applied: false, failureReason: `${uri} has been edited meanwhile.` };
      keys.push(document.uri.toString());
      for (const { range, newText } of edits) edit.replace(document.uri, rangeOf(range), newText);
    }
    for (const key of keys) this.applying.add(key);
    try {
      const applied = await vscode.workspace.applyEdit(edit);
      return applied ? { applied } : { applied, failureReason: "The editor did not take the edit." };
    } finally {
      for (const key of keys) this.applying.delete(key);
      this.flush();
    }
  }
}

function rangeOf({ start, end }: TextEdit["range"]): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
