// Tells the host what an editor has saved and how the text came about, so that what a person typed is known to be
// theirs. A reload from disk fires the same event as typing; it is told apart by the text being what is on disk. A save
// that writes what was there already changes nothing, whatever was typed and taken back before it.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import type { SavedHow } from "../protocol.gen";
import { messageOf } from "../refusal";
import type { ChangesModel } from "./changes_model";
import { together, wayOf } from "./editing_trace";
import { TEXT_LIMIT, type UnsavedText } from "./unsaved_text";

/** Texts that were typed while a save was under way; one of them is what was saved. */
const keptTexts = 20;
/** A save that failed is told by nothing, so after this time what changes the text is no part of it any more. */
const savingLimitMs = 10_000;
/** The editor waits for us before it saves; a slow disk does not hold it up for longer. */
const readingLimitMs = 1_000;

interface Trace {
  how: SavedHow;
  /** Set from the beginning of a save to its end. */
  saving: Saving | undefined;
}

interface Saving {
  /** The texts the document had meanwhile. */
  texts: string[];
  /** What was in the file right before, as far as that is known. */
  before: string | undefined;
}

export class EditorSaves implements vscode.Disposable {
  private readonly traces = new Map<string, Trace>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly model: ChangesModel,
    private readonly unsaved: UnsavedText,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.disposables = [
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.workspace.onWillSaveTextDocument((event) => this.beginSave(event)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.saved(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.traces.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private follow({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    if (this.model.pathOf(document.uri) === undefined || contentChanges.length === 0) return;
    const key = document.uri.toString();
    // The text is what is on disk: read again from there, or undone back to it.
    if (!document.isDirty) {
      this.traces.delete(key);
      return;
    }
    // The host's own edit carries out a decision; it is nobody's writing.
    if (this.unsaved.isApplying(document.uri)) return;
    const trace = this.traceOf(key);
    const editor = vscode.window.activeTextEditor;
    const way = wayOf({
      edits: contentChanges,
      isUndoOrRedo: reason !== undefined,
      cursors: editor?.document === document ? editor.selections : [],
    });
    if (trace.saving !== undefined) {
      const { texts } = trace.saving;
      if (texts.length < keptTexts && document.getText().length <= TEXT_LIMIT) texts.push(document.getText());
      // A program that changes a text while it is saved is part of the person's own save: format on save, trimmed spaces.
      if (way === "applied") return;
    }
    trace.how = together(trace.how, way);
  }

  private beginSave(event: vscode.TextDocumentWillSaveEvent): void {
    const { document } = event;
    if (this.model.pathOf(document.uri) === undefined) return;
    const text = document.getText();
    const trace = this.traceOf(document.uri.toString());
    const saving: Saving = { texts: text.length > TEXT_LIMIT ? [] : [text], before: undefined };
    trace.saving = saving;
    // Where nothing was changed, nothing is told, and it makes no difference.
    if (trace.how !== "unchanged") event.waitUntil(readBefore(document, saving));
    this.unsaved.hold(document);
    setTimeout(() => {
      if (trace.saving !== saving) return;
      trace.saving = undefined;
      this.unsaved.release(document);
    }, savingLimitMs).unref();
  }

  private async saved(document: vscode.TextDocument): Promise<void> {
    const path = this.model.pathOf(document.uri);
    const key = document.uri.toString();
    const trace = this.traceOf(key);
    const { texts, before } = trace.saving ?? { texts: [], before: undefined };
    trace.saving = undefined;
    // What was typed on meanwhile is for the next save; it is not known apart, so its way is kept with it.
    if (!document.isDirty) this.traces.delete(key);
    try {
      // Telling it is no reason to start anything.
      if (path === undefined || this.link.state.kind !== "connected") return;
      const text = document.isDirty ? await textOnDisk(document.uri, texts) : document.getText();
      if (text === undefined || text.length > TEXT_LIMIT) return;
      await this.link.call("augment/editor/saved", { path, text, how: text === before ? "unchanged" : trace.how });
    } catch (error) {
      this.log.debug(`That ${path} was saved could not be told: ${messageOf(error)}`);
    } finally {
      this.unsaved.release(document);
    }
  }

  private traceOf(key: string): Trace {
    let trace = this.traces.get(key);
    if (trace === undefined) {
      trace = { how: "unchanged", saving: undefined };
      this.traces.set(key, trace);
    }
    return trace;
  }
}

/** Notes what is in a file before it is saved, unless that takes too long. */
async function readBefore(document: vscode.TextDocument, saving: Saving): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), readingLimitMs);
  });
  // What comes too late may be what was saved, and is not taken.
  saving.before = await Promise.race([textBefore(document), late]);
  clearTimeout(timer);
}

/** The text of a file, read as the editor reads it; undefined where that is not known. */
async function textBefore({ uri, encoding }: vscode.TextDocument): Promise<string | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > 2 * TEXT_LIMIT) return undefined;
    const text = await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { encoding });
    return text.replace(/^\uFEFF/, "");
  } catch {
    // There is no file yet, or it cannot be read: then the save changes it.
    return undefined;
  }
}

/** Somebody typed on while it was saved: of the texts it had, the one that is in the file. */
async function textOnDisk(uri: vscode.Uri, texts: readonly string[]): Promise<string | undefined> {
  const bytes = Buffer.from(await vscode.workspace.fs.readFile(uri));
  return texts.find((text) => bytes.equals(Buffer.from(text)));
}
