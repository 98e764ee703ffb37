// The commands on the whole: status, ledger, log, and the connection to the host.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { showLedger } from "./ledger_document";
import { withoutIcons, withoutLinks } from "./outside_text";
import { QUEUE_VIEW, type QueueTree } from "./queue_tree";
import { SHOW_SETTINGS, showSettings } from "./settings_pick";
import { countsText, REVEAL_TASK } from "./status_bar";
import { taskFacts, taskIcon } from "./task_words";

export interface HostContext {
  link: HostLink;
  log: vscode.LogOutputChannel;
  tree: QueueTree;
}

type Command = (context: HostContext) => Promise<void>;

export const hostCommands: { readonly [id: string]: Command } = {
  "augment-orchestrator.focusQueue": focusQueue,
  "augment-orchestrator.refreshQueue": refreshQueue,
  "augment-orchestrator.showStatus": showStatus,
  "augment-orchestrator.showLedger": showLedger,
  "augment-orchestrator.verifyLedger": verifyLedger,
  [SHOW_SETTINGS]: ({ link }) => showSettings(link),
  "augment-orchestrator.showLog": showLog,
  "augment-orchestrator.restart": restart,
  "augment-orchestrator.stopHost": stopHost,
};

async function focusQueue(): Promise<void> {
  await vscode.commands.executeCommand(`${QUEUE_VIEW}.focus`);
}

async function refreshQueue({ link, tree }: HostContext): Promise<void> {
  link.wake();
  tree.refresh();
}

async function showStatus({ link }: HostContext): Promise<void> {
  const { host, counts, active, troubles, workspace } = await link.call("augment/status", {});
  const { Separator } = vscode.QuickPickItemKind;
  type Item = vscode.QuickPickItem & { run?: () => Thenable<unknown> };
  const reveal = (task: string) => () => vscode.commands.executeCommand(REVEAL_TASK, task);
  const items: Item[] = [
    { label: countsText(counts), iconPath: new vscode.ThemeIcon("checklist"), run: () => focusQueue() },
    ...(troubles.length === 0 ? [] : [{ label: "Needs a look", kind: Separator }]),
    ...troubles.map(
      ({ message, task }): Item => ({
        label: withoutIcons(message),
        iconPath: new vscode.ThemeIcon("warning"),
        run: task === null ? () => vscode.commands.executeCommand(SHOW_SETTINGS) : reveal(task),
      }),
    ),
    ...(active.length === 0 ? [] : [{ label: "In progress", kind: Separator }]),
    ...active.map(
      (task): Item => ({
        label: withoutIcons(task.title),
        description: withoutIcons(taskFacts(task)),
        iconPath: taskIcon(task),
        run: reveal(task.id),
      }),
    ),
    { label: "Host", kind: Separator },
    {
      label: `Version ${withoutIcons(host.version)}, pid ${host.pid}, ${host.clients} connected`,
      description: withoutIcons(workspace),
      iconPath: new vscode.ThemeIcon("server-process"),
      run: async () => vscode.commands.executeCommand("augment-orchestrator.showLog"),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: "Augment Orchestrator",
    placeHolder: "Pick one to go there",
  });
  await picked?.run?.();
}

async function verifyLedger({ link }: HostContext): Promise<void> {
  const { holds, records, head, broken } = await link.call("augment/audit/verify", {});
  if (holds) {
    const copy = "Copy Head";
    const message = `The ledger is intact: ${records.toLocaleString()} records, head ${head.slice(0, 16)}….`;
    if ((await vscode.window.showInformationMessage(message, copy)) === copy)
      await vscode.env.clipboard.writeText(head);
    return;
  }
  const where = broken === null ? "" : ` First at record ${broken.sequence}: ${broken.reason}`;
  const show = "Show Ledger";
  const message = withoutLinks(`The ledger does not hold.${where}`);
  if ((await vscode.window.showErrorMessage(message, show)) === show) await showLedger();
}

async function showLog({ log }: HostContext): Promise<void> {
  log.show();
}

async function restart({ link }: HostContext): Promise<void> {
  link.start();
}

async function stopHost({ link }: HostContext): Promise<void> {
  await link.stopHost();
}
