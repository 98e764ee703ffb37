// The documents of proposed hand-offs in editors, where a person edits them before the next agent gets them. Which editor
// belongs to which proposal is remembered over a reload, as VS Code remembers the text itself. A text that a person has changed
// is closed by nobody but them, unless an agent has begun with it.

import * as vscode from "vscode";
import { BoundTexts } from "../bound_texts";
import type { HostLink } from "../host_link";
import { KeptFile } from "../kept_file";
import { closeWithoutSaving, followTabs } from "../open_tabs";
import type { HandOff } from "../protocol.gen";
import { setOurs } from "../run_ours";
import type { AgentsModel } from "./agents_model";
import { handOffKey } from "./hand_off_words";

/** Menus read it: the documents whose proposal still waits. */
const contextKey = "handOffTexts";

export class HandOffTexts implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Another document may belong to a proposal that waits. */
  readonly onDidChange = this.changed.event;
  /** The key of a proposal by the name of its document. */
  private readonly bound: BoundTexts<string>;
  /** What the host gave for it, by the name of the document. */
  private readonly given = new Map<string, string>();
  /** What is being opened, by the key of its proposal. */
  private readonly opening = new Map<string, Promise<void>>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly model: AgentsModel,
    place: string | undefined,
    log: vscode.LogOutputChannel,
  ) {
    const complain = (reason: string) => log.warn(`Which text belongs to which hand-off could not be kept: ${reason}`);
    this.bound = new BoundTexts(new KeptFile(place, complain), (kept) => (typeof kept === "string" ? kept : undefined));
    this.disposables = [
      this.changed,
      followTabs(this.bound, () => this.showKey()),
      model.onDidChange(() => this.showKey()),
    ];
  }

  /** Shows the text as it is being edited, or as the host gives it. */
  async open(handOff: HandOff): Promise<void> {
    const key = handOffKey(handOff);
    const opening = this.opening.get(key) ?? this.openNow(handOff).finally(() => this.opening.delete(key));
    this.opening.set(key, opening);
    await opening;
  }

  private async openNow(handOff: HandOff): Promise<void> {
    const known = this.bound.nameOf((key) => key === handOffKey(handOff));
    if (known !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.parse(known), { preview: false });
      return;
    }
    const { text } = await this.link.call("augment/run/hand-off", { handOff: handOff.id });
    // It is Markdown that tells what an agent said, and is opened as plain text: an editor for Markdown makes a link of
    // `[text](command:…)` that runs the command.
    const document = await vscode.workspace.openTextDocument({ language: "plaintext", content: text });
    const name = document.uri.toString();
    this.given.set(name, document.getText());
    this.bound.bind(name, handOffKey(handOff));
    this.showKey();
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** The proposal that a document belongs to; nothing when it belongs to none that waits. */
  handOffOf(uri: vscode.Uri | undefined): HandOff | undefined {
    const key = uri && this.bound.get(uri.toString());
    return this.model.snapshot?.proposals.find((handOff) => handOffKey(handOff) === key);
  }

  /** The document that belongs to a proposal. */
  documentOf(handOff: HandOff): vscode.TextDocument | undefined {
    const key = handOffKey(handOff);
    return vscode.workspace.textDocuments.find(({ uri }) => this.bound.get(uri.toString()) === key);
  }

  isChanged(document: vscode.TextDocument): boolean {
    return this.given.get(document.uri.toString()) !== document.getText();
  }

  /** Closes an editor whose text is kept elsewhere, or is not a person's. @param kept that text */
  async close(document: vscode.TextDocument, kept: string): Promise<void> {
    await closeWithoutSaving(document, kept);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private showKey(): void {
    const waiting = this.bound.names.filter((name) => this.handOffOf(vscode.Uri.parse(name)) !== undefined);
    void setOurs(contextKey, waiting);
    this.changed.fire();
  }
}
