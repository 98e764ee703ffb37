// What the scan found, in the Problems view: at the line, for every file that has something pending.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import type { Finding } from "../protocol.gen";
import type { ChangesModel } from "./changes_model";
import { type FindingLevel, findingLevel, findingSentence } from "./finding_words";

/** Stands beside each problem, and tells ours from others'. */
export const FINDING_SOURCE = "Augment";

export class Findings implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("augment");
  private readonly findings = new WeakMap<vscode.Diagnostic, Finding>();
  private readonly listening: vscode.Disposable;
  /** Of the last scan, for files that lie beyond the model's cut. */
  private scanned: readonly Finding[] = [];

  constructor(private readonly model: ChangesModel) {
    this.listening = model.onDidChange(() => this.show());
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
    this.listening.dispose();
    this.collection.dispose();
  }

  private show(): void {
    const pending = this.model.files.flatMap(({ hunks }) => hunks.flatMap(({ findings }) => findings));
    const beyond = this.model.isWhole ? [] : this.scanned.filter(({ path }) => this.model.fileAt(path) === undefined);
    const byFile = new Map<string, [vscode.Uri, vscode.Diagnostic[]]>();
    for (const finding of [...pending, ...beyond]) {
      const uri = this.model.uriOf(finding.path);
      if (uri === undefined) continue;
      const [, listed] = byFile.get(uri.toString()) ?? [uri, []];
      listed.push(this.diagnostic(finding));
      byFile.set(uri.toString(), [uri, listed]);
    }
    this.collection.clear();
    this.collection.set([...byFile.values()]);
  }

  private diagnostic(finding: Finding): vscode.Diagnostic {
    const { line, start, end, rule } = finding;
    const range = new vscode.Range(line, start, line, Math.max(end, start));
    const made = new vscode.Diagnostic(range, findingSentence(finding), severity(findingLevel(finding)));
    made.source = FINDING_SOURCE;
    made.code = rule;
    this.findings.set(made, finding);
    return made;
  }
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
