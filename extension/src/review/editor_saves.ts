// Tells the host what an editor has saved and how the text came about, so that what a person typed is known to be
// theirs. A reload from disk fires the same event as typing; it is told apart by the text being what is on disk. A save
// that writes what was there already changes nothing, whatever was typed and taken back before it. A text that is unsaved
// when we meet it (restored after a reload, typed before we were there) is never taken for unchanged.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { KeptFile } from "../kept_file";
import { t } from "../l10n";
import type { EditorSaved, SavedHow } from "../protocol.gen";
import { messageOf, NotConnected } from "../refusal";
import type { ChangesModel } from "./changes_model";
import { together, toldOf, wayAtMark, wayOf } from "./editing_trace";
import { KeptWays } from "./kept_ways";
import { TEXT_LIMIT, type UnsavedText } from "./unsaved_text";
import { keptLimit, UntoldSaves } from "./untold_saves";

/** Texts that were typed while a save was under way; one of them is what was saved. */
const keptTexts = 20;
/** A save that failed is told by nothing, so after this time what changes the text is no part of it any more. */
const savingLimitMs = 10_000;
/** How long a text rests before it is kept how it came about; the editor keeps the text itself after a second. */
const keepingRestMs = 100;
/** The editor waits for us before it saves; a slow disk does not hold it up for longer. */
const readingLimitMs = 1_000;

interface Trace {
  how: SavedHow;
  /** Done once it is known whether the text was on disk when it was first heard to be unsaved. */
  begun: Promise<void>;
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
  /** The last step in texts that were not marked unsaved then: the mark may come right after. */
  private readonly unmarked = new Map<string, { version: number; way: SavedHow }>();
  private readonly kept: KeptWays;
  private readonly untold = new UntoldSaves(() => performance.now());
  private keeping: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly model: ChangesModel,
    private readonly unsaved: UnsavedText,
    private readonly log: vscode.LogOutputChannel,
    place: string | undefined,
  ) {
    const complain = (reason: string) => log.debug(`How the unsaved texts came about could not be kept: ${reason}`);
    this.kept = new KeptWays(new KeptFile(place, complain));
    this.disposables = [
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.workspace.onWillSaveTextDocument((event) => this.beginSave(event)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.saved(document)),
      vscode.workspace.onDidOpenTextDocument((document) => this.meet(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.closed(document)),
      link.onDidChangeState(({ kind }) => {
        if (kind === "connected") void this.tellUntold();
      }),
    ];
    for (const document of vscode.workspace.textDocuments) this.meet(document);
  }

  dispose(): void {
    // What was typed last is not lost with the window.
    if (this.keeping !== undefined) this.keep();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private meet(document: vscode.TextDocument): void {
    if (this.model.pathOf(document.uri) === undefined) return;
    const key = document.uri.toString();
    if (!document.isDirty) this.traces.delete(key);
    else if (!this.traces.has(key)) this.begin(key, this.kept.recall(key, document.getText()));
  }

  private closed({ uri, isDirty }: vscode.TextDocument): void {
    // A document that gets another language is closed and opened again as it is.
    if (!isDirty) this.traces.delete(uri.toString());
    this.unmarked.delete(uri.toString());
    this.keepSoon();
  }

  private follow(event: vscode.TextDocumentChangeEvent): void {
    const { document, contentChanges } = event;
    if (this.model.pathOf(document.uri) === undefined) return;
    const key = document.uri.toString();
    const known = this.traces.get(key);
    if (contentChanges.length === 0) {
      if (document.isDirty && known === undefined) this.becameUnsaved(document);
    } else if (known?.saving !== undefined) {
      this.changedInSave(document, known.saving);
      const way = this.wayOf(event);
      // A program that changes a text while it is saved is part of the person's own save: format on save, trimmed spaces.
      if (way !== "applied" || known.how === "unchanged") known.how = together(known.how, way);
    } else if (document.isDirty) {
      const trace = known ?? this.begin(key, "unchanged");
      trace.how = together(trace.how, this.wayOf(event));
    } else {
      // The text is what is on disk, read again from there or undone back to it; or the mark that it is not comes next.
      this.traces.delete(key);
      this.unmarked.set(key, { version: document.version, way: this.wayOf(event) });
    }
    this.keepSoon();
  }

  /**
   * A text was marked unsaved. The mark comes right after the step that made it so, or right before, whatever the last
   * step was then; of a text that the editor restores it comes alone. The disk tells which of them it is.
   */
  private becameUnsaved(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const step = this.unmarked.get(key);
    this.unmarked.delete(key);
    const lastWay = step?.version === document.version ? step.way : undefined;
    const text = document.getText();
    const trace = this.begin(key, "unchanged");
    trace.begun = textInFile(document).then((onDisk) => {
      const way = wayAtMark(text, onDisk, () => lastWay ?? this.kept.recall(key, text));
      trace.how = together(trace.how, way);
      this.keepSoon();
    });
  }

  private wayOf({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): SavedHow {
    // The host's own edit carries out a decision; it is nobody's writing.
    if (this.unsaved.isApplying(document.uri)) return "unchanged";
    const editor = vscode.window.activeTextEditor;
    return wayOf({
      edits: contentChanges,
      isUndoOrRedo: reason !== undefined,
      cursors: editor?.document === document ? editor.selections : [],
    });
  }

  private changedInSave(document: vscode.TextDocument, { texts }: Saving): void {
    const text = document.getText();
    if (texts.length < keptTexts && text.length <= TEXT_LIMIT) texts.push(text);
  }

  private beginSave(event: vscode.TextDocumentWillSaveEvent): void {
    const { document } = event;
    if (this.model.pathOf(document.uri) === undefined) return;
    const text = document.getText();
    const key = document.uri.toString();
    if (!this.traces.has(key)) this.meet(document);
    const trace = this.traces.get(key) ?? this.begin(key, "unchanged");
    const saving: Saving = { texts: text.length > TEXT_LIMIT ? [] : [text], before: undefined };
    trace.saving = saving;
    event.waitUntil(readBefore(document, trace, saving));
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
    const trace = this.traces.get(key);
    const { texts, before } = trace?.saving ?? { texts: [], before: undefined };
    if (trace !== undefined) trace.saving = undefined;
    const now = document.getText();
    // The save takes the mark away also from a text that was typed on in meanwhile, so the disk has to tell.
    const isSure = texts.length < 2;
    if (isSure) this.traces.delete(key);
    this.keepSoon();
    try {
      if (path === undefined) return;
      const text = isSure ? now : await textOnDisk(document, [...texts, now]);
      // What was typed on is for the next save; it is not known apart, so its way is kept with it.
      if (text === document.getText() && this.traces.get(key) === trace) this.traces.delete(key);
      if (text === undefined || text.length > TEXT_LIMIT) return;
      await trace?.begun;
      const how = toldOf(trace?.how ?? "unchanged", text, before);
      await this.tell({ path, text, how });
    } catch (error) {
      this.log.debug(`That ${path} was saved could not be told: ${messageOf(error)}`);
    } finally {
      this.unsaved.release(document);
    }
  }

  private async tellUntold(): Promise<void> {
    const { saves, missed } = this.untold.take();
    if (missed > 0) this.tellMissed(missed);
    for (const save of saves) {
      try {
        await this.tell(save);
      } catch (error) {
        this.log.debug(`That ${save.path} had been saved could not be told: ${messageOf(error)}`);
      }
    }
  }

  private tellMissed(saves: number): void {
    this.log.warn(`${saves} saves without a connection to the host were not kept: of ${keptLimit} files they are.`);
    void vscode.window.showWarningMessage(
      t(
        "More than {0} files were saved while there was no connection to the host. What you typed in the others may be taken for an agent's: look at it before you decide.",
        keptLimit,
      ),
    );
  }

  /** Telling it is no reason to start anything: without a connection it waits for one. */
  private async tell(save: EditorSaved): Promise<void> {
    // Nobody had looked at the folder when it was saved, so nobody can take it for somebody else's.
    if ((await this.link.isUsed()) === false) return;
    if (this.link.state.kind !== "connected") return this.untold.keep(save);
    try {
      await this.link.call("augment/editor/saved", save);
    } catch (error) {
      if (!(error instanceof NotConnected)) throw error;
      this.untold.keep(save);
    }
  }

  private begin(key: string, how: SavedHow): Trace {
    const trace: Trace = { how, begun: Promise.resolve(), saving: undefined };
    this.traces.set(key, trace);
    return trace;
  }

  private keepSoon(): void {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), keepingRestMs);
  }

  private keep(): void {
    clearTimeout(this.keeping);
    this.keeping = undefined;
    const ways = vscode.workspace.textDocuments.flatMap((document) => {
      const uri = document.uri.toString();
      const trace = document.isDirty ? this.traces.get(uri) : undefined;
      if (trace === undefined) return [];
      const text = document.getText();
      return text.length > TEXT_LIMIT ? [] : [{ uri, text, how: trace.how }];
    });
    this.kept.keep(ways);
  }
}

/** Notes what is in a file before it is saved, unless that takes too long. */
async function readBefore(document: vscode.TextDocument, trace: Trace, saving: Saving): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), readingLimitMs);
  });
  // What comes too late may be what was saved, and is not taken.
  saving.before = await Promise.race([trace.begun.then(() => textInFile(document)), late]);
  clearTimeout(timer);
}

/** The text of a file, read as the editor reads it; undefined where that is not known. */
async function textInFile({ uri, encoding }: vscode.TextDocument): Promise<string | undefined> {
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

/** The text was changed while it was saved: of those it had, the one that is in the file. */
async function textOnDisk(document: vscode.TextDocument, texts: readonly string[]): Promise<string | undefined> {
  const onDisk = await textInFile(document);
  return texts.find((text) => text === onDisk);
}
