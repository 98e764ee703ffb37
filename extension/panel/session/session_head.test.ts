// What is pressed at the head of the session is about the session, and the checkpoint, that are drawn there.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../src/protocol.gen";
import type { Host } from "../host";
import { fire, found, makePage } from "../test_page";
import { sessionHead } from "./session_head";

const progress = { done: 0, total: 0, percent: 0, cells: 0 };
const session = (state: Session["state"]) =>
  ({
    id: "s3",
    number: 9,
    state,
    automatic: null,
    model: null,
    startedAt: 0,
    phase: null,
    sprintGoal: null,
    before: progress,
    now: progress,
    items: [],
    paths: [],
    streak: 3,
    checkpointAfter: 3,
    checkpoints: 2,
    discovered: [],
  }) as unknown as Session;

/** What is sent when a button of the drawn session is pressed. */
function pressed(state: Session["state"], label: string): unknown {
  makePage();
  const sent: unknown[] = [];
  const act = async (action: string, params: object) => sent.push([action, params]);
  const head = sessionHead({ act, now: () => 0 } as unknown as Host, session(state));
  fire(found(head, "vscode-button", label), "click");
  assert.equal(sent.length, 1);
  return sent[0];
}

test("an answer to a checkpoint names the session and the checkpoint that are drawn", () => {
  assert.deepEqual(pressed("checkpoint", "Continue"), ["session/continue", { session: "s3", checkpoint: 2 }]);
});

test("confirming, adjusting and ending name the session that is drawn", () => {
  assert.deepEqual(pressed("planned", "Confirm Scope…"), ["session/confirm", { session: "s3" }]);
  assert.deepEqual(pressed("checkpoint", "Adjust Scope…"), ["session/adjust", { session: "s3" }]);
  assert.deepEqual(pressed("working", "End Session…"), ["session/end", { session: "s3" }]);
});
