// An answer to a checkpoint is for that one.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session, SessionStatus } from "../protocol.gen";
import { Refused } from "../refusal";
import { isAnswered, mustBeShown } from "./checkpoint";
import { checkpointOf } from "./shown_checkpoint";

test("an answer names the checkpoint that was shown, and one that comes too late is told from others", () => {
  assert.deepEqual(checkpointOf({ id: "s3", checkpoints: 2 } as Session), { session: "s3", checkpoint: 2 });
  const refused = (code: string) => new Refused("No.", code, undefined);
  for (const code of ["no-checkpoint", "other-checkpoint", "other-session", "no-session"])
    assert.equal(isAnswered(refused(code)), true, code);
  for (const error of [refused("session-ending"), refused("role-may-not"), new Error("other-session")])
    assert.equal(isAnswered(error), false, error.message);
});

test("what is pressed on one session asks nothing about another", () => {
  const under = (session: Session | null) => ({ session }) as SessionStatus;
  const second = { id: "s4", number: 10 } as Session;
  mustBeShown(under(second), "s4");
  mustBeShown(under(second), undefined);
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof Refused && error.code === "other-session" && message.test(error.message);
  assert.throws(() => mustBeShown(under(second), "s3"), refused(/^s3 is over, and Session 010 is under way\./));
  assert.throws(() => mustBeShown(under(null), "s3"), refused(/^s3 is over, and no other session is under way\./));
});
