// The commands on agents, runs, questions and proposals. Each finds out what it is about and sends the order; whether it
// may be done the host decides.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { withoutIcons } from "../outside_text";
import type { Agent, HandOff, Question, RunInfo } from "../protocol.gen";
import { isTaskRow } from "../queue_row";
import { isOnLostRow } from "../review/change_groups";
import { lookIcon } from "../state_icon";
import { RUN_LOOKS } from "../state_look";
import { showTask } from "../task_document";
import { tellDone } from "../told";
import { allowAgent } from "./agent_allow";
import { pickAgent, pickTaskFor, showPresets, type TaskWanted, usable } from "./agent_choice";
import { showQuestionPage, showRunPage } from "./agent_documents";
import { type StartContext, startAgent } from "./agent_start";
import { ANSWER_QUESTION, EDIT_HAND_OFF, SHOW_PRESETS, SHOW_RUN } from "./agents_row_drawn";
import { isAgentsRow } from "./agents_rows";
import { AGENTS_VIEW } from "./agents_tree";
import { acceptHandOff, dismissHandOff, type HandOffContext, startWithText } from "./hand_off_decide";
import { handOffNotice } from "./hand_off_words";
import { askAndAnswer } from "./question_answer";
import { runFacts, runLabel } from "./run_words";

export const SHOW_AGENTS = ours("showAgents");

type Command = (context: HandOffContext, ...args: unknown[]) => Promise<void>;

export const agentsCommands: { readonly [id: string]: Command } = {
  [ours("startAgent")]: start,
  [ours("stopRun")]: stopRun,
  [ours("showRunOutput")]: showOutput,
  [ours("showRunTask")]: showRunTask,
  [ours("showQuestion")]: showQuestion,
  [ours("allowAgent")]: allow,
  [ours("acceptHandOff")]: accept,
  [ours("dismissHandOff")]: dismiss,
  [ours("startHandOff")]: startHandOff,
  [ours("refreshAgents")]: refresh,
  [SHOW_AGENTS]: async () => void (await vscode.commands.executeCommand(`${AGENTS_VIEW}.focus`)),
  [SHOW_RUN]: showRun,
  [ANSWER_QUESTION]: answer,
  [EDIT_HAND_OFF]: editHandOff,
  [SHOW_PRESETS]: (context) => showPresets(context.link, (agent) => startOn(context, agent, undefined)),
};

/** Called on a task of the queue, on an agent, or on neither. */
async function start(context: StartContext, ...args: unknown[]): Promise<void> {
  if (isOnLostRow(args)) return tellDone(t("The list had just changed. Nothing was started; press again"));
  const [row] = args;
  if (isAgentsRow(row)) {
    const agent = row.kind === "agents-agent" ? usable(row.agent) : undefined;
    if (agent !== undefined) await startOn(context, agent, undefined);
    return;
  }
  const task = isTaskRow(row) ? row.task : undefined;
  const agent = await pickAgent(
    context.link,
    task === undefined ? t("Start Agent") : t("Start an Agent on {0}", task.id),
  );
  if (agent !== undefined) await startOn(context, agent, task && { task: task.id });
}

async function startOn(context: StartContext, agent: Agent, known: TaskWanted | undefined): Promise<void> {
  const wanted = known ?? (await pickTaskFor(context.link, agent.name));
  if (wanted !== undefined) await startAgent(context, agent, wanted);
}

async function stopRun(context: StartContext, ...args: unknown[]): Promise<void> {
  const run = await chosenRun(context, args, t("Stop Run"), context.model.snapshot?.active);
  if (run === undefined) return;
  await context.link.call("augment/agent/stop", { run: run.run });
  tellDone(t("{0} is being stopped", run.run));
}

async function showOutput(context: StartContext, ...args: unknown[]): Promise<void> {
  const run = await chosenRun(context, args, t("Show Run Output"), everyRun(context));
  if (run !== undefined) context.terminals.show(run);
}

async function showRun(context: StartContext, ...args: unknown[]): Promise<void> {
  const run = await chosenRun(context, args, t("Show Run Details"), everyRun(context));
  if (run !== undefined) await showRunPage(run.run);
}

async function showRunTask(context: StartContext, ...args: unknown[]): Promise<void> {
  const run = await chosenRun(context, args, t("Show Task of Run"), everyRun(context));
  if (run !== undefined) await showTask(run.task);
}

async function answer(context: StartContext, ...args: unknown[]): Promise<void> {
  const [row] = args;
  const id = typeof row === "string" ? row : (await chosenQuestion(context, args, t("Answer Question")))?.id;
  if (id !== undefined) await askAndAnswer(context.link, id);
}

async function showQuestion(context: StartContext, ...args: unknown[]): Promise<void> {
  const question = await chosenQuestion(context, args, t("Show Question Details"));
  if (question !== undefined) await showQuestionPage(question.id);
}

async function allow(context: StartContext, ...args: unknown[]): Promise<void> {
  if (isOnLostRow(args)) return lostRow();
  const [row] = args;
  const agent =
    isAgentsRow(row) && row.kind === "agents-agent" ? row.agent : await pickAgent(context.link, t("Allow Agent"));
  if (agent === undefined) return;
  if (agent.allowed) return tellDone(t("{0} may be started already", agent.name));
  await allowAgent(context.link, agent);
}

async function accept(context: HandOffContext, ...args: unknown[]): Promise<void> {
  const handOff = await chosenHandOff(context, args, t("Accept Hand-off"));
  if (handOff !== undefined) await acceptHandOff(context, handOff);
}

async function dismiss(context: HandOffContext, ...args: unknown[]): Promise<void> {
  const handOff = await chosenHandOff(context, args, t("Dismiss Hand-off"));
  if (handOff !== undefined) await dismissHandOff(context, handOff);
}

async function editHandOff(context: HandOffContext, ...args: unknown[]): Promise<void> {
  const handOff = await chosenHandOff(context, args, t("Edit Hand-off Text"));
  if (handOff !== undefined) await context.texts.open(handOff);
}

/** Where none of its texts is before the person, it is shown first: nothing is started that nobody has seen. */
async function startHandOff(context: HandOffContext, row: unknown): Promise<void> {
  const uri = row instanceof vscode.Uri ? row : vscode.window.activeTextEditor?.document.uri;
  const handOff = context.texts.handOffOf(uri);
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri?.toString());
  if (handOff === undefined || document === undefined) return editHandOff(context);
  await startWithText(context, handOff, document);
}

async function refresh({ link, model }: StartContext): Promise<void> {
  link.wake();
  model.refresh();
}

/** Never another one instead, not even the only one there is by now: the person pointed at something else. */
function lostRow(): undefined {
  tellDone(t("The list had just changed. Nothing was done; press again"));
}

function everyRun({ model }: StartContext): RunInfo[] {
  return [...(model.snapshot?.active ?? []), ...(model.snapshot?.ended ?? [])];
}

async function chosenRun(
  { link }: StartContext,
  args: readonly unknown[],
  title: string,
  runs: readonly RunInfo[] = [],
): Promise<RunInfo | undefined> {
  if (isOnLostRow(args)) return lostRow();
  const [row] = args;
  if (isAgentsRow(row)) return row.kind === "agents-run" ? row.run : undefined;
  if (typeof row === "string") return (await link.call("augment/run/show", { run: row })).run;
  const items = runs.map((run) => ({
    run,
    label: withoutIcons(runLabel(run)),
    description: withoutIcons(runFacts(run)),
    iconPath: lookIcon(RUN_LOOKS[run.state]),
  }));
  return (await pickOne(title, items, t("Which run?"), t("No run to choose from")))?.run;
}

async function chosenQuestion(
  { model }: StartContext,
  args: readonly unknown[],
  title: string,
): Promise<Question | undefined> {
  if (isOnLostRow(args)) return lostRow();
  const [row] = args;
  if (isAgentsRow(row)) return row.kind === "agents-question" ? row.question : undefined;
  const items = (model.snapshot?.questions ?? []).map((question) => ({
    question,
    label: withoutIcons(question.question),
    description: withoutIcons(`${question.agent}, ${question.run}`),
  }));
  const [only] = items;
  if (items.length === 1) return only?.question;
  return (await pickOne(title, items, t("Which question?"), t("No question waits for an answer")))?.question;
}

/** The proposal of a row or of the text in an editor; without either, the only one, or one that is picked. */
async function chosenHandOff(
  { model, texts }: HandOffContext,
  args: readonly unknown[],
  title: string,
): Promise<HandOff | undefined> {
  if (isOnLostRow(args)) return lostRow();
  const [row] = args;
  if (isAgentsRow(row)) return row.kind === "agents-hand-off" ? row.handOff : undefined;
  if (row instanceof vscode.Uri) return texts.handOffOf(row);
  const items = (model.snapshot?.proposals ?? []).map((handOff) => ({
    handOff,
    label: withoutIcons(handOffNotice(handOff)),
  }));
  const [only] = items;
  if (items.length === 1) return only?.handOff;
  return (await pickOne(title, items, t("Which proposal?"), t("No hand-off is proposed")))?.handOff;
}

async function pickOne<T extends vscode.QuickPickItem>(
  title: string,
  items: T[],
  placeHolder: string,
  none: string,
): Promise<T | undefined> {
  if (items.length > 0) return vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  tellDone(none);
  return undefined;
}
