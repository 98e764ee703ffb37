// The words for prompts and their commits, what can be chosen to be committed, and what of the surroundings is sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agoText } from "../moments";
import type { FinishedPrompt, Guarded, Prompt, SessionCommit, UncommittedGroup } from "../protocol.gen";
import { intentChoices } from "./intent_choices";
import { passedEnvironment } from "./prompt_environment";
import {
  approvedWords,
  commitDetails,
  commitFacts,
  filesText,
  finishPage,
  guardPage,
  guardWords,
  intentWords,
  notSaid,
  promptDetails,
  promptFacts,
  promptIdOf,
  promptKey,
  subjectFacts,
  waitingWords,
  withNotes,
} from "./prompt_words";

const stamp = "♓︎.5.4.47 5919AM";
const group = (task: string | null, about: string, ...files: string[]): UncommittedGroup => ({
  task,
  about,
  intent: `intent: ${about}`,
  files,
});

test("a prompt is named by its stamp and, once it is not open, by how it stands", () => {
  assert.equal(promptFacts({ state: "open", stamp }), stamp);
  assert.equal(promptFacts({ state: "finished", stamp }), `${stamp} · finished, to be pushed`);
});

test("its details leave out what is not there", () => {
  const prompt = {
    id: "p7",
    state: "open",
    headline: "Build\u202e the door",
    stamp,
    startedMs: 0,
    context: "",
    subjects: ["Door"],
    system: "git",
    base: null,
    branch: "main",
    report: null,
    pushed: null,
  } as unknown as Prompt;
  const lines = promptDetails(prompt).split("\n");
  assert.deepEqual([lines[0], lines[1]], ["Build  the door", "Prompt p7: under way"]);
  assert.deepEqual(lines.slice(3), ["Subjects: Door", "git · main", "How it is understood is not said yet."]);
});

test("counts are words", () => {
  assert.equal(approvedWords(1), "1 approved file can be committed");
  assert.equal(approvedWords(12), "12 approved files can be committed");
  assert.equal(waitingWords(0), "");
  assert.equal(waitingWords(1), "1 hunk waits for a decision");
  assert.equal(waitingWords(3), "3 hunks wait for a decision");
  assert.equal(filesText(["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
  assert.equal(filesText(["a"]), "a");
});

test("an intent is told without the word that each begins with", () => {
  assert.equal(intentWords("intent: draw the door"), "draw the door");
  assert.equal(intentWords("draw\nthe door"), "draw the door");
});

test("moments are told by how long ago they were, and by the day once that is long", () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const ago = (ms: number) => agoText(0, ms);
  assert.deepEqual([-5, 59_999, minute, 59 * minute, hour, 23 * hour, 24 * hour, 30 * 24 * hour].map(ago), [
    "just now",
    "just now",
    "1 min ago",
    "59 min ago",
    "1 h ago",
    "23 h ago",
    "1 d ago",
    "30 d ago",
  ]);
  assert.match(ago(31 * 24 * hour), /^\d{4}-\d\d-\d\d$/);
});

test("a subject says why it was found and where it lies", () => {
  const found = { subject: "Door", score: 3, why: ["door", "hinge"], folders: ["Research/high/Door"], files: [] };
  assert.deepEqual(subjectFacts(found), { why: "found: door, hinge", where: "Research/high/Door" });
  assert.equal(subjectFacts({ ...found, why: [] }).why, "");
});

test("one group is committed as all that is approved, without a choice", () => {
  const [only, ...others] = intentChoices([group("a1", "the door", "a.ts")]);
  assert.deepEqual(others, []);
  assert.deepEqual(only?.which, { task: null, own: false, files: [] });
  assert.equal(only?.proposed, "intent: the door");
  assert.deepEqual(intentChoices([]), []);
});

test("of several, a task is told by its id, and a person's own work as that, in the files that are shown", () => {
  const choices = intentChoices([group("a1", "the door", "a.ts", "b.ts"), group(null, "your own", "b.ts", "c.ts")]);
  assert.deepEqual(
    choices.map(({ label, description, proposed, which }) => [label, description, proposed, which]),
    [
      ["All that is approved", "3 files", "", { task: null, own: false, files: [] }],
      ["the door", "2 files", "intent: the door", { task: "a1", own: false, files: [] }],
      ["your own", "2 files", "intent: your own", { task: null, own: true, files: ["b.ts", "c.ts"] }],
    ],
  );
});

test("a session commit is told with its stamp, and with what it lacks", () => {
  assert.equal(commitFacts({ stamp, lacks: [] }, "3 h ago"), `${stamp} · 3 h ago`);
  assert.equal(commitFacts({ stamp: null, lacks: ["Agent Context"] }, "3 h ago"), "3 h ago · lacks Agent Context");
  const commit = {
    summary: "The door is built",
    stamp,
    commit: "0123456789abcdef",
    change: "kxyz",
    timeMs: 0,
    lacks: [],
    changes: ["one"],
  } as unknown as SessionCommit;
  assert.match(commitDetails(commit), /^The door is built\n♓︎\.5\.4\.47 5919AM · .+\n0123456789 · kxyz · 1 change$/);
});

test("the page of a dry run holds the whole message first, and nothing that an editor would obey", () => {
  const message = `session: The door is built\n${stamp}\n\n## Original Prompt\nBuild it\u001b[31m now\n`;
  const page = finishPage({
    message,
    mode: "multi",
    intents: [
      { text: "intent: draw", role: "work", commit: "c1", change: "kkkk" },
      { text: "intent: paint", role: "work", commit: "c2", change: "llll" },
    ],
    notes: ["A hook runs."],
  } as unknown as FinishedPrompt);
  assert.ok(page.startsWith(`session: The door is built\n${stamp}\n\n## Original Prompt\nBuild it now\n`));
  assert.match(page, /Not part of the message: .*\n {2}2 intents become one commit/);
  assert.match(page, /\n {2}kkkk {2}intent: draw\n {2}llll {2}intent: paint\n\nTo be known:\n {2}A hook runs\.\n$/);
});

test("the page of a check says of each invariant whether it holds, what is wrong and how to mend it", () => {
  const guarded: Guarded = {
    holds: false,
    invariants: [
      { number: 1, name: "The session commit is whole", holds: true, wrong: null, mend: null },
      { number: 4, name: "It is pushed", holds: false, wrong: "origin lacks it.", mend: "Push it." },
      { number: 5, name: "It has a child", holds: false, wrong: null, mend: "The clone is shallow." },
    ],
    session: "c0ffee",
    branch: "main",
    remote: "origin",
    notes: [],
  };
  assert.equal(
    guardPage(guarded),
    `Not all invariants of a completed prompt hold.
Judged: c0ffee, on main of origin.

✓ 1. The session commit is whole
✗ 4. It is pushed
     origin lacks it.
     To mend it: Push it.
? 5. It has a child
     The clone is shallow.
`,
  );
  assert.equal(guardWords(guarded), "2 invariants do not hold: 4, 5");
  assert.equal(guardWords({ ...guarded, holds: true }), "All invariants of a completed prompt hold");
  assert.match(guardPage({ ...guarded, session: null }), /No session commit was found, on main of origin\./);
});

test("notes follow a sentence as sentences", () => {
  assert.equal(withNotes("Committed", ["A hook ran.", "It took\nlong"]), "Committed. A hook ran. It took long");
  assert.equal(withNotes("Committed", []), "Committed");
});

test("what the person has before them is not told again", () => {
  assert.deepEqual(notSaid(["It has no context.", "1 hunk waits."], ["It has no context."]), ["1 hunk waits."]);
  assert.deepEqual(notSaid([], ["It has no context."]), []);
});

test("of the surroundings only what identity, signatures and keys need is sent", () => {
  assert.deepEqual(
    passedEnvironment({ GIT_AUTHOR_NAME: "Ann", SSH_AUTH_SOCK: "/s", GITHUB_TOKEN: "t", AWS_SECRET_ACCESS_KEY: "k" }),
    { GIT_AUTHOR_NAME: "Ann", SSH_AUTH_SOCK: "/s" },
  );
});

test("an order names the prompt that its text was written for", () => {
  assert.equal(promptIdOf(promptKey({ id: "p7", startedMs: 1_794_987_325_399 })), "p7");
});
