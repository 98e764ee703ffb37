import assert from "node:assert/strict";
import { test } from "node:test";
import type { Author, ChangedFile, Hunk } from "../../src/protocol.gen";
import { groupWords } from "../../src/review/change_words";
import { reviewRows } from "./review_rows";

const agent: Author = { kind: "run", name: "goose", run: "a1.1", task: "a1", taskTitle: "Refactor <b>the door</b>" };
const nobody: Author = { kind: "unknown", name: null, run: null, task: null, taskTitle: null };
const hunk = (author: Author, more: Partial<Hunk> = {}): Hunk => ({
  id: "f",
  kind: "lines",
  standing: "pending",
  author,
  evidence: "inferred",
  time: 0,
  line: 0,
  spans: [],
  added: 2,
  removed: 1,
  removedLines: [],
  addedLines: [],
  summary: "+2 −1",
  entangledWith: [],
  flagged: null,
  approvedBy: [],
  findings: [],
  flag: null,
  ...more,
});
const file = (path: string, ...hunks: Hunk[]): ChangedFile => ({
  path,
  body: "text",
  hash: null,
  hunks,
  moreHunks: false,
  awaitsSave: false,
});

test("a group is not called the same twice", () => {
  const author = (kind: Author["kind"], facts: Partial<Author> = {}) =>
    ({ kind, name: null, run: null, task: null, taskTitle: null, ...facts }) as Author;
  const said = (of: Author) => {
    const { label, facts } = groupWords({ author: of, hunks: 2 });
    return `${label} | ${facts}`;
  };
  assert.equal(said(author("vcs")), "Version control | 2 hunks");
  assert.equal(said(author("unknown")), "Unknown author | 2 hunks");
  assert.equal(said(author("person", { name: "ada" })), "ada | 2 hunks");
  assert.equal(said(author("run", { name: "goose", task: "a1", taskTitle: "Fix" })), "Fix | goose · a1 · 2 hunks");
});

test("what waits is listed by whose work it is and by file, with counts and what is particular", () => {
  const rows = reviewRows([
    file(
      "src/a.ts",
      hunk(agent, { id: "h1" }),
      hunk(agent, { id: "h2", entangledWith: [nobody] }),
      hunk(nobody, { id: "h3" }),
    ),
    file("b.ts", hunk(agent, { id: "h4" })),
  ]);
  assert.deepEqual(
    rows.map(({ kind, title, facts, remarks }) => [kind, title, facts, ...remarks].join(" | ")),
    [
      "group | Unknown author | 1 hunk · 1 file",
      "file | a.ts | src · 1 hunk · +2 −1",
      "group | Refactor <b>the door</b> | goose · a1 · 3 hunks · 2 files",
      "file | a.ts | src · 2 hunks · +4 −2 | entangled",
      "file | b.ts | 1 hunk · +2 −1",
    ],
  );
  assert.deepEqual(
    rows.map(({ what }) => what),
    [
      { unknown: true, all: true, hunks: ["h3"] },
      { unknown: true, file: "src/a.ts", hunks: ["h3"] },
      { task: "a1", all: true, hunks: ["h1", "h2", "h4"] },
      { task: "a1", file: "src/a.ts", hunks: ["h1", "h2"] },
      { task: "a1", file: "b.ts", hunks: ["h4"] },
    ],
  );
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

test("a row of somebody without a task decides on what it shows, and on nobody else's", () => {
  const person: Author = { kind: "person", name: "ada", run: null, task: null, taskTitle: null };
  const rows = reviewRows([file("a.ts", hunk(person, { id: "own" }), hunk(agent, { id: "theirs" }))]);
  assert.deepEqual(
    rows.filter(({ key }) => key.startsWith("person")).map(({ what }) => what),
    [
      { all: true, hunks: ["own"] },
      { file: "a.ts", hunks: ["own"] },
    ],
  );
});

test("hunks that the host left out are told, as in the tree", () => {
  const rows = reviewRows([{ ...file("a.ts", hunk(agent)), moreHunks: true }, file("b.ts", hunk(agent))]);
  assert.deepEqual(
    rows.map(({ facts }) => facts),
    [
      "goose · a1 · 2 hunks, and more that are not shown · 2 files",
      "1 hunk, and more that are not shown · +2 −1",
      "1 hunk · +2 −1",
    ],
  );
});

test("what is decided as a whole says what it is", () => {
  const facts = (...hunks: Hunk[]) => reviewRows([file("a.json", ...hunks)])[1]?.facts;
  const deleted = hunk(agent, { kind: "deleted", added: 0, removed: 0, summary: "file deleted" });
  assert.equal(facts(deleted), "1 hunk · file deleted");
  const created = hunk(agent, { kind: "created", added: 3, removed: 0, summary: "file created" });
  assert.equal(facts(created), "1 hunk · file created · +3 −0");
  assert.equal(facts(hunk(agent)), "1 hunk · +2 −1");
});
