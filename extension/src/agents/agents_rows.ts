// The rows of the agents view: active runs with what they ask, ended runs with what they propose, and the agents that can
// be started. Which run stands how, and which agent may be started, the host says.

import { assertNever } from "../assert_never";
import type { Agent, HandOff, Question, RunInfo } from "../protocol.gen";
import type { AgentsSnapshot } from "./agents_snapshot";

export type AgentsGroup = "runs" | "ended" | "agents";

export type AgentsRow = AgentsGroupRow | RunRow | QuestionRow | HandOffRow | AgentRow | ProblemRow | PresetsRow;

export interface AgentsGroupRow {
  kind: "agents-group";
  group: AgentsGroup;
  count: number;
}

export interface RunRow {
  kind: "agents-run";
  run: RunInfo;
}

export interface QuestionRow {
  kind: "agents-question";
  question: Question;
}

export interface HandOffRow {
  kind: "agents-hand-off";
  handOff: HandOff;
}

export interface AgentRow {
  kind: "agents-agent";
  agent: Agent;
}

/** Something wrong in a file that agents come from. */
export interface ProblemRow {
  kind: "agents-problem";
  problem: string;
}

/** Stands for the presets whose programs are not on this machine. */
export interface PresetsRow {
  kind: "agents-presets";
  count: number;
}

export function isAgentsRow(value: unknown): value is AgentsRow {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    typeof value.kind === "string" &&
    value.kind.startsWith("agents-")
  );
}

/** The groups that have something in them. None when there is nothing to start and nothing was started. */
export function groupRows(snapshot: AgentsSnapshot): AgentsGroupRow[] {
  const groups: AgentsGroup[] = ["runs", "ended", "agents"];
  return groups
    .map((group): AgentsGroupRow => ({ kind: "agents-group", group, count: countOf(group, snapshot) }))
    .filter(({ group }) => rowsOf(group, snapshot).some(({ kind }) => kind !== "agents-presets"));
}

export function rowsOf(group: AgentsGroup, snapshot: AgentsSnapshot): AgentsRow[] {
  switch (group) {
    case "runs":
      return [
        ...snapshot.active.map(runRow),
        // What a run asks that ended long ago is still to be answered.
        ...snapshot.questions.filter(({ run }) => !isListed(run, snapshot)).map(questionRow),
      ];
    case "ended":
      return [
        ...snapshot.ended.map(runRow),
        ...snapshot.proposals.filter(({ fromRun }) => !isListed(fromRun, snapshot)).map(handOffRow),
      ];
    case "agents":
      return agentRows(snapshot);
    default:
      return assertNever(group);
  }
}

export function rowsBelow({ run }: RunInfo, { questions, proposals }: AgentsSnapshot): AgentsRow[] {
  return [
    ...questions.filter((question) => question.run === run).map(questionRow),
    ...proposals.filter(({ fromRun }) => fromRun === run).map(handOffRow),
  ];
}

export function parentOf(row: AgentsRow, snapshot: AgentsSnapshot): AgentsRow | undefined {
  const group = (name: AgentsGroup): AgentsGroupRow => ({
    kind: "agents-group",
    group: name,
    count: countOf(name, snapshot),
  });
  switch (row.kind) {
    case "agents-group":
      return undefined;
    case "agents-run":
      return group(row.run.ended ? "ended" : "runs");
    case "agents-question": {
      const run = runOf(row.question.run, snapshot);
      return run === undefined ? group("runs") : runRow(run);
    }
    case "agents-hand-off": {
      const run = runOf(row.handOff.fromRun, snapshot);
      return run === undefined ? group("ended") : runRow(run);
    }
    case "agents-agent":
    case "agents-problem":
    case "agents-presets":
      return group("agents");
    default:
      return assertNever(row);
  }
}

export function runOf(id: string, { active, ended }: AgentsSnapshot): RunInfo | undefined {
  return active.find(({ run }) => run === id) ?? ended.find(({ run }) => run === id);
}

/** Whether it is there to be used; presets come with the program and are there whether or not theirs is. */
export function isThere({ source, program, active }: Agent): boolean {
  return source !== "preset" || program !== null || active > 0;
}

/**
 * The same text for two snapshots that are drawn alike. A run gives signs of life all the time, which are told when it is
 * hovered; a row that is drawn anew meanwhile would lose the click on its button.
 */
export function drawnText({ active, ended, ...others }: AgentsSnapshot): string {
  const drawn = ({ run, state, because, title, agent, startedAt, endedAt }: RunInfo) => [
    run,
    state,
    because,
    title,
    agent,
    startedAt,
    endedAt,
  ];
  return JSON.stringify([active.map(drawn), ended.map(drawn), others]);
}

function agentRows({ agents, problems }: AgentsSnapshot): AgentsRow[] {
  const there = agents.filter(isThere);
  const missing = agents.length - there.length;
  return [
    ...problems.map((problem): AgentsRow => ({ kind: "agents-problem", problem })),
    ...there.map((agent): AgentsRow => ({ kind: "agents-agent", agent })),
    ...(missing > 0 ? [{ kind: "agents-presets", count: missing } as const] : []),
  ];
}

function countOf(group: AgentsGroup, { active, ended, agents }: AgentsSnapshot): number {
  switch (group) {
    case "runs":
      return active.length;
    case "ended":
      return ended.length;
    case "agents":
      return agents.filter(isThere).length;
    default:
      return assertNever(group);
  }
}

function isListed(run: string, snapshot: AgentsSnapshot): boolean {
  return runOf(run, snapshot) !== undefined;
}

function runRow(run: RunInfo): RunRow {
  return { kind: "agents-run", run };
}

function questionRow(question: Question): QuestionRow {
  return { kind: "agents-question", question };
}

function handOffRow(handOff: HandOff): HandOffRow {
  return { kind: "agents-hand-off", handOff };
}
