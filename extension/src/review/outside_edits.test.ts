// What comes from the host as an edit or a diff is taken exactly or not at all, and what waits is of one moment.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedFile, ChangeList, Hunk, ListChanges } from "../protocol.gen";
import { authorWords, badgeText, decisionSentence, hunkLabel, warnings } from "./change_words";
import { fetchChanges } from "./changes_snapshot";
import { patched } from "./patch";
import { documentEditsIn } from "./workspace_edit";

test("an edit of documents is understood", () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const edits = [{ range, newText: "x\n" }];
  const documentChanges = [{ textDocument: { uri: "file:///w/a", version: 3 }, edits }];
  assert.deepEqual(documentEditsIn({ edit: { documentChanges } }), [{ uri: "file:///w/a", version: 3, edits }]);
});

test("an edit that holds anything else is refused as a whole", () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const good = { textDocument: { uri: "file:///w/a", version: null }, edits: [{ range, newText: "" }] };
  const bad: unknown[] = [
    undefined,
    {},
    { edit: { changes: {} } },
    { edit: { documentChanges: [] } },
    { edit: { documentChanges: [good, { kind: "delete", uri: "file:///w/b" }] } },
    { edit: { documentChanges: [{ ...good, edits: [{ range, newText: 1 }] }] } },
    {
      edit: {
        documentChanges: [{ ...good, edits: [{ range: { ...range, end: { line: -1, character: 0 } }, newText: "" }] }],
      },
    },
  ];
  for (const params of bad) assert.equal(documentEditsIn(params), undefined, JSON.stringify(params));
});

test("a diff is laid on the text it was made for", () => {
  const rows: [text: string, diff: string, result: string | undefined][] = [
    ["a\nb\nc\n", "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\n"],
    ["a\nb\n", "@@ -1,2 +1,3 @@\n a\n+new\n b\n", "a\nnew\nb\n"],
    ["a\nb\nc\nd\n", "@@ -1 +1 @@\n-a\n+A\n@@ -4 +4 @@\n-d\n+D\n", "A\nb\nc\nD\n"],
    ["", "@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"],
    ["a\n", "@@ -1 +0,0 @@\n-a\n", ""],
    ["a\r\nb\r\n", "@@ -1,2 +1,1 @@\n a\r\n-b\r\n", "a\r\n"],
    ["a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", "b"],
    ["a\n", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "b"],
    ["other\n", "@@ -1 +1 @@\n-a\n+b\n", undefined],
    ["a\n", "@@ -1,2 +1,2 @@\n-a\n+b\n", undefined],
  ];
  for (const [text, diff, result] of rows) assert.equal(patched(text, diff), result, diff);
});

test("pages of several revisions are fetched again, and a long list is cut", async () => {
  const asked: ListChanges[] = [];
  const revisions = [1, 2, 2, 2];
  const counts = { pendingFiles: 2, pendingHunks: 2, unknownHunks: 0 };
  const list = async (params: ListChanges): Promise<ChangeList> => {
    const revision = revisions[asked.length] ?? 2;
    asked.push(params);
    const path = params.after === undefined ? "a" : "b";
    const files = [{ path, hunks: [{}] } as ChangedFile];
    return { files, next: path === "a" ? "a" : null, counts, revision };
  };
  const whole = await fetchChanges(list);
  assert.deepEqual([whole.files.map(({ path }) => path), whole.whole, whole.revision], [["a", "b"], true, 2]);
  assert.equal(asked.length, 4);
  const cut = await fetchChanges(list, 1);
  assert.deepEqual([cut.files.map(({ path }) => path), cut.whole], [["a"], false]);
});

test("names and lines from outside are one line of plain text", () => {
  const author = { kind: "run" as const, name: "evil\u001b[31m\nname\u202e", run: "r", task: "a1", taskTitle: null };
  assert.equal(authorWords(author), "evil [31m name · a1");
  const hunk = {
    kind: "lines",
    addedLines: ["", "  \tx = `$(rm)`\u2028"],
    removedLines: [],
    summary: "+2",
    findings: [],
  } as unknown as Hunk;
  assert.equal(hunkLabel(hunk), "x = `$(rm)`");
  const found = { ...hunk, findings: [{ rule: "aws-access-key-id" }] } as unknown as Hunk;
  assert.equal(hunkLabel(found), "Holds aws access key id", "what was found is not repeated");
  const flagged = {
    entangledWith: [author, author],
    flagged: "A control\nfile.",
    approvedBy: [],
    findings: [],
    flag: null,
  } as unknown as Hunk;
  assert.deepEqual(warnings(flagged, "ada"), [
    "It is entangled with the work of evil [31m name · a1. Rejecting shows the result first.",
    "A control file.",
  ]);
  assert.equal(
    decisionSentence("1 hunk in 1 file rejected. Undo with `augment-cli changes undo d2`."),
    "1 hunk in 1 file rejected.",
  );
  assert.deepEqual([badgeText(1), badgeText(9), badgeText(10), badgeText(1_000)], ["1", "9", "9+", "9+"]);
});
