// How each row of the agents view is drawn. Labels and string tooltips of a tree are not read as Markdown, so what agents
// say stays text.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { ours } from "../ours";
import { oneLine, shortened } from "../outside_text";
import { lookIcon } from "../state_icon";
import { HAND_OFF_LOOKS, LOOKS, RUN_LOOKS } from "../state_look";
import {
  type AgentRow,
  type AgentsGroup,
  type AgentsGroupRow,
  type AgentsRow,
  type HandOffRow,
  type PresetsRow,
  type ProblemRow,
  type QuestionRow,
  type RunRow,
  rowsBelow,
} from "./agents_rows";
import type { AgentsSnapshot } from "./agents_snapshot";
import { agentFacts, hindrance, readiness, readinessLook, runFacts, runLabel, shortConfiguration } from "./run_words";

const { None, Expanded } = vscode.TreeItemCollapsibleState;
const detailLimit = 1_000;

export const SHOW_RUN = ours("showRun");
export const ANSWER_QUESTION = ours("answerQuestion");
export const EDIT_HAND_OFF = ours("editHandOff");
export const SHOW_PRESETS = ours("showAgentPresets");

export function drawAgentsRow(row: AgentsRow, snapshot: AgentsSnapshot): vscode.TreeItem {
  switch (row.kind) {
    case "agents-group":
      return drawGroup(row);
    case "agents-run":
      return drawRun(row, snapshot);
    case "agents-question":
      return drawQuestion(row);
    case "agents-hand-off":
      return drawHandOff(row);
    case "agents-agent":
      return drawAgent(row);
    case "agents-problem":
      return drawProblem(row);
    case "agents-presets":
      return drawPresets(row);
    default:
      return assertNever(row);
  }
}

export function groupLabel(group: AgentsGroup): string {
  switch (group) {
    case "runs":
      return t("Runs");
    case "ended":
      return t("Ended");
    case "agents":
      return t("Agents");
    default:
      return assertNever(group);
  }
}

function drawGroup({ group, count }: AgentsGroupRow): vscode.TreeItem {
  const item = new vscode.TreeItem(groupLabel(group), Expanded);
  item.id = group;
  item.description = count.toLocaleString();
  item.contextValue = `agents.group.${group}`;
  item.accessibilityInformation = { label: `${groupLabel(group)}, ${count}` };
  return item;
}

/** Its tooltip is made when it is hovered, so that it tells the last sign of life of that moment. */
function drawRun(row: RunRow, snapshot: AgentsSnapshot): vscode.TreeItem {
  const { run } = row;
  const hasBelow = rowsBelow(run, snapshot).length > 0;
  const item = new vscode.TreeItem(runLabel(run), hasBelow ? Expanded : None);
  // A run that ends moves to another group; ids that hold the group never clash. A row that VS Code knows stays closed
  // when something comes to stand below it, so that is another row.
  item.id = `${run.ended ? "ended" : "runs"}/${run.run}${hasBelow ? "/…" : ""}`;
  item.description = runFacts(run);
  item.iconPath = lookIcon(RUN_LOOKS[run.state]);
  item.contextValue = run.ended ? "run.ended" : "run.active";
  item.accessibilityInformation = {
    label: t("{0}, because {1}, {2}", runLabel(run), oneLine(run.because), runFacts(run)),
  };
  item.command = { command: SHOW_RUN, title: t("Show Run Details"), arguments: [row] };
  return item;
}

function drawQuestion(row: QuestionRow): vscode.TreeItem {
  const { question } = row;
  const item = new vscode.TreeItem(oneLine(question.question), None);
  item.id = `question/${question.id}`;
  item.description = t("{0} asks", oneLine(question.agent));
  item.iconPath = lookIcon(LOOKS.waiting);
  item.contextValue = "question";
  const options = question.options.map(({ text, value }) => `• ${oneLine(text) || oneLine(value)}`);
  item.tooltip = [oneLine(question.question), shortened(question.detail, detailLimit), ...options]
    .filter((text) => text !== "")
    .join("\n");
  item.accessibilityInformation = {
    label: t("Question of {0}: {1}", oneLine(question.agent), oneLine(question.question)),
  };
  item.command = { command: ANSWER_QUESTION, title: t("Answer Question"), arguments: [row] };
  return item;
}

function drawHandOff(row: HandOffRow): vscode.TreeItem {
  const { id, toAgent, fromAgent, reason } = row.handOff;
  const item = new vscode.TreeItem(t("{0} goes on", oneLine(toAgent)), None);
  item.id = `hand-off/${id}`;
  item.description = oneLine(reason ?? t("suggested by {0}", fromAgent));
  item.iconPath = lookIcon(HAND_OFF_LOOKS[row.handOff.state]);
  item.contextValue = "hand-off";
  item.tooltip = t(
    "{0} suggests that {1} goes on{2}",
    oneLine(fromAgent),
    oneLine(toAgent),
    reason === null ? "." : `: ${oneLine(reason)}`,
  );
  item.command = { command: EDIT_HAND_OFF, title: t("Edit Hand-off Text"), arguments: [row] };
  return item;
}

function drawAgent({ agent }: AgentRow): vscode.TreeItem {
  const standing = readiness(agent);
  const item = new vscode.TreeItem(oneLine(agent.name), None);
  item.id = `agent/${agent.name}`;
  item.description = agentFacts(agent);
  item.iconPath = lookIcon(readinessLook(standing));
  item.contextValue = `agent.${standing}`;
  item.tooltip = [
    `${oneLine(agent.name)}: ${agentFacts(agent)}`,
    hindrance(agent),
    agent.program === null ? undefined : t("Program: {0}", oneLine(agent.program)),
    t("At most {0} at once, {1} now", agent.parallel, agent.active),
    "",
    ...shortConfiguration(agent.command),
  ]
    .filter((line) => line !== undefined)
    .join("\n");
  item.accessibilityInformation = { label: t("Agent {0}, {1}", oneLine(agent.name), agentFacts(agent)) };
  return item;
}

function drawProblem({ problem }: ProblemRow): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(problem), None);
  item.id = `problem/${problem}`;
  item.tooltip = oneLine(problem);
  item.iconPath = lookIcon(LOOKS.problem);
  return item;
}

function drawPresets({ count }: PresetsRow): vscode.TreeItem {
  const item = new vscode.TreeItem(t("More presets…"), None);
  item.id = "presets";
  item.description = t("{0} whose program was not found", count.toLocaleString());
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.command = { command: SHOW_PRESETS, title: t("Show Agent Presets") };
  return item;
}
