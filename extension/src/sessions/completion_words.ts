// How the completion of a session that has ended is told: its seven steps with what shows their outcomes, and how it came
// out as a whole. Evidence is text from outside; it is made one line here and made fit for its place by whoever puts it there.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import { momentText } from "../moments";
import { oneLine, shortened } from "../outside_text";
import type { ClosedSession, Closing, ClosingStep, ClosingStepName } from "../protocol.gen";
import { LOOKS, STEP_LOOKS } from "../state_look";
import { facts, sessionName } from "./session_words";

const whyLimit = 120;
const evidenceLimit = 400;

export function stepLabel(step: ClosingStepName): string {
  switch (step) {
    case "confirmation":
      return t("Confirmation");
    case "outputs":
      return t("Outputs");
    case "summary":
      return t("Summary");
    case "knowledge":
      return t("Knowledge");
    case "clean-up":
      return t("Clean-up");
    case "archive":
      return t("Archive");
    case "notification":
      return t("Notification");
    default:
      return assertNever(step);
  }
}

/** Beside its label: that it is done needs no word, and what shows it comes first. */
export function stepFacts({ outcome, evidence }: ClosingStep): string {
  return facts(outcome === "done" ? null : STEP_LOOKS[outcome].word, evidence[0]);
}

/** All that shows its outcome, a line each. */
export function stepDetails({ step, outcome, evidence, at, tries }: ClosingStep): string {
  const when = at === null ? "" : `, ${momentText(at)}`;
  const often = tries > 1 ? t(", {0} tries", tries.toLocaleString()) : "";
  const shows = evidence.map((line) => `• ${shortened(oneLine(line), evidenceLimit)}`);
  return [`${stepLabel(step)}: ${STEP_LOOKS[outcome].word}${when}${often}`, ...shows].join("\n");
}

export function failedSteps({ steps }: Closing): ClosingStep[] {
  return steps.filter(({ outcome }) => outcome === "failed");
}

/** Whether every step has come to an outcome. */
export function isSettled({ steps }: Closing): boolean {
  return steps.every(({ outcome }) => outcome !== "waiting");
}

/** `completed and archived`, or `completed; 1 of 7 steps failed: archive (memory-bank is a file)`. */
export function completionWords(closing: Closing): string {
  const failed = failedSteps(closing);
  if (failed.length === 0) return closing.archive === null ? LOOKS.completed.word : t("completed and archived");
  const each = failed.map(({ step, evidence: [why = ""] }) => {
    // What can be done about it follows in the evidence.
    const [first = ""] = oneLine(why).split(/\.(?:\s|$)/);
    const reason = shortened(first, whyLimit);
    return reason === "" ? step : `${step} (${reason})`;
  });
  return t("completed; {0}: {1}", failedCount(closing), each.join(", "));
}

/** `Session 009 is completed and archived.` */
export function completionSentence({ session, closing }: ClosedSession): string {
  return t("{0} is {1}.", sessionName(session), completionWords(closing));
}

/** Beside the session's name. */
export function completionFacts(closing: Closing): string {
  const failed = failedSteps(closing).length > 0;
  const standing = !isSettled(closing)
    ? t("being completed")
    : failed
      ? LOOKS.completed.word
      : completionWords(closing);
  const rated = closing.rating === null ? null : t("rated {0} of 5", closing.rating);
  return facts(standing, failed ? failedCount(closing) : null, rated);
}

/** What a person and the steps have put together, a line each. */
export function completionDetails({ session, closing }: ClosedSession): string {
  const { rating, feedback, learnings, artifacts, tags, archive } = closing;
  const list = (name: string, values: readonly string[]) =>
    values.length === 0 ? "" : `${name}: ${shortened(values.map(oneLine).join("; "), evidenceLimit)}`;
  return [
    `${sessionName(session)}: ${completionFacts({ ...closing, rating: null })}`,
    session.endedAt === null ? "" : t("Ended {0}", momentText(session.endedAt)),
    rating === null ? "" : t("Rating: {0} of 5", rating),
    list(t("Feedback"), feedback === null ? [] : [feedback]),
    list(t("Learnings"), learnings),
    list(
      t("Artifacts"),
      artifacts.map(({ path }) => path),
    ),
    list(t("Tags"), tags),
    archive === null ? t("Not archived") : t("Archive: {0}", oneLine(archive)),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Names a completed session once and for all: ids begin anew when a folder's data is removed. */
export function completionKey({ session: { id, startedAt } }: ClosedSession): string {
  return `completed ${id}@${startedAt}`;
}

function failedCount(closing: Closing): string {
  return t("{0} of {1} steps failed", failedSteps(closing).length, closing.steps.length);
}
