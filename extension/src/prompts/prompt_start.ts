// Beginning a prompt: its text from an editor or a selection, the subjects that it belongs to, and a word about what lies in
// the tree. Nothing is committed that was not shown.

import * as vscode from "vscode";
import { t } from "../l10n";
import { ours } from "../ours";
import { withoutIcons } from "../outside_text";
import type { Existing, Prompt, StartedPrompt, StartPrompt, Subject, UncommittedGroup } from "../protocol.gen";
import { askText } from "../questions";
import { Refused } from "../refusal";
import type { Time } from "../review/yes_to";
import { facts } from "../sessions/session_words";
import { tellDone } from "../told";
import { askingOfCredentials, type PromptsContext } from "./prompt_context";
import { passedEnvironment } from "./prompt_environment";
import { tellNoted } from "./prompt_notes";
import { countText, filesText, promptName, subjectFacts, withNotes } from "./prompt_words";
import { PROMPTS_VIEW } from "./prompts_tree";

const FOCUS_CHANGES = ours("focusChanges");

const title = () => t("Start Prompt");

export async function startPrompt({ texts }: PromptsContext): Promise<void> {
  await texts.open({ kind: "prompt" }, "");
}

export async function startFromSelection(context: PromptsContext): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty)
    return tellDone(t("Nothing is selected. Select the prompt in an editor first"));
  await begin(context, editor.document.getText(editor.selection));
}

/** The text stays in its editor until a prompt has begun with it. */
export async function beginWithText(context: PromptsContext, about: unknown): Promise<void> {
  const chosen = context.texts.chosen("prompt", about);
  if (chosen === undefined) return startPrompt(context);
  const text = chosen.document.getText();
  if (await begin(context, text)) await context.texts.close(chosen.document, text);
}

/** @returns whether it has begun; not where the person left */
async function begin(context: PromptsContext, text: string): Promise<boolean> {
  const nothingYet = { subjects: [], existing: null, existingIntents: [], dryRun: true };
  let isAllowed = false;
  const send = (order: Pick<StartPrompt, "subjects" | "existing" | "existingIntents" | "confirm" | "dryRun">) =>
    askingOfCredentials((withCredentials) => {
      // Whoever has said once that it is none is not asked for the same text again.
      isAllowed ||= withCredentials;
      return context.link.call("augment/prompt/start", {
        text,
        context: "",
        ...order,
        withCredentials: isAllowed,
        environment: passedEnvironment(process.env),
      });
    });

  const dry = await send(nothingYet);
  if (dry === undefined) return false;
  const subjects = await pickSubjects(dry.subjects);
  if (subjects === undefined) return false;
  // What lies in the tree may be another thing by the time it is sent; then it is shown again.
  for (let shown = dry; ; ) {
    const word = await askExisting(shown, shown === dry ? "first" : "again");
    if (word === undefined) return false;
    const started = await orFresh(() => send({ subjects, ...word, dryRun: false }));
    if (started === undefined) return false;
    if (started.prompt !== null) {
      await tellBegun(context, started, started.prompt);
      return true;
    }
    shown = started;
  }
}

/** What was begun; what lies in the tree now, where it is refused since that was not what was shown. */
async function orFresh(send: () => Promise<StartedPrompt | undefined>): Promise<StartedPrompt | undefined> {
  try {
    return await send();
  } catch (error) {
    const now = error instanceof Refused ? (error.fresh.start ?? undefined) : undefined;
    if (now === undefined) throw error;
    return now;
  }
}

async function tellBegun(context: PromptsContext, started: StartedPrompt, prompt: Prompt): Promise<void> {
  const { link, log, model, review } = context;
  model.refresh();
  const before = started.committed.length;
  const committed = before === 0 ? [] : [t("{0} committed before it", countText(before, t("intent"), t("intents")))];
  const done = withNotes(t("{0} begins, {1}", promptName(prompt), started.stamp), committed);
  const show = { button: t("Show Changes"), run: () => vscode.commands.executeCommand<void>(FOCUS_CHANGES) };
  const offer = review !== undefined && review.model.counts.pendingHunks > 0 ? show : undefined;
  await vscode.commands.executeCommand(`${PROMPTS_VIEW}.focus`);
  // What the view says as long as it is so need not be told besides.
  const { notes: said } = await link.call("augment/prompt/status", {});
  tellNoted(log, done, { notes: started.notes, said, offer });
}

/** @returns nothing when the person left */
async function pickSubjects(found: readonly Subject[]): Promise<string[] | undefined> {
  if (found.length === 0) return [];
  const rows = found.map((subject) => {
    const { why, where } = subjectFacts(subject);
    return {
      label: withoutIcons(subject.subject),
      description: withoutIcons(why),
      detail: withoutIcons(where),
      subject: subject.subject,
      picked: true,
    };
  });
  const picked = await vscode.window.showQuickPick(rows, {
    title: t("{0}: Subjects", title()),
    placeHolder: t("What it belongs to, best first; with none picked, those that were found are noted"),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.map(({ subject }) => subject);
}

type Word = Pick<StartPrompt, "existing" | "existingIntents" | "confirm">;

type Row = vscode.QuickPickItem & ({ word?: Existing | "stop" } | { group: number });

/** Shows what lies in the tree, group by group. @returns the word about exactly that; nothing where nothing shall begin */
async function askExisting(shown: StartedPrompt, time: Time): Promise<Word | undefined> {
  const { existing: groups, committed, confirm } = shown;
  if (groups.length === 0) {
    // What was left of it when it was interrupted may be gone: then the prompt begins on what was committed.
    return committed.length === 0
      ? { existing: null, existingIntents: [] }
      : { existing: "commit", existingIntents: [], confirm };
  }
  const intents = groups.map(({ intent }) => intent);
  for (;;) {
    const picked = await vscode.window.showQuickPick(existingRows(groups, intents), {
      title: t("{0}: What Lies in the Tree", title()),
      placeHolder:
        time === "first"
          ? t("Something is there from before the prompt. Commit it first?")
          : t("It has changed since you were asked. Commit what is shown now first?"),
      ignoreFocusOut: true,
      matchOnDescription: true,
    });
    if (picked === undefined) return undefined;
    if ("group" in picked) {
      await askText({
        title: t("{0}: Name of the Commit", title()),
        prompt: t("What its commit is called, in one line."),
        value: intents[picked.group] ?? "",
        accept: async (text) => {
          intents[picked.group] = text.trim();
        },
      });
      continue;
    }
    if (picked.word === undefined || picked.word === "stop") return undefined;
    return { existing: picked.word, existingIntents: picked.word === "commit" ? intents : [], confirm };
  }
}

function existingRows(groups: readonly UncommittedGroup[], intents: readonly string[]): Row[] {
  const { Separator } = vscode.QuickPickItemKind;
  const commits = countText(groups.length, t("commit of its own"), t("commits of their own"));
  return [
    {
      label: t("Commit First"),
      description: t("{0}, no part of the prompt", commits),
      iconPath: new vscode.ThemeIcon("git-commit"),
      word: "commit",
    },
    {
      label: t("Leave as It Is"),
      description: t("it stays uncommitted"),
      iconPath: new vscode.ThemeIcon("debug-step-over"),
      word: "leave",
    },
    {
      label: t("Stop"),
      description: t("no prompt begins"),
      iconPath: new vscode.ThemeIcon("circle-slash"),
      word: "stop",
    },
    { label: t("Groups, pick one to name its commit"), kind: Separator },
    ...groups.map(
      ({ about, files }, group): Row => ({
        label: withoutIcons(intents[group] ?? ""),
        description: withoutIcons(facts(about, countText(files.length, t("file"), t("files")))),
        detail: withoutIcons(filesText(files)),
        iconPath: new vscode.ThemeIcon("edit"),
        group,
      }),
    ),
  ];
}
