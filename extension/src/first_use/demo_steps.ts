// The demo in words: its steps, which of them comes next, and the one sentence that says what to do. How far the person has
// come the host says; nothing here asks anybody.

import { assertNever } from "../assert_never";
import { t } from "../l10n";
import type { DemoStage, DemoStatus } from "../protocol.gen";
import { waitWords } from "../review/review_words";

export type DemoStep = "scope" | "agent" | "question" | "review" | "end" | "onward";
export type StepStanding = "done" | "now" | "later";

const steps = ["scope", "agent", "question", "review", "end"] as const;

/** A status of a workspace that is a demo. */
export type DemoAt = DemoStatus & { stage: DemoStage };

/** In their order; what comes after the demo is a step only once it is through. */
export function demoSteps({ stage }: DemoAt): readonly DemoStep[] {
  return stage === "done" ? [...steps, "onward"] : steps;
}

export function standingOf(step: DemoStep, at: DemoAt): StepStanding {
  const all = demoSteps(at);
  const now = all.indexOf(stepOf(at.stage));
  const here = all.indexOf(step);
  return here < now ? "done" : here === now ? "now" : "later";
}

function stepOf(stage: DemoStage): DemoStep {
  switch (stage) {
    case "start":
    case "confirm":
      return "scope";
    case "start-agent":
      return "agent";
    case "watch":
    case "answer":
      return "question";
    case "review":
      return "review";
    case "end":
      return "end";
    case "done":
      return "onward";
    default:
      return assertNever(stage);
  }
}

export function stepTitle(step: DemoStep): string {
  switch (step) {
    case "scope":
      return t("Confirm the scope");
    case "agent":
      return t("Start the agent");
    case "question":
      return t("Answer its question");
    case "review":
      return t("Review each hunk");
    case "end":
      return t("End the session");
    case "onward":
      return t("Open the walkthrough");
    default:
      return assertNever(step);
  }
}

/** What the step that comes next needs now, beside its title. */
export function stepNote({ stage, pending }: DemoAt): string {
  switch (stage) {
    case "watch":
      return t("it works…");
    case "review":
      return waitWords(pending);
    case "start":
    case "confirm":
    case "start-agent":
    case "answer":
    case "end":
    case "done":
      return "";
    default:
      return assertNever(stage);
  }
}

/** What to do, in a sentence or two: two lines of the view, so that the steps stay in sight below them. */
export function guidance({ stage, pending }: DemoAt): string {
  switch (stage) {
    case "start":
      return t("Click the first step: you say what may be done.");
    case "confirm":
      return t("Nothing begins before you confirm what the plan proposes.");
    case "start-agent":
      return t("The scope is confirmed. The built-in agent may begin.");
    case "watch":
      return t("What the agent changes appears under Changes.");
    case "answer":
      return t("The agent asks before it goes on. Click the step to answer.");
    case "review":
      return t("{0}. Approve what you like, reject the rest.", hunksWait(pending));
    case "end":
      return t("All is decided. The changelog and the plan get the record.");
    case "done":
      return t("That was a whole session. Yours go the same way.");
    default:
      return assertNever(stage);
  }
}

function hunksWait(pending: number): string {
  return pending === 1 ? t("1 hunk waits") : t("{0} hunks wait", pending.toLocaleString());
}

/** What a click on a step is answered with that is not its turn; nothing where it is. */
export function notItsTurn(step: DemoStep, at: DemoAt): string | undefined {
  const first = stepTitle(stepOf(at.stage));
  switch (standingOf(step, at)) {
    case "now":
      return undefined;
    case "done":
      return t("“{0}” is done. Next: “{1}”.", stepTitle(step), first);
    case "later":
      return t("“{0}” comes later. First: “{1}”.", stepTitle(step), first);
  }
}

/** For those who hear the row instead of seeing its icon. */
export function spokenStep(step: DemoStep, at: DemoAt): string {
  const title = stepTitle(step);
  switch (standingOf(step, at)) {
    case "done":
      return t("{0}, done", title);
    case "now":
      return [title, t("next"), stepNote(at)].filter((part) => part !== "").join(", ");
    case "later":
      return t("{0}, later", title);
  }
}
