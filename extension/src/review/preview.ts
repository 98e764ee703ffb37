// What a decision would do, shown as diffs before it is done.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { oneLine, shortened } from "../outside_text";
import type { Preview, PreviewFile } from "../protocol.gen";
import { beforeUri } from "./before_text";
import { fileCount } from "./change_words";
import { patched } from "./patch";
import { namesIn } from "./path_text";

const scheme = "augment-preview";
/** So many are kept; a page that is older says so when it is opened again. */
const keptPages = 64;
const pathLimit = 120;

/** So many control files are named; the diff shows the rest. */
const namedFiles = 3;

/** The files that steer programs, the first of them by name. */
export function controlNames({ files }: Preview): string {
  const paths = files.filter(({ control }) => control).map(({ path }) => shortened(oneLine(path), pathLimit));
  const rest = paths.length - namedFiles;
  return [...paths.slice(0, namedFiles), ...(rest > 0 ? [t("{0} more", fileCount(rest))] : [])].join(", ");
}

/** A yes covers also what is not shown, so that is said; nothing where all is shown. */
export function leftOutWords({ more }: Preview): string {
  if (more === 0) return "";
  return more === 1
    ? t(" 1 file more is not shown; the decision covers it, too.")
    : t(" {0} files more are not shown; the decision covers them, too.", more.toLocaleString());
}

export class PreviewPages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  private count = 0;

  constructor(
    private readonly link: HostLink,
    private readonly folder: vscode.Uri,
  ) {}

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return this.texts.get(query) ?? t("This preview is no longer kept. Ask for it again.\n");
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
