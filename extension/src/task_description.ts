// A task's description as a file that is edited in an editor and sent on saving. Its time is the task's revision, by which
// VS Code itself asks what to do when the description has changed meanwhile, also after a reload; what it does not notice
// the host's refusal tells.

import * as vscode from "vscode";
import { type DescriptionAt, DescriptionBase, sizeOf } from "./description_base";
import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { withoutLinks } from "./outside_text";
import { messageOf, Refused } from "./refusal";

const scheme = "augment-description";

/** Whoever works on the task moves its revision; so often it is sent again. */
const tries = 5;

export async function showDescription(id: string): Promise<void> {
  // An agent may have written it: as Markdown, its links would run commands of the editor.
  const uri = vscode.Uri.from({ scheme, path: `/${t("Description of {0}", id)}.txt`, query: id });
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
  private readonly bases = new Map<string, DescriptionBase>();
  private readonly listening: vscode.Disposable;

  constructor(private readonly link: HostLink) {
    this.listening = link.onMoved(({ parts }) => {
      if (parts.includes("queue")) this.tellOpenEditors();
    });
  }

  async stat({ query }: vscode.Uri): Promise<vscode.FileStat> {
    const base = this.baseOf(query);
    const now = base.takeWritten() ?? (await this.fetch(query));
    base.wasCompared(now);
    return { type: vscode.FileType.File, ctime: 0, mtime: now.revision, size: sizeOf(now.description) };
  }

  async readFile({ query }: vscode.Uri): Promise<Uint8Array> {
    const now = await this.fetch(query);
    this.baseOf(query).wasRead(now);
    return Buffer.from(now.description);
  }

  async writeFile({ query }: vscode.Uri, content: Uint8Array): Promise<void> {
    // Lines end with LF in the host, whatever the editor's setting (files.eol); it refuses other control characters.
    const description = Buffer.from(content).toString().replaceAll(/\r\n?/g, "\n");
    const base = this.baseOf(query);
    if (base.isThere(description)) return;
    let { revision } = base;
    for (let left = tries; ; left -= 1) {
      try {
        const bound = revision === undefined ? {} : { revision };
        const task = await this.link.call("augment/queue/edit", { task: query, description, ...bound });
        return base.wasWritten(task);
      } catch (error) {
        const now = error instanceof Refused && error.isStale && left > 1 ? error.task : undefined;
        if (now === undefined) throw new vscode.FileSystemError(withoutLinks(messageOf(error)));
        if (!base.mayReplace(now.description))
          throw new vscode.FileSystemError(
            t(
              "The description of {0} was changed meanwhile. Save again to replace it, or revert the file to see it.",
              query,
            ),
          );
        revision = now.revision;
      }
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

  private baseOf(id: string): DescriptionBase {
    const known = this.bases.get(id) ?? new DescriptionBase();
    this.bases.set(id, known);
    return known;
  }

  private async fetch(id: string): Promise<DescriptionAt> {
    try {
      const { description, revision } = (await this.link.call("augment/queue/show", { task: id })).task;
      return { description, revision };
    } catch (error) {
      throw new vscode.FileSystemError(withoutLinks(messageOf(error)));
    }
  }

  private tellOpenEditors(): void {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === scheme);
    if (open.length > 0) this.changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}
