// Read-only pages of plain text: a prompt as it was given, the message of a `session:` commit, and what a dry run or a check
// came to. They tell what agents and commits say, so none of them is Markdown.

import type { HostLink } from "../host_link";
import { t } from "../l10n";
import type { Prompt, SessionCommit } from "../protocol.gen";
import { showText, type TextKind } from "../read_only_text";
import { plainText } from "../sessions/report_text";
import { KeptPages } from "./kept_pages";
import { promptName, shortCommit } from "./prompt_words";

/** Among how many commits one is looked for again, after a window was reloaded. */
const lookedThrough = 1_000;

/** The message of a `session:` commit, by its name. */
export const sessionCommitText: TextKind = {
  scheme: "augment-session-message",
  part: "prompts",
  write: async (link: HostLink, commit: string) => {
    const { sessions } = await link.call("augment/prompt/list", { limit: lookedThrough, branch: null });
    const session = sessions.find((known) => known.commit === commit);
    return session === undefined ? t("This commit is not in the history any more.\n") : plainText(session.message);
  },
};

/** What was asked, by the id of the prompt. */
export const promptText: TextKind = {
  scheme: "augment-prompt",
  part: "prompts",
  write: async (link: HostLink, id: string) => {
    const { prompts } = await link.call("augment/prompt/list", { limit: lookedThrough, branch: null });
    const prompt = prompts.find((known) => known.id === id);
    return prompt === undefined ? t("This prompt is not known any more.\n") : plainText(prompt.text);
  },
};

/** What a dry run or a check came to; it is not asked for again, so the newest are kept until the window closes. */
export class PromptPages {
  private readonly pages = new KeptPages();

  readonly kind: TextKind = {
    scheme: "augment-prompt-page",
    part: "prompts",
    write: async (_, key) => this.pages.of(key) ?? t("What stood here is not known any more.\n"),
  };

  async show(name: string, text: string): Promise<void> {
    await showText(this.kind.scheme, name, this.pages.keep(text));
  }
}

export async function showSessionCommitPage({ commit }: SessionCommit): Promise<void> {
  await showText(sessionCommitText.scheme, t("Session commit {0}", shortCommit(commit)), commit);
}

export async function showPromptPage(prompt: Prompt): Promise<void> {
  await showText(promptText.scheme, promptName(prompt), prompt.id);
}
