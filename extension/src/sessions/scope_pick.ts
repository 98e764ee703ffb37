// The scope of a session in two steps. First a list in which every box is a choice: what is proposed, and what else the plan
// and the queue hold. Then what a yes means, before it is said: where the work on each may write, what was read, and what was
// learnt earlier and matches. Leaving either changes nothing.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { oneLine, shortened, withoutIcons, withoutLinks } from "../outside_text";
import type { KnowledgeEntry, Session, SessionStatus } from "../protocol.gen";
import { askText, untilAnswered } from "../questions";
import { listIn } from "../task_fields";
import { choicesOf, mayWrite, type ScopeChoice, type ScopeChoices, type WantedTask, withTyped } from "./scope_choices";
import { showEarlierPage, showReportPage, showSessionPage } from "./session_documents";
import { facts, goalText, governanceCautions, placesText, readWords, scopeTitle, taskCount } from "./session_words";

const readyLimit = 50;
const earlierLimit = 160;

export interface ScopeQuestion {
  session: Session;
  /** What the project's documents say, and what was learnt earlier and matches. */
  about: Pick<SessionStatus, "governance" | "fromEarlier">;
  title: string;
  /** What Enter does at the end. */
  placeholder: string;
  /** The yes itself. */
  yes: string;
  wanted: WantedTask | undefined;
  /** What the things that are in the scope already are called. */
  inScope: string;
  /**
   * Sends it. When it throws, the message is shown and the list stays.
   * @returns whether it was sent; the list stays where the person would rather look at it again
   */
  accept(choices: ScopeChoices): Promise<boolean>;
}

type Words = Pick<ScopeQuestion, "title" | "placeholder" | "yes" | "inScope">;

export function confirmQuestion(session: Session): Words {
  return {
    title: scopeTitle(session),
    placeholder: t("This is what you say yes to. Enter confirms it."),
    yes: t("Confirm Scope"),
    inScope: t("Proposed"),
  };
}

export function adjustQuestion(session: Session): Words {
  const isAtCheckpoint = session.state === "checkpoint";
  return {
    title: t("Adjust {0}", scopeTitle(session)),
    placeholder: isAtCheckpoint
      ? t("It waits at a checkpoint. Enter goes on with this scope.")
      : t("Enter changes the scope."),
    yes: isAtCheckpoint ? t("Go On with This Scope") : t("Change the Scope"),
    inScope: t("In scope"),
  };
}

interface Asking {
  link: HostLink;
  log: vscode.LogOutputChannel;
}

type Left = "escaped" | "tasks" | "yes" | "another" | "paths" | "accepted";

interface Outcome {
  choices: ScopeChoices;
  left: Left;
}

/** @returns whether a scope was accepted; false when the person left */
export async function askScope(asking: Asking, question: ScopeQuestion): Promise<boolean> {
  const [plan, ready] = await Promise.all([
    asking.link.call("augment/plan/show", {}),
    asking.link.call("augment/queue/list", { ready: true, limit: readyLimit }),
  ]);
  let choices = choicesOf(question.session, plan, ready.tasks, question.wanted);
  // Where nothing can be picked, what is to be done is asked for at once.
  let left: Left = choices.choices.length === 0 ? "another" : "tasks";
  for (;;) {
    switch (left) {
      case "accepted":
        return true;
      case "escaped":
        return false;
      case "tasks":
        ({ choices, left } = await askTasks(asking, question, choices));
        break;
      case "yes":
        ({ choices, left } = await askYes(asking, question, choices));
        break;
      case "another":
        choices = await askAnother(question, choices);
        left = choices.choices.length === 0 ? "escaped" : "tasks";
        break;
      case "paths":
        choices = await askPaths(question, choices);
        left = "yes";
        break;
    }
  }
}

/** The first step: what is to be done. Every row is a choice. */
async function askTasks({ log }: Asking, question: ScopeQuestion, { choices, ...others }: ScopeChoices) {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { choice?: ScopeChoice }>();
  const another = { iconPath: new vscode.ThemeIcon("add"), tooltip: t("Another task…") };
  const { Separator } = vscode.QuickPickItemKind;
  const group = (label: string, from: ScopeChoice["from"][]) => {
    const rows = choices.filter((choice) => from.includes(choice.from)).map(choiceRow);
    return rows.length === 0 ? [] : [{ label, kind: Separator }, ...rows];
  };
  pick.title = withoutLinks(question.title);
  pick.step = 1;
  pick.totalSteps = 2;
  // What stands behind it would be covered by how many are picked.
  pick.placeholder = t("What is this session to do? Enter goes on.");
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.buttons = [another];
  pick.items = [
    ...group(question.inScope, ["scope", "typed"]),
    ...group(t("More of the plan"), ["plan"]),
    ...group(t("Ready in the queue"), ["queue"]),
  ];
  pick.selectedItems = pick.items.filter(({ choice }) => choice?.isPicked === true);
  const picked = (): ScopeChoices => {
    const now = new Set(pick.selectedItems.map(({ choice }) => choice));
    return { choices: choices.map((choice) => ({ ...choice, isPicked: now.has(choice) })), ...others };
  };
  let outcome: Outcome = { choices: { choices, ...others }, left: "escaped" };
  pick.onDidTriggerButton(() => {
    outcome = { choices: picked(), left: "another" };
    pick.hide();
  });
  const goOn = async () => {
    outcome = { choices: picked(), left: "yes" };
    return true;
  };
  await untilAnswered(pick, goOn, log);
  return outcome;
}

type YesRow = vscode.QuickPickItem & { leads?: Exclude<Left, "escaped"> | "documents" | "earlier" };

/** The second step: what a yes means. Its first row says it, so that Enter does. */
async function askYes({ link, log }: Asking, question: ScopeQuestion, choices: ScopeChoices) {
  const pick = vscode.window.createQuickPick<YesRow>();
  pick.title = withoutLinks(question.title);
  pick.step = 2;
  pick.totalSteps = 2;
  pick.placeholder = withoutLinks(question.placeholder);
  pick.ignoreFocusOut = true;
  pick.buttons = [vscode.QuickInputButtons.Back];
  pick.items = yesRows(question, choices);
  let left: Left = "escaped";
  pick.onDidTriggerButton(() => {
    left = "tasks";
    pick.hide();
  });
  const take = async () => {
    const leads = pick.selectedItems[0]?.leads;
    switch (leads) {
      case undefined:
        return false;
      case "documents":
        await showStart(link, question.session);
        return false;
      case "earlier":
        await showEarlierPage();
        return false;
      case "accepted":
        if (!(await question.accept(choices))) return false;
        break;
      default:
        break;
    }
    left = leads;
    return true;
  };
  await untilAnswered(pick, take, log);
  return { choices, left };
}

function yesRows({ session, about, yes }: ScopeQuestion, choices: ScopeChoices): YesRow[] {
  const { governance, fromEarlier } = about;
  const picked = choices.choices.filter(({ isPicked }) => isPicked);
  const separator = (label: string): YesRow => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const goal = goalText(session.sprintGoal);
  return [
    { leads: "accepted", label: `$(check) ${yes}`, description: taskCount(picked.length) },
    separator(t("Where each may write")),
    ...picked.map(
      (choice): YesRow => ({
        leads: "paths",
        label: withoutIcons(choice.title),
        detail: withoutIcons(placesText(mayWrite(choice, choices))),
      }),
    ),
    separator(t("Worth knowing")),
    ...governanceCautions(governance, session).map(
      (caution): YesRow => ({ leads: "documents", label: `$(warning) ${withoutIcons(caution)}` }),
    ),
    {
      leads: "documents",
      label: `$(book) ${withoutIcons(readWords(governance))}`,
      ...(goal === "" ? {} : { detail: `$(target) ${withoutIcons(goal)}` }),
    },
    ...(fromEarlier.length === 0 ? [] : [separator(t("From earlier sessions"))]),
    ...fromEarlier.map(earlierRow),
    separator(t("Change it")),
    { leads: "another", label: `$(add) ${t("Another task…")}` },
    { leads: "paths", label: t("$(list-tree) Where they may write…") },
  ];
}

function choiceRow(choice: ScopeChoice) {
  const { title, task, estimate, goal } = choice;
  return { choice, label: withoutIcons(title), description: withoutIcons(facts(task, estimate, goal)) };
}

/** Something to be known, and nothing to be done. */
function earlierRow({ text, source, by }: KnowledgeEntry): YesRow {
  return {
    leads: "earlier",
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
