// What the status bar item says for each state, and where a click on it leads. A pure function: trouble comes before
// activity, activity before rest.

import { assertNever } from "./assert_never";
import type { LinkState } from "./host_link";
import { oneLine, shortened, withoutIcons } from "./outside_text";
import type { OverallStatus, Question, RunInfo, Trouble } from "./protocol.gen";

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
      return words("checklist", "Augment: no folder", "calm", { kind: "open-folder" });
    case "restricted":
      return words("shield", "Augment: restricted", "calm", { kind: "trust" });
    case "resting":
      return words("checklist", "Augment", "calm", { kind: "queue" });
    case "starting":
      return words("loading~spin", "Augment: starting", "calm", { kind: "log" });
    case "reconnecting":
      return words("loading~spin", "Augment: reconnecting", "warning", { kind: "log" });
    case "stopped":
      return words("debug-disconnect", "Augment: stopped", "calm", { kind: "restart" });
    case "down":
      return words("error", "Augment: not connected", "error", { kind: "log" });
    case "connected":
      return status === undefined
        ? words("loading~spin", "Augment: starting", "calm", { kind: "log" })
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
    return words(
      agents.questions.length > 0 ? "question" : "warning",
      title === undefined ? `Augment: ${told}` : `${told} · working on ${title}`,
      "warning",
      whereToLook(agents, trouble),
    );
  }
  if (title !== undefined) return words("play-circle", title, "calm", { kind: "queue" });
  const rest = counts.pending > 0 ? `Augment: ${counts.pending.toLocaleString()} pending` : "Augment: no tasks";
  return words("checklist", rest, "calm", { kind: "queue" });
}

export function agentLooksTexts({ questions, disconnected }: AgentLooks): string[] {
  const count = (number: number, one: string, many: string) =>
    number === 0 ? [] : [`${number.toLocaleString()} ${number === 1 ? one : many}`];
  return [
    ...count(questions.length, "question", "questions"),
    ...count(disconnected.length, "agent disconnected", "agents disconnected"),
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
    ...(tasks === 0 ? [] : [`${tasks.toLocaleString()} ${tasks === 1 ? "task needs" : "tasks need"} a look`]),
    ...(problems === 0 ? [] : [problemsText(problems)]),
  ];
  return { value: tasks + problems, tooltip: told.join(", ") };
}

/** What a session waits for is said by its own item, and every such trouble names the command that answers it. */
export function othersThanSession({ session, troubles }: OverallStatus): Trouble[] {
  return session === null ? troubles : troubles.filter(({ message }) => !message.includes("augment-cli session "));
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
  return `${count.toLocaleString()} ${count === 1 ? "needs" : "need"} a look`;
}

function problemsText(problems: number): string {
  return `${problems} settings ${problems === 1 ? "problem" : "problems"}`;
}

function words(icon: string, text: string, level: StatusWords["level"], click: StatusWords["click"]): StatusWords {
  return {
    text: `$(${icon}) ${withoutIcons(text)}`,
    label: text.startsWith("Augment") ? text : `Augment: ${text}`,
    level,
    click,
  };
}
