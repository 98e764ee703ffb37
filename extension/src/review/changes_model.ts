// What waits for a decision, as the host last told it: fetched when the host says that changes moved, kept until the next
// fetch, and asked by everything that shows changes. It decides nothing.

import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import type { HostLink } from "../host_link";
import { OneAtATime } from "../one_at_a_time";
import type { ChangeCounts, ChangedFile } from "../protocol.gen";
import { messageOf, Refused } from "../refusal";
import type { BufferLines } from "./buffer_lines";
import { type ChangesSnapshot, fetchChanges } from "./changes_snapshot";
import { EarlierTexts } from "./earlier_texts";
import { type PlacedHunk, placeEarlier, placeHunks } from "./hunk_places";
import { namesIn, pathBelow } from "./path_text";

const restMs = 150;
const none: ChangeCounts = { pendingFiles: 0, pendingHunks: 0, unknownHunks: 0 };

export class ChangesModel implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Something that is shown may be different now. */
  readonly onDidChange = this.changed.event;

  /** Texts of editors that are not the file's yet. */
  readonly earlier = new EarlierTexts();
  private snapshot: ChangesSnapshot | undefined;
  private moments = 0;
  private byPath = new Map<string, ChangedFile>();
  private readonly fetch: Coalesced;
  private readonly fetching = new OneAtATime(() => this.fetchNow());
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    readonly folder: vscode.Uri,
    private readonly buffers: BufferLines,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.fetch = new Coalesced(() => this.fetching.run(), restMs);
    this.disposables = [
      this.changed,
      this.fetch,
      this.earlier,
      this.earlier.onDidChange(() => this.tell()),
      link.onMoved(({ parts }) => {
        if (parts.includes("changes")) this.refresh();
      }),
      link.onDidChangeState(({ kind }) => {
        if (kind === "connected") this.refresh();
        else if (kind !== "starting" && kind !== "reconnecting") this.keep(undefined);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        if (this.snapshot?.whole === false) this.refresh();
      }),
    ];
  }

  refresh(): void {
    this.fetch.ask();
  }

  /** Resolves when what is shown is not older than this call. */
  async refreshed(): Promise<void> {
    await this.fetching.run();
  }

  /** By path. Nothing while it is not known. */
  get files(): readonly ChangedFile[] {
    return this.snapshot?.files ?? [];
  }

  get counts(): ChangeCounts {
    return this.snapshot?.counts ?? none;
  }

  /** False while there is no answer of the host's to go by. */
  get isKnown(): boolean {
    return this.snapshot !== undefined;
  }

  /** Another number for each picture that is kept. */
  get moment(): number {
    return this.moments;
  }

  /** False when there are more files than are shown. */
  get isWhole(): boolean {
    return this.snapshot?.whole ?? true;
  }

  fileAt(path: string): ChangedFile | undefined {
    return this.byPath.get(path);
  }

  fileOf(uri: vscode.Uri): ChangedFile | undefined {
    const path = this.pathOf(uri);
    return path === undefined ? undefined : this.byPath.get(path);
  }

  /** The path that the host knows a file by; nothing when it is none of the workspace's. */
  pathOf(uri: vscode.Uri): string | undefined {
    return uri.scheme === this.folder.scheme ? pathBelow(this.folder.path, uri.path) : undefined;
  }

  /** Nothing when the editor cannot spell the name. */
  uriOf(path: string): vscode.Uri | undefined {
    const names = namesIn(path);
    return names === undefined ? undefined : vscode.Uri.joinPath(this.folder, ...names);
  }

  /** The hunks of an open file, where they stand in its text as it is in the editor. */
  hunksIn(document: vscode.TextDocument): PlacedHunk[] {
    const file = this.fileOf(document.uri);
    const earlier = this.earlier.of(document);
    if (file !== undefined && earlier !== undefined) return placeEarlier(file.hunks, earlier.placed);
    const map = this.buffers.mapOf(document);
    const lineAt = (line: number) => (line >= 0 && line < document.lineCount ? document.lineAt(line).text : undefined);
    return file === undefined ? [] : placeHunks(file.hunks, map && { map, lineAt });
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async fetchNow(): Promise<void> {
    if (this.link.state.kind !== "connected") return;
    try {
      const snapshot = await fetchChanges((params) => this.link.call("augment/changes/list", params));
      if (!snapshot.whole) await this.addVisible(snapshot);
      if (this.link.state.kind === "connected") this.keep(snapshot);
    } catch (error) {
      // A lost connection is told by the link, and leads to another fetch when it is back.
      this.log.warn(`The changes could not be fetched: ${messageOf(error)}`);
    }
  }

  /** Files that are looked at and lie beyond the cut. */
  private async addVisible({ files }: ChangesSnapshot): Promise<void> {
    const listed = new Set(files.map(({ path }) => path));
    for (const { document } of vscode.window.visibleTextEditors) {
      const path = this.pathOf(document.uri);
      if (path === undefined || listed.has(path)) continue;
      listed.add(path);
      try {
        const file = await this.link.call("augment/changes/file", { path });
        if (file.hunks.length > 0) files.push(file);
      } catch (error) {
        // A file that the host does not follow has nothing to show.
        if (!(error instanceof Refused)) throw error;
      }
    }
  }

  private keep(snapshot: ChangesSnapshot | undefined): void {
    if (snapshot === undefined && this.snapshot === undefined) return;
    this.snapshot = snapshot;
    this.byPath = new Map(snapshot?.files.map((file) => [file.path, file]));
    this.tell();
  }

  private tell(): void {
    this.moments += 1;
    this.changed.fire();
  }
}
