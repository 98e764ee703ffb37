// Which hunk a person means by where they are: the one at the cursor, in the file, on either side of a diff and in the
// editor of all diffs; or the one they were led to last, where the place shows no text.

import * as vscode from "vscode";
import type { LineSpan, WhichContent } from "../protocol.gen";
import { beforeOf } from "./before_text";
import type { ChangesModel } from "./changes_model";
import type { Standpoint, Stop } from "./hunk_order";
import { hunkAround, hunksAmong, hunksAt, markLine, type PlacedHunk, placeBefore } from "./hunk_places";
import type { HunkSight, Viewed } from "./hunk_sight";
import type { AllDiffs } from "./review_diff";

export interface ShownHunks {
  path: string;
  hunks: PlacedHunk[];
}

/** The path that the host knows a file by, whichever side of a change an address means. */
export function pathShown(model: ChangesModel, uri: vscode.Uri): string | undefined {
  return model.pathOf(uri) ?? sideOf(uri)?.path;
}

/** The other side of a change; nothing for a step of a file's history, which shows nothing that waits. */
function sideOf(uri: vscode.Uri): WhichContent | undefined {
  const which = beforeOf(uri);
  return which?.step === undefined ? which : undefined;
}

/** The hunks that a document shows, whichever side of the change it is; nothing when it is none of ours. */
export function hunksShown(model: ChangesModel, document: vscode.TextDocument): ShownHunks | undefined {
  const path = model.pathOf(document.uri);
  if (path !== undefined) return { path, hunks: model.hunksIn(document) };
  const which = sideOf(document.uri);
  const file = which && model.fileAt(which.path);
  if (which === undefined || file === undefined) return undefined;
  const { beforeTask, beforeRun, beforePending } = which;
  if (beforeTask !== undefined)
    return { path: file.path, hunks: placeBefore(file.hunks.filter(({ author }) => author.task === beforeTask)) };
  if (beforeRun !== undefined)
    return { path: file.path, hunks: placeBefore(file.hunks.filter(({ author }) => author.run === beforeRun)) };
  if (beforePending === true) return { path: file.path, hunks: placeBefore(file.hunks) };
  // A stand-in for a file that is not there: all of it is shown by its first line.
  return { path: file.path, hunks: file.hunks.map((hunk) => ({ hunk, line: 0, spans: [] })) };
}

/** Where somebody was led to. */
interface Led {
  hunk: string;
  tab: string;
  /** The lines of the cursors then. A text that changes takes them along, which moves nobody. */
  cursors: Map<vscode.TextEditor, number>;
  /** A command has moved a cursor since, as going to the next change or to a match does. */
  isLeft: boolean;
}

export class HunkHere implements vscode.Disposable {
  private led: Led | undefined;
  private readonly listening: vscode.Disposable[];

  constructor(
    private readonly model: ChangesModel,
    private readonly all: AllDiffs,
    private readonly sight: HunkSight,
  ) {
    const scrolling = vscode.window.onDidChangeTextEditorVisibleRanges(() => sight.look(this.views()));
    // Whoever moves a cursor means what it is on then.
    const moving = vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
      const { Keyboard, Mouse, Command } = vscode.TextEditorSelectionChangeKind;
      const { led } = this;
      if (kind !== undefined) sight.settle(this.views());
      if (kind === Keyboard || kind === Mouse) this.led = undefined;
      else if (kind !== Command) led?.cursors.set(textEditor, lineOf(textEditor));
      // Leading somewhere moves a cursor by command, too, and is told of when one is there.
      else if (led !== undefined && led.cursors.get(textEditor) !== lineOf(textEditor)) led.isLeft = true;
    });
    this.listening = [scrolling, moving];
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  /** The person was led to a hunk, which the active editor now shows. */
  leadTo(hunk: string): void {
    const cursors = new Map(vscode.window.visibleTextEditors.map((editor) => [editor, lineOf(editor)]));
    this.led = { hunk, tab: tabName(), cursors, isLeft: false };
  }

  /** The window has done what leading there takes. */
  arrive(hunk: string): void {
    if (this.isLedTo(hunk)) this.sight.reveal(hunk, this.views());
  }

  /** Whether the person has a hunk before their eyes, as far as VS Code tells. */
  isSeen({ path, hunk: { id } }: Stop): boolean {
    const file = this.model.fileAt(path);
    const isText = file?.body === "text" && this.model.uriOf(path) !== undefined;
    return this.sight.isSeen(id, this.views(), !isText && this.isLedTo(id));
  }

  /** Whether the person is still where they were led to. */
  isLedTo(hunk: string): boolean {
    return this.led?.hunk === hunk && this.led.tab === tabName() && !(this.all.isShown && this.led.isLeft);
  }

  /** The hunk that the person is on. */
  get stop(): Stop | undefined {
    // Among all diffs keys may still go to the file that one was led on from, until somebody moves a cursor.
    const led = this.led?.tab === tabName() ? this.stopOf(this.led.hunk) : undefined;
    if (led !== undefined && this.all.isShown && this.led?.isLeft === false) return led;
    const at = this.atCursor();
    if (at !== undefined) return at;
    // Where there is text of ours, the cursor says what is meant, and that it is on nothing.
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && hunksShown(this.model, editor.document) !== undefined) return undefined;
    return led;
  }

  /** Where the person is, also between hunks; nothing outside of the workspace's files. */
  get standpoint(): Standpoint | undefined {
    const { stop } = this;
    if (stop !== undefined) return { path: stop.path, line: stop.hunk.line, hunk: stop.hunk.id };
    const editor = vscode.window.activeTextEditor;
    const shown = editor && hunksShown(this.model, editor.document);
    if (editor === undefined || shown === undefined) return undefined;
    const cursor = editor.selection.active.line;
    const passed = shown.hunks.filter((placed) => markLine(placed, editor.document.lineCount) <= cursor);
    const last = Math.max(-1, ...passed.map(({ hunk }) => hunk.line));
    return { path: shown.path, line: last + 0.5 };
  }

  private atCursor(): Stop | undefined {
    const editor = vscode.window.activeTextEditor;
    const shown = editor && hunksShown(this.model, editor.document);
    if (editor === undefined || shown === undefined) return undefined;
    const cursor = lineOf(editor);
    const here = hunksAt(shown.hunks, cursor, editor.document.lineCount);
    const placed =
      here.find(({ hunk }) => hunk.id === this.led?.hunk) ??
      here[0] ??
      hunkAround(shown.hunks, cursor, visibleLines(editor));
    return placed && { path: shown.path, hunk: placed.hunk };
  }

  private views(): Viewed[] {
    return vscode.window.visibleTextEditors.flatMap((editor) => {
      const shown = hunksShown(this.model, editor.document);
      if (shown === undefined) return [];
      const ids = (hunks: readonly PlacedHunk[]) => new Set(hunks.map(({ hunk }) => hunk.id));
      const visible = hunksAmong(shown.hunks, visibleLines(editor), editor.document.lineCount);
      const { uri } = editor.document;
      const isMarked = uri.scheme === this.model.folder.scheme;
      const view = { editor, isMarked, placed: ids(shown.hunks), visible: ids(visible) };
      // The editors of a diff of one file belong to no column either, and tell of their lines like any other.
      if (editor.viewColumn !== undefined || !this.all.isShown) return [view];
      return [{ ...view, among: `${uri} ${JSON.stringify(visibleLines(editor))}` }];
    });
  }

  private stopOf(id: string): Stop | undefined {
    for (const { path, hunks } of this.model.files) {
      const hunk = hunks.find((known) => known.id === id);
      if (hunk !== undefined) return { path, hunk };
    }
    return undefined;
  }
}

function lineOf({ selection }: vscode.TextEditor): number {
  return selection.active.line;
}

function visibleLines({ visibleRanges }: vscode.TextEditor): LineSpan[] {
  return visibleRanges.map(({ start, end }) => ({ start: start.line, end: end.line + 1 }));
}

/** The tab that the person is in, by what it shows: files of different folders may be called alike. */
export function tabName(): string {
  const { viewColumn, activeTab } = vscode.window.tabGroups.activeTabGroup;
  const { uri, original, modified } = (activeTab?.input ?? {}) as Partial<Record<string, vscode.Uri>>;
  const shown = [uri, original, modified].join(" ").trim();
  return `${viewColumn}/${shown || activeTab?.label}`;
}
