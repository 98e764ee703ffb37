// Starting an agent on a task: a yes where one is needed, the order to the host, and progress until the run has started or
// is known not to.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { ours } from "../ours";
import { withoutLinks } from "../outside_text";
import type { Agent, RunInfo } from "../protocol.gen";
import type { Refused } from "../refusal";
import { orWayOn, type WayOn } from "../sessions/way_on";
import { offerCommand, tellDone, tellError } from "../told";
import { allowAgent } from "./agent_allow";
import type { TaskWanted } from "./agent_choice";
import type { AgentsModel } from "./agents_model";
import type { OutputTerminals } from "./output_terminal";
import { runSentence, stateWords } from "./run_words";

export interface StartContext {
  link: HostLink;
  model: AgentsModel;
  terminals: OutputTerminals;
  log: vscode.LogOutputChannel;
  /** What is offered when the session does not let it start. */
  wayOn(refused: Refused, task: string | undefined): Promise<WayOn>;
  /** Does the work while nothing else asks for the session's scope. */
  asking<T>(work: () => Promise<T>): Promise<T>;
}

/** @returns whether a run was begun */
export async function startAgent(context: StartContext, agent: Agent, wanted: TaskWanted): Promise<boolean> {
  if (!agent.allowed && !(await allowAgent(context.link, agent))) return false;
  const run = await context.asking(() => startOrAsk(context, agent, wanted));
  if (run === undefined) return false;
  // Not waited for: what is told of a run that has ended already may stay unanswered.
  tellStarted(context, run).catch((error: unknown) => tellError(error, context.log));
  return true;
}

async function startOrAsk(context: StartContext, agent: Agent, wanted: TaskWanted): Promise<RunInfo | undefined> {
  const came = await orWayOn(
    () => startWithProgress(context, agent, wanted),
    (refused) => context.wayOn(refused, refused.task?.id ?? ("task" in wanted ? wanted.task : undefined)),
  );
  return came === "kept" || came === "left" ? undefined : came.done;
}

async function startWithProgress(
  context: StartContext,
  agent: Agent,
  wanted: TaskWanted,
): Promise<RunInfo | undefined> {
  const name = withoutLinks(agent.name);
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t("Starting {0}", name), cancellable: true },
    async (progress, cancelled) => {
      const task = "task" in wanted ? wanted.task : null;
      const { run: started } = await context.link.call("augment/agent/start", {
        agent: agent.name,
        task,
        timeLimitMs: null,
      });
      if (started === null) {
        void offerCommand(
          t("No task is ready for {0}. Add one, or pick one that waits.", name),
          t("Add Task…"),
          ours("addTask"),
        );
        return undefined;
      }
      progress.report({ message: withoutLinks(`${started.run}, ${started.title}`) });
      cancelled.onCancellationRequested(() => {
        context.link
          .call("augment/agent/stop", { run: started.run })
          .catch((error: unknown) => tellError(error, context.log));
      });
      return leftStarting(context, started);
    },
  );
}

/** Resolves once the run no longer starts, or can no longer be watched. The host sees to it that no run starts for ever. */
async function leftStarting({ link, model }: StartContext, started: RunInfo): Promise<RunInfo> {
  await model.refreshed();
  const now = () => model.run(started.run) ?? started;
  // A run that the model does not list has ended, and ten others after it.
  const isOver = () => link.state.kind !== "connected" || model.run(started.run)?.state !== "starting";
  if (isOver()) return now();
  return new Promise((resolve) => {
    const look = () => {
      if (!isOver()) return;
      for (const listening of disposables) listening.dispose();
      resolve(now());
    };
    const disposables = [model.onDidChange(look), link.onDidChangeState(look)];
  });
}

async function tellStarted({ terminals }: StartContext, run: RunInfo): Promise<void> {
  switch (run.state) {
    case "starting":
    case "running":
    case "waiting":
    case "completed":
    case "partial":
    case "blocked":
    case "cancelled":
      return tellDone(t("{0} on {1}: {2}", run.agent, run.task, stateWords(run.state)));
    case "failed":
    case "timed-out":
    case "disconnected": {
      const show = t("Show Output");
      if ((await vscode.window.showWarningMessage(withoutLinks(runSentence(run)), show)) === show) terminals.show(run);
      return;
    }
    default:
      return assertNever(run.state);
  }
}
