// What the status bar item says for each state, and where a click on it leads. A pure function: trouble comes before
// activity, activity before rest.

import { assertNever } from "./assert_never";
import type { LinkState } from "./host_link";
import { t } from "./l10n";
import { oneLine, shortened, withoutIcons } from "./outside_text";
import type { OverallStatus, Question, RunInfo, Trouble } from "./protocol.gen";
import { LINK_LOOKS, LOOKS } from "./state_look";

const titleLimit = 32;

export interface StatusWords {
  text: string;
  /** Read by screen readers. */
  label: string;
  level: "calm" | "warning" | "error";
  click:
    | { kind: "queue" }
    | { kind: "task"; task: string }
    /** Null: one of several. */
    | { kind: "question"; question: string | null }
    | { kind: "agents" }
    | { kind: "settings" }
    | { kind: "log" }
    | { kind: "restart" }
    | { kind: "trust" }
    | { kind: "open-folder" };
}

/** What of agents needs a person. */
export interface AgentLooks {
  /** Those that wait for an answer. */
  questions: readonly Question[];
  /** Those that have not ended and show no sign of life. */
  disconnected: readonly RunInfo[];
}

const noLooks: AgentLooks = { questions: [], disconnected: [] };

export function statusWords(
  link: LinkState,
  status: OverallStatus | undefined,
  agents: AgentLooks = noLooks,
): StatusWords {
  switch (link.kind) {
    case "no-folder":
      return words(LINK_LOOKS[link.kind].icon, named(LINK_LOOKS[link.kind].word), "calm", { kind: "open-folder" });
    case "restricted":
      return words(LINK_LOOKS[link.kind].icon, named(LINK_LOOKS[link.kind].word), "calm", { kind: "trust" });
    case "resting":
      return words(LINK_LOOKS[link.kind].icon, "Augment", "calm", { kind: "queue" });
    case "starting":
      return words(LINK_LOOKS[link.kind].icon, named(LINK_LOOKS[link.kind].word), "calm", { kind: "log" });
    case "reconnecting":
      return words(LINK_LOOKS[link.kind].icon, named(LINK_LOOKS[link.kind].word), "warning", { kind: "log" });
    case "stopped":
      return words(LINK_LOOKS[link.kind].icon, named(LINK_LOOKS[link.kind].word), "calm", { kind: "restart" });
    case "down":
      return words(LINK_LOOKS[link.kind].icon, named(LINK_LOOKS[link.kind].word), "error", { kind: "log" });
    case "connected":
      return status === undefined
        ? words(LOOKS.starting.icon, named(LOOKS.starting.word), "calm", { kind: "log" })
        : working(status, agents);
    default:
      return assertNever(link);
  }
}

function working(status: OverallStatus, agents: AgentLooks): StatusWords {
  const { counts, active } = status;
  const troubles = othersThanSession(status);
  const [first] = active;
  const others = counts.inProgress > 1 ? ` +${counts.inProgress - 1}` : "";
  const title = first === undefined ? undefined : `${shortened(oneLine(first.title), titleLimit)}${others}`;
  const [trouble] = troubles;
  const told = [...agentLooksTexts(agents), ...(trouble === undefined ? [] : [looksText(looksOf(status))])].join(", ");
  if (told !== "") {
    const click = whereToLook(agents, trouble);
    if (title === undefined) return words(troubleIcon(agents), named(told), "warning", click);
    const text = t("{0} · working on {1}", told, title);
    return words(troubleIcon(agents), text, "warning", click, named(text));
  }
  if (title !== undefined) return words(LOOKS.inProgress.icon, title, "calm", { kind: "queue" }, named(title));
  const rest = counts.pending > 0 ? `${counts.pending.toLocaleString()} ${LOOKS.pending.word}` : t("no tasks");
  return words(LOOKS.queue.icon, named(rest), "calm", { kind: "queue" });
}

/** That of what a click leads to. */
function troubleIcon({ questions, disconnected }: AgentLooks): string {
  if (questions.length > 0) return LOOKS.waiting.icon;
  return disconnected.length > 0 ? LOOKS.disconnected.icon : LOOKS.problem.icon;
}

export function agentLooksTexts({ questions, disconnected }: AgentLooks): string[] {
  const [asked, lost] = [questions.length, disconnected.length];
  const { word } = LOOKS.disconnected;
  return [
    ...(asked === 0
      ? []
      : [asked === 1 ? t("1 question waits for you") : t("{0} questions wait for you", asked.toLocaleString())]),
    ...(lost === 0 ? [] : [lost === 1 ? t("1 agent {0}", word) : t("{0} agents {1}", lost.toLocaleString(), word)]),
  ];
}

/** Somebody who waits for an answer comes first, then an agent that is lost, then what came of work. */
function whereToLook({ questions, disconnected }: AgentLooks, trouble: Trouble | undefined): StatusWords["click"] {
  const [first] = questions;
  if (first !== undefined) return { kind: "question", question: questions.length === 1 ? first.id : null };
  if (disconnected.length > 0 || trouble === undefined) return { kind: "agents" };
  return trouble.task === null ? { kind: "settings" } : { kind: "task", task: trouble.task };
}

/** What a person should look at: tasks, and what is wrong in the settings files. */
interface Looks {
  tasks: number;
  problems: number;
}

/** The number on the view's icon and the words beside it; nothing when all is well. */
export function badgeWords(status: OverallStatus): { value: number; tooltip: string } | undefined {
  const { tasks, problems } = looksOf(status);
  if (tasks + problems === 0) return undefined;
  const told = [
    ...(tasks === 0
      ? []
      : [tasks === 1 ? t("1 task needs a look") : t("{0} tasks need a look", tasks.toLocaleString())]),
    ...(problems === 0 ? [] : [problemsText(problems)]),
  ];
  return { value: tasks + problems, tooltip: told.join(", ") };
}

/** What a session waits for is said by its own item. */
export function othersThanSession({ session, troubles }: OverallStatus): Trouble[] {
  return session === null ? troubles : troubles.filter((trouble) => !isOfSession(trouble));
}

/**
 * Known by its whole form: the host's own words before and behind what comes from outside. A task's title or a value in a
 * file of settings can hold any words, but such a trouble names its task, or begins with its file.
 */
function isOfSession({ message, task }: Trouble): boolean {
  if (task !== null) return false;
  const [flag = ""] = message.split(":", 1);
  return (
    /^The scope of session \d+ waits for a yes: augment-cli session confirm( --title TITLE)?$/.test(message) ||
    /^Session \d+ waits at a checkpoint after \d+ tasks: augment-cli session checkpoint$/.test(message) ||
    (/^f\d+$/.test(flag) && message.endsWith(` augment-cli session flag ${flag}`))
  );
}

/** The host names at most some troubles, so tasks are counted by their status. Without a task it is the settings'. */
function looksOf(status: OverallStatus): Looks {
  const { counts } = status;
  return {
    tasks: counts.failed + counts.partial + counts.blocked,
    problems: othersThanSession(status).filter(({ task }) => task === null).length,
  };
}

function looksText({ tasks, problems }: Looks): string {
  if (tasks === 0) return problemsText(problems);
  const count = tasks + problems;
  return count === 1 ? t("1 needs a look") : t("{0} need a look", count.toLocaleString());
}

function problemsText(problems: number): string {
  return problems === 1 ? t("1 settings problem") : t("{0} settings problems", problems);
}

/** Where nothing else tells whose words they are. */
function named(text: string): string {
  return t("Augment: {0}", text);
}

function words(
  icon: string,
  text: string,
  level: StatusWords["level"],
  click: StatusWords["click"],
  label = text,
): StatusWords {
  return { text: `$(${icon}) ${withoutIcons(text)}`, label, level, click };
}
