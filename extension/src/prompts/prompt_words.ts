// How prompts, their intents and the commits that came of them are named wherever they appear. Text from outside is made one
// line here and made fit for its place by whoever puts it there.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { momentText } from "../moments";
import { oneLine, shortened } from "../outside_text";
import type {
  ArtifactKind,
  FinishedPrompt,
  Guarded,
  IntentRole,
  Prompt,
  PromptList,
  PromptState,
  SessionCommit,
  Subject,
  SynthesisMode,
  UncommittedGroup,
} from "../protocol.gen";
import { plainText } from "../sessions/report_text";
import { facts } from "../sessions/session_words";
import { PROMPT_LOOKS } from "../state_look";

const shownHash = 10;
const filesNamed = 3;
const whyLimit = 160;

/** `Prompt p7` */
export function promptName({ id }: Pick<Prompt, "id">): string {
  return t("Prompt {0}", id);
}

/** Names a prompt once and for all: ids begin anew when a folder's data is removed. */
export function promptKey({ id, startedMs }: Pick<Prompt, "id" | "startedMs">): string {
  return `${id}@${startedMs}`;
}

/** The name of the prompt that a key is for, as orders give it. */
export function promptIdOf(key: string): string {
  const [id = ""] = key.split("@");
  return id;
}

export function shortCommit(commit: string): string {
  return commit.slice(0, shownHash);
}

export function stateWords(state: PromptState): string {
  return PROMPT_LOOKS[state].word;
}

/** Beside its headline. */
export function promptFacts({ state, stamp }: Pick<Prompt, "state" | "stamp">): string {
  return facts(stamp, state === "open" ? null : stateWords(state));
}

/** All that is known of it, a line each. */
export function promptDetails(prompt: Prompt): string {
  const { headline, state, stamp, startedMs, subjects, system, branch, base, report, pushed } = prompt;
  return [
    oneLine(headline),
    `${promptName(prompt)}: ${stateWords(state)}`,
    facts(stamp, momentText(startedMs)),
    subjects.length === 0 ? "" : t("Subjects: {0}", subjects.map(oneLine).join(", ")),
    facts(system, branch, base === null ? null : t("on {0}", base)),
    prompt.context === "" ? t("How it is understood is not said yet.") : "",
    report === null ? "" : t("Report: {0}", oneLine(report)),
    pushed === null ? "" : t("Pushed to {0} of {1}", oneLine(pushed.branch), oneLine(pushed.remote)),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

export function roleIcon(role: IntentRole): string {
  switch (role) {
    case "work":
      return "git-commit";
    case "before":
      return "history";
    case "report":
      return "book";
    default:
      return assertNever(role);
  }
}

export function roleWords(role: IntentRole): string {
  switch (role) {
    case "work":
      return "";
    case "before":
      return t("from before the prompt");
    case "report":
      return "report";
    default:
      return assertNever(role);
  }
}

/** What an intent says, without the word that each begins with. */
export function intentWords(text: string): string {
  return oneLine(text.replace(/^intent:\s*/, ""));
}

/** Each once, in their order. */
export function approvedFiles(groups: readonly UncommittedGroup[]): string[] {
  return [...new Set(groups.flatMap(({ files }) => files))].sort();
}

/** `2 approved files can be committed` */
export function approvedWords(count: number): string {
  return count === 1
    ? t("1 approved file can be committed")
    : t("{0} approved files can be committed", count.toLocaleString());
}

/** `2 hunks wait for a decision`; nothing where none does. */
export function waitingWords(waiting: number): string {
  if (waiting === 0) return "";
  return waiting === 1
    ? t("1 hunk waits for a decision")
    : t("{0} hunks wait for a decision", waiting.toLocaleString());
}

/** `a.ts, b.ts, c.ts and 2 more` */
export function filesText(files: readonly string[]): string {
  const named = files.slice(0, filesNamed).map(oneLine).join(", ");
  const more = files.length - filesNamed;
  return more > 0 ? t("{0} and {1} more", named, more.toLocaleString()) : named;
}

export function countText(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString()} ${many}`;
}

/** Why a subject was found, and where it lies. */
export function subjectFacts({ why, folders }: Subject): { why: string; where: string } {
  return {
    why: shortened(why.length === 0 ? "" : t("found: {0}", why.map(oneLine).join(", ")), whyLimit),
    where: folders.map(oneLine).join(", "),
  };
}

export const artifactKinds: readonly ArtifactKind[] = ["answer", "draft", "question"];

export function artifactWords(kind: ArtifactKind): string {
  switch (kind) {
    case "answer":
      return t("what came of it");
    case "draft":
      return t("something to go on with");
    case "question":
      return t("what has to be answered first");
    default:
      return assertNever(kind);
  }
}

/** Beside the summary of a `session:` commit. */
export function commitFacts({ stamp, lacks }: Pick<SessionCommit, "stamp" | "lacks">, ago: string): string {
  return facts(stamp, ago, lacks.length === 0 ? null : t("lacks {0}", lacks.join(", ")));
}

/** All that is known of it, a line each. */
export function commitDetails({ summary, stamp, commit, change, timeMs, lacks, changes }: SessionCommit): string {
  return [
    oneLine(summary),
    facts(stamp, momentText(timeMs)),
    facts(shortCommit(commit), change, countText(changes.length, t("change"), t("changes"))),
    lacks.length === 0 ? "" : t("It lacks: {0}", lacks.map(oneLine).join(", ")),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

export function modeWords(mode: SynthesisMode, intents: number): string {
  switch (mode) {
    case "single":
      return t("Its one intent gets this message; the files stay as they are");
    case "multi":
      return t(
        "{0} one commit and are kept; the files stay as they are",
        countText(intents, t("intent becomes"), t("intents become")),
      );
    default:
      return assertNever(mode);
  }
}

/** The whole message that a prompt would be finished with, and below it what it is made of. */
export function finishPage({ message, mode, intents, notes }: FinishedPrompt): string {
  return `${[
    plainText(message).trimEnd(),
    ...section(t("Not part of the message: what it is made of"), [
      `${modeWords(mode, intents.length)}.`,
      ...intents.map(({ text, change }) => `${change}  ${text}`),
    ]),
    ...section(t("To be known"), notes),
  ].join("\n")}\n`;
}

/** The five invariants, each with what is wrong and how to mend it. */
export function guardPage({ holds, invariants, session, branch, remote, notes }: Guarded): string {
  const judged = session === null ? t("No session commit was found") : t("Judged: {0}", oneLine(session));
  return `${[
    holds ? t("All invariants of a completed prompt hold.") : t("Not all invariants of a completed prompt hold."),
    t("{0}, on {1} of {2}.", judged, oneLine(branch), oneLine(remote)),
    "",
    ...invariants.flatMap(({ number, name, holds: isKept, wrong, mend }) => [
      `${isKept ? "✓" : wrong === null ? "?" : "✗"} ${number}. ${oneLine(name)}`,
      ...(wrong === null ? [] : [`     ${oneLine(wrong)}`]),
      // Where nothing is wrong, it is the reason why it could not be judged.
      ...(mend === null ? [] : [wrong === null ? `     ${oneLine(mend)}` : t("     To mend it: {0}", oneLine(mend))]),
    ]),
    ...section(t("To be known"), notes),
  ].join("\n")}\n`;
}

/** Nobody has begun a prompt here, and the history holds none: invariants of nothing are not broken. */
export function isUnused({ prompts, sessions }: Pick<PromptList, "prompts" | "sessions">): boolean {
  return prompts.length === 0 && sessions.length === 0;
}

/** In a word, for the status bar. */
export function guardWords({ holds, invariants }: Guarded): string {
  if (holds) return t("All invariants of a completed prompt hold");
  const broken = invariants.filter((invariant) => !invariant.holds).map(({ number }) => number);
  return t("{0} not hold: {1}", countText(broken.length, t("invariant does"), t("invariants do")), broken.join(", "));
}

/** A sentence with what the host notes behind it. */
export function withNotes(sentence: string, notes: readonly string[]): string {
  return [sentence, ...notes.map((note) => oneLine(note).replace(/\.$/, ""))].join(". ");
}

/** The notes that the person has not been told yet. */
export function notSaid(notes: readonly string[], said: readonly string[]): string[] {
  return notes.filter((note) => !said.includes(note));
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${heading}:`, ...lines.map((line) => `  ${oneLine(line)}`)];
}
