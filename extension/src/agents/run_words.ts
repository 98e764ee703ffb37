// How a run and an agent are named and described wherever they appear. What a run stands on is told beside its state, so
// that nobody has to guess.

import { assertNever } from "../assert_never";
import { durationText, momentText } from "../moments";
import { oneLine, shortened, withoutLinks } from "../outside_text";
import type { AdapterKind, Agent, RunInfo, RunState } from "../protocol.gen";

const messageLimit = 400;
const allowLines = 24;
const allowLimit = 2_400;

export function stateWords(state: RunState): string {
  switch (state) {
    case "waiting":
      return "waiting for you";
    case "timed-out":
      return "timed out";
    case "starting":
    case "running":
    case "completed":
    case "partial":
    case "blocked":
    case "failed":
    case "cancelled":
    case "disconnected":
      return state;
    default:
      return assertNever(state);
  }
}

/** The codicon of a state and the colour it is drawn in. */
export function stateIcon(state: RunState): [icon: string, color: string] {
  switch (state) {
    case "starting":
      return ["loading~spin", "charts.blue"];
    case "running":
      return ["play-circle", "charts.blue"];
    case "waiting":
      return ["question", "list.warningForeground"];
    case "disconnected":
      return ["debug-disconnect", "list.warningForeground"];
    case "completed":
      return ["pass", "testing.iconPassed"];
    case "partial":
      return ["warning", "list.warningForeground"];
    case "blocked":
      return ["lock", "list.warningForeground"];
    case "failed":
      return ["error", "testing.iconFailed"];
    case "timed-out":
      return ["watch", "testing.iconFailed"];
    case "cancelled":
      return ["circle-slash", "disabledForeground"];
    default:
      return assertNever(state);
  }
}

/** `goose: waiting for you`. The place is narrow, so what matters most comes first. */
export function runLabel({ agent, state }: RunInfo): string {
  return `${oneLine(agent)}: ${stateWords(state)}`;
}

/** `since 15:07 · Refactor the door · b12.2` */
export function runFacts({ run, title, startedAt, endedAt, ended }: RunInfo, now = Date.now()): string {
  const when = ended ? timeText(endedAt ?? startedAt, now) : `since ${timeText(startedAt, now)}`;
  return [when, oneLine(title), run].join(" · ");
}

/** `b12.2 of goose is disconnected: it ended with code 0, but without a report.` */
export function runSentence({ run, agent, state, because }: RunInfo): string {
  const reason = oneLine(because);
  return `${run} of ${oneLine(agent)} is ${stateWords(state)}${reason === "" ? "" : `: ${reason}`}.`;
}

/** What the state rests on, a line each. */
export function evidence(run: RunInfo): string[] {
  const { reported, stopped, message, usage, questions, endedAt } = run;
  const span = (endedAt ?? run.lastSignAt) - run.startedAt;
  return [
    `${stateWords(run.state)}, because ${oneLine(run.because)}`,
    `Last sign of life: ${oneLine(run.lastSign)}, ${momentText(run.lastSignAt)}`,
    `Process: ${oneLine(run.process)}`,
    `Reported: ${reported === null ? "nothing" : oneLine(reported)}`,
    ...(stopped === null ? [] : [`Last turn ended: ${oneLine(stopped)}`]),
    `Started: ${momentText(run.startedAt)}${endedAt === null ? "" : `, ended ${momentText(endedAt)}`} (${durationText(span)})`,
    ...(questions === 0 ? [] : [questions === 1 ? "1 question waits for you" : `${questions} questions wait for you`]),
    ...(usage === null ? [] : [`Usage: ${usageText(usage)}`]),
    ...(message === null ? [] : [`Last said: ${shortened(oneLine(message), messageLimit)}`]),
  ];
}

export function adapterWord(adapter: AdapterKind): string {
  switch (adapter) {
    case "acp":
      return "ACP";
    case "command":
    case "attached":
      return adapter;
    default:
      return assertNever(adapter);
  }
}

/** `ready`: it can be asked to start. `needs-yes`: a person has to allow it first. `not-ready`: something else is missing. */
export type Readiness = "ready" | "needs-yes" | "not-ready";

/** Only for what is offered and how it is drawn; whether it is started the host decides when it is asked. */
export function readiness({ program, adapter, allowed, problem }: Agent): Readiness {
  if (adapter === "attached" || program === null) return "not-ready";
  if (!allowed) return "needs-yes";
  return problem === null ? "ready" : "not-ready";
}

/** What stands in the way, in a sentence; nothing when it is ready. */
export function hindrance(agent: Agent): string | undefined {
  const name = oneLine(agent.name);
  if (agent.adapter === "attached")
    return agent.problem ?? `${name} is watched where it runs, and not started from here.`;
  if (agent.program === null)
    return agent.problem ?? `The program of ${name} was not found. Install it, or correct its command.`;
  if (!agent.allowed) return `${name} comes with this folder, and needs your yes before it is started.`;
  return agent.problem ?? undefined;
}

/**
 * Everything that a yes to an agent is for, or what has changed of it since the last yes, and whether all of that is
 * there.
 */
export function allowDetail({ command, program, hash, allowedBefore }: Agent): { detail: string; isWhole: boolean } {
  const lines = allowedBefore === null ? configurationLines(command) : changedLines(allowedBefore, command);
  const isWhole = lines.length <= allowLines && lines.join("\n").length <= allowLimit;
  const shown = isWhole ? lines : lines.slice(0, allowLines).map((line) => shortened(line, allowLimit / allowLines));
  const text = [
    "It is configured by a file in this folder, which others may have written. It runs with your rights.",
    allowedBefore === null ? "All that it says:" : "It is not what you allowed before. What has changed:",
    "",
    ...shown,
    ...(isWhole ? [] : ["… This is not all of it. The whole is in the editor behind this question."]),
    "",
    `Program: ${program ?? "not found"}`,
    `Hash: ${hash}`,
    "",
    "Your yes is for exactly this, and is asked for again once it changes.",
  ];
  return { detail: text.map(withoutLinks).join("\n"), isWhole };
}

/**
 * The lines of two configurations from the first to the last that differ, as a diff shows them. The whole comparison is
 * the diff editor's.
 */
export function changedLines(before: string, now: string): string[] {
  const [was, is] = [configurationLines(before), configurationLines(now)];
  const same = (at: number, other: number) => was[at] !== undefined && was[at] === is[other];
  let head = 0;
  while (same(head, head)) head++;
  let tail = 0;
  while (tail < Math.min(was.length, is.length) - head && same(was.length - 1 - tail, is.length - 1 - tail)) tail++;
  return [
    ...was.slice(head, was.length - tail).map((line) => `- ${line}`),
    ...is.slice(head, is.length - tail).map((line) => `+ ${line}`),
  ];
}

/** How an agent is configured, as the host writes it down for people: a line for each thing. */
export function configurationLines(command: string): string[] {
  return command
    .split("\n")
    .map(oneLine)
    .filter((line) => line !== "");
}

/** The same for a place where long texts are no help: without the content of the files that it names. */
export function shortConfiguration(command: string): string[] {
  return configurationLines(command).filter((line) => !line.startsWith("|"));
}

/** `ACP · 1 of 2 running` */
export function agentFacts(agent: Agent): string {
  const standing: { readonly [key in Readiness]: string[] } = {
    ready: [],
    "needs-yes": ["needs your yes"],
    "not-ready": [agent.program === null && agent.adapter !== "attached" ? "program not found" : "cannot be started"],
  };
  return [
    adapterWord(agent.adapter),
    ...(agent.source === "workspace" ? ["from this folder"] : []),
    ...standing[readiness(agent)],
    ...(agent.active > 0 ? [`${agent.active} of ${agent.parallel} running`] : []),
  ].join(" · ");
}

function usageText({ inputTokens, outputTokens, cost }: NonNullable<RunInfo["usage"]>): string {
  const tokens = `${inputTokens.toLocaleString()} tokens in, ${outputTokens.toLocaleString()} out`;
  return cost === null ? tokens : `${tokens}, ${oneLine(cost)}`;
}

/** The time of day, with the day before it where that is another. */
function timeText(ms: number, now: number): string {
  const [day = "", time = ""] = momentText(ms).split(" ");
  const [today] = momentText(now).split(" ");
  return day === today ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`;
}
