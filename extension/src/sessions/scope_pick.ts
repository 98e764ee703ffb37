// The scope of a session as a list with many to be picked: what is proposed, what else the plan and the queue hold, another
// task by name, and the paths; besides, what was learnt earlier and matches it. Leaving it changes nothing.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { oneLine, shortened, withoutIcons, withoutLinks } from "../outside_text";
import type { KnowledgeEntry, Session, SessionStatus } from "../protocol.gen";
import { askText, untilAnswered } from "../questions";
import { listIn } from "../task_fields";
import { tellError } from "../told";
import { choicesOf, type ScopeChoice, type ScopeChoices, withTyped } from "./scope_choices";
import { showEarlierPage, showReportPage, showSessionPage } from "./session_documents";
import { facts, goalText, governanceCautions, pathsText, readWords, scopeTitle } from "./session_words";

const readyLimit = 50;
const earlierLimit = 160;

/** What stands among the choices and is none. */
type Special = "another" | "paths" | "documents" | "earlier";

type ScopeRow = vscode.QuickPickItem & { choice?: ScopeChoice; special?: Special };

export interface ScopeQuestion {
  session: Session;
  /** What the project's documents say, and what was learnt earlier and matches. */
  about: Pick<SessionStatus, "governance" | "fromEarlier">;
  title: string;
  placeholder: string;
  /** A task of the queue that is picked from the beginning. */
  wanted: string | undefined;
  /** What the things that are in the scope already are called. */
  inScope: string;
  /**
   * Sends it. When it throws, the message is shown and the list stays.
   * @returns whether it was sent; the list stays where the person would rather look at it again
   */
  accept(choices: ScopeChoices): Promise<boolean>;
}

export function confirmQuestion(session: Session): Pick<ScopeQuestion, "title" | "placeholder" | "inScope"> {
  return {
    title: scopeTitle(session),
    // What stands behind it would be covered by how many are picked.
    placeholder: t("What is this session to do? Enter confirms."),
    inScope: t("Proposed"),
  };
}

export function adjustQuestion(session: Session): Pick<ScopeQuestion, "title" | "placeholder" | "inScope"> {
  return {
    title: t("Adjust {0}", scopeTitle(session)),
    placeholder:
      session.state === "checkpoint"
        ? t("It waits at a checkpoint. Enter goes on with this scope")
        : t("Enter changes the scope"),
    inScope: t("In scope"),
  };
}

/** @returns whether a scope was accepted; false when the person left */
export async function askScope(
  { link, log }: { link: HostLink; log: vscode.LogOutputChannel },
  question: ScopeQuestion,
): Promise<boolean> {
  const [plan, ready] = await Promise.all([
    link.call("augment/plan/show", {}),
    link.call("augment/queue/list", { ready: true, limit: readyLimit }),
  ]);
  let choices = choicesOf(question.session, plan, ready.tasks, question.wanted);
  for (;;) {
    const outcome = await showOnce(link, log, question, choices);
    choices = outcome.choices;
    switch (outcome.left) {
      case "accepted":
        return true;
      case "escaped":
        return false;
      case "another":
        choices = await askAnother(question, choices);
        break;
      case "paths":
        choices = await askPaths(question, choices);
        break;
    }
  }
}

interface Outcome {
  choices: ScopeChoices;
  left: "accepted" | "escaped" | "another" | "paths";
}

async function showOnce(
  link: HostLink,
  log: vscode.LogOutputChannel,
  question: ScopeQuestion,
  { choices, ...others }: ScopeChoices,
): Promise<Outcome> {
  const pick = vscode.window.createQuickPick<ScopeRow>();
  const report: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("open-preview"),
    tooltip: t("Show what was read and proposed"),
  };
  pick.title = withoutLinks(question.title);
  pick.placeholder = withoutLinks(question.placeholder);
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.buttons = [report];
  pick.items = rowsOf(question, { choices, ...others });
  pick.selectedItems = pick.items.filter(({ choice }) => choice?.isPicked === true);
  const picked = (): ScopeChoices => {
    const now = new Set(pick.selectedItems.map(({ choice }) => choice));
    return { choices: choices.map((choice) => ({ ...choice, isPicked: now.has(choice) })), ...others };
  };
  const show = (page: Promise<void>) => page.catch((error: unknown) => tellError(error, log));
  let left: Outcome["left"] = "escaped";
  let last = picked();
  pick.onDidTriggerButton(() => show(showStart(link, question.session)));
  pick.onDidChangeSelection((selected) => {
    const specials = selected.flatMap(({ special }) => special ?? []);
    last = picked();
    if (specials.length === 0) return;
    // What is no choice never stays picked; the box before all rows picks those, too, and means none of them.
    pick.selectedItems = selected.filter(({ special }) => special === undefined);
    const [special] = specials;
    if (specials.length > 1 || special === undefined) return;
    if (special === "documents") return void show(showStart(link, question.session));
    if (special === "earlier") return void show(showEarlierPage());
    left = special;
    pick.hide();
  });
  const confirm = async () => {
    last = picked();
    const isSent = await question.accept(last);
    if (isSent) left = "accepted";
    return isSent;
  };
  await untilAnswered(pick, confirm, log);
  return { choices: last, left };
}

function rowsOf({ session, about, inScope }: ScopeQuestion, { choices, paths }: ScopeChoices): ScopeRow[] {
  const { Separator } = vscode.QuickPickItemKind;
  const group = (label: string, from: ScopeChoice["from"][]): ScopeRow[] => {
    const rows = choices.filter((choice) => from.includes(choice.from)).map(rowOf);
    return rows.length === 0 ? [] : [{ label, kind: Separator }, ...rows];
  };
  const { governance, fromEarlier } = about;
  const cautions = governanceCautions(governance, session).join(" ");
  const goal = goalText(session.sprintGoal);
  const detail = [
    ...(goal === "" ? [] : [`$(target) ${withoutIcons(goal)}`]),
    ...(cautions === "" ? [] : [`$(warning) ${withoutIcons(cautions)}`]),
  ].join(" ");
  const documents: ScopeRow = {
    special: "documents",
    label: `$(book) ${withoutIcons(readWords(governance))}`,
    ...(detail === "" ? {} : { detail }),
  };
  return [
    documents,
    ...group(inScope, ["scope", "typed"]),
    ...group(t("More of the plan"), ["plan"]),
    ...group(t("Ready in the queue"), ["queue"]),
    ...(fromEarlier.length === 0 ? [] : [{ label: t("From earlier sessions"), kind: Separator }]),
    ...fromEarlier.map(earlierRow),
    { label: "", kind: Separator },
    { special: "another", label: t("$(add) Another task…"), alwaysShow: true },
    {
      special: "paths",
      label: t("$(list-tree) Paths: {0}", withoutIcons(pathsText(paths))),
      description:
        paths.length === 0
          ? t("where this session's work may write; a task with paths of its own keeps to those")
          : t("where this session's work may write, each task also to paths of its own"),
      alwaysShow: true,
    },
  ];
}

function rowOf(choice: ScopeChoice): ScopeRow {
  const { title, task, estimate, goal } = choice;
  return { choice, label: withoutIcons(title), description: withoutIcons(facts(task, estimate, goal)) };
}

/** Something to be known, and nothing to be done. */
function earlierRow({ text, source, by }: KnowledgeEntry): ScopeRow {
  return {
    special: "earlier",
    label: `$(mortar-board) ${withoutIcons(shortened(oneLine(text), earlierLimit))}`,
    description: withoutIcons(source ?? by ?? ""),
  };
}

async function askAnother({ title }: ScopeQuestion, choices: ScopeChoices): Promise<ScopeChoices> {
  let now = choices;
  await askText({
    title: withoutLinks(title),
    prompt: t("What else is to be done, in a few words"),
    accept: async (text) => {
      if (text.trim() === "") throw new Error(t("Say what is to be done, or leave with Escape."));
      now = { ...choices, choices: withTyped(choices.choices, text.trim()) };
    },
  });
  return now;
}

async function askPaths({ title }: ScopeQuestion, choices: ScopeChoices): Promise<ScopeChoices> {
  let now = choices;
  await askText({
    title: withoutLinks(title),
    prompt: t(
      "Patterns of paths that this session's work may write to, with commas between them. Empty means all, but for tasks with paths of their own.",
    ),
    value: choices.paths.join(", "),
    placeholder: t("src/**, tests/**"),
    accept: async (text) => {
      now = { ...choices, paths: listIn(text), pathsChanged: true };
    },
  });
  return now;
}

/** What was told at the start of the session; how it stands where that is not there any more. */
async function showStart(link: HostLink, { id }: Session): Promise<void> {
  const { reports } = await link.call("augment/session/reports", { session: id });
  const start = reports.findLast(({ level }) => level === "start");
  await (start === undefined ? showSessionPage() : showReportPage(start));
}
