// What a session tells, pushed to an output channel as it comes: it stands there whether or not anybody opened a report.

import * as vscode from "vscode";
import { t } from "../l10n";
import { newReports, plainText } from "./report_text";
import type { SessionsModel } from "./sessions_model";

export class ReportChannel implements vscode.Disposable {
  private readonly channel = vscode.window.createOutputChannel(t("Augment Session"));
  private readonly listening: vscode.Disposable;
  private told: number | undefined;

  constructor(private readonly model: SessionsModel) {
    this.listening = model.onDidChange(() => this.tellNew());
  }

  /** Something that is no report, in words. */
  tell(lines: readonly string[]): void {
    for (const line of lines) this.channel.append(plainText(line));
  }

  dispose(): void {
    this.listening.dispose();
    this.channel.dispose();
  }

  private tellNew(): void {
    const { snapshot } = this.model;
    if (snapshot === undefined) return;
    const { told } = this;
    const news = newReports(snapshot.reports, told, snapshot.status.session?.id);
    this.told = Math.max(told ?? 0, ...snapshot.reports.map(({ number }) => number));
    for (const { text } of news) this.channel.append(`${plainText(text)}\n`);
  }
}
