// A hunk that has to be looked at first says why and what to do, each in one sentence, and a key leads there.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Author, Finding, Flag, Hunk } from "../protocol.gen";
import { LOOKS } from "../state_look";
import { remarkLook } from "./change_words";
import { explanations, heldOf, holdOf, holdTitle } from "./held_words";

const claude: Author = { kind: "run", name: "claude", run: "a1.1", task: "a1", taskTitle: "Fix" };
const ada: Author = { kind: "person", name: "ada", run: null, task: null, taskTitle: null };
const key = { rule: "aws-access-key-id", kind: "credential", allowed: null } as Finding;
const outside = { id: "f1", kind: "out-of-scope", message: "notes.txt is outside the scope." } as Flag;

function hunk(of: Partial<Hunk> = {}): Hunk {
  const plain = { author: claude, standing: "pending", entangledWith: [], flagged: null, approvedBy: [], findings: [] };
  return { ...plain, flag: null, ...of } as unknown as Hunk;
}

test("an ordinary hunk is decided at once and needs no words", () => {
  assert.equal(holdOf(hunk(), "approve"), undefined);
  assert.deepEqual(explanations(hunk(), "jo"), []);
  assert.equal(remarkLook(hunk()), undefined);
});

test("approving what holds a secret or is outside the scope is explained first; rejecting it is not held", () => {
  assert.equal(holdOf(hunk({ findings: [key] }), "approve"), "finding");
  assert.equal(holdOf(hunk({ flag: outside }), "approve"), "out-of-scope");
  assert.equal(holdOf(hunk({ findings: [key], flag: outside }), "approve"), "finding");
  assert.equal(holdOf(hunk({ findings: [key], flag: outside }), "reject"), undefined);
  assert.equal(holdOf(hunk({ findings: [{ ...key, allowed: "withdrawn" }] }), "approve"), undefined);
});

test("each reason is a sentence that ends with what to do", () => {
  assert.deepEqual(explanations(hunk({ findings: [key, key], flag: outside, entangledWith: [ada] }), "jo"), [
    "Its lines hold aws access key id: say why that may stay, or reject the hunk.",
    "It is out of scope: extend the scope, log it and take it out, allow it once, or reject the hunk.",
    "It is entangled with the work of ada: rejecting shows the result first and asks.",
  ]);
  assert.deepEqual(explanations(hunk({ standing: "half-approved", approvedBy: ["person:ada"] }), "jo"), [
    "ada approved it, and a second approver is needed: skip it, or reject the hunk.",
  ]);
  const unknown: Author = { ...claude, kind: "unknown" };
  assert.deepEqual(explanations(hunk({ flagged: "Nobody is known.", author: unknown }), "jo"), []);
});

test("a list says plainly why it is there", () => {
  assert.equal(holdTitle([hunk({ flag: outside }), hunk()], "README.md"), "README.md is outside the scope");
  assert.equal(holdTitle([hunk({ findings: [key, key] })], "auth.js"), "auth.js seems to hold: aws access key id");
  assert.equal(
    holdTitle([hunk({ findings: [key], flag: outside })], "auth.js"),
    "auth.js seems to hold: aws access key id · auth.js is outside the scope",
  );
});

test("a decision on a file is asked about once, whichever of its hunks is held", () => {
  const stops = [hunk(), hunk({ flag: outside }), hunk({ findings: [key] })].map((one) => ({ path: "a", hunk: one }));
  const file = { file: "a", hunks: ["h1", "h2", "h3"] };
  assert.equal(heldOf(stops, "approve", file, "editor"), stops[1]);
  assert.equal(heldOf(stops, "approve", file, "list"), stops[1], "the explorer shows none of it");
  assert.equal(heldOf(stops, "reject", file, "editor"), undefined);
  assert.equal(heldOf(stops.slice(0, 1), "approve", file, "editor"), undefined);
  assert.equal(heldOf(stops.slice(1, 2), "approve", { hunks: ["h2"] }, "editor"), stops[1]);
  assert.equal(heldOf(stops.slice(1, 2), "approve", { hunks: ["h2"] }, "list"), undefined, "a row says what it is");
  assert.equal(heldOf(stops, "approve", { all: true, hunks: [] }, "editor"), undefined, "the host holds it back");
});

test("who is entangled with their own work is told so", () => {
  const told = (me: string, ...entangledWith: Author[]) => explanations(hunk({ entangledWith }), me).join();
  const asks = ": rejecting shows the result first and asks.";
  assert.equal(told("ada", ada, ada), `It is entangled with your own edit${asks}`);
  assert.equal(told("ada", claude, ada), `It is entangled with your own edit and the work of claude · a1${asks}`);
  assert.equal(told("claude", claude), `It is entangled with the work of claude · a1${asks}`, "an agent is not you");
  const unnamed = { ...ada, name: "" };
  assert.equal(told("", unnamed), `It is entangled with the work of a person${asks}`);
});

test("the most urgent reason gives the hunk its icon", () => {
  assert.equal(remarkLook(hunk({ findings: [key], flag: outside, entangledWith: [ada] })), LOOKS.finding);
  assert.equal(remarkLook(hunk({ flag: outside, entangledWith: [ada] })), LOOKS.outOfScope);
  assert.equal(remarkLook(hunk({ entangledWith: [ada] })), LOOKS.entangled);
  assert.equal(remarkLook(hunk({ flagged: "It steers an editor." })), LOOKS.flagged);
});
