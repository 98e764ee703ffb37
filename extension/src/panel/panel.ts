// The Orchestrator panel on the editor's side: one webview in an editor tab, brought back after a reload, that is told when
// something moved and answered when it asks. What it may ask is in the map of messages; it holds no state of its own.

import * as vscode from "vscode";
import { type Link, PAGE_IDS, type PageId, type ToPage } from "../../panel/messages";
import type { LinkState } from "../host_link";
import { t } from "../l10n";
import { ours } from "../ours";
import { messageOf } from "../refusal";
import { tellError } from "../told";
import { checkMessage } from "./message_check";
import { pageFolder, pageHtml } from "./page_html";
import { carryOut, type PanelContext } from "./panel_actions";
import { read } from "./panel_reads";

export const OPEN_PANEL = ours("openPanel");

const viewType = ours("panel");

export class OrchestratorPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  /** The page to go to once the page is there. */
  private wanted: { page: PageId; about: string | null } | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly context: PanelContext,
  ) {
    const { link } = context;
    this.disposables = [
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (panel) => this.adopt(panel),
      }),
      link.onMoved(({ parts, revision }) => this.tell({ kind: "moved", parts, revision, now: Date.now() })),
      link.onDidChangeState(() => this.tellLink()),
    ];
  }

  /**
   * Opens it, or brings it to the front.
   * @param page where to go; nothing stays where it was
   * @param about what to show there: a file for the history
   */
  open(page?: unknown, about: string | null = null): void {
    const known = PAGE_IDS.find((id) => id === page);
    this.wanted = known && { page: known, about };
    if (this.panel === undefined) {
      const options: vscode.WebviewPanelOptions & vscode.WebviewOptions = { enableFindWidget: false };
      this.adopt(vscode.window.createWebviewPanel(viewType, t("Orchestrator"), vscode.ViewColumn.Active, options));
      return;
    }
    // A page that is hidden is gone; it asks where to go when it is there again.
    const isThere = this.panel.visible;
    this.panel.reveal();
    if (isThere) this.tellWanted();
  }

  dispose(): void {
    this.panel?.dispose();
    for (const disposable of this.disposables) disposable.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    // There is one. An older one, brought back by a reload, gives way.
    this.panel?.dispose();
    this.panel = panel;
    const { webview } = panel;
    const picture = (name: string) => vscode.Uri.joinPath(this.extension, "extension", "media", name);
    panel.iconPath = { light: picture("panel-light.svg"), dark: picture("panel-dark.svg") };
    webview.options = { enableScripts: true, localResourceRoots: [pageFolder(this.extension)] };
    webview.onDidReceiveMessage((message: unknown) => void this.take(message));
    panel.onDidDispose(() => {
      if (this.panel === panel) this.panel = undefined;
    });
    webview.html = pageHtml(webview, this.extension);
  }

  private async take(value: unknown): Promise<void> {
    const { link, log } = this.context;
    const checked = checkMessage(value);
    if (checked.kind === "refused") {
      log.warn(`The panel's page sent a message that is refused: ${checked.reason}.`);
      if (checked.id !== undefined) this.refuse(checked.id, t("This cannot be asked for: {0}.", checked.reason));
      return;
    }
    const { message } = checked;
    switch (message.kind) {
      case "hello":
        // Somebody looks, so the host is needed.
        link.wake();
        this.tellLink();
        return this.tellWanted();
      case "read":
        return this.answer(message.id, () => read(link, message.method, message.params));
      case "act":
        return this.answer(message.id, async () => {
          try {
            return await carryOut(this.context, message.action, message.params);
          } catch (error) {
            tellError(error, log);
            return false;
          }
        });
    }
  }

  private async answer(id: number, work: () => Promise<unknown>): Promise<void> {
    try {
      this.tell({ kind: "answer", id, result: await work() });
    } catch (error) {
      this.refuse(id, messageOf(error));
    }
  }

  private refuse(id: number, message: string): void {
    this.tell({ kind: "refusal", id, message });
  }

  private tellLink(): void {
    this.tell({ kind: "link", link: asLink(this.context.link.state), now: Date.now() });
  }

  private tellWanted(): void {
    if (this.wanted !== undefined) this.tell({ kind: "show", ...this.wanted });
    this.wanted = undefined;
  }

  /** A page that is hidden is gone; it asks for everything when it is shown again. */
  private tell(message: ToPage): void {
    if (this.panel?.visible === true) void this.panel.webview.postMessage(message);
  }
}

function asLink(state: LinkState): Link {
  return { kind: state.kind, reason: "reason" in state ? state.reason : "" };
}
