// How each row of the session view is drawn. Labels and string tooltips of a tree are not read as Markdown, so what plans
// and agents say stays text.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { momentText } from "../moments";
import { ours } from "../ours";
import { oneLine, shortened } from "../outside_text";
import type { SessionState } from "../protocol.gen";
import { flagKindWords } from "../review/change_words";
import { folderOf, lastName } from "../review/path_text";
import { lookIcon } from "../state_icon";
import { FLAG_LOOKS, LOOKS, SESSION_LOOKS, STEP_LOOKS } from "../state_look";
import { REVEAL_TASK } from "../status_bar";
import {
  completionDetails,
  completionFacts,
  failedSteps,
  isSettled,
  stepDetails,
  stepFacts,
  stepLabel,
} from "./completion_words";
import {
  endLook,
  facts,
  goalText,
  itemFacts,
  levelIcon,
  narrowProgress,
  pathsText,
  progressText,
  reportWords,
  sessionName,
  sessionPathsText,
  standingWord,
  stateWords,
  toReview,
  waitingHunks,
} from "./session_words";
import type {
  CautionRow,
  DiscoveredRow,
  EarlierRow,
  EndedRow,
  FlagRow,
  ItemRow,
  ReportRow,
  SessionsGroup,
  SessionsGroupRow,
  SessionsRow,
  StateRow,
  StepRow,
} from "./sessions_rows";

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const titleLimit = 120;

export const START_SESSION = ours("startSession");
export const CONFIRM_SCOPE = ours("confirmScope");
export const CONTINUE_SESSION = ours("continueSession");
export const ANSWER_CHECKPOINT = ours("answerCheckpoint");
export const SHOW_REPORT = ours("showSessionReport");
export const SHOW_PLAN = ours("showPlan");
export const OPEN_SUMMARY = ours("openSummary");
export const SHOW_KNOWLEDGE = ours("showKnowledge");
export const OPEN_FLAG = ours("openFlag");

export function drawSessionsRow(row: SessionsRow, { itemCount }: { itemCount: string }): vscode.TreeItem {
  switch (row.kind) {
    case "session-state":
      return drawState(row);
    case "session-caution":
      return drawCaution(row);
    case "session-group":
      return drawGroup(row, itemCount);
    case "session-item":
      return drawItem(row);
    case "session-flag":
      return drawFlag(row);
    case "session-discovered":
      return drawDiscovered(row);
    case "session-report":
      return drawReport(row);
    case "session-earlier":
      return drawEarlier(row);
    case "session-none":
      return drawNone();
    case "session-ended":
      return drawEnded(row);
    case "session-step":
      return drawStep(row);
    default:
      return assertNever(row);
  }
}

export function groupLabel(group: SessionsGroup): string {
  switch (group) {
    case "scope":
      return t("Scope");
    case "flags":
      return t("Outside the scope");
    case "earlier":
      return t("From earlier sessions");
    case "discovered":
      return t("Discovered");
    case "reports":
      return t("Reports");
    default:
      return assertNever(group);
  }
}

function drawState({ session }: StateRow): vscode.TreeItem {
  const label = `${sessionName(session)}: ${stateWords(session.state)}`;
  const item = new vscode.TreeItem(sessionName(session), None);
  item.id = "state";
  item.description = facts(stateWords(session.state), narrowProgress(session.now));
  item.iconPath = lookIcon(SESSION_LOOKS[session.state]);
  item.contextValue = `session.${session.state}`;
  item.tooltip = [
    label,
    session.phase === null ? "" : t("Phase: {0}", oneLine(session.phase)),
    session.sprintGoal === null ? "" : t("Sprint goal: {0}", oneLine(session.sprintGoal)),
    t(
      "Done when it began: {0} of {1}, now {2} of {3}",
      session.before.done,
      session.before.total,
      session.now.done,
      session.now.total,
    ),
    toReview(waitingHunks(session.items)),
    t("Where work may write: {0}", sessionPathsText(session)),
    session.model === null ? "" : t("Model: {0}", oneLine(session.model)),
    session.automatic === null ? "" : t("It began by itself: {0}", oneLine(session.automatic)),
    t("Began {0}", momentText(session.startedAt)),
  ]
    .filter((line) => line !== "")
    .join("\n");
  item.accessibilityInformation = { label: facts(label, progressText(session.now), goalText(session.sprintGoal)) };
  item.command = stateCommand(session.state);
  return item;
}

function stateCommand(state: SessionState): vscode.Command {
  switch (state) {
    case "planned":
      return { command: CONFIRM_SCOPE, title: t("Confirm Scope") };
    case "checkpoint":
      return { command: ANSWER_CHECKPOINT, title: t("Answer the Checkpoint") };
    case "confirmed":
    case "working":
    case "ending":
    case "ended":
    case "abandoned":
      return { command: SHOW_REPORT, title: t("Show Session Report") };
    default:
      return assertNever(state);
  }
}

function drawCaution({ caution }: CautionRow): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(caution), None);
  item.id = `caution/${caution}`;
  item.tooltip = oneLine(caution);
  item.iconPath = lookIcon(LOOKS.problem);
  item.command = { command: SHOW_PLAN, title: t("Show Plan") };
  return item;
}

function drawGroup({ group, count }: SessionsGroupRow, itemCount: string): vscode.TreeItem {
  const item = new vscode.TreeItem(groupLabel(group), group === "discovered" ? Collapsed : Expanded);
  item.id = `group/${group}`;
  item.description = group === "scope" ? itemCount : count.toLocaleString();
  item.contextValue = `session.group.${group}`;
  item.accessibilityInformation = { label: `${groupLabel(group)}, ${item.description}` };
  return item;
}

function drawItem({ item: scopeItem, at, activity }: ItemRow): vscode.TreeItem {
  const { title, task, goal, planned, estimate, end, paths, waiting } = scopeItem;
  const item = new vscode.TreeItem(shortened(oneLine(title), titleLimit), None);
  item.id = `item/${at}/${task ?? title}`;
  item.description = itemFacts(scopeItem);
  item.iconPath = lookIcon(endLook(end, activity));
  item.contextValue = task === null ? "session.item.planned" : "session.item";
  const stands = standingWord(end, activity);
  item.tooltip = [
    oneLine(title),
    facts(task, stands, estimate),
    toReview(waiting),
    goal === null ? "" : t("Goal: {0}", oneLine(goal)),
    paths.length === 0 ? "" : t("Paths of its own: {0}", pathsText(paths)),
    planned ? "" : t("It is not in the plan."),
  ]
    .filter((line) => line !== "")
    .join("\n");
  item.accessibilityInformation = { label: facts(title, stands, toReview(waiting), estimate, goal) };
  if (task !== null) item.command = { command: REVEAL_TASK, title: t("Show the Task"), arguments: [task] };
  return item;
}

function drawFlag(row: FlagRow): vscode.TreeItem {
  const { id, path, kind, message, why, task } = row.flag;
  const item = new vscode.TreeItem(oneLine(lastName(path)), None);
  item.id = `flag/${id}`;
  item.description = facts(flagKindWords(kind), row.flag.needed ? t("needed") : null, folderOf(path));
  item.iconPath = lookIcon(FLAG_LOOKS[kind]);
  item.contextValue = "session.flag";
  item.tooltip = [
    oneLine(path),
    oneLine(message),
    why === null ? "" : t("The agent says: {0}", oneLine(why)),
    task === null ? "" : t("Task: {0}", task),
  ]
    .filter((line) => line !== "")
    .join("\n");
  item.accessibilityInformation = { label: facts(path, flagKindWords(kind), message) };
  item.command = { command: OPEN_FLAG, title: t("Go to the Change"), arguments: [row] };
  return item;
}

function drawDiscovered({ title, at }: DiscoveredRow): vscode.TreeItem {
  const item = new vscode.TreeItem(shortened(oneLine(title), titleLimit), None);
  item.id = `discovered/${at}/${title}`;
  item.tooltip = oneLine(title);
  item.iconPath = new vscode.ThemeIcon("lightbulb");
  return item;
}

function drawReport(row: ReportRow): vscode.TreeItem {
  const { number, level, task, time } = row.report;
  const item = new vscode.TreeItem(reportWords(level), None);
  item.id = `report/${number}`;
  item.description = facts(task, momentText(time).slice(11, 16));
  item.tooltip = `${facts(reportWords(level), task)}, ${momentText(time)}`;
  item.iconPath = new vscode.ThemeIcon(levelIcon(level));
  item.contextValue = "session.report";
  item.command = { command: SHOW_REPORT, title: t("Show Session Report"), arguments: [row] };
  return item;
}

function drawEarlier({ entry: { id, text, tags, source, by } }: EarlierRow): vscode.TreeItem {
  const item = new vscode.TreeItem(shortened(oneLine(text), titleLimit), None);
  item.id = `earlier/${id}`;
  item.description = facts(...tags);
  item.tooltip = [oneLine(text), facts(source ?? by, ...tags)].filter((line) => line !== "").join("\n");
  item.iconPath = new vscode.ThemeIcon("mortar-board");
  item.contextValue = "session.earlier";
  item.command = { command: SHOW_KNOWLEDGE, title: t("What Was Learnt") };
  return item;
}

function drawNone(): vscode.TreeItem {
  const item = new vscode.TreeItem(t("No session is under way"), None);
  item.id = "none";
  item.description = t("start one");
  item.iconPath = new vscode.ThemeIcon("play");
  item.tooltip = t("Starting a session reads the plan and proposes what to do next.");
  item.accessibilityInformation = { label: `${item.label}, ${item.description}` };
  item.command = { command: START_SESSION, title: t("Start Session") };
  return item;
}

function drawEnded(row: EndedRow): vscode.TreeItem {
  const { ended, isBeside } = row;
  const { session, closing } = ended;
  const hasFailed = failedSteps(closing).length > 0;
  const item = new vscode.TreeItem(sessionName(session), isBeside ? Collapsed : Expanded);
  // A row that VS Code knows stays as folded as it was; beside another session it is another row.
  item.id = `ended/${session.id}${isBeside ? "/beside" : ""}`;
  item.description = completionFacts(closing);
  item.iconPath = lookIcon(!isSettled(closing) ? SESSION_LOOKS.ending : hasFailed ? LOOKS.partial : LOOKS.completed);
  item.contextValue = `session.completed${hasFailed ? ".failed" : ""}${closing.archive === null ? "" : ".archived"}`;
  item.tooltip = completionDetails(ended);
  item.accessibilityInformation = { label: facts(sessionName(session), completionFacts(closing)) };
  return item;
}

function drawStep(row: StepRow): vscode.TreeItem {
  const { step, session } = row;
  const item = new vscode.TreeItem(stepLabel(step.step), None);
  item.id = `step/${session}/${step.step}`;
  item.description = shortened(stepFacts(step), titleLimit);
  item.iconPath = lookIcon(STEP_LOOKS[step.outcome]);
  item.contextValue = `session.step.${step.outcome}`;
  item.tooltip = stepDetails(step);
  item.accessibilityInformation = { label: facts(stepLabel(step.step), step.outcome, ...step.evidence) };
  return item;
}
