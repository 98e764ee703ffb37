// What is offered at a place of a settings file, and what is said about a key.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileKey } from "../protocol.gen";
import { aboutKey, keyAt, offersAt } from "./file_offers";
import type { Place } from "./file_place";

const key = (section: string, name: string, more: Partial<FileKey> = {}): FileKey => ({
  section,
  name,
  about: `About ${name}.`,
  takes: "something",
  usual: null,
  values: [],
  empty: '""',
  workspace: null,
  ...more,
});
const keys = [
  key("queue", "maxAttempts", { usual: "3", values: ["3"], empty: "", workspace: "A policy may only lower it." }),
  key("queue", "leaseSeconds", { empty: "" }),
  key("agents", "permission", { usual: "ask", values: ['"allow"', '"ask"'] }),
  key("review", "reject"),
];
const agentKeys = [key("agents.*", "args", { empty: '[""]' }), key("agents.*", "set", { empty: "{  }" })];

/** A § stands for the $ of a snippet. */
function check(place: Place, of: FileKey[], taken: string[], expected: string[]): void {
  const offers = offersAt(place, of, new Set(taken)).map(
    ({ label, snippet, detail }) => `${label} (${detail}) ${snippet.replaceAll("$", "§")}`,
  );
  assert.deepEqual(offers, expected);
}
const inKey = (table: string, hasValue = false): Place => ({
  kind: "key",
  table,
  name: "",
  start: 0,
  end: 0,
  hasValue,
});

test("tables are offered once each", () => {
  const place: Place = { kind: "table", start: 1, end: 1, typed: "" };
  check(place, keys, [], ["queue () queue", "agents () agents", "review () review"]);
  check(place, agentKeys, [], ["agents.… () agents.§{1:name}"]);
});

test("keys of the table are offered that are not there yet, with a place for the value", () => {
  check(inKey("queue"), keys, ["leaseSeconds"], ["maxAttempts (3) maxAttempts = §{1:3}"]);
  check(inKey("agents"), keys, [], ['permission (ask) permission = §{1|"allow","ask"|}']);
  check(inKey("review"), keys, [], ['reject () reject = "§1"']);
  check(inKey("queue", true), keys, ["maxAttempts"], ["leaseSeconds () leaseSeconds"]);
  check(inKey("nope"), keys, [], []);
});

test("above all tables keys are offered by their whole names", () => {
  const labels = offersAt(inKey(""), keys, new Set()).map(({ label }) => label);
  assert.deepEqual(labels, ["queue.maxAttempts", "queue.leaseSeconds", "agents.permission", "review.reject"]);
});

test("keys of an agent are offered in the table of any agent, and nowhere else", () => {
  check(inKey("agents.goose"), agentKeys, [], ['args () args = ["§1"]', "set () set = { §1 \\}"]);
  check(inKey("agents.goose.set"), agentKeys, [], []);
  check(inKey("agents"), agentKeys, [], []);
});

test("values are offered that can be counted, the usual one marked", () => {
  const place: Place = { kind: "value", table: "agents", name: "permission", start: 0, end: 0 };
  check(place, keys, [], ['"allow" () "allow"', '"ask" (usual) "ask"']);
  assert.equal(keyAt(place, keys)?.name, "permission");
});

test("a key is explained with what it takes, what holds without it, and what a policy may do", () => {
  const [first] = keys;
  assert.ok(first);
  const paragraphs = ["About maxAttempts.", "It takes something.", "Without it: 3.", "A policy may only lower it."];
  assert.equal(aboutKey(first), paragraphs.join("\n\n"));
});
