// What a decision would do, shown as diffs before it is done.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import type { Preview, PreviewFile } from "../protocol.gen";
import { beforeUri } from "./before_text";
import { patched } from "./patch";
import { namesIn } from "./path_text";

const scheme = "augment-preview";
/** So many are kept; a page that is older says so when it is opened again. */
const keptPages = 64;

export class PreviewPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  private count = 0;

  constructor(
    private readonly link: HostLink,
    private readonly folder: vscode.Uri,
  ) {}

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return this.texts.get(query) ?? "This preview is no longer kept. Ask for it again.\n";
  }

  /** Opens one diff, or all of them in one editor. */
  async show(title: string, { files }: Preview): Promise<void> {
    const pairs = await Promise.all(files.map((file) => this.pairOf(file)));
    const [first] = pairs;
    if (first === undefined) return;
    if (pairs.length === 1) await vscode.commands.executeCommand("vscode.diff", ...first, title, { preview: true });
    else
      await vscode.commands.executeCommand(
        "vscode.changes",
        title,
        pairs.map(([now, then]) => [then, now, then]),
      );
  }

  dispose(): void {
    this.registered.dispose();
  }

  private async pairOf({ path, diff }: PreviewFile): Promise<[now: vscode.Uri, then: vscode.Uri]> {
    const { text } = await this.link.call("augment/changes/content", { path });
    const then = patched(text ?? "", diff);
    // What cannot be laid side by side is shown as the host wrote it.
    if (then === undefined) return [this.page(`${path}.now.diff`, ""), this.page(`${path}.diff`, diff)];
    return [beforeUri(this.folder, { path }), this.page(path, then)];
  }

  private page(path: string, text: string): vscode.Uri {
    this.count += 1;
    const query = String(this.count);
    this.texts.set(query, text);
    for (const oldest of this.texts.keys()) {
      if (this.texts.size <= keptPages) break;
      this.texts.delete(oldest);
    }
    const names = namesIn(path) ?? [path];
    return vscode.Uri.joinPath(this.folder, ...names).with({ scheme, authority: "", query });
  }
}
