// A task's description as a file that is edited in an editor and sent on saving. VS Code itself asks what to do when
// the description has changed meanwhile, since the file then has a newer time; the host refuses what is stale anyway.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { withoutLinks } from "./outside_text";
import { messageOf } from "./refusal";

const scheme = "augment-description";

interface Known {
  description: string;
  /** The task's, when the description was last read. */
  revision: number;
  /** Grows when the description is seen to be another one. */
  mtime: number;
}

export async function showDescription(id: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme, path: `/Description of ${id}.md`, query: id });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

export function provideDescriptions(link: HostLink): vscode.Disposable {
  const files = new DescriptionFiles(link);
  return vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
  );
}

class DescriptionFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly known = new Map<string, Known>();
  private readonly listening: vscode.Disposable;

  constructor(private readonly link: HostLink) {
    this.listening = link.onMoved(({ parts }) => {
      if (parts.includes("queue")) this.tellOpenEditors();
    });
  }

  async stat({ query }: vscode.Uri): Promise<vscode.FileStat> {
    const { description, mtime } = await this.read(query);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(description) };
  }

  async readFile({ query }: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.read(query)).description);
  }

  async writeFile({ query }: vscode.Uri, content: Uint8Array): Promise<void> {
    // Lines end with LF in the host, whatever the editor's setting (files.eol); it refuses other control characters.
    const description = Buffer.from(content).toString().replaceAll(/\r\n?/g, "\n");
    const known = this.known.get(query);
    if (known?.description === description) return;
    try {
      const task = await this.link.call("augment/queue/edit", {
        task: query,
        description,
        ...(known === undefined ? {} : { revision: known.revision }),
      });
      this.known.set(query, { description, revision: task.revision, mtime: (known?.mtime ?? 0) + 1 });
    } catch (error) {
      throw new vscode.FileSystemError(withoutLinks(messageOf(error)));
    }
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private async read(id: string): Promise<Known> {
    let task: { description: string; revision: number };
    try {
      ({ task } = await this.link.call("augment/queue/show", { task: id }));
    } catch (error) {
      throw new vscode.FileSystemError(withoutLinks(messageOf(error)));
    }
    const before = this.known.get(id);
    const mtime = before === undefined ? 1 : before.mtime + (before.description === task.description ? 0 : 1);
    const now = { description: task.description, revision: task.revision, mtime };
    this.known.set(id, now);
    return now;
  }

  private tellOpenEditors(): void {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
    if (open.length > 0) this.changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}
