// The status bar item: state of the link, what is worked on, what needs a look. A click goes where the trouble is.

import * as vscode from "vscode";
import { SHOW_AGENTS } from "./agents/agents_commands";
import type { AgentsModel } from "./agents/agents_model";
import { ANSWER_QUESTION } from "./agents/agents_row_drawn";
import { runSentence } from "./agents/run_words";
import { assertNever } from "./assert_never";
import { Coalesced } from "./coalesced";
import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { ours } from "./ours";
import { oneLine } from "./outside_text";
import type { OverallStatus } from "./protocol.gen";
import { QUEUE_VIEW } from "./queue_tree";
import { messageOf } from "./refusal";
import { SHOW_SETTINGS } from "./settings_pick";
import { LOOKS, type Look, STATUS_LOOKS } from "./state_look";
import { type AgentLooks, othersThanSession, type StatusWords, statusWords } from "./status_words";

export const REVEAL_TASK = ours("revealTask");

const restMs = 100;
const listedInTooltip = 5;

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly fetch: Coalesced;
  private readonly disposables: vscode.Disposable[];
  private status: OverallStatus | undefined;
  private readonly statusEmitter = new vscode.EventEmitter<OverallStatus | undefined>();
  /** The host's overall status as last fetched; nothing while there is no connection. */
  readonly onDidChangeStatus = this.statusEmitter.event;

  constructor(
    private readonly link: HostLink,
    private readonly agents: AgentsModel,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Left, 50);
    this.item.name = "Augment Orchestrator";
    this.fetch = new Coalesced(() => this.fetchStatus(), restMs);
    this.disposables = [
      this.item,
      this.fetch,
      this.statusEmitter,
      link.onMoved(({ parts }) => {
        if (parts.some((part) => part !== "ledger")) this.fetch.ask();
      }),
      link.onDidChangeState(({ kind }) => {
        if (kind === "connected") this.fetch.ask();
        else this.show(undefined);
      }),
      agents.onDidChange(() => this.show(this.status)),
    ];
    this.show(undefined);
    this.item.show();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private async fetchStatus(): Promise<void> {
    try {
      this.show(await this.link.call("augment/status", {}));
    } catch (error) {
      // A lost connection is told by the link, and leads to another fetch when it is back.
      this.log.debug(`The status could not be fetched: ${messageOf(error)}`);
    }
  }

  private show(status: OverallStatus | undefined): void {
    this.status = status;
    const words = statusWords(this.link.state, status, this.looks);
    this.item.text = words.text;
    this.item.accessibilityInformation = { label: words.label, role: "button" };
    this.item.backgroundColor = background(words.level);
    this.item.command = clickCommand(words.click);
    this.item.tooltip = this.tooltip();
    this.statusEmitter.fire(status);
  }

  private get looks(): AgentLooks {
    const { questions = [], active = [] } = this.agents.snapshot ?? {};
    return { questions, disconnected: active.filter(({ state }) => state === "disconnected") };
  }

  private tooltip(): vscode.MarkdownString {
    // Not trusted, and every text is appended as text: nothing in it can become an icon, or a link that runs a command.
    const tooltip = new vscode.MarkdownString("", true);
    const line: Line = (text, look) => {
      if (look !== undefined) tooltip.appendMarkdown(`$(${look.icon}) `);
      tooltip.appendText(oneLine(text)).appendMarkdown("\n\n");
    };
    tooltip.appendMarkdown("**Augment Orchestrator**\n\n");
    const { state } = this.link;
    switch (state.kind) {
      case "no-folder":
        line(t("Open a folder to have a queue."));
        return tooltip;
      case "restricted":
        line(t("This folder is not trusted, so nothing runs. Click to manage trust."));
        return tooltip;
      case "resting":
        line(t("Nothing runs for this folder yet. Click to see its queue."));
        return tooltip;
      case "starting":
        line(t("Connecting to the host of this folder."));
        return tooltip;
      case "reconnecting":
        line(t("The connection to the host ended: {0}", state.reason));
        return tooltip;
      case "stopped":
        line(t("The host was stopped. Click to start it again."));
        return tooltip;
      case "down":
        line(state.reason);
        line(t("Click to see the log."));
        return tooltip;
      case "connected":
        if (this.status !== undefined) describe(this.status, this.looks, line);
        return tooltip;
      default:
        return assertNever(state);
    }
  }
}

/** Puts a line into the tooltip, with the icon of the state that it tells of. */
type Line = (text: string, look?: Look) => void;

function describe(status: OverallStatus, { questions, disconnected }: AgentLooks, line: Line): void {
  const { counts, active, host, watching } = status;
  line(countsText(counts));
  if (watching.state !== "watching") line(watching.message, LOOKS.problem);
  for (const { id, title, holder } of active.slice(0, listedInTooltip)) {
    line(`${id} ${title}${holder === null ? "" : ` (${holder})`}`, LOOKS.inProgress);
  }
  for (const { agent, question } of questions.slice(0, listedInTooltip))
    line(t("{0} asks: {1}", agent, question), LOOKS.waiting);
  for (const run of disconnected.slice(0, listedInTooltip)) line(runSentence(run), LOOKS.disconnected);
  for (const { message } of othersThanSession(status).slice(0, listedInTooltip)) line(message, LOOKS.problem);
  const { version, pid, clients } = host;
  line(
    clients === 1
      ? t("Host {0}, pid {1}, 1 client", version, pid)
      : t("Host {0}, pid {1}, {2} clients", version, pid, clients),
  );
}

export function countsText({
  pending,
  inProgress,
  completed,
  failed,
  partial,
  blocked,
  cancelled,
}: OverallStatus["counts"]): string {
  const parts: [number, string][] = [
    [inProgress, STATUS_LOOKS["in-progress"].word],
    [pending, STATUS_LOOKS.pending.word],
    [failed, STATUS_LOOKS.failed.word],
    [partial, STATUS_LOOKS.partial.word],
    [blocked, STATUS_LOOKS.blocked.word],
    [completed, STATUS_LOOKS.completed.word],
    [cancelled, STATUS_LOOKS.cancelled.word],
  ];
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString()} ${word}`);
  return told.length === 0 ? t("No tasks yet") : told.join(", ");
}

function background(level: StatusWords["level"]): vscode.ThemeColor | undefined {
  switch (level) {
    case "calm":
      return undefined;
    case "warning":
      return new vscode.ThemeColor("statusBarItem.warningBackground");
    case "error":
      return new vscode.ThemeColor("statusBarItem.errorBackground");
    default:
      return assertNever(level);
  }
}

function clickCommand(click: StatusWords["click"]): vscode.Command {
  switch (click.kind) {
    case "queue":
      return { title: t("Focus Queue"), command: `${QUEUE_VIEW}.focus` };
    case "task":
      return { title: t("Show the Task"), command: REVEAL_TASK, arguments: [click.task] };
    case "question":
      return {
        title: t("Answer Question"),
        command: ANSWER_QUESTION,
        ...(click.question === null ? {} : { arguments: [click.question] }),
      };
    case "agents":
      return { title: t("Show Agents"), command: SHOW_AGENTS };
    case "settings":
      return { title: t("Show Settings"), command: SHOW_SETTINGS };
    case "log":
      return { title: t("Show Log"), command: ours("showLog") };
    case "restart":
      return { title: t("Restart"), command: ours("restart") };
    case "trust":
      return { title: t("Manage Workspace Trust"), command: "workbench.trust.manage" };
    case "open-folder":
      return { title: t("Open Folder"), command: "vscode.openFolder" };
    default:
      return assertNever(click);
  }
}
