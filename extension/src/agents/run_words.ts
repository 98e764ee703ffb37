// How a run and an agent are named and described wherever they appear. What a run stands on is told beside its state, so
// that nobody has to guess.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { durationText, momentText } from "../moments";
import { oneLine, shortened, withoutLinks } from "../outside_text";
import type { AdapterKind, Agent, RunInfo, RunState } from "../protocol.gen";
import { sizeText } from "../sizes";
import { LOOKS, type Look, RUN_LOOKS } from "../state_look";

const messageLimit = 400;
const allowLines = 24;
const allowLimit = 2_400;

export function stateWords(state: RunState): string {
  return RUN_LOOKS[state].word;
}

/** `goose: waiting for you`. The place is narrow, so what matters most comes first. */
export function runLabel({ agent, state }: RunInfo): string {
  return `${oneLine(agent)}: ${stateWords(state)}`;
}

/** `since 15:07 · Refactor the door · b12.2` */
export function runFacts({ run, title, startedAt, endedAt, ended }: RunInfo, now = Date.now()): string {
  const when = ended ? timeText(endedAt ?? startedAt, now) : t("since {0}", timeText(startedAt, now));
  return [when, oneLine(title), run].join(" · ");
}

/** `b12.2 of goose is disconnected: it ended with code 0, but without a report.` */
export function runSentence({ run, agent, state, because }: RunInfo): string {
  const reason = oneLine(because);
  return t("{0} of {1} is {2}{3}.", run, oneLine(agent), stateWords(state), reason === "" ? "" : `: ${reason}`);
}

/** What the state rests on, a line each. */
export function evidence(run: RunInfo): string[] {
  const { reported, stopped, message, usage, questions, endedAt } = run;
  const span = (endedAt ?? run.lastSignAt) - run.startedAt;
  return [
    t("{0}, because {1}", stateWords(run.state), oneLine(run.because)),
    t("Last sign of life: {0}, {1}", oneLine(run.lastSign), momentText(run.lastSignAt)),
    t("Process: {0}", oneLine(run.process)),
    t("Reported: {0}", reported === null ? t("nothing") : oneLine(reported)),
    ...(stopped === null ? [] : [t("Last turn ended: {0}", oneLine(stopped))]),
    t(
      "Started: {0}{1} ({2})",
      momentText(run.startedAt),
      endedAt === null ? "" : t(", ended {0}", momentText(endedAt)),
      durationText(span),
    ),
    ...(questions === 0
      ? []
      : [questions === 1 ? t("1 question waits for you") : t("{0} questions wait for you", questions)]),
    ...(usage === null ? [] : [t("Usage: {0}", usageText(usage))]),
    ...resourceLines(run),
    ...(message === null ? [] : [t("Last said: {0}", shortened(oneLine(message), messageLimit))]),
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

export function readinessLook(readiness: Readiness): Look {
  const looks: { readonly [key in Readiness]: Look } = {
    ready: LOOKS.ready,
    "needs-yes": LOOKS.needsYes,
    "not-ready": LOOKS.notReady,
  };
  return looks[readiness];
}

/** What stands in the way, in a sentence; nothing when it is ready. */
export function hindrance(agent: Agent): string | undefined {
  const name = oneLine(agent.name);
  if (agent.adapter === "attached")
    return agent.problem ?? t("{0} is watched where it runs, and not started from here.", name);
  if (agent.program === null)
    return agent.problem ?? t("The program of {0} was not found. Install it, or correct its command.", name);
  if (!agent.allowed) return t("{0} comes with this folder, and needs your yes before it is started.", name);
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
    t("It is configured by a file in this folder, which others may have written. It runs with your rights."),
    allowedBefore === null ? t("All that it says:") : t("It is not what you allowed before. What has changed:"),
    "",
    ...shown,
    ...(isWhole ? [] : [t("… This is not all of it. The whole is in the editor behind this question.")]),
    "",
    t("Program: {0}", program ?? t("not found")),
    t("Hash: {0}", hash),
    "",
    t("Your yes is for exactly this, and is asked for again once it changes."),
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
    "needs-yes": [LOOKS.needsYes.word],
    "not-ready": [
      agent.program === null && agent.adapter !== "attached" ? t("program not found") : LOOKS.notReady.word,
    ],
  };
  return [
    adapterWord(agent.adapter),
    ...(agent.source === "workspace" ? [t("from this folder")] : []),
    ...standing[readiness(agent)],
    ...(agent.active > 0 ? [t("{0} of {1} running", agent.active, agent.parallel)] : []),
  ].join(" · ");
}

/** Of a run that goes on, or that somebody else started, there is nothing to say. */
function resourceLines({ resources, ended, adapter }: RunInfo): string[] {
  if (resources === null) return ended && adapter !== "attached" ? [t("Resources: not known")] : [];
  const { cpuMs, peakMemoryBytes } = resources;
  const cpu = cpuMs < 1_000 ? `${cpuMs} ms` : durationText(cpuMs);
  return [t("Resources: {0} of processor time, at most {1} of memory in one process", cpu, sizeText(peakMemoryBytes))];
}

function usageText({ inputTokens, outputTokens, cost }: NonNullable<RunInfo["usage"]>): string {
  const tokens = t("{0} tokens in, {1} out", inputTokens.toLocaleString(), outputTokens.toLocaleString());
  return cost === null ? tokens : `${tokens}, ${oneLine(cost)}`;
}

/** The time of day, with the day before it where that is another. */
function timeText(ms: number, now: number): string {
  const [day = "", time = ""] = momentText(ms).split(" ");
  const [today] = momentText(now).split(" ");
  return day === today ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`;
}
