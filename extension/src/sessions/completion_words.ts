// How the completion of a session that has ended is told: its seven steps with what shows their outcomes, and how it came
// out as a whole. Evidence is text from outside; it is made one line here and made fit for its place by whoever puts it there.

import { assertNever } from "../assert_never";
import { momentText } from "../moments";
import { oneLine, shortened } from "../outside_text";
import type { ClosedSession, Closing, ClosingStep, ClosingStepName, StepOutcome } from "../protocol.gen";
import { facts, sessionName } from "./session_words";

const whyLimit = 120;
const evidenceLimit = 400;

export function stepLabel(step: ClosingStepName): string {
  switch (step) {
    case "confirmation":
      return "Confirmation";
    case "outputs":
      return "Outputs";
    case "summary":
      return "Summary";
    case "knowledge":
      return "Knowledge";
    case "clean-up":
      return "Clean-up";
    case "archive":
      return "Archive";
    case "notification":
      return "Notification";
    default:
      return assertNever(step);
  }
}

export function stepIcon(outcome: StepOutcome): [icon: string, color: string] {
  switch (outcome) {
    case "waiting":
      return ["circle-large-outline", "icon.foreground"];
    case "done":
      return ["pass", "testing.iconPassed"];
    case "failed":
      return ["error", "testing.iconFailed"];
    case "skipped":
      return ["circle-slash", "disabledForeground"];
    default:
      return assertNever(outcome);
  }
}

/** Beside its label: that it is done needs no word, and what shows it comes first. */
export function stepFacts({ outcome, evidence }: ClosingStep): string {
  return facts(outcome === "done" ? null : outcome, evidence[0]);
}

/** All that shows its outcome, a line each. */
export function stepDetails({ step, outcome, evidence, at, tries }: ClosingStep): string {
  const when = at === null ? "" : `, ${momentText(at)}`;
  const often = tries > 1 ? `, ${tries.toLocaleString()} tries` : "";
  const shows = evidence.map((line) => `• ${shortened(oneLine(line), evidenceLimit)}`);
  return [`${stepLabel(step)}: ${outcome}${when}${often}`, ...shows].join("\n");
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
  if (failed.length === 0) return closing.archive === null ? "completed" : "completed and archived";
  const each = failed.map(({ step, evidence: [why = ""] }) => {
    // What can be done about it follows in the evidence.
    const [first = ""] = oneLine(why).split(/\.(?:\s|$)/);
    const reason = shortened(first, whyLimit);
    return reason === "" ? step : `${step} (${reason})`;
  });
  return `completed; ${failedCount(closing)}: ${each.join(", ")}`;
}

/** `Session 009 is completed and archived.` */
export function completionSentence({ session, closing }: ClosedSession): string {
  return `${sessionName(session)} is ${completionWords(closing)}.`;
}

/** Beside the session's name. */
export function completionFacts(closing: Closing): string {
  const failed = failedSteps(closing).length > 0;
  const standing = !isSettled(closing) ? "being completed" : failed ? "completed" : completionWords(closing);
  const rated = closing.rating === null ? null : `rated ${closing.rating} of 5`;
  return facts(standing, failed ? failedCount(closing) : null, rated);
}

/** What a person and the steps have put together, a line each. */
export function completionDetails({ session, closing }: ClosedSession): string {
  const { rating, feedback, learnings, artifacts, tags, archive } = closing;
  const list = (name: string, values: readonly string[]) =>
    values.length === 0 ? "" : `${name}: ${shortened(values.map(oneLine).join("; "), evidenceLimit)}`;
  return [
    `${sessionName(session)}: ${completionFacts({ ...closing, rating: null })}`,
    session.endedAt === null ? "" : `Ended ${momentText(session.endedAt)}`,
    rating === null ? "" : `Rating: ${rating} of 5`,
    list("Feedback", feedback === null ? [] : [feedback]),
    list("Learnings", learnings),
    list(
      "Artifacts",
      artifacts.map(({ path }) => path),
    ),
    list("Tags", tags),
    archive === null ? "Not archived" : `Archive: ${oneLine(archive)}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Names a completed session once and for all: ids begin anew when a folder's data is removed. */
export function completionKey({ session: { id, startedAt } }: ClosedSession): string {
  return `completed ${id}@${startedAt}`;
}

function failedCount(closing: Closing): string {
  return `${failedSteps(closing).length} of ${closing.steps.length} steps failed`;
}
