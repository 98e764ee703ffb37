// How each row of the view of prompts is drawn. Labels and string tooltips of a tree are not read as Markdown, so what
// commits and agents say stays text.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { agoText } from "../moments";
import { ours } from "../ours";
import { oneLine, shortened } from "../outside_text";
import { facts } from "../sessions/session_words";
import { lookIcon } from "../state_icon";
import { LOOKS, PROMPT_LOOKS } from "../state_look";
import {
  approvedWords,
  commitDetails,
  commitFacts,
  filesText,
  intentWords,
  promptDetails,
  promptFacts,
  roleIcon,
  roleWords,
  shortCommit,
  stateWords,
  waitingWords,
} from "./prompt_words";
import {
  type CautionRow,
  type ChangeRow,
  type CommitRow,
  type IntentRow,
  type NowRow,
  type PromptsRow,
  rowId,
  type SquashedRow,
  type UncommittedRow,
} from "./prompts_rows";

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const titleLimit = 120;
const tooltipFiles = 20;

export const START_PROMPT = ours("startPrompt");
export const COMMIT_INTENT = ours("commitIntent");
export const SHOW_SESSION_COMMIT = ours("showSessionCommit");
export const SHOW_PROMPT = ours("showPrompt");
export const SHOW_MORE_COMMITS = ours("showMoreSessionCommits");

export function drawPromptsRow(row: PromptsRow, { nowMs }: { nowMs: number }): vscode.TreeItem {
  const item = drawn(row, nowMs);
  item.id = rowId(row);
  return item;
}

function drawn(row: PromptsRow, nowMs: number): vscode.TreeItem {
  switch (row.kind) {
    case "prompt-now":
      return drawNow(row);
    case "prompt-none":
      return drawNone();
    case "prompt-caution":
      return drawCaution(row);
    case "prompt-intent":
      return drawIntent(row);
    case "prompt-uncommitted":
      return drawUncommitted(row);
    case "prompt-commit":
      return drawCommit(row, nowMs);
    case "prompt-change":
      return drawChange(row);
    case "prompt-squashed":
      return drawSquashed(row);
    case "prompt-more":
      return drawMore();
    default:
      return assertNever(row);
  }
}

function drawNow({ prompt }: NowRow): vscode.TreeItem {
  const { state, headline } = prompt;
  const item = new vscode.TreeItem(shortened(oneLine(headline), titleLimit), Expanded);
  item.description = promptFacts(prompt);
  item.iconPath = lookIcon(PROMPT_LOOKS[state]);
  item.contextValue = `prompt.${state}`;
  item.tooltip = promptDetails(prompt);
  item.accessibilityInformation = { label: facts(headline, stateWords(state), prompt.stamp) };
  item.command = { command: SHOW_PROMPT, title: t("Show Prompt Text") };
  return item;
}

function drawNone(): vscode.TreeItem {
  const item = new vscode.TreeItem(t("No prompt is under way"), None);
  item.description = t("start one");
  item.iconPath = new vscode.ThemeIcon("add");
  item.tooltip = t("Starting one keeps its text and its time; what is done for it is committed intent by intent.");
  item.accessibilityInformation = { label: `${item.label}, ${item.description}` };
  item.command = { command: START_PROMPT, title: t("Start Prompt") };
  return item;
}

function drawCaution({ caution }: CautionRow): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(caution), None);
  item.tooltip = oneLine(caution);
  item.iconPath = lookIcon(LOOKS.problem);
  return item;
}

function drawIntent({ intent: { text, role, commit, change } }: IntentRow): vscode.TreeItem {
  const item = new vscode.TreeItem(shortened(intentWords(text), titleLimit), None);
  item.description = facts(roleWords(role), shortCommit(commit));
  item.iconPath = new vscode.ThemeIcon(roleIcon(role));
  item.contextValue = "prompt.intent";
  item.tooltip = [oneLine(text), facts(roleWords(role), shortCommit(commit), change)].join("\n");
  item.accessibilityInformation = { label: facts(intentWords(text), roleWords(role)) };
  return item;
}

function drawUncommitted({ files, waiting }: UncommittedRow): vscode.TreeItem {
  const item = new vscode.TreeItem(approvedWords(files.length), None);
  item.description = facts(filesText(files), waitingWords(waiting));
  item.iconPath = lookIcon({ ...LOOKS.problem, icon: "git-commit" });
  item.contextValue = "prompt.uncommitted";
  const left = files.length - tooltipFiles;
  item.tooltip = [
    ...files.slice(0, tooltipFiles).map(oneLine),
    left > 0 ? t("… and {0} more", left.toLocaleString()) : "",
    waiting === 0 ? "" : t("{0}, and stays out of every commit until then.", waitingWords(waiting)),
  ]
    .filter((line) => line !== "")
    .join("\n");
  item.accessibilityInformation = { label: facts(approvedWords(files.length), waitingWords(waiting)) };
  item.command = { command: COMMIT_INTENT, title: t("Commit Intent") };
  return item;
}

function drawCommit(row: CommitRow, nowMs: number): vscode.TreeItem {
  const { session } = row;
  const { summary, stamp, timeMs, changes, squashed, lacks } = session;
  const ago = agoText(timeMs, nowMs);
  const isWhole = lacks.length === 0;
  const item = new vscode.TreeItem(
    shortened(oneLine(summary), titleLimit),
    changes.length + squashed.length === 0 ? None : Collapsed,
  );
  item.description = commitFacts(session, ago);
  item.iconPath = isWhole ? new vscode.ThemeIcon("git-commit") : lookIcon(LOOKS.problem);
  item.contextValue = "prompt.commit";
  item.tooltip = commitDetails(session);
  item.accessibilityInformation = { label: facts(summary, stamp, ago) };
  item.command = { command: SHOW_SESSION_COMMIT, title: t("Show Session Commit"), arguments: [row] };
  return item;
}

function drawChange({ text }: ChangeRow): vscode.TreeItem {
  const item = new vscode.TreeItem(shortened(intentWords(text), titleLimit), None);
  item.tooltip = oneLine(text);
  item.iconPath = new vscode.ThemeIcon("circle-small-filled");
  return item;
}

function drawSquashed({ named }: SquashedRow): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(named.change), None);
  item.description = named.commit === null ? t("not found here") : shortCommit(named.commit);
  item.iconPath = named.commit === null ? lookIcon(LOOKS.problem) : new vscode.ThemeIcon("git-merge");
  item.contextValue = "prompt.squashed";
  item.tooltip =
    named.commit === null
      ? t("{0} is named by the session commit, and leads to no commit here.", oneLine(named.change))
      : t("{0} is {1}", oneLine(named.change), named.commit);
  return item;
}

function drawMore(): vscode.TreeItem {
  const item = new vscode.TreeItem(t("Show more"), None);
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.command = { command: SHOW_MORE_COMMITS, title: t("Show More") };
  return item;
}
