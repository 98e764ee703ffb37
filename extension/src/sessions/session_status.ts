// The session in the status bar; a click runs the command that fits. Nothing is shown where there is neither a session nor
// a plan for one.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { ours } from "../ours";
import { oneLine, withoutIcons } from "../outside_text";
import type { SessionStatus } from "../protocol.gen";
import { flagKindWords } from "../review/change_words";
import { FLAG_LOOKS, type Look } from "../state_look";
import { type SessionStatusWords, sessionStatusWords } from "./session_status_words";
import { endLook, facts, progressText } from "./session_words";
import type { SessionsModel } from "./sessions_model";
import { ANSWER_CHECKPOINT, CONFIRM_SCOPE, START_SESSION } from "./sessions_row_drawn";
import { SESSION_VIEW } from "./sessions_tree";

export const ANSWER_FLAG = ours("answerFlag");

const listedInTooltip = 8;

export class SessionStatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("session", vscode.StatusBarAlignment.Left, 49.5);
  private readonly listening: vscode.Disposable;

  constructor(private readonly model: SessionsModel) {
    this.item.name = t("Augment Session");
    this.listening = model.onDidChange(() => this.show());
  }

  dispose(): void {
    this.item.dispose();
    this.listening.dispose();
  }

  private show(): void {
    const status = this.model.snapshot?.status;
    const words = status && sessionStatusWords(status);
    if (status === undefined || words === undefined) {
      this.item.hide();
      return;
    }
    this.item.text = words.text;
    this.item.accessibilityInformation = { label: words.label, role: "button" };
    this.item.backgroundColor = words.isWarning ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.command = clickCommand(words.click);
    this.item.tooltip = tooltip(status);
    this.item.show();
  }
}

function clickCommand(click: SessionStatusWords["click"]): vscode.Command {
  switch (click) {
    case "start":
      return { title: t("Start Session"), command: START_SESSION };
    case "confirm":
      return { title: t("Confirm Scope"), command: CONFIRM_SCOPE };
    case "checkpoint":
      return { title: t("Answer the Checkpoint"), command: ANSWER_CHECKPOINT };
    case "answer-flag":
      return { title: t("Answer Out-of-Scope Change"), command: ANSWER_FLAG };
    case "show":
      return { title: t("Show Session"), command: `${SESSION_VIEW}.focus` };
    default:
      return assertNever(click);
  }
}

function tooltip({ session, governance, flags, question }: SessionStatus): vscode.MarkdownString {
  // Not trusted, and every text is appended as text: nothing in it can become an icon, or a link that runs a command.
  const tooltip = new vscode.MarkdownString("", true);
  const line = (text: string, look?: Look) => {
    if (text === "") return;
    if (look !== undefined) tooltip.appendMarkdown(`$(${look.icon}) `);
    tooltip.appendText(oneLine(text)).appendMarkdown("\n\n");
  };
  tooltip.appendMarkdown("**Session**\n\n");
  const goal = session === null ? governance.sprintGoal : session.sprintGoal;
  if (goal !== null) line(t("Sprint goal: {0}", goal));
  line(facts(session?.phase ?? governance.phase, progressText(session?.now ?? governance.progress)));
  for (const { title, end } of session?.items.slice(0, listedInTooltip) ?? []) line(title, endLook(end, undefined));
  const more = (session?.items.length ?? 0) - listedInTooltip;
  if (more > 0) line(t("and {0} more", more));
  for (const { path, kind } of flags.slice(0, listedInTooltip))
    line(`${path}: ${flagKindWords(kind)}`, FLAG_LOOKS[kind]);
  if (session === null) line(t("Click to start a session."));
  else if (question !== null) line(withoutIcons(question));
  return tooltip;
}
