// The page of agents and runs, and what it says of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Agent, HandOff } from "../../src/protocol.gen";
import { type Answers, found, openPage } from "../test_page";
import { agentsPage } from "./agents";

const agent = (name: string, isThere: boolean): Agent => ({
  name,
  source: "preset",
  adapter: "acp",
  command: name,
  program: isThere ? `/bin/${name}` : null,
  capabilities: [],
  parallel: 1,
  active: 0,
  allowed: true,
  hash: "",
  allowedBefore: null,
  problem: null,
});

const work = (missing: number): Answers => ({
  "augment/agent/list": () => ({
    agents: [agent("goose", true), ...Array.from({ length: missing }, (_, at) => agent(`absent ${at}`, false))],
    problems: [],
  }),
  "augment/run/list": () => ({ runs: [] }),
  "augment/question/list": () => ({ questions: [] }),
  "augment/hand-off/list": () => ({ handOffs: [] }),
});

test("one agent whose program was not found is one", async () => {
  const said = async (missing: number) =>
    (await openPage(agentsPage, work(missing))).page.element.textContent?.match(/\d+ more [a-z ]+found\./)?.[0];
  assert.equal(await said(0), undefined);
  assert.equal(await said(1), "1 more is known whose program was not found.");
  assert.equal(await said(2), "2 more are known whose program was not found.");
});

const handOff: HandOff = {
  id: "h1",
  fromRun: "a1.1",
  fromAgent: "goose",
  toAgent: "reviewer",
  reason: "tests are thin",
  state: "proposed",
  task: null,
  run: null,
  canStart: true,
  proposedAt: 1_000_000 - 5 * 60_000,
};

test("a proposal that another agent goes on waits as a card, and is decided there", async () => {
  const handOffs = [handOff, { ...handOff, id: "h0", state: "dismissed" }];
  const { page, acts } = await openPage(agentsPage, { ...work(0), "augment/hand-off/list": () => ({ handOffs }) });
  const card = found(page.element, ".ask", "goose suggests reviewer goes on after a1.1: tests are thin");
  assert.match(card.textContent ?? "", /h1 · 5 min ago/);
  assert.equal(found(page.element, ".section", "Waiting for your answer").querySelector(".count")?.textContent, "1");
  // While it is accepted it cannot be dismissed; its text can still be looked at.
  for (const label of ["Accept", "Edit Text"]) found(card, "vscode-button", label).click();
  assert.deepEqual(acts, [
    { action: "hand-off/accept", params: { handOff: "h1" } },
    { action: "hand-off/edit", params: { handOff: "h1" } },
  ]);
  const dismiss = found(card, "vscode-button", "Dismiss") as HTMLElement & { disabled: boolean };
  assert.equal(dismiss.disabled, true);
  handOffs.shift();
  await page.refresh();
  assert.equal(page.element.querySelector(".ask"), null);
});

test("a proposal is dismissed by its button", async () => {
  const { page, acts } = await openPage(agentsPage, {
    ...work(0),
    "augment/hand-off/list": () => ({ handOffs: [handOff] }),
  });
  found(page.element, "vscode-button", "Dismiss").click();
  assert.deepEqual(acts, [{ action: "hand-off/dismiss", params: { handOff: "h1" } }]);
});
