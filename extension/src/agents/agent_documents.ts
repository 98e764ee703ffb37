// Read-only pages of plain text about a run, what a question is about, and how an agent is configured.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { recordLine } from "../ledger_document";
import { momentText } from "../moments";
import { oneLine } from "../outside_text";
import type { CompletionReport, HandOff, Question, RunDetails } from "../protocol.gen";
import { showText, type TextKind } from "../read_only_text";
import { HAND_OFF_LOOKS, STATUS_LOOKS } from "../state_look";
import { OutputText } from "./output_text";
import { answerSentence, isRecommended, optionText } from "./question_words";
import { adapterWord, configurationLines, evidence } from "./run_words";

export const runText: TextKind = {
  scheme: "augment-run",
  part: "agents",
  write: async (link: HostLink, run: string) => runPage(await link.call("augment/run/show", { run })),
};

export const questionText: TextKind = {
  scheme: "augment-question",
  part: "agents",
  write: async (link: HostLink, question: string) =>
    questionPage(await link.call("augment/question/show", { question })),
};

/** How an agent is configured, all of it. */
export const agentText: TextKind = {
  scheme: "augment-agent",
  part: "agents",
  write: async (link: HostLink, name: string) => {
    const { agents } = await link.call("augment/agent/list", {});
    const agent = agents.find((known) => known.name === name);
    if (agent === undefined) return noAgent(name);
    return page([
      configurationLines(agent.command),
      [t("Program: {0}", oneLine(agent.program ?? t("not found"))), t("Hash: {0}", agent.hash)],
    ]);
  },
};

/** One side of the diff between an agent as it was allowed and as it is now: `before/NAME` or `now/NAME`. */
export const agentChangeText: TextKind = {
  scheme: "augment-agent-change",
  part: "agents",
  write: async (link: HostLink, query: string) => {
    const at = query.indexOf("/");
    const [side, name] = [query.slice(0, at), query.slice(at + 1)];
    const { agents } = await link.call("augment/agent/list", {});
    const agent = agents.find((known) => known.name === name);
    if (agent === undefined) return noAgent(name);
    const before = agent.allowedBefore ?? agent.command;
    return page([configurationLines(side === "before" ? before : agent.command)]);
  },
};

const noAgent = (name: string) => t("There is no agent {0} any more.\n", oneLine(name));

/** What has changed of an agent since it was allowed. */
export async function showAgentChange(name: string): Promise<void> {
  const title = t("Agent {0}", oneLine(name));
  const side = (side: "before" | "now") =>
    vscode.Uri.from({ scheme: agentChangeText.scheme, path: `/${title}`, query: `${side}/${name}` });
  await vscode.commands.executeCommand("vscode.diff", side("before"), side("now"), t("{0} (as allowed ↔ now)", title));
}

export const showAgentPage = (name: string) => showText(agentText.scheme, t("Agent {0}", oneLine(name)), name);
export const showRunPage = (run: string) => showText(runText.scheme, t("Run {0}", run), run);
export const showQuestionPage = (question: string) =>
  showText(questionText.scheme, t("Question {0}", question), question);

export function runPage({ run, report, questions, handOffs, records, tail }: RunDetails): string {
  const title = t("{0} on {1}, {2}", oneLine(run.agent), run.task, oneLine(run.title));
  return page([
    [title, "=".repeat(Math.min(title.length, 80))],
    [t("Run: {0} ({1})", run.run, adapterWord(run.adapter)), ...evidence(run)],
    section(t("Report"), report === null ? [] : reportLines(report)),
    section(t("Questions"), questions.map(questionLine)),
    section(t("Hand-offs"), handOffs.map(handOffLine)),
    section(t("End of its output"), tail === "" ? [] : plain(tail).split("\n")),
    section(t("Newest records"), records.map(recordLine)),
  ]);
}

export function questionPage(question: Question): string {
  const { id, agent, run, task, detail, options, answer } = question;
  return page([
    [oneLine(question.question), ""],
    [t("{0}, asked by {1} ({2} on {3}), {4}", id, oneLine(agent), run, task, momentText(question.askedAt))],
    section(t("What it is about"), detail === "" ? [] : plain(detail).split("\n")),
    section(
      t("Options"),
      options.map(
        (option) => `• ${optionText(option)}${isRecommended(option, question) ? t(" (recommended by the agent)") : ""}`,
      ),
    ),
    section(t("Answer"), [answer === null ? t("It waits for you.") : answerSentence(question, answer)]),
  ]);
}

function reportLines({ status, agent, summary, metrics, nextSteps, decisions }: CompletionReport): string[] {
  return [
    `${STATUS_LOOKS[status].word}${agent === null ? "" : t(" by {0}", oneLine(agent))}`,
    ...(summary === "" ? [] : plain(summary).split("\n")),
    ...metrics.map(({ name, value, unit }) => `${oneLine(name)}: ${oneLine(value)}${unit === null ? "" : ` ${unit}`}`),
    ...(nextSteps.length === 0
      ? []
      : [nextSteps.length === 1 ? t("1 next step recommended") : t("{0} next steps recommended", nextSteps.length)]),
    ...(decisions.length === 0 ? [] : [t("{0} to be decided by a person", decisions.length)]),
  ];
}

function questionLine(question: Question): string {
  const { id, answer } = question;
  return `${id}  ${oneLine(question.question)}  ${answer === null ? t("It waits for you.") : answerSentence(question, answer)}`;
}

function handOffLine({ id, toAgent, state, reason, task }: HandOff): string {
  const made = task === null ? "" : t(" as {0}", task);
  return t(
    "{0}  to {1}, {2}{3}{4}",
    id,
    oneLine(toAgent),
    HAND_OFF_LOOKS[state].word,
    made,
    reason === null ? "" : `  ${oneLine(reason)}`,
  );
}

/** Many lines of text without anything else in them. */
function plain(text: string): string {
  return new OutputText().take(text).replaceAll("\r\n", "\n");
}

function section(heading: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [heading, "-".repeat(heading.length), ...lines];
}

function page(sections: string[][]): string {
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n").trimEnd())
    .join("\n\n")}\n`;
}
