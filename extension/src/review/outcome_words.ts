// What came of decisions in files, in words: what went wrong, and what is left for the person to do. Pure.

import { t } from "../l10n";
import type { Decided, DecidedFile } from "../protocol.gen";
import { decisionSentence } from "./change_words";

/** The first that was not done, in a sentence; nothing when all was. */
export function failedSentence(files: readonly DecidedFile[]): string | undefined {
  const first = files.find(({ outcome }) => outcome === "not-written" || outcome === "not-approved");
  if (first === undefined) return undefined;
  const why = first.reason ?? t("the reason is not known");
  return first.outcome === "not-approved"
    ? t("{0} was not approved: {1}", first.path, why)
    : t("{0} was not written: {1}", first.path, why);
}

/** Whether it was done nowhere, so that there is nothing to undo. */
export function cameToNothing(files: readonly DecidedFile[]): boolean {
  return files.length > 0 && files.every((file) => failedSentence([file]) !== undefined);
}

/** A text that is not saved was changed in the editor, and reaches the file when it is saved. */
export function waitsForSave(files: readonly DecidedFile[]): boolean {
  return files.some(({ outcome }) => outcome === "in-editor");
}

/**
 * What came of a decision, in sentences. That a file waits to be saved is said once: the host says so, too, for terminals and
 * at more length than a status bar has room for.
 */
export function outcomeWords({ message, files }: Pick<Decided, "message" | "files">): string {
  const said = decisionSentence(message);
  const waiting = files.filter(({ outcome }) => outcome === "in-editor").length;
  if (waiting === 0) return said;
  const save = waiting === 1 ? t("Save the file to finish.") : t("Save the files to finish.");
  return `${said.replace(/\s*\d+ files? changed in the editor: save to keep it\./, "")} ${save}`;
}

/** How many of the decisions of a review were undone. Those count that are undone in all their files. */
export function undoneWords(undone: readonly (readonly DecidedFile[])[], decisions: number): string {
  const whole = undone.filter((files) => failedSentence(files) === undefined && !waitsForSave(files));
  const words = t(
    "Undone: {0} of {1} decisions of this review",
    whole.length.toLocaleString(),
    decisions.toLocaleString(),
  );
  return undone.some(waitsForSave) ? t("{0}. Save what is open to finish.", words) : words;
}
