// What the flows of a prompt share: the parts they work with, and the question about what looks like a credential.

import type * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import type { Prompt } from "../protocol.gen";
import { confirm } from "../questions";
import { Refused } from "../refusal";
import type { ReviewContext } from "../review/review_commands";
import { tellDone } from "../told";
import type { PromptPages } from "./prompt_documents";
import type { PromptTexts } from "./prompt_texts";
import type { PromptsModel } from "./prompts_model";

export interface PromptsContext {
  link: HostLink;
  log: vscode.LogOutputChannel;
  model: PromptsModel;
  texts: PromptTexts;
  pages: PromptPages;
  review: ReviewContext | undefined;
}

const credentialCode = "credential-in-prompt";

/**
 * Sends a text; where the host sees a credential in it, the person is asked, and it goes again with their word.
 * @returns nothing where they would rather take it out
 */
export async function askingOfCredentials<T>(send: (withCredentials: boolean) => Promise<T>): Promise<T | undefined> {
  try {
    return await send(false);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== credentialCode) throw error;
    const detail = t("It would stand in the history for everybody who has it. Take it out, unless it is none.");
    const isNone = await confirm(t("The text holds what looks like a credential."), detail, t("It Is None"));
    return isNone ? send(true) : undefined;
  }
}

/** The prompt that is under way; where there is none, that is told. */
export async function promptUnderWay({ link }: PromptsContext): Promise<Prompt | undefined> {
  const { prompt } = await link.call("augment/prompt/status", {});
  if (prompt === null) tellDone(t("No prompt is under way"));
  return prompt ?? undefined;
}
