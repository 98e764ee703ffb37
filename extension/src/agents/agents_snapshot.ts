// Agents, runs, questions and proposals as of about one moment, put together from several answers of the host. The host
// says that agents moved whenever one of them is outdated, which leads to another snapshot.

import type { Agent, HandOff, Methods, Question, RunInfo } from "../protocol.gen";

/** How many ended runs are shown. */
export const ENDED_LIMIT = 10;

const activeLimit = 200;

export interface AgentsSnapshot {
  agents: Agent[];
  /** What is wrong with the files that agents come from. */
  problems: string[];
  /** The newest first, as the host lists them. */
  active: RunInfo[];
  ended: RunInfo[];
  /** Those that wait for an answer, the oldest first. */
  questions: Question[];
  /** Those that wait for a decision. */
  proposals: HandOff[];
}

export type CallOf<K extends keyof Methods> = <M extends K>(
  method: M,
  params: Methods[M]["params"],
) => Promise<Methods[M]["result"]>;

export type Call = CallOf<keyof Methods>;

type Asked = "augment/agent/list" | "augment/run/list" | "augment/question/list" | "augment/hand-off/list";

export async function fetchAgents(call: CallOf<Asked>): Promise<AgentsSnapshot> {
  const every = { task: null, agent: null };
  const [{ agents, problems }, { runs: active }, { questions }, { handOffs }] = await Promise.all([
    call("augment/agent/list", {}),
    call("augment/run/list", { ...every, active: true, limit: activeLimit }),
    call("augment/question/list", { answered: false, run: null }),
    call("augment/hand-off/list", {}),
  ]);
  // Asked for last, so that a run that ends meanwhile is in this list at least.
  const newest = await call("augment/run/list", { ...every, active: false, limit: ENDED_LIMIT + active.length });
  const later = new Map(newest.runs.map((run) => [run.run, run]));
  return {
    agents,
    problems,
    active: active.map((run) => later.get(run.run) ?? run).filter(({ ended }) => !ended),
    ended: newest.runs.filter(({ ended }) => ended).slice(0, ENDED_LIMIT),
    questions: questions.filter(({ answer }) => answer === null),
    proposals: handOffs.filter(({ state }) => state === "proposed"),
  };
}
