// Editors in which a person writes what goes into the record of a prompt: its text, how it is understood, the answer. Which
// editor is for what is remembered over a reload, as VS Code remembers the text itself. Nothing of it is sent before the person
// says so, and a text that the host does not take stays in its editor.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { BoundTexts } from "../bound_texts";
import { KeptFile } from "../kept_file";
import { closeWithoutSaving, followTabs } from "../open_tabs";
import type { ArtifactKind } from "../protocol.gen";
import { setOurs } from "../run_ours";
import { artifactKinds, promptKey } from "./prompt_words";
import type { PromptsModel } from "./prompts_model";

export type Purpose = { kind: "prompt" } | ContextPurpose | AnswerPurpose;

export interface ContextPurpose {
  kind: "context";
  /** The key of the prompt that it is for. */
  prompt: string;
  /** The prompt is to be finished with it. */
  isFinishing: boolean;
}

export interface AnswerPurpose {
  kind: "answer";
  prompt: string;
  artifact: ArtifactKind;
  title: string;
  subject: string | null;
}

type PurposeOf<K extends Purpose["kind"]> = Extract<Purpose, { kind: K }>;

/** Menus read them: the documents of each kind. */
const contextKeys: readonly (readonly [Purpose["kind"], string])[] = [
  ["prompt", "promptTexts"],
  ["context", "promptContexts"],
  ["answer", "promptAnswers"],
];

export class PromptTexts implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Another document may be for something now. */
  readonly onDidChange = this.changed.event;
  /** What a document is for, by its name. */
  private readonly bound: BoundTexts<Purpose>;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly model: PromptsModel,
    place: string | undefined,
    log: vscode.LogOutputChannel,
  ) {
    const complain = (reason: string) => log.warn(`What the texts of a prompt are for could not be kept: ${reason}`);
    this.bound = new BoundTexts(new KeptFile(place, complain), purposeIn);
    this.disposables = [
      this.changed,
      followTabs(this.bound, () => this.showKeys()),
      model.onDidChange(() => this.showKeys()),
    ];
  }

  /** Shows the editor that is open for the same, or a new one. What is being written stays. */
  async open(purpose: Purpose, content: string): Promise<void> {
    const known = this.bound.nameOf((other) => isSame(purpose, other));
    if (known !== undefined) {
      // What was decided about it meanwhile counts: a title, or that the prompt is to be finished.
      this.bind(known, purpose);
      await vscode.window.showTextDocument(vscode.Uri.parse(known), { preview: false });
      return;
    }
    // As plain text: an editor for Markdown makes a link of `[text](command:…)` that runs the command.
    const document = await vscode.workspace.openTextDocument({ language: "plaintext", content });
    this.bind(document.uri.toString(), purpose);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** What a document is for; nothing where its prompt is not under way any more. */
  purposeOf(uri: vscode.Uri | undefined): Purpose | undefined {
    const purpose = uri && this.bound.get(uri.toString());
    if (purpose === undefined || purpose.kind === "prompt") return purpose;
    const { prompt } = this.model;
    return prompt !== undefined && promptKey(prompt) === purpose.prompt ? purpose : undefined;
  }

  /** The document that a button was pressed on, or that the person has before them. */
  chosen<K extends Purpose["kind"]>(
    kind: K,
    about: unknown,
  ): { document: vscode.TextDocument; purpose: PurposeOf<K> } | undefined {
    const uri = about instanceof vscode.Uri ? about : vscode.window.activeTextEditor?.document.uri;
    const purpose = this.purposeOf(uri);
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri?.toString());
    if (document === undefined || purpose?.kind !== kind) return undefined;
    return { document, purpose: purpose as PurposeOf<K> };
  }

  /** Closes an editor whose text the host has. What was typed on meanwhile is in the editor alone, and keeps it open. */
  async close(document: vscode.TextDocument, sent: string): Promise<void> {
    await closeWithoutSaving(document, sent);
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private bind(name: string, purpose: Purpose): void {
    this.bound.bind(name, purpose);
    this.showKeys();
  }

  private showKeys(): void {
    for (const [kind, key] of contextKeys) {
      const names = this.bound.names.filter((name) => this.purposeOf(vscode.Uri.parse(name))?.kind === kind);
      void setOurs(key, names);
    }
    this.changed.fire();
  }
}

function isSame(one: Purpose, other: Purpose): boolean {
  switch (one.kind) {
    case "prompt":
      return other.kind === "prompt";
    case "context":
    case "answer":
      return other.kind === one.kind && other.prompt === one.prompt;
    default:
      return assertNever(one);
  }
}

/** What was kept for a document, if it is that. */
function purposeIn(kept: unknown): Purpose | undefined {
  if (typeof kept !== "object" || kept === null || !("kind" in kept)) return undefined;
  const { kind, prompt, isFinishing, artifact, title, subject } = kept as { [key: string]: unknown };
  if (kind === "prompt") return { kind };
  if (typeof prompt !== "string") return undefined;
  if (kind === "context" && typeof isFinishing === "boolean") return { kind, prompt, isFinishing };
  const known = artifactKinds.find((one) => one === artifact);
  if (kind !== "answer" || known === undefined || typeof title !== "string") return undefined;
  return { kind, prompt, artifact: known, title, subject: typeof subject === "string" ? subject : null };
}
