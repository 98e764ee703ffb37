// What a text that is being typed searches for, and how archived sessions and what was learnt are named.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ArchivedSession, KnowledgeEntry } from "../protocol.gen";
import { archivedDetail, archivedFacts, archivedLabel, knowledgeFacts, searchedFor } from "./archive_words";

test("a last word that may be typed on is a beginning; one that is finished is a word", () => {
  for (const [typed, words] of [
    ["", ""],
    ["   ", ""],
    ["conn", "conn*"],
    ["conn ", "conn"],
    ["conn*", "conn*"],
    ["rate lim", "rate lim*"],
    ['"rate lim', '"rate lim"*'],
    ['"rate limit"', '"rate limit"'],
    ['"rate limit" con', '"rate limit" con*'],
  ] as const) {
    assert.equal(searchedFor(typed), words, typed);
  }
});

const session = {
  number: 9,
  title: "Lifesum\nconnector",
  endedAt: new Date(2026, 10, 16, 12).getTime(),
  agents: ["goose", "codex"],
  tags: ["io", "api"],
  outcome: "All meals are read.",
} as unknown as ArchivedSession;

test("an archived session is named in a line, with the words around what was found", () => {
  assert.equal(archivedLabel(session), "Session 009: Lifesum connector");
  assert.equal(archivedFacts(session), "2026-11-16 · goose, codex · #io #api");
  assert.equal(archivedDetail(session, ""), "All meals are read.");
  assert.equal(archivedDetail(session, "… the rate\u0000\nlimit …"), "… the rate limit …");
});

test("what was learnt says whether it is shared, and where it comes from", () => {
  const entry = { tags: ["api"], files: ["src/a.ts"], source: "2026-s3", shared: false, by: null, at: session.endedAt };
  const learnt = (facts: object) => ({ ...entry, ...facts }) as unknown as KnowledgeEntry;
  assert.equal(knowledgeFacts(learnt({})), "only on this machine · #api · 2026-s3 · 2026-11-16 · src/a.ts");
  assert.equal(
    knowledgeFacts(learnt({ shared: true, by: "person:ada", files: [] })),
    "shared by ada · #api · 2026-s3 · 2026-11-16",
  );
  assert.equal(
    knowledgeFacts(learnt({ source: null, by: "person:ada", files: [], tags: [] })),
    "only on this machine · added by ada · 2026-11-16",
  );
});
