import assert from "node:assert/strict";
import { test } from "node:test";
import type { Record as LedgerRecord } from "../protocol.gen";
import { decisionsIn, newestToUndo } from "./decisions_made";

const record = (kind: string, id: string, takesBack: string | null = null): LedgerRecord => ({
  sequence: 1,
  time: 0,
  actor: "person:ada",
  kind: `review.${kind}`,
  subject: `decision:${id}`,
  about: [],
  data: { files: 1, hunks: 2, paths: ["a.txt"], takesBack },
  version: 1,
  previous: "",
  hash: "",
});
/** Newest first, as the ledger gives them. */
const undoable = (...records: LedgerRecord[]) =>
  decisionsIn(records)
    .filter(({ canUndo }) => canUndo)
    .map(({ id }) => id);

test("a decision can be undone until it is, and again once that was taken back", () => {
  const one = record("approved", "d1");
  const two = record("undone", "d2", "d1");
  const three = record("redone", "d3", "d2");
  assert.deepEqual(undoable(one), ["d1"]);
  assert.deepEqual(undoable(two, one), []);
  assert.deepEqual(undoable(three, two, one), ["d1"]);
  assert.deepEqual(undoable(record("undone", "d4", "d3"), three, two, one), []);
});

test("the newest that can be undone is a person's, and not what a policy has decided since", () => {
  const records = [
    { ...record("approved", "d4"), actor: "host" },
    record("undone", "d3", "d2"),
    record("rejected", "d2"),
    record("approved", "d1"),
  ];
  assert.equal(newestToUndo(records)?.id, "d1");
  assert.equal(newestToUndo(records.slice(0, 3)), undefined);
});

test("what could not be written does not stand, and what an undo could not write stands on", () => {
  const carriedOut = (id: string, notWritten: number): LedgerRecord => ({
    ...record("carried-out", id),
    data: { written: 0, inEditor: 0, notWritten, reasons: [], afterCrash: false },
  });
  const one = record("rejected", "d1");
  assert.deepEqual(undoable(carriedOut("d1", 0), one), ["d1"]);
  assert.deepEqual(undoable(carriedOut("d1", 1), one), []);
  assert.equal(
    decisionsIn([carriedOut("d1", 1), one])[0]?.text,
    "Rejected 2 hunks in 1 file · ada · d1 · nothing was written",
  );
  // An editor was asked to, and was closed without saving it.
  assert.deepEqual(undoable(carriedOut("d1", 1), carriedOut("d1", 0), one), []);
  assert.deepEqual(undoable(carriedOut("d2", 1), record("undone", "d2", "d1"), one), ["d1"]);
  // Who carries decisions out is the host.
  const told = [{ ...carriedOut("d2", 1), actor: "host" }, record("rejected", "d2"), one];
  assert.equal(newestToUndo(told)?.id, "d1");
  // One of two files.
  const wide = { ...one, data: { files: 2, hunks: 2, paths: ["a.txt", "b.txt"], takesBack: null } };
  assert.deepEqual(undoable(carriedOut("d1", 1), wide), ["d1"]);
});

test("a decision is told with how much it was about and who made it", () => {
  const [made] = decisionsIn([record("rejected", "d7")]);
  assert.equal(made?.text, "Rejected 2 hunks in 1 file · ada · d7");
  assert.deepEqual(made?.paths, ["a.txt"]);
});

test("other records and data of another form are passed over", () => {
  assert.deepEqual(decisionsIn([record("assigned", "d1"), { ...record("approved", "d2"), subject: "task:a1" }]), []);
  const [made] = decisionsIn([{ ...record("approved", "d3"), data: null }]);
  assert.equal(made?.text, "Approved 0 hunks in 0 files · ada · d3");
});
