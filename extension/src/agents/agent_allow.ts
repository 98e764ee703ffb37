// A person's yes to an agent that comes with the folder. It is asked for with everything the agent would run, or with what
// has changed since it was allowed, and is bound to exactly that.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { t } from "../l10n";
import { oneLine, withoutLinks } from "../outside_text";
import type { Agent } from "../protocol.gen";
import { tellDone } from "../told";
import { showAgentChange, showAgentPage } from "./agent_documents";
import { allowDetail } from "./run_words";

/** @returns whether it was allowed */
export async function allowAgent(link: HostLink, agent: Agent): Promise<boolean> {
  const allow = t("Allow");
  const { detail, isWhole } = allowDetail(agent);
  // A dialog may be higher than the screen, and what is not seen is not agreed to.
  if (agent.allowedBefore !== null) await showAgentChange(agent.name);
  else if (!isWhole) await showAgentPage(agent.name);
  const question = t("Allow {0} to be started in this folder?", withoutLinks(agent.name));
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, allow)) !== allow) return false;
  await link.call("augment/agent/allow", { name: agent.name, hash: agent.hash });
  tellDone(t("{0} may be started now", oneLine(agent.name)));
  return true;
}
