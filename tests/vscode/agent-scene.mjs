// A workspace with agents for the tests of the agents view: real goose, which thinks with a scripted model and asks before
// it writes.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentHome, agentsFile } from "../rig/agents.mjs";
import { gate, startModel } from "../rig/model.mjs";
import { newReview } from "./reviewed.mjs";

const report = `All is done.
<agent_completion>
  <status>completed</status>
  <agent>@goose</agent>
  <summary>The door and the notes are written anew.</summary>
  <next_steps>
    <recommend>@quality-reviewer</recommend>
    <reason>the tests are thin</reason>
  </next_steps>
</agent_completion>`;

/** The prompt of a task holds its title; this word of it tells whose script is played. */
export const hanging = "Hang";

/**
 * @returns what the tests use; `beforeReport` holds the agent before it says how its work stands
 */
export async function newAgentScene() {
  const cleanups = [];
  const review = await newReview();
  const model = await startModel({ after: (cleanup) => cleanups.push(cleanup) });
  const beforeReport = gate();
  const path = (name) => join(review.workspace, name);
  model.play([{ hang: true }], { prompt: hanging });
  model.play([
    {
      tool: "edit",
      args: { path: path("auth.txt"), before: "auth line 3\nauth line 4\n", after: "AUTH LINE 3\nauth line 4\n" },
    },
    {
      tool: "edit",
      args: { path: path("notes.txt"), before: "notes line 5\nnotes line 6\n", after: "NOTES LINE 5\nnotes line 6\n" },
    },
    { say: report, hold: beforeReport },
  ]);
  const agents = agentHome({ scratch: review.scratch, model });
  const config = join(review.home, "config");
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(join(config, "agents.toml"), agentsFile({ goose: agents.goose({ parallel: 2 }) }));
  return {
    ...review,
    beforeReport,
    agentProcesses: agents.processes,
    async remove() {
      await agents.end();
      for (const cleanup of cleanups.reverse()) await cleanup();
      review.remove();
    },
  };
}
