// Where the session stands, and what a person can do about it. A checkpoint and a scope that waits for a yes are put as the
// questions they are.

import { assertNever } from "../../src/assert_never";
import { t } from "../../src/l10n";
import { momentText } from "../../src/moments";
import type { Session } from "../../src/protocol.gen";
import {
  checkpointNotice,
  facts,
  goalText,
  plannedNotice,
  sessionName,
  stateWords,
} from "../../src/sessions/session_words";
import { checkpointOf } from "../../src/sessions/shown_checkpoint";
import { SESSION_LOOKS } from "../../src/state_look";
import { el } from "../dom";
import type { Host } from "../host";
import type { Action, ActionParams } from "../messages";
import { type ButtonMade, button } from "../widgets/button";
import { icon } from "../widgets/icon";

export function sessionHead(host: Host, session: Session): HTMLElement {
  const { phase, sprintGoal, startedAt, automatic, model } = session;
  return el(
    "div",
    { class: "session-head" },
    el(
      "h2",
      {},
      icon(SESSION_LOOKS[session.state].icon, SESSION_LOOKS[session.state].color),
      el("span", { text: `${sessionName(session)}: ${stateWords(session.state)}` }),
    ),
    el("p", { class: "quiet", text: facts(phase, goalText(sprintGoal)) }),
    el("p", {
      class: "quiet",
      text: facts(
        t("Since {0}", momentText(startedAt).slice(0, 16)),
        automatic === null ? null : t("began by itself: {0}", automatic),
        model,
      ),
    }),
    ask(host, session),
  );
}

function ask(host: Host, session: Session): HTMLElement {
  const act = <A extends Action>(label: string, icon: string, action: A, params: ActionParams<A>): ButtonMade => ({
    label,
    icon,
    act: () => void host.act(action, params),
  });
  // The page may be behind: what is pressed names what is drawn, so that it is refused for another.
  const drawn = { session: session.id };
  const adjust = act(t("Adjust Scope…"), "edit", "session/adjust", drawn);
  const end = act(t("End Session…"), "stop-circle", "session/end", drawn);
  const plan = act(t("Show Plan"), "list-tree", "session/plan", {});
  const { state } = session;
  switch (state) {
    case "planned":
      return asked(plannedNotice(session), [
        { ...act(t("Confirm Scope…"), "check", "session/confirm", drawn), isPrimary: true },
        plan,
        end,
      ]);
    case "checkpoint":
      return asked(checkpointNotice(session), [
        { ...act(t("Continue"), "debug-continue", "session/continue", checkpointOf(session)), isPrimary: true },
        adjust,
        end,
      ]);
    case "confirmed":
    case "working":
      return el("div", { class: "buttons" }, ...[adjust, plan, end].map(button));
    case "ending":
      return el("p", { text: t("Its record is being written.") });
    case "ended":
    case "abandoned":
      return el("div", { class: "buttons" }, button(plan));
    default:
      return assertNever(state);
  }
}

function asked(question: string, answers: readonly ButtonMade[]): HTMLElement {
  return el(
    "article",
    { class: "ask", attributes: { "aria-label": t("The session waits for you") } },
    el("h3", {}, icon("question", "list.warningForeground"), el("span", { text: question })),
    el("div", { class: "answers" }, el("div", { class: "buttons" }, ...answers.map(button))),
  );
}
