// Taking the next step of the demo. Each is the product's own command, the same that a person uses in any other folder;
// nothing here is a way around a question.

import * as vscode from "vscode";
import { type StartContext, startAgent } from "../agents/agent_start";
import { ANSWER_QUESTION } from "../agents/agents_row_drawn";
import { AGENTS_VIEW } from "../agents/agents_tree";
import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { ours } from "../ours";
import { NotConnected } from "../refusal";
import { type ScopeContext, startSession } from "../sessions/scope_flow";
import type { DemoModel } from "./demo_model";
import { demoSteps, notItsTurn } from "./demo_steps";
import { OPEN_WALKTHROUGH } from "./walkthrough";

export interface DemoContext {
  model: DemoModel;
  sessions: ScopeContext;
  agents: StartContext;
}

/** @param pressed the step that was clicked; nothing where the one that comes next is meant */
export async function continueDemo(context: DemoContext, pressed?: unknown): Promise<void> {
  const at = await context.model.now();
  if (at === undefined) throw new NotConnected(t('This folder is no demo. Run "Augment: Try the Demo" to make one.'));
  const { stage } = at;
  const step = demoSteps(at).find((known) => known === pressed);
  const instead = step && notItsTurn(step, at);
  if (instead !== undefined) {
    const goOn = t("Go On");
    if ((await vscode.window.showInformationMessage(instead, goOn)) !== goOn) return;
    return continueDemo(context);
  }
  switch (stage) {
    case "start":
    case "confirm":
      // Who has said yes wants to see it begin.
      if (await startSession(context.sessions)) await startDemoAgent(context);
      return;
    case "start-agent":
      return startDemoAgent(context);
    case "watch":
      return run(`${AGENTS_VIEW}.focus`);
    case "answer":
      return run(ANSWER_QUESTION, at.question);
    case "review":
      return run(ours("nextHunk"));
    case "end":
      return run(ours("endSession"));
    case "done":
      return run(OPEN_WALKTHROUGH);
    default:
      return assertNever(stage);
  }
}

async function startDemoAgent({ model, agents }: DemoContext): Promise<void> {
  const at = await model.now();
  if (at?.stage !== "start-agent" || at.task === null) return;
  const list = await agents.link.call("augment/agent/list", {});
  const agent = list.agents.find(({ name }) => name === at.agent);
  if (agent === undefined) throw new NotConnected(t("The demo's agent is not there. Look at the log."));
  await startAgent(agents, agent, { task: at.task });
}

async function run(command: string, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
