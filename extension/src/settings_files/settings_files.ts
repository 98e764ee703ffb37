// Help in files of settings, policies and agents while they are written: completion, hovers, what is wrong and how to mend
// it. The host says what can be written and what is wrong, in its own words; nothing here knows a setting.

import { basename, relative } from "node:path";
import * as vscode from "vscode";
import { Coalesced } from "../coalesced";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { ours } from "../ours";
import type { FileProblem, InspectedFile } from "../protocol.gen";
import { messageOf } from "../refusal";
import { aboutKey, keyAt, type Offer, offersAt } from "./file_offers";
import { keysOf, placeAt } from "./file_place";

const restMs = 150;
const source = "augment";
/** Where such files can lie: in the workspace, or among the user's own. Which are ours the host says. */
const inWorkspace = [".augment/policy.toml", ".augment/agents.toml"];
const amongOwn = ["settings.toml", "agents.toml"];
const selector: vscode.DocumentSelector = [
  { scheme: "file", pattern: "**/.augment/{policy,agents}.toml" },
  { scheme: "file", pattern: "**/{settings,agents}.toml" },
];
/** Comments and tables look right in it; used only where no extension knows TOML. */
const lookAlike = "properties";

const itemKinds = {
  table: vscode.CompletionItemKind.Module,
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
} as const satisfies Record<Offer["kind"], vscode.CompletionItemKind>;

export class SettingsFiles implements vscode.Disposable {
  private readonly diagnostics = vscode.languages.createDiagnosticCollection(ours("settings"));
  private readonly problems = new WeakMap<vscode.Diagnostic, FileProblem>();
  /** What is underlined in each file, as it was told last. */
  private readonly said = new Map<string, string>();
  private readonly look: Coalesced;
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly link: HostLink,
    private readonly folder: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.look = new Coalesced(() => this.lookAtAll(), restMs);
    const ask = (document: vscode.TextDocument) => {
      if (this.couldBeOurs(document)) this.look.ask();
    };
    this.disposables = [
      this.diagnostics,
      this.look,
      vscode.workspace.onDidOpenTextDocument(ask),
      vscode.workspace.onDidChangeTextDocument(({ document }) => ask(document)),
      // What a policy may tighten depends on the person's own file.
      vscode.workspace.onDidSaveTextDocument(ask),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.said.delete(uri.toString());
        this.diagnostics.delete(uri);
      }),
      link.onDidChangeState(({ kind }) => {
        if (kind === "connected") this.look.ask();
      }),
      vscode.languages.registerCompletionItemProvider(
        selector,
        { provideCompletionItems: (document, position) => this.complete(document, position) },
        ...["[", ".", "=", '"'],
      ),
      vscode.languages.registerHoverProvider(selector, {
        provideHover: (document, position) => this.hover(document, position),
      }),
      vscode.languages.registerCodeActionsProvider(
        selector,
        { provideCodeActions: (document, _, { diagnostics }) => this.mend(document, diagnostics) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    ];
    this.look.ask();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** A file of the workspace is a reason to start the host; any other only where it runs anyway. */
  private couldBeOurs({ uri }: vscode.TextDocument): boolean {
    if (uri.scheme !== "file" || !vscode.workspace.isTrusted) return false;
    if (inWorkspace.includes(relative(this.folder.fsPath, uri.fsPath))) return true;
    return this.link.state.kind === "connected" && amongOwn.includes(basename(uri.fsPath));
  }

  private async lookAtAll(): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (!this.couldBeOurs(document)) continue;
      const { version } = document;
      const found = await this.inspected(document);
      if (found === undefined || document.isClosed || document.version !== version) continue;
      if (document.languageId === "plaintext") await vscode.languages.setTextDocumentLanguage(document, lookAlike);
      const diagnostics = found.problems.map((problem) => this.diagnostic(document, problem));
      const said = JSON.stringify([found.problems, diagnostics.map(({ range }) => range)]);
      // Said anew, the same would close a list of ways to mend it under the person's hand.
      if (this.said.get(document.uri.toString()) === said) continue;
      this.said.set(document.uri.toString(), said);
      this.diagnostics.set(document.uri, diagnostics);
    }
  }

  /** What the host says of a file; nothing where it is none of ours or there is no host. */
  private async inspected(document: vscode.TextDocument): Promise<InspectedFile | undefined> {
    if (!this.couldBeOurs(document)) return undefined;
    try {
      const asked = { path: document.uri.fsPath, text: document.getText() };
      const found = await this.link.call("augment/config/inspect", asked);
      return found.file === null ? undefined : found;
    } catch (error) {
      this.log.debug(`${document.uri.fsPath}: ${messageOf(error)}`);
      return undefined;
    }
  }

  private diagnostic(document: vscode.TextDocument, problem: FileProblem): vscode.Diagnostic {
    const range = new vscode.Range(document.positionAt(problem.start), document.positionAt(problem.end));
    const { DiagnosticSeverity } = vscode;
    const severity = problem.isWish ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error;
    const diagnostic = new vscode.Diagnostic(range, problem.message, severity);
    diagnostic.source = source;
    this.problems.set(diagnostic, problem);
    return diagnostic;
  }

  private async complete(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[] | undefined> {
    const lineAt = (line: number) => document.lineAt(line).text;
    const place = placeAt(lineAt, position.line, position.character);
    const found = place && (await this.inspected(document));
    if (found === undefined || place === undefined) return undefined;
    const taken = place.kind === "key" ? keysOf(document.getText().split(/\r?\n/), place.table) : new Set<string>();
    const range = new vscode.Range(position.line, place.start, position.line, place.end);
    return offersAt(place, found.keys, taken).map((offer, order) => itemOf(offer, order, range));
  }

  private async hover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const place = placeAt((line) => document.lineAt(line).text, position.line, position.character);
    const found = place && (await this.inspected(document));
    const key = found && place && keyAt(place, found.keys);
    if (key === undefined || place === undefined) return undefined;
    const words = `**${escaped(`${key.section}.${key.name}`)}**\n\n${escaped(aboutKey(key))}`;
    return new vscode.Hover(
      new vscode.MarkdownString(words),
      new vscode.Range(position.line, place.start, position.line, place.end),
    );
  }

  private mend(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
    return (this.diagnostics.get(document.uri) ?? []).flatMap((diagnostic) => {
      const instead = this.problems.get(diagnostic)?.instead;
      const isAsked = diagnostics.some(
        ({ range, message }) => range.isEqual(diagnostic.range) && message === diagnostic.message,
      );
      if (typeof instead !== "string" || !isAsked) return [];
      const action = new vscode.CodeAction(t("Change to {0}", instead), vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, diagnostic.range, instead);
      action.diagnostics = [diagnostic];
      action.isPreferred = true;
      return [action];
    });
  }
}

function itemOf(offer: Offer, order: number, range: vscode.Range): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label: offer.label, description: offer.detail }, itemKinds[offer.kind]);
  item.insertText = new vscode.SnippetString(offer.snippet);
  item.range = range;
  item.sortText = String(order).padStart(4, "0");
  item.documentation = new vscode.MarkdownString(escaped(offer.about));
  return item;
}

/** Patterns such as `docs/**` are no emphasis. VS Code's own way to say so makes every space one that does not wrap. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>~|&]/g, "\\$&");
}
