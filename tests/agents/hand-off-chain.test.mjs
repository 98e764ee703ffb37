// Two real agents in a chain: Goose works and names Codex, a person says yes, and what Goose did is what Codex hears
// (C1, C4).

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { codexReports, newStage, reports } from "../rig/runs.mjs";

test("goose hands over to codex, whose prompt holds what goose did and reported", async (t) => {
  const stage = await newStage(t);
  stage.configure({ goose: stage.agents.goose(), codex: stage.agents.codex() });
  const first = stage.model.play(
    [
      { tool: "edit", args: { path: stage.at("hello.txt"), before: "hello", after: "hello from goose" } },
      reports("completed", "Greeted; the answer is missing.", {
        metrics: { files_modified: 1 },
        next_agents: [{ agent: "codex", reason: "It writes answers" }],
      }),
      { say: "Reported." },
    ],
    { key: "goose" },
  );
  const answer = {
    tool: "apply_patch",
    input: "*** Begin Patch\n*** Add File: answer.txt\n+hello yourself\n*** End Patch\n",
  };
  const second = stage.model.play([answer, codexReports("completed", "Answered."), { say: "Reported." }], {
    key: "codex",
  });

  const run = await stage.start("goose", "Greet and answer");
  const ended = await stage.ends(run);
  assert.deepEqual([ended.state, ended.reported], ["completed", "completed"]);
  const list = async () => (await stage.json(["handoff", "list"])).handOffs;
  const [handOff] = await eventually("goose has named codex", list, (found) => found.length === 1);
  assert.deepEqual(
    [handOff.fromRun, handOff.toAgent, handOff.reason, handOff.state],
    [run, "codex", "It writes answers", "proposed"],
  );

  const { run: next } = await stage.json(["handoff", "start", handOff.id, "--yes"]);
  const done = await stage.ends(next.run);
  assert.deepEqual([done.agent, done.state, done.reported], ["codex", "completed", "completed"]);
  const prompt = second.prompt();
  for (const part of [
    "# Hand-off h1 from goose to codex",
    "Why: It writes answers",
    "Greeted; the answer is missing.",
    "- files_modified: 1 files",
    "### hello.txt",
    "    -hello\n    +hello from goose",
    "by goose for a1",
    "Version control: branch ",
  ]) {
    assert.ok(prompt.includes(part), `${part} is not in:\n${prompt}`);
  }
  assert.doesNotMatch(first.prompt(), /Hand-off/, "the first has nobody before it");
  assert.equal(stage.text("answer.txt"), "hello yourself\n");
  const [author] = await stage.lastAuthors("answer.txt");
  assert.match(author, new RegExp(`^run:${next.run} `));
  const chain = (await stage.task(handOff.task ?? next.task)).origin;
  assert.equal(chain, "hand-off");
  await stage.staysDead(next.run);
});
