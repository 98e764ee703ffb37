// What the page may have done: each action runs what a command runs, so that questions, confirmations and refusals are the
// same as elsewhere. What is not in this table cannot be asked for.

import * as vscode from "vscode";
import type { Action, ActionParams } from "../../panel/messages";
import { showQuestionPage } from "../agents/agent_documents";
import { agentsCommands } from "../agents/agents_commands";
import type { HandOffContext } from "../agents/hand_off_decide";
import { answerWith, answerWithText } from "../agents/question_answer";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { ours } from "../ours";
import type { Agent, Flag } from "../protocol.gen";
import { moveTask, type QueueContext, queueCommands } from "../queue_commands";
import { groupOf } from "../queue_group";
import type { TaskRow } from "../queue_row";
import { NotConnected } from "../refusal";
import { decide, undo } from "../review/decide";
import { type ReviewContext, reviewCommands } from "../review/review_commands";
import { openFileDiff } from "../review/review_diff";
import { assignChanges } from "../review/work_choice";
import { answerFlag, openFlag } from "../sessions/flag_answer";
import { adjustScope, confirmScope, startSession } from "../sessions/scope_flow";
import { showPlanPage, showReportPage } from "../sessions/session_documents";
import { endSession } from "../sessions/session_end";
import { continueSession, type SessionsContext } from "../sessions/sessions_commands";
import { exportFigures, openFile, openStepDiff } from "./file_history";

export interface PanelContext {
  link: HostLink;
  log: vscode.LogOutputChannel;
  queue: QueueContext;
  agents: HandOffContext;
  sessions: SessionsContext;
  /** Nothing where no folder is open. */
  review: ReviewContext | undefined;
}

type Act<A extends Action> = (context: PanelContext, params: ActionParams<A>) => Promise<unknown>;

type OfTask = (context: PanelContext, params: { task: string }) => Promise<void>;

const actions: { readonly [A in Action]: Act<A> } = {
  "task/add": ({ queue }) => queueCommand("addTask")(queue),
  "task/show": onTask("showDetails"),
  "task/edit": onTask("editTask"),
  "task/set-priority": onTask("setPriority"),
  "task/move": ({ link }, { task, place, ...shown }) => moveTask(link, { id: task, ...shown }, place),
  "task/start-agent": async (context, { task }) =>
    agentsCommand("startAgent")(context.agents, await rowOf(context, task)),
  "task/take": onTask("takeTask"),
  "task/complete": onTask("completeTask"),
  "task/fail": onTask("failTask"),
  "task/cancel": onTask("cancelTask"),
  "task/retry": onTask("retryTask"),
  "task/remove": onTask("removeTask"),
  "task/copy-id": onTask("copyId"),
  "run/stop": ({ agents }, { run }) => agentsCommand("stopRun")(agents, run),
  "run/output": ({ agents }, { run }) => agentsCommand("showRunOutput")(agents, run),
  "run/show": ({ agents }, { run }) => agentsCommand("showRun")(agents, run),
  "question/ask": ({ agents }, { question }) => agentsCommand("answerQuestion")(agents, question),
  "question/show": (_, { question }) => showQuestionPage(question),
  "question/choose": chooseAnswer,
  "question/say": async ({ link }, { question, text }) =>
    answerWithText(link, await link.call("augment/question/show", { question }), text),
  "hand-off/accept": onHandOff("acceptHandOff"),
  "hand-off/edit": onHandOff("editHandOff"),
  "hand-off/dismiss": onHandOff("dismissHandOff"),
  "agent/start": async (context, { agent }) =>
    agentsCommand("startAgent")(context.agents, { kind: "agents-agent", agent: await agentNamed(context, agent) }),
  "agent/allow": async (context, { agent }) =>
    agentsCommand("allowAgent")(context.agents, { kind: "agents-agent", agent: await agentNamed(context, agent) }),
  "agent/presets": ({ agents }) => agentsCommand("showAgentPresets")(agents),
  "session/start": async ({ sessions }) => void (await startSession(sessions)),
  "session/confirm": async ({ sessions }, { session }) => void (await confirmScope(sessions, { drawn: session })),
  "session/adjust": async ({ sessions }, { session }) => void (await adjustScope(sessions, { drawn: session })),
  "session/continue": ({ sessions }, checkpoint) => continueSession(sessions, checkpoint),
  "session/end": ({ sessions }, { session }) => endSession(sessions, session),
  "session/plan": () => showPlanPage(),
  "session/report": showReport,
  "flag/answer": async (context, { flag, answer, hunks }) =>
    answerFlag(context.sessions, { ...(await flagOf(context, flag)), hunks }, answer),
  "flag/open": async (context, { flag }) => openFlag(context.sessions, await flagOf(context, flag)),
  "review/decide": (context, { verdict, what }) => decide(reviewOf(context), verdict, what),
  "review/decide-all": (context, { verdict }) =>
    commandIn(reviewCommands, verdict === "approve" ? "approveAll" : "rejectAll")(reviewOf(context)),
  "review/assign": assign,
  "review/open": openChanges,
  "review/open-all": (context) => commandIn(reviewCommands, "reviewAll")(reviewOf(context)),
  "review/undo": (context, { decision }) => undo(reviewOf(context), decision, "list"),
  "history/open-diff": (context, step) => openStepDiff(reviewOf(context), context.link, step),
  "file/open": (context, file) => openFile(reviewOf(context), file),
  "analytics/export": ({ review, link }, ask) => exportFigures({ folder: review?.model.folder }, link, ask),
  "host/restart": async ({ link }) => link.start(),
  "host/log": async ({ log }) => log.show(),
  "host/trust": async () => vscode.commands.executeCommand("workbench.trust.manage"),
};

/**
 * @param params have the shape that the action's entry in the map asks for
 * @returns whether it was carried out, as far as the action tells: one that the person gives up answers false
 */
export async function carryOut<A extends Action>(context: PanelContext, action: A, params: object): Promise<boolean> {
  return (await actions[action](context, params as ActionParams<A>)) !== false;
}

function onTask(name: string): OfTask {
  const command = queueCommand(name);
  return ({ queue }, { task }) => command(queue, task);
}

function onHandOff(name: string): (context: PanelContext, params: { handOff: string }) => Promise<void> {
  const command = agentsCommand(name);
  return async (context, { handOff: id }) => {
    const { handOffs } = await context.link.call("augment/hand-off/list", {});
    const handOff = handOffs.find((known) => known.id === id && known.state === "proposed");
    if (handOff === undefined) throw new Error(t("{0} needs no decision any more.", id));
    await command(context.agents, { kind: "agents-hand-off", handOff });
  };
}

function queueCommand(name: string): (typeof queueCommands)[string] {
  return commandIn(queueCommands, name);
}

function agentsCommand(name: string): (typeof agentsCommands)[string] {
  return commandIn(agentsCommands, name);
}

/** Looked up when the table is made, so that a command that is gone is noticed at the start and not at a press. */
function commandIn<C>(commands: { readonly [id: string]: C }, name: string): C {
  const command = commands[ours(name)];
  if (command === undefined) throw new Error(t("There is no command {0}.", name));
  return command;
}

async function rowOf({ link }: PanelContext, id: string): Promise<TaskRow> {
  const { task } = await link.call("augment/queue/show", { task: id });
  return { kind: "task", group: groupOf(task.status), task };
}

async function agentNamed({ link }: PanelContext, name: string): Promise<Agent> {
  const { agents } = await link.call("augment/agent/list", {});
  const agent = agents.find((known) => known.name === name);
  if (agent === undefined) throw new Error(t("There is no agent {0} any more.", name));
  return agent;
}

async function chooseAnswer({ link }: PanelContext, params: ActionParams<"question/choose">): Promise<void> {
  const question = await link.call("augment/question/show", { question: params.question });
  const choice = question.options.find(({ value }) => value === params.choice);
  if (choice === undefined) throw new Error(t("{0} has no such answer. Nothing was answered.", question.id));
  await answerWith(link, question, choice);
}

async function showReport({ link }: PanelContext, { report }: ActionParams<"session/report">): Promise<void> {
  const { reports } = await link.call("augment/session/reports", { after: report - 1, limit: 1_000 });
  const found = reports.find(({ number }) => number === report);
  if (found === undefined) throw new Error(t("Report {0} is not there any more.", report));
  await showReportPage(found);
}

async function flagOf({ link }: PanelContext, id: string): Promise<Flag> {
  const { flags } = await link.call("augment/session/status", {});
  const flag = flags.find((known) => known.id === id);
  if (flag === undefined) throw new Error(t("{0} needs no answer any more.", id));
  return flag;
}

async function openChanges(context: PanelContext, { file, task }: ActionParams<"review/open">): Promise<void> {
  const { model } = reviewOf(context);
  await model.refreshed();
  const changed = model.fileAt(file);
  if (changed === undefined) throw new Error(t("Nothing in {0} waits for a decision any more.", file));
  const author = changed.hunks.map((hunk) => hunk.author).find((one) => task === null || one.task === task);
  await openFileDiff(model, changed, author);
}

async function assign(context: PanelContext, { what }: ActionParams<"review/assign">): Promise<void> {
  await assignChanges(reviewOf(context), what);
}

function reviewOf({ review }: PanelContext): ReviewContext {
  if (review === undefined) throw new NotConnected(t("No folder is open, so there is nothing to review."));
  return review;
}
