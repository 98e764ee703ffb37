// How each row of the session view is drawn. Labels and string tooltips of a tree are not read as Markdown, so what plans
// and agents say stays text.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { momentText } from "../moments";
import { oneLine, shortened } from "../outside_text";
import type { SessionState } from "../protocol.gen";
import { flagKindWords } from "../review/change_words";
import { folderOf, lastName } from "../review/path_text";
import { REVEAL_TASK } from "../status_bar";
import {
  completionDetails,
  completionFacts,
  failedSteps,
  isSettled,
  stepDetails,
  stepFacts,
  stepIcon,
  stepLabel,
} from "./completion_words";
import {
  endIcon,
  facts,
  goalText,
  itemFacts,
  levelIcon,
  narrowProgress,
  pathsText,
  progressText,
  reportWords,
  sessionName,
  stateWords,
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

export const START_SESSION = "augment-orchestrator.startSession";
export const CONFIRM_SCOPE = "augment-orchestrator.confirmScope";
export const CONTINUE_SESSION = "augment-orchestrator.continueSession";
export const ANSWER_CHECKPOINT = "augment-orchestrator.answerCheckpoint";
export const SHOW_REPORT = "augment-orchestrator.showSessionReport";
export const SHOW_PLAN = "augment-orchestrator.showPlan";
export const OPEN_SUMMARY = "augment-orchestrator.openSummary";
export const SHOW_KNOWLEDGE = "augment-orchestrator.showKnowledge";
export const OPEN_FLAG = "augment-orchestrator.openFlag";

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
      return "Scope";
    case "flags":
      return "Outside the scope";
    case "earlier":
      return "From earlier sessions";
    case "discovered":
      return "Discovered";
    case "reports":
      return "Reports";
    default:
      return assertNever(group);
  }
}

function drawState({ session }: StateRow): vscode.TreeItem {
  const label = `${sessionName(session)}: ${stateWords(session.state)}`;
  const item = new vscode.TreeItem(sessionName(session), None);
  item.id = "state";
  item.description = facts(stateWords(session.state), narrowProgress(session.now));
  const [icon, color] = stateIcon(session.state);
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.contextValue = `session.${session.state}`;
  item.tooltip = [
    label,
    session.phase === null ? "" : `Phase: ${oneLine(session.phase)}`,
    session.sprintGoal === null ? "" : `Sprint goal: ${oneLine(session.sprintGoal)}`,
    `Done when it began: ${session.before.done} of ${session.before.total}, now ${session.now.done} of ${session.now.total}`,
    `Paths: ${pathsText(session.paths)}`,
    session.model === null ? "" : `Model: ${oneLine(session.model)}`,
    session.automatic === null ? "" : `It began by itself: ${oneLine(session.automatic)}`,
    `Began ${momentText(session.startedAt)}`,
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
      return { command: CONFIRM_SCOPE, title: "Confirm Scope" };
    case "checkpoint":
      return { command: ANSWER_CHECKPOINT, title: "Answer the Checkpoint" };
    case "confirmed":
    case "working":
    case "ending":
    case "ended":
    case "abandoned":
      return { command: SHOW_REPORT, title: "Show Session Report" };
    default:
      return assertNever(state);
  }
}

function stateIcon(state: SessionState): [icon: string, color: string] {
  switch (state) {
    case "planned":
      return ["question", "list.warningForeground"];
    case "checkpoint":
      return ["debug-pause", "list.warningForeground"];
    case "confirmed":
      return ["checklist", "icon.foreground"];
    case "working":
      return ["play-circle", "charts.blue"];
    case "ending":
      return ["loading~spin", "icon.foreground"];
    case "ended":
      return ["pass", "testing.iconPassed"];
    case "abandoned":
      return ["circle-slash", "disabledForeground"];
    default:
      return assertNever(state);
  }
}

function drawCaution({ caution }: CautionRow): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(caution), None);
  item.id = `caution/${caution}`;
  item.tooltip = oneLine(caution);
  item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.command = { command: SHOW_PLAN, title: "Show Plan" };
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

function drawItem({ item: { title, task, goal, planned, estimate, end }, at, isActive }: ItemRow): vscode.TreeItem {
  const item = new vscode.TreeItem(shortened(oneLine(title), titleLimit), None);
  item.id = `item/${at}/${task ?? title}`;
  item.description = itemFacts({ title, task, goal, planned, estimate, end });
  const [icon, color] = endIcon(end, isActive);
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.contextValue = task === null ? "session.item.planned" : "session.item";
  const stands = end ?? (isActive ? "in progress" : "not begun");
  item.tooltip = [
    oneLine(title),
    facts(task, stands, estimate),
    goal === null ? "" : `Goal: ${oneLine(goal)}`,
    planned ? "" : "It is not in the plan.",
  ]
    .filter((line) => line !== "")
    .join("\n");
  item.accessibilityInformation = { label: facts(title, stands, estimate, goal) };
  if (task !== null) item.command = { command: REVEAL_TASK, title: "Show the Task", arguments: [task] };
  return item;
}

function drawFlag(row: FlagRow): vscode.TreeItem {
  const { id, path, kind, message, why, task } = row.flag;
  const item = new vscode.TreeItem(oneLine(lastName(path)), None);
  item.id = `flag/${id}`;
  item.description = facts(flagKindWords(kind), row.flag.needed ? "needed" : null, folderOf(path));
  item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.contextValue = "session.flag";
  item.tooltip = [
    oneLine(path),
    oneLine(message),
    why === null ? "" : `The agent says: ${oneLine(why)}`,
    task === null ? "" : `Task: ${task}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
  item.accessibilityInformation = { label: facts(path, flagKindWords(kind), message) };
  item.command = { command: OPEN_FLAG, title: "Go to the Change", arguments: [row] };
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
  item.command = { command: SHOW_REPORT, title: "Show Session Report", arguments: [row] };
  return item;
}

function drawEarlier({ entry: { id, text, tags, source, by } }: EarlierRow): vscode.TreeItem {
  const item = new vscode.TreeItem(shortened(oneLine(text), titleLimit), None);
  item.id = `earlier/${id}`;
  item.description = facts(...tags);
  item.tooltip = [oneLine(text), facts(source ?? by, ...tags)].filter((line) => line !== "").join("\n");
  item.iconPath = new vscode.ThemeIcon("mortar-board");
  item.contextValue = "session.earlier";
  item.command = { command: SHOW_KNOWLEDGE, title: "What Was Learnt" };
  return item;
}

function drawNone(): vscode.TreeItem {
  const item = new vscode.TreeItem("No session is under way", None);
  item.id = "none";
  item.description = "start one";
  item.iconPath = new vscode.ThemeIcon("play");
  item.tooltip = "Starting a session reads the plan and proposes what to do next.";
  item.command = { command: START_SESSION, title: "Start Session" };
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
  const [icon, color] = !isSettled(closing)
    ? ["loading~spin", "icon.foreground"]
    : hasFailed
      ? ["warning", "list.warningForeground"]
      : ["pass", "testing.iconPassed"];
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
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
  const [icon, color] = stepIcon(step.outcome);
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.contextValue = `session.step.${step.outcome}`;
  item.tooltip = stepDetails(step);
  item.accessibilityInformation = { label: facts(stepLabel(step.step), step.outcome, ...step.evidence) };
  return item;
}
