// Deciding on proposals that another agent goes on: accepted as they are, started with the text that a person has before
// them, or dismissed. Whether an agent may begin the host decides; a text that it does not take stays in its editor.

import * as vscode from "vscode";
import { t } from "../l10n";
import { withoutLinks } from "../outside_text";
import type { HandOff } from "../protocol.gen";
import { messageOf, Refused } from "../refusal";
import { tellDone } from "../told";
import { pickAgent, usable } from "./agent_choice";
import { type StartContext, startAgent } from "./agent_start";
import type { HandOffTexts } from "./hand_off_texts";

export interface HandOffContext extends StartContext {
  texts: HandOffTexts;
}

/** Makes a task of a proposal and offers to start its agent, with what is known when it reads. */
export async function acceptHandOff(context: HandOffContext, { id }: HandOff): Promise<void> {
  const { task, toAgent } = await context.link.call("augment/hand-off/decide", { handOff: id, accept: true });
  if (task === null) return tellDone(t("{0} is accepted", id));
  if (await offersStart(t("{0} waits for {1}.", task, toAgent))) await begin(context, task, toAgent);
}

/** A text that nobody has changed goes with it; any other stays. */
export async function dismissHandOff({ link, texts }: HandOffContext, handOff: HandOff): Promise<void> {
  const document = texts.documentOf(handOff);
  await link.call("augment/hand-off/decide", { handOff: handOff.id, accept: false });
  if (document !== undefined && !texts.isChanged(document)) await texts.close(document, document.getText());
  tellDone(t("{0} is dismissed", handOff.id));
}

/** The next agent gets the text that stands in the editor, to the letter. */
export async function startWithText(
  context: HandOffContext,
  handOff: HandOff,
  document: vscode.TextDocument,
): Promise<void> {
  const text = document.getText();
  const order = { handOff: handOff.id, accept: true, document: text };
  const { task, toAgent } = await context.link.call("augment/hand-off/decide", order);
  if (task === null) return tellDone(t("{0} is accepted", handOff.id));
  let hasBegun = false;
  for (;;) {
    let why = "";
    try {
      hasBegun = await begin(context, task, toAgent);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      why = `${messageOf(error)} `;
    }
    if (hasBegun) break;
    // The host has kept it with the task by now; the editor stays all the same until an agent has it.
    if (!(await offersStart(t("{0}{1} waits for {2}, with your text.", why, task, toAgent)))) return;
  }
  // What was typed on meanwhile is in the editor alone.
  await context.texts.close(document, text);
}

async function offersStart(message: string): Promise<boolean> {
  const start = t("Start Agent");
  return (await vscode.window.showInformationMessage(withoutLinks(message), start)) === start;
}

/** @returns whether an agent has begun */
async function begin(context: HandOffContext, task: string, toAgent: string): Promise<boolean> {
  const { agents } = await context.link.call("augment/agent/list", {});
  const named = agents.find(({ name }) => name === toAgent);
  const agent = named === undefined ? await pickAgent(context.link, t("Start an Agent on {0}", task)) : usable(named);
  return agent !== undefined && startAgent(context, agent, { task });
}
