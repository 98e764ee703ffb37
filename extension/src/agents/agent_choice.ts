// Which agent, and on which task. An agent that cannot be started stays in the list and says why.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { ours } from "../ours";
import { withoutIcons, withoutLinks } from "../outside_text";
import type { Agent } from "../protocol.gen";
import { askText } from "../questions";
import { lookIcon } from "../state_icon";
import { LOOKS } from "../state_look";
import { pickTaskOr, type TaskPick } from "../task_pick";
import { offerCommand } from "../told";
import { agentFacts, hindrance, type Readiness, readiness, readinessLook } from "./run_words";

/** A task by its id, or the one that comes first for the agent. */
export type TaskWanted = { task: string } | { next: true };

type AgentItem = vscode.QuickPickItem & { agent?: Agent };

/** @returns nothing when the person left, or picked one that cannot be started, which is told */
export async function pickAgent(link: HostLink, title: string): Promise<Agent | undefined> {
  const { agents } = await link.call("augment/agent/list", {});
  if (!agents.some((agent) => readiness(agent) !== "not-ready")) {
    await offerPresets(link, t("No agent that can be started was found on this machine."));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(agentItems(agents), {
    title,
    placeHolder: t("Which agent?"),
    matchOnDescription: true,
  });
  return picked?.agent && usable(picked.agent);
}

/** All agents that are known, to see what can be installed. Picking one that is ready leads to `start`. */
export async function showPresets(link: HostLink, start: (agent: Agent) => Promise<void>): Promise<void> {
  const { agents, problems } = await link.call("augment/agent/list", {});
  const { Separator } = vscode.QuickPickItemKind;
  const items: AgentItem[] = [
    ...problems.map((problem) => ({ label: withoutIcons(problem), iconPath: lookIcon(LOOKS.problem) })),
    ...(problems.length === 0 ? [] : [{ label: t("Agents"), kind: Separator }]),
    ...agentItems(agents),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t("Agent Presets"),
    placeHolder: t("Pick one to start it. Your own agents are set up in agents.toml beside your settings file."),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const agent = picked?.agent && usable(picked.agent);
  if (agent !== undefined) await start(agent);
}

/** @returns nothing when the person left */
export async function pickTaskFor(link: HostLink, agent: string): Promise<TaskWanted | undefined> {
  const icon = (name: string) => new vscode.ThemeIcon(name);
  const first: TaskPick<"next" | "new">[] = [
    {
      label: t("The next ready task"),
      description: t("the one that comes first for it"),
      iconPath: icon("play"),
      special: "next",
    },
    { label: t("New task…"), iconPath: icon("add"), special: "new", alwaysShow: true },
  ];
  const title = t("Start {0}", withoutLinks(agent));
  const picked = await pickTaskOr(link, { title, placeHolder: t("On which task?"), statuses: ["pending"] }, first);
  if (picked?.task !== undefined) return { task: picked.task.id };
  if (picked?.special === "next") return { next: true };
  return picked?.special === "new" ? newTask(link, title) : undefined;
}

async function newTask(link: HostLink, title: string): Promise<TaskWanted | undefined> {
  let made: TaskWanted | undefined;
  await askText({
    title: t("{0} on a New Task", title),
    prompt: t("What is to be done, in a few words"),
    accept: async (text) => {
      made = { task: (await link.call("augment/queue/add", { title: text })).id };
    },
  });
  return made;
}

/** The agent if it can be asked to start; otherwise says what is missing. */
export function usable(agent: Agent): Agent | undefined {
  if (readiness(agent) !== "not-ready") return agent;
  void offerCommand(
    hindrance(agent) ?? t("{0} cannot be started.", agent.name),
    t("Show Settings"),
    ours("showSettings"),
  );
  return undefined;
}

async function offerPresets(link: HostLink, message: string): Promise<void> {
  const show = t("Show Agent Presets");
  if ((await vscode.window.showInformationMessage(message, show)) === show) await showPresets(link, async () => {});
}

function agentItems(agents: Agent[]): AgentItem[] {
  const order: Readiness[] = ["ready", "needs-yes", "not-ready"];
  return order.flatMap((standing) =>
    agents
      .filter((agent) => readiness(agent) === standing)
      .map((agent) => ({
        agent,
        label: withoutIcons(agent.name),
        description: withoutIcons(agentFacts(agent)),
        detail: withoutIcons(hindrance(agent) ?? agent.program ?? ""),
        iconPath: lookIcon(readinessLook(standing)),
      })),
  );
}
