// A person's yes to an agent that comes with the folder. It is asked for with everything the agent would run, and is bound
// to exactly that.

import * as vscode from "vscode";
import type { HostLink } from "../host_link";
import { oneLine, withoutLinks } from "../outside_text";
import type { Agent } from "../protocol.gen";
import { tellDone } from "../told";
import { adapterWord } from "./run_words";

/** @returns whether it was allowed */
export async function allowAgent(link: HostLink, agent: Agent): Promise<boolean> {
  const allow = "Allow";
  const question = `Allow ${withoutLinks(agent.name)} to be started in this folder?`;
  const options = { modal: true, detail: allowDetail(agent) };
  if ((await vscode.window.showWarningMessage(question, options, allow)) !== allow) return false;
  await link.call("augment/agent/allow", { name: agent.name, hash: agent.hash });
  tellDone(`${oneLine(agent.name)} may be started now`);
  return true;
}

function allowDetail({ command, program, adapter, capabilities, parallel, hash }: Agent): string {
  return [
    "It is configured by a file in this folder, which others may have written. It runs with your rights:",
    "",
    command,
    "",
    `Program: ${program ?? "not found"}`,
    `Adapter: ${adapterWord(adapter)}, at most ${parallel} at once`,
    ...(capabilities.length === 0 ? [] : [`Capabilities: ${capabilities.join(", ")}`]),
    `Configuration: ${hash}`,
    "",
    "Your yes is for exactly this. It is asked for again once the configuration changes.",
  ]
    .map(withoutLinks)
    .join("\n");
}
