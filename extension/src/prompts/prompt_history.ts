// What is done with a prompt's commits once they are there: pushed, taken back, checked, left as they are. What would happen is
// asked of the host first and said in the question.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { confirm } from "../questions";
import { onYesTo, type Time } from "../review/yes_to";
import { offerCommand, tellDone } from "../told";
import { type PromptsContext, promptUnderWay } from "./prompt_context";
import { passedEnvironment } from "./prompt_environment";
import { tellNoted } from "./prompt_notes";
import { countText, guardPage, guardWords, isUnused, promptName, shortCommit, withNotes } from "./prompt_words";
import { PROMPTS_VIEW } from "./prompts_tree";

const CHECK_PROMPT = ours("checkPrompt");

export async function pushPrompt({ link, log, model }: PromptsContext): Promise<void> {
  const order = { remote: null, branch: null, environment: passedEnvironment(process.env) };
  const dry = await atWork(() => link.call("augment/prompt/push", { ...order, dryRun: true }));
  const place = t("{0} of {1}", dry.to.branch, dry.to.remote);
  let said = dry.notes;
  const pushed = await onYesTo(dry, {
    ask: ({ prompt, to, notes }, time) => {
      said = notes;
      const question = t("Push {0} to {1}?", promptName(prompt).toLowerCase(), place);
      return confirm(question, `${withNotes(goingWords(to.commit, time), notes)}.`, t("Push"));
    },
    // What was shown, and to where it was said, whatever is newest and whatever the settings are by now.
    send: ({ to }) => atWork(() => link.call("augment/prompt/push", { ...order, ...to, dryRun: false })),
    refused: async () => model.refresh(),
    // Another prompt may be under way by now: its commits were not asked about here.
    fresh: ({ fresh }) => (fresh.push?.prompt.id === dry.prompt.id ? fresh.push : undefined),
  });
  if (pushed === undefined) return;
  model.refresh();
  const check = t("Check Prompt Invariants");
  if (pushed.verified) {
    // What the question said was read with it.
    return tellNoted(log, t("{0} is pushed to {1}", promptName(pushed.prompt), place), {
      notes: pushed.notes,
      said,
      offer: { button: check, run: () => vscode.commands.executeCommand<void>(CHECK_PROMPT) },
    });
  }
  const unsure = t(
    "It was pushed to {0}, and the remote did not confirm that it has it. Check Prompt Invariants looks again",
    place,
  );
  void offerCommand(`${withNotes(unsure, pushed.notes)}.`, check, CHECK_PROMPT);
}

function goingWords(commit: string, time: Time): string {
  const name = shortCommit(commit);
  return time === "first"
    ? t("{0} is pushed, and the remote is asked whether it has it", name)
    : t(
        "It has changed since you were asked, and nothing is pushed yet. {0} is pushed now, and the remote is asked whether it has it",
        name,
      );
}

export async function undoPrompt({ link, model }: PromptsContext): Promise<void> {
  const environment = passedEnvironment(process.env);
  // Another commit may be made while the question stands: nobody has said yes to that one.
  const undone = await onYesTo(await link.call("augment/prompt/undo", { dryRun: true, environment }), {
    ask: ({ what, notes }) =>
      confirm(t("Take the last commit of the prompt back?"), withNotes(what, notes), t("Take Back")),
    send: ({ commit }) => link.call("augment/prompt/undo", { dryRun: false, commit, environment }),
    refused: async () => model.refresh(),
    fresh: ({ fresh }) => fresh.undo ?? undefined,
  });
  if (undone === undefined) return;
  model.refresh();
  tellDone(withNotes(t("Taken back: {0}", undone.what), undone.notes));
}

export async function checkPrompt({ link, pages }: PromptsContext): Promise<void> {
  const order = { remote: null, branch: null, environment: passedEnvironment(process.env) };
  const guarded = await atWork(() => link.call("augment/prompt/guard", order));
  if (guarded.session === null && isUnused(await link.call("augment/prompt/list", { limit: 1, branch: null })))
    return tellDone(t("There is no prompt and no session commit yet, so there is nothing to check"));
  await pages.show(t("Prompt invariants"), guardPage(guarded));
  tellDone(guardWords(guarded));
}

/** What was committed stays; the prompt that was shown is given up, and no other. */
export async function dropPrompt(context: PromptsContext): Promise<void> {
  const prompt = await promptUnderWay(context);
  if (prompt === undefined) return;
  const commits = countText(prompt.intents.length, t("commit stays"), t("commits stay"));
  const detail = t("“{0}”. Its {1} in the history, and its text in the record.", prompt.headline, commits);
  if (!(await confirm(t("Give {0} up?", promptName(prompt).toLowerCase()), detail, t("Drop Prompt")))) return;
  const { notes } = await context.link.call("augment/prompt/drop", {
    prompt: prompt.id,
    environment: passedEnvironment(process.env),
  });
  context.model.refresh();
  tellNoted(context.log, t("{0} is given up", promptName(prompt)), { notes });
}

/** A remote may take its time. */
async function atWork<T>(work: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: { viewId: PROMPTS_VIEW } }, work);
}
