// The commands on the whole: status, ledger, log, and the connection to the host.

import * as vscode from "vscode";
import type { HostLink } from "./host_link";
import { t } from "./l10n";
import { showLedger } from "./ledger_document";
import { ours } from "./ours";
import { withoutIcons, withoutLinks } from "./outside_text";
import { confirm } from "./questions";
import { QUEUE_VIEW, type QueueTree } from "./queue_tree";
import { messageOf } from "./refusal";
import { runOurs } from "./run_ours";
import { SHOW_SETTINGS, showSettings } from "./settings_pick";
import { lookIcon } from "./state_icon";
import { LOOKS } from "./state_look";
import { countsText, REVEAL_TASK } from "./status_bar";
import { stopDetail } from "./stop_words";
import { taskIcon } from "./task_icon";
import { taskFacts } from "./task_words";

export interface HostContext {
  link: HostLink;
  log: vscode.LogOutputChannel;
  tree: QueueTree;
}

type Command = (context: HostContext) => Promise<void>;

export const hostCommands: { readonly [id: string]: Command } = {
  [ours("focusQueue")]: focusQueue,
  [ours("refreshQueue")]: refreshQueue,
  [ours("showStatus")]: showStatus,
  [ours("showLedger")]: showLedger,
  [ours("verifyLedger")]: verifyLedger,
  [SHOW_SETTINGS]: ({ link }) => showSettings(link),
  [ours("showLog")]: showLog,
  [ours("restart")]: restart,
  [ours("stopHost")]: stopHost,
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
    { label: countsText(counts), iconPath: lookIcon(LOOKS.queue), run: () => focusQueue() },
    ...(troubles.length === 0 ? [] : [{ label: t("Needs a look"), kind: Separator }]),
    ...troubles.map(
      ({ message, task }): Item => ({
        label: withoutIcons(message),
        iconPath: lookIcon(LOOKS.problem),
        run: task === null ? () => vscode.commands.executeCommand(SHOW_SETTINGS) : reveal(task),
      }),
    ),
    ...(active.length === 0 ? [] : [{ label: t("In progress"), kind: Separator }]),
    ...active.map(
      (task): Item => ({
        label: withoutIcons(task.title),
        description: withoutIcons(taskFacts(task)),
        iconPath: taskIcon(task),
        run: reveal(task.id),
      }),
    ),
    { label: t("Host"), kind: Separator },
    {
      label: t("Version {0}, pid {1}, {2} connected", withoutIcons(host.version), host.pid, host.clients),
      description: withoutIcons(workspace),
      iconPath: new vscode.ThemeIcon("server-process"),
      run: async () => runOurs("showLog"),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: "Augment Orchestrator",
    placeHolder: t("Pick one to go there"),
  });
  await picked?.run?.();
}

async function verifyLedger({ link }: HostContext): Promise<void> {
  const { holds, records, head, broken } = await link.call("augment/audit/verify", {});
  if (holds) {
    const copy = t("Copy Head");
    const message = t("The ledger is intact: {0} records, head {1}…", records.toLocaleString(), head.slice(0, 16));
    if ((await vscode.window.showInformationMessage(message, copy)) === copy)
      await vscode.env.clipboard.writeText(head);
    return;
  }
  const where = broken === null ? "" : t(" First at record {0}: {1}", broken.sequence, broken.reason);
  const show = t("Show Ledger");
  const message = withoutLinks(t("The ledger does not hold.{0}", where));
  if ((await vscode.window.showErrorMessage(message, show)) === show) await showLedger();
}

async function showLog({ log }: HostContext): Promise<void> {
  log.show();
}

async function restart({ link }: HostContext): Promise<void> {
  link.start();
}

async function stopHost({ link, log }: HostContext): Promise<void> {
  const unknown = (error: unknown) => {
    log.warn(`What goes on is not known: ${messageOf(error)}`);
    return t("What goes on is not known.");
  };
  // To ask one that is not there would start it.
  const detail = link.state.kind === "connected" ? await whatGoesOn(link).catch(unknown) : undefined;
  if (detail === undefined || (await confirm(t("Stop the host?"), detail, t("Stop Host")))) await link.stopHost();
}

async function whatGoesOn(link: HostLink): Promise<string | undefined> {
  const [status, { runs }] = await Promise.all([
    link.call("augment/status", {}),
    link.call("augment/run/list", { task: null, agent: null, active: true, limit: null }),
  ]);
  return stopDetail(status, runs);
}
