// What undoing means without a word on what.

import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnDecisions } from "./own_decisions";

const taken = (own: OwnDecisions) => own.take()?.id;

/** A decision on its way, which is made or refused when it is told to be. */
function sentOn(own: OwnDecisions) {
  let come: (id: string) => void = () => {};
  let refuse: (why: Error) => void = () => {};
  const answer = new Promise<string>((resolve, reject) => {
    come = resolve;
    refuse = reject;
  });
  const over = own.send(async (made) => made(await answer));
  return { come, refuse, over };
}

test("the newest of this window is taken back, then the one before it, then none", () => {
  const own = new OwnDecisions();
  own.made("d1");
  own.made("d4");
  assert.deepEqual([taken(own), taken(own), taken(own)], ["d4", "d1", undefined]);
});

test("what was undone by its button is not undone again, and what was made again is the newest", () => {
  const own = new OwnDecisions();
  for (const id of ["d1", "d2", "d3"]) own.made(id);
  own.undone("d3");
  own.made("d1");
  assert.deepEqual([taken(own), taken(own), taken(own)], ["d1", "d2", undefined]);
});

test("whoever undoes while a decision is on its way takes that one back, and with a second press the one before it", async () => {
  const own = new OwnDecisions();
  own.made("d1");
  const { come } = sentOn(own);
  const undone: (string | undefined)[] = [];
  const undo = () => {
    const newest = own.take();
    return own.inTurn(async () => void undone.push(newest?.id));
  };
  const pressed = [undo(), undo()];
  // What is sent after that is not meant.
  const later = sentOn(own);
  later.come("d3");
  await later.over;
  assert.deepEqual(undone, []);
  come("d2");
  await Promise.all(pressed);
  assert.deepEqual(undone, ["d2", "d1"]);
  assert.deepEqual([taken(own), taken(own)], ["d3", undefined]);
});

test("a decision of which nothing came is no decision, and undoing it does not undo the one before it", async () => {
  const own = new OwnDecisions();
  own.made("d1");
  const first = sentOn(own);
  first.refuse(new Error("stale"));
  await assert.rejects(first.over, /stale/);
  const second = sentOn(own);
  const meant = own.take();
  second.refuse(new Error("stale"));
  await assert.rejects(second.over, /stale/);
  await own.inTurn(async () => assert.deepEqual(meant, { id: undefined }));
  assert.equal(taken(own), "d1");
});
