// Archived sessions in a list that is searched by the host as one types; picking one opens its summary.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutIcons } from "../outside_text";
import type { ArchivedSession, ArchiveProblem } from "../protocol.gen";
import { Refused } from "../refusal";
import { tellError } from "../told";
import { TypedSearch } from "../typed_search";
import type { ArchiveContext } from "./archive_commands";
import { archivedDetail, archivedFacts, archivedLabel, searchedFor } from "./archive_words";
import { openSummary } from "./summary_open";

const listLimit = 50;

type ArchiveRow = vscode.QuickPickItem & { session?: ArchivedSession };

interface Answer {
  found: { session: ArchivedSession; snippet: string }[];
  problems: ArchiveProblem[];
  more: boolean;
  /** Why nothing was searched for. */
  refused?: string;
}

export async function searchArchives(context: ArchiveContext): Promise<void> {
  const session = await pickArchived(context);
  if (session === undefined) return;
  const { path } = await context.link.call("augment/archive/show", { session: session.folder });
  await openSummary(context.review, path);
}

function pickArchived(context: ArchiveContext): Promise<ArchivedSession | undefined> {
  const pick = vscode.window.createQuickPick<ArchiveRow>();
  pick.title = t("Search Archived Sessions");
  pick.placeholder = t('Words, "several words", tags or files; Enter opens the summary');
  const search = new TypedSearch<Answer>({
    typed: () => pick.value,
    ask: (typed) => ask(context, searchedFor(typed)),
    show: (answer, typed) => {
      pick.items = rowsOf(answer, typed);
      pick.busy = false;
    },
    fail: (error) => {
      pick.hide();
      tellError(error, context.log);
    },
  });
  const begin = () => {
    pick.busy = true;
    search.changed();
  };
  return new Promise((resolve) => {
    let picked: ArchivedSession | undefined;
    pick.onDidChangeValue(begin);
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      // Rows that belong to what was typed before are not picked by an Enter that came too early.
      if (pick.busy || row?.session === undefined) return;
      picked = row.session;
      pick.hide();
    });
    pick.onDidHide(() => {
      search.dispose();
      pick.dispose();
      resolve(picked);
    });
    pick.show();
    begin();
  });
}

async function ask({ link }: ArchiveContext, words: string): Promise<Answer> {
  const only = { limit: listLimit };
  if (words === "") {
    const { sessions, problems, more } = await link.call("augment/archive/list", only);
    return { found: sessions.map((session) => ({ session, snippet: "" })), problems, more };
  }
  try {
    const { hits, problems, more } = await link.call("augment/archive/search", { words, only });
    return { found: hits, problems, more };
  } catch (error) {
    // What cannot be searched for yet may become a word with the next key.
    if (!(error instanceof Refused) || error.code !== "nothing-to-search") throw error;
    return { found: [], problems: [], more: false, refused: error.message };
  }
}

/** All rows are shown whatever is typed: the host has searched already, and knows words that are in no row. */
function rowsOf({ found, problems, more, refused }: Answer, typed: string): ArchiveRow[] {
  const note = (icon: string, label: string): ArchiveRow => ({
    label: withoutIcons(label),
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow: true,
  });
  const none =
    typed.trim() === "" ? t("No session has been archived yet") : t("No archived session has all of these words");
  return [
    ...found.map(({ session, snippet }) => ({
      session,
      label: withoutIcons(archivedLabel(session)),
      description: withoutIcons(archivedFacts(session)),
      detail: withoutIcons(archivedDetail(session, snippet)),
      iconPath: new vscode.ThemeIcon("book"),
      alwaysShow: true,
    })),
    ...(found.length === 0 ? [note("info", refused ?? none)] : []),
    ...(more ? [note("ellipsis", t("There are more; another word narrows it down"))] : []),
    ...problems.map(({ folder, message }) => note("warning", `${folder}: ${message}`)),
  ];
}
