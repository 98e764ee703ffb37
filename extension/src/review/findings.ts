// What the scan found and what is outside of what was agreed to, in the Problems view: at the lines, for every file that has
// something pending.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { oneLine } from "../outside_text";
import type { ChangedFile, Finding, Flag, Hunk, LineSpan } from "../protocol.gen";
import type { ChangesModel } from "./changes_model";
import { type FindingLevel, findingLevel, findingSentence } from "./finding_words";
import { linePlaced, type PlacedHunk, placeHunks } from "./hunk_places";

/** Stands beside each problem, and tells ours from others'. */
export const FINDING_SOURCE = "Augment";

export class Findings implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("augment");
  private readonly findings = new WeakMap<vscode.Diagnostic, Finding>();
  private readonly listening: vscode.Disposable[];
  /** Of the last scan, for files that lie beyond the model's cut. */
  private scanned: readonly Finding[] = [];

  constructor(private readonly model: ChangesModel) {
    this.listening = [
      model.onDidChange(() => this.show()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.placeAgain(document);
      }),
    ];
  }

  /** What a scan found. Files that have something pending tell of themselves. */
  keepScanned(findings: readonly Finding[]): void {
    this.scanned = findings;
    this.show();
  }

  /** The findings that problems at a place of an editor stand for; VS Code hands out copies of what it was given. */
  of(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): [vscode.Diagnostic, Finding][] {
    const known = this.collection.get(uri) ?? [];
    return diagnostics
      .filter(({ source }) => source === FINDING_SOURCE)
      .flatMap((diagnostic): [vscode.Diagnostic, Finding][] => {
        const same = known.find(
          ({ code, message, range }) =>
            code === diagnostic.code && message === diagnostic.message && range.isEqual(diagnostic.range),
        );
        const finding = same && this.findings.get(same);
        return finding === undefined ? [] : [[diagnostic, finding]];
      });
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
    this.collection.dispose();
  }

  private show(): void {
    const beyond = this.model.isWhole ? [] : this.scanned.filter(({ path }) => this.model.fileAt(path) === undefined);
    const byFile = new Map<string, [vscode.Uri, vscode.Diagnostic[]]>();
    const list = (path: string, diagnostics: readonly vscode.Diagnostic[]) => {
      const uri = this.model.uriOf(path);
      if (uri === undefined || diagnostics.length === 0) return;
      const [, listed] = byFile.get(uri.toString()) ?? [uri, []];
      listed.push(...diagnostics);
      byFile.set(uri.toString(), [uri, listed]);
    };
    const open = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
    for (const file of this.model.files) {
      const document = file.hunks.some(isTold) ? open.get(this.model.uriOf(file.path)?.toString() ?? "") : undefined;
      list(file.path, this.diagnosticsOf(file, document));
    }
    for (const finding of beyond) list(finding.path, [this.diagnostic(finding, finding.line)]);
    this.collection.clear();
    this.collection.set([...byFile.values()]);
  }

  /** An editor reads a file again a moment after the host has, and in one that is not saved the lines are elsewhere. */
  private placeAgain(document: vscode.TextDocument): void {
    if (this.collection.get(document.uri)?.length === 0) return;
    const file = this.model.fileOf(document.uri);
    if (file?.hunks.some(isTold)) this.collection.set(document.uri, this.diagnosticsOf(file, document));
  }

  /** @param document the file's, where it is open */
  private diagnosticsOf({ hunks }: ChangedFile, document: vscode.TextDocument | undefined): vscode.Diagnostic[] {
    const told = hunks.filter(isTold);
    if (told.length === 0) return [];
    const placed = document === undefined ? placeHunks(told, undefined) : this.model.hunksIn(document);
    return placed.filter(({ hunk }) => isTold(hunk)).flatMap((at) => this.diagnosticsAt(at));
  }

  private diagnosticsAt(at: PlacedHunk): vscode.Diagnostic[] {
    const { findings, flag } = at.hunk;
    const found = findings.map((finding) => this.diagnostic(finding, linePlaced(at, finding.line)));
    return flag === null ? found : [...found, outside(at, flag)];
  }

  private diagnostic(finding: Finding, line: number): vscode.Diagnostic {
    const { start, end, rule } = finding;
    const range = new vscode.Range(line, start, line, Math.max(end, start));
    const made = new vscode.Diagnostic(range, findingSentence(finding), severity(findingLevel(finding)));
    made.source = FINDING_SOURCE;
    made.code = rule;
    this.findings.set(made, finding);
    return made;
  }
}

function isTold({ findings, flag }: Hunk): boolean {
  return findings.length > 0 || flag !== null;
}

/** A hunk outside of what was agreed to. What can be done about it is among what can be done with the hunk. */
function outside({ hunk, line, spans }: PlacedHunk, { kind, message }: Flag): vscode.Diagnostic {
  const [span] = hunk.kind === "lines" ? spans : [];
  // Lines that are gone, or a file as a whole: a place, not an extent.
  const range = span === undefined ? new vscode.Range(line, 0, line, 0) : wholeLines(span);
  const made = new vscode.Diagnostic(range, oneLine(message), vscode.DiagnosticSeverity.Warning);
  made.source = FINDING_SOURCE;
  made.code = kind;
  return made;
}

/** An editor ends a range where its line does. */
function wholeLines({ start, end }: LineSpan): vscode.Range {
  return new vscode.Range(start, 0, end - 1, 10_000);
}

function severity(level: FindingLevel): vscode.DiagnosticSeverity {
  switch (level) {
    case "error":
      return vscode.DiagnosticSeverity.Error;
    case "warning":
      return vscode.DiagnosticSeverity.Warning;
    case "information":
      return vscode.DiagnosticSeverity.Information;
    default:
      return assertNever(level);
  }
}
