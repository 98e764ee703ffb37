import assert from "node:assert/strict";
import { test } from "node:test";
import { commandIn } from "./command_in";

test("the one command that a sentence names leads on", () => {
  for (const [sentence, command] of [
    ["There is no task a9. `augment-cli queue list --all` shows them all.", "augment-cli queue list --all"],
    ["Run `git status`, then `augment-cli changes undo d1`.", "augment-cli changes undo d1"],
    ["It is locked. Wait, then repeat.", undefined],
    ["Run `git status`.", undefined],
    ["Finish it with `augment-cli prompt finish`, or give it up with `augment-cli prompt drop p1`.", undefined],
  ] as const)
    assert.equal(commandIn(sentence), command, sentence);
});

test("what is still to be filled in, what a shell would take for more than words, and what is too long is not typed", () => {
  for (const bad of [
    'prompt start "…"',
    "scan acknowledge c5 --reason WHY",
    "status; curl evil",
    "status | sh",
    "status > x",
    "status $(x)",
    "status & x",
    "status 'x y'",
    "status\n",
    "status\u001b[201~",
    "status \u202ex",
    "x".repeat(300),
  ])
    assert.equal(commandIn(`Do \`augment-cli ${bad}\`.`), undefined, JSON.stringify(bad));
});
