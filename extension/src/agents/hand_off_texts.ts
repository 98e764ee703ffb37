// The documents of proposed hand-offs in editors, where a person edits them before the next agent gets them. Which editor
// belongs to which proposal is remembered over a reload, as VS Code remembers the text itself. A text that a person has changed
// is closed by nobody but them, unless an agent has begun with it.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import type { HandOff } from "../protocol.gen";
import type { AgentsModel } from "./agents_model";
import { handOffKey } from "./hand_off_words";

/** Menus read it: the documents whose proposal still waits. */
const contextKey = "augmentOrchestrator.handOffTexts";
const memoryKey = "handOffTexts";

export class HandOffTexts implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Another document may belong to a proposal that waits. */
  readonly onDidChange = this.changed.event;
  /** The key of a proposal by the name of its document. */
  private readonly bound: Map<string, string>;
  /** What the host gave for it, by the name of the document. */
  private readonly given = new Map<string, string>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly model: AgentsModel,
    private readonly memory: vscode.Memento,
  ) {
    this.bound = new Map(Object.entries(memory.get<{ [document: string]: string }>(memoryKey, {})));
    this.forgetClosed();
    this.disposables = [
      this.changed,
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.length > 0) this.forgetClosed();
      }),
      model.onDidChange(() => this.showKey()),
    ];
  }

  /** Shows the text as it is being edited, or as the host gives it. */
  async open(handOff: HandOff): Promise<void> {
    const known = [...this.bound].find(([, key]) => key === handOffKey(handOff));
    if (known !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.parse(known[0]), { preview: false });
      return;
    }
    const { text } = await this.link.call("augment/run/hand-off", { handOff: handOff.id });
    // It is Markdown that tells what an agent said, and is opened as plain text: an editor for Markdown makes a link of
    // `[text](command:…)` that runs the command.
    const document = await vscode.workspace.openTextDocument({ language: "plaintext", content: text });
    const name = document.uri.toString();
    this.given.set(name, document.getText());
    this.bound.set(name, handOffKey(handOff));
    this.keep();
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

  /** Closes an editor whose text is kept elsewhere, or is not a person's. */
  async close(document: vscode.TextDocument): Promise<void> {
    if (document.isClosed) return;
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Names of documents are given anew: one that is not open any more belongs to nothing. */
  private forgetClosed(): void {
    const open = new Set(
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])),
    );
    for (const name of this.bound.keys()) {
      if (open.has(name)) continue;
      this.bound.delete(name);
      this.given.delete(name);
    }
    this.keep();
  }

  private keep(): void {
    void this.memory.update(memoryKey, Object.fromEntries(this.bound));
    this.showKey();
  }

  private showKey(): void {
    const waiting = [...this.bound.keys()].filter((name) => this.handOffOf(vscode.Uri.parse(name)) !== undefined);
    void vscode.commands.executeCommand("setContext", contextKey, waiting);
    this.changed.fire();
  }
}
