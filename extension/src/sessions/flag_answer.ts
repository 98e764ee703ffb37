// Answering a change that fell outside of what was agreed to: extend the scope, log it and take it out, or allow it once.

import * as vscode from "vscode";
import { assertNever } from "../assert_never";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { withoutIcons, withoutLinks } from "../outside_text";
import type { Flag, FlagAnswer } from "../protocol.gen";
import { askText } from "../questions";
import { Refused } from "../refusal";
import { isOnLostRow } from "../review/change_groups";
import { flagKindWords } from "../review/change_words";
import { askAboutResult, tellTakenOut } from "../review/decide";
import { revealHunk } from "../review/hunk_reveal";
import { cameToNothing } from "../review/outcome_words";
import { folderOf, lastName } from "../review/path_text";
import type { ReviewContext } from "../review/review_commands";
import { onYesIfAsked } from "../review/yes_to";
import { tellDone } from "../told";
import { facts, flagNotice, flagOfHunks } from "./session_words";
import type { SessionsModel } from "./sessions_model";
import { isSessionsRow } from "./sessions_rows";

export interface FlagContext {
  link: HostLink;
  model: SessionsModel;
  review: ReviewContext | undefined;
}

/** A row that is drawn anew while its button is pressed is handed over as nothing, and nothing is answered then. */
export const lostRow = () => t("The list had just changed. Nothing was answered; press again");

type AnswerRow = vscode.QuickPickItem & { act(): Promise<unknown> };

/** A flag, and the hunks of it that were there when it was shown: nothing else of it is taken out. */
export type ShownFlag = Pick<Flag, "id" | "path" | "hunks">;

/** @returns false where it goes on waiting: what was shown has changed since, or the person has said no to the result */
export async function answerFlag(
  context: FlagContext,
  flag: ShownFlag,
  answer: FlagAnswer,
  pattern?: string,
): Promise<boolean> {
  const { link, model, review } = context;
  const name = lastName(flag.path);
  const words = answeredWords(name, answer, pattern);
  if (answer === "log" && review !== undefined) {
    const nothing = t("{0} is logged; nothing was taken out", name);
    return log(context, review, flag, { done: words, nothing });
  }
  await link.call("augment/session/flag", { flag: flag.id, answer, ...(pattern === undefined ? {} : { pattern }) });
  model.refresh();
  await review?.model.refreshed();
  tellDone(words);
  return true;
}

async function log(
  { link, model }: FlagContext,
  review: ReviewContext,
  { id, hunks: shown }: ShownFlag,
  words: { done: string; nothing: string },
): Promise<boolean> {
  // The host has to know what is in the editors before it takes a change out.
  review.unsaved.flush();
  const hunks = shown ?? [];
  const { texts } = review.flow.about({ hunks: [] });
  const order = { flag: id, answer: "log", hunks } as const;
  try {
    const answered = await onYesIfAsked({
      ask: (result, time) => askAboutResult(review, "reject", result, time),
      send: (confirm) =>
        review.last.own.send((made) =>
          review.flow.takingOut(hunks, async () => {
            const { tookOut } = await link.call(
              "augment/session/flag",
              confirm === undefined ? order : { ...order, confirm },
            );
            const files = tookOut?.files ?? [];
            texts.wrote(files);
            // A decision of this window as any other, which its key undoes.
            if (tookOut !== null && !cameToNothing(files)) made(tookOut.decision);
            return { tookOut, isOut: !cameToNothing(files) };
          }),
        ),
      refused: () => review.model.refreshed(),
    });
    model.refresh();
    if (answered === undefined) tellDone(t("Nothing was changed"));
    else if (answered.tookOut === null) tellDone(words.nothing);
    else tellTakenOut(review, answered.tookOut, words);
    return answered !== undefined;
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "unknown-hunk") throw error;
    await Promise.all([model.refreshed(), review.model.refreshed()]);
    tellDone(t("What waits there has changed since it was shown; nothing was done. Look at it and press again"));
    return false;
  }
}

/** All answers as a list, also those that need a pattern. */
export async function askFlagAnswer(context: FlagContext, flag: Flag): Promise<void> {
  const folder = folderOf(flag.path);
  const whole = `${folder}/**`;
  const row = (icon: string, label: string, description: string, act: () => Promise<unknown>): AnswerRow => ({
    label,
    description: withoutIcons(description),
    iconPath: new vscode.ThemeIcon(icon),
    act,
  });
  const rows = [
    row("add", t("Extend Scope"), t("{0} belongs to it from now on", flag.path), () =>
      answerFlag(context, flag, "extend"),
    ),
    ...(folder === ""
      ? []
      : [row("list-tree", t("Extend Scope by Its Folder"), whole, () => answerFlag(context, flag, "extend", whole))]),
    row("edit", t("Extend Scope by a Pattern…"), "", () => askPattern(context, flag)),
    row("inbox", t("Log and Take Out"), t("it goes to the queue as discovered, the change is taken out"), () =>
      answerFlag(context, flag, "log"),
    ),
    row("unlock", t("Allow Once"), t("this file for this task"), () => answerFlag(context, flag, "allow-once")),
    row("go-to-file", t("Show the Change"), "", () => openFlag(context, flag)),
  ];
  const picked = await vscode.window.showQuickPick(rows, {
    title: `${lastName(withoutLinks(flag.path))}: ${flagKindWords(flag.kind)}`,
    placeHolder: withoutLinks(flagNotice(flag, context.model.patternsAround(flag))),
  });
  await picked?.act();
}

async function askPattern(context: FlagContext, flag: Flag): Promise<void> {
  await askText({
    title: t("Extend Scope"),
    prompt: t("The pattern of paths that joins the scope"),
    value: flag.path,
    accept: async (pattern) => void (await answerFlag(context, flag, "extend", pattern.trim())),
  });
}

/** The flag of a row, of a flag's id, or of a comment; nothing when it is about none of ours. */
export function flagAbout({ model, review }: FlagContext, about: unknown): Flag | undefined {
  if (isSessionsRow(about)) return about.kind === "session-flag" ? about.flag : undefined;
  const hunks = review?.model.files.flatMap((file) => file.hunks) ?? [];
  const commented = review?.comments.hunkOf(about);
  const id = typeof about === "string" ? about : hunks.find((hunk) => hunk.id === commented)?.flag?.id;
  return model.flags.find((flag) => flag.id === id) ?? flagOfHunks(id, hunks);
}

/** For a command that says afterwards what is done: without anything that it is about, one is picked. */
export async function chosenFlag(context: FlagContext, args: readonly unknown[]): Promise<Flag | undefined> {
  const known = flagAbout(context, args[0]);
  if (known !== undefined) return known;
  if (isOnLostRow(args)) {
    tellDone(lostRow());
    return undefined;
  }
  const { model } = context;
  const items = model.flags.map((flag) => ({
    flag,
    label: withoutIcons(lastName(flag.path)),
    description: withoutIcons(facts(flagKindWords(flag.kind), folderOf(flag.path))),
  }));
  const [only] = items;
  if (only === undefined) {
    tellDone(t("Every change is within the scope"));
    return undefined;
  }
  if (items.length === 1) return only.flag;
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Answer Out-of-Scope Change"),
    placeHolder: t("Which change?"),
    matchOnDescription: true,
  });
  return picked?.flag;
}

/** The change itself in its file; the file where nothing of it waits. */
export async function openFlag({ review }: FlagContext, { id, path }: Flag): Promise<void> {
  const file = review?.model.fileAt(path);
  const hunk = file?.hunks.find(({ flag }) => flag?.id === id) ?? file?.hunks[0];
  if (review !== undefined && file !== undefined && hunk !== undefined) {
    return revealHunk(review.model, file, hunk, { preserveFocus: true });
  }
  const uri = review?.model.uriOf(path);
  if (uri !== undefined) await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
}

function answeredWords(name: string, answer: FlagAnswer, pattern: string | undefined): string {
  switch (answer) {
    case "extend":
      return t("{0} is in the scope now", pattern ?? name);
    case "log":
      return t("The change of {0} is logged and taken out", name);
    case "allow-once":
      return t("{0} is allowed once", name);
    case "rolled-back":
      return t("The change of {0} is taken out", name);
    case "refused":
      return t("The change of {0} is refused", name);
    default:
      return assertNever(answer);
  }
}
