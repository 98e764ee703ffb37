// Prompts in the editor: makes the parts and connects them. In a folder that is not trusted there is no host, and so nothing to
// begin.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { keptPlace } from "../kept_place";
import { provideText } from "../read_only_text";
import type { ReviewContext } from "../review/review_commands";
import { setOurs } from "../run_ours";
import type { PromptsContext } from "./prompt_context";
import { PromptPages, promptText, sessionCommitText } from "./prompt_documents";
import { PromptLens } from "./prompt_lens";
import { PromptTexts } from "./prompt_texts";
import { PromptsModel } from "./prompts_model";
import { PROMPTS_VIEW, PromptsTree } from "./prompts_tree";

/** Menus, welcome texts and the palette read it: the state of the prompt; `none` where there is none, and empty while that is
 * not known. */
const stateKey = "prompt";

/** @returns what its commands need; it is disposed of with the extension */
export function beginPrompts(
  extension: vscode.ExtensionContext,
  link: HostLink,
  review: ReviewContext | undefined,
  log: vscode.LogOutputChannel,
): PromptsContext {
  const model = new PromptsModel(link, log);
  const tree = new PromptsTree(link, model);
  const view = vscode.window.createTreeView(PROMPTS_VIEW, { treeDataProvider: tree, showCollapseAll: true });
  const texts = new PromptTexts(model, keptPlace(extension, "prompt-texts.json"), log);
  const pages = new PromptPages();
  model.look(view.visible);
  extension.subscriptions.push(
    model,
    tree,
    view,
    texts,
    new PromptLens(texts),
    provideText(link, promptText),
    provideText(link, sessionCommitText),
    provideText(link, pages.kind),
    // Commits are made outside of the editor, too; who looks wants to see the history as it is.
    view.onDidChangeVisibility(({ visible }) => model.look(visible)),
    model.onDidChange(() => {
      const state = model.snapshot === undefined ? "" : (model.prompt?.state ?? "none");
      void setOurs(stateKey, state);
    }),
  );
  return { link, log, model, texts, pages, review };
}
