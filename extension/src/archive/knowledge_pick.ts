// What was learnt in earlier sessions, as a list with a button to approve an entry for everybody and one to drop it. Entries
// are told as they were written down; nothing in them is followed.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutIcons } from "../outside_text";
import type { KnowledgeEntry, KnowledgeList } from "../protocol.gen";
import { confirm } from "../questions";
import { tellDone, tellError } from "../told";
import type { ArchiveContext } from "./archive_commands";
import { knowledgeFacts } from "./archive_words";
import { openSummary } from "./summary_open";

const listLimit = 1_000;

type Act = (context: ArchiveContext, entry: KnowledgeEntry) => Promise<boolean>;

interface EntryButton extends vscode.QuickInputButton {
  /** @returns whether anything has changed */
  act: Act;
}

type EntryRow = vscode.QuickPickItem & { entry?: KnowledgeEntry; buttons?: readonly EntryButton[] };

const approveButton = (): EntryButton => ({
  iconPath: new vscode.ThemeIcon("check"),
  tooltip: t("Approve for Everybody"),
  act: approve,
});
const dropButton = (): EntryButton => ({ iconPath: new vscode.ThemeIcon("trash"), tooltip: t("Drop"), act: drop });

export async function showKnowledge(context: ArchiveContext): Promise<void> {
  const entry = await pickEntry(context);
  if (entry === undefined) return;
  if (entry.source === null) return tellDone(t("It was added by a person, and belongs to no archived session"));
  const { path } = await context.link.call("augment/archive/show", { session: entry.source });
  await openSummary(context.review, path);
}

function pickEntry(context: ArchiveContext): Promise<KnowledgeEntry | undefined> {
  const pick = vscode.window.createQuickPick<EntryRow>();
  pick.title = t("What Was Learnt");
  pick.placeholder = t("Enter opens the session that it was learnt in");
  pick.matchOnDetail = true;
  // A question about an entry takes the focus, and the list is wanted again after it.
  pick.ignoreFocusOut = true;
  const fetch = async () => {
    pick.busy = true;
    try {
      pick.items = rowsOf(await context.link.call("augment/knowledge/list", { limit: listLimit }));
    } finally {
      pick.busy = false;
    }
  };
  const isButton = (button: vscode.QuickInputButton): button is EntryButton => "act" in button;
  return new Promise((resolve) => {
    let picked: KnowledgeEntry | undefined;
    pick.onDidTriggerItemButton(async ({ button, item: { entry } }) => {
      if (pick.busy || entry === undefined || !isButton(button)) return;
      try {
        if (await button.act(context, entry)) await fetch();
      } catch (error) {
        tellError(error, context.log);
      }
    });
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row?.entry === undefined) return;
      picked = row.entry;
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(picked);
    });
    pick.show();
    fetch().catch((error: unknown) => {
      pick.hide();
      tellError(error, context.log);
    });
  });
}

/** A row has no room for all of it, and nobody approves what they have not read. */
async function approve({ link }: ArchiveContext, { id, text }: KnowledgeEntry): Promise<boolean> {
  const detail = t(
    "“{0}” is written to the file that the team commits, and is told to sessions that it matches.",
    text,
  );
  if (!(await confirm(t("Approve for everybody?"), detail, t("Approve")))) return false;
  await link.call("augment/knowledge/approve", { entry: id });
  tellDone(t("It is shared now; commit the file for the others to get it"));
  return true;
}

async function drop({ link }: ArchiveContext, { id, text, shared }: KnowledgeEntry): Promise<boolean> {
  const others = shared ? t(" It goes out of the file that is shared, too.") : "";
  if (!(await confirm(t("Drop what was learnt?"), t("“{0}” is told to nobody any more.{1}", text, others), t("Drop"))))
    return false;
  await link.call("augment/knowledge/drop", { entry: id });
  tellDone(t("It is dropped"));
  return true;
}

function rowsOf({ entries, problems, more }: KnowledgeList): EntryRow[] {
  const note = (icon: string, label: string): EntryRow => ({
    label: withoutIcons(label),
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow: true,
  });
  const none = t(
    "Nothing yet. Complete a session with what you learnt in it, and it is told to those that it matches.",
  );
  return [
    ...problems.map((problem) => note("warning", problem)),
    ...entries.map((entry) => ({
      entry,
      label: withoutIcons(entry.text),
      detail: withoutIcons(knowledgeFacts(entry)),
      iconPath: new vscode.ThemeIcon(entry.shared ? "organization" : "mortar-board"),
      buttons: entry.shared ? [dropButton()] : [approveButton(), dropButton()],
    })),
    ...(entries.length === 0 && problems.length === 0 ? [note("info", none)] : []),
    ...(more ? [note("ellipsis", t("There are more, which `augment-cli knowledge search` finds"))] : []),
  ];
}
