// What was found in a hunk, and what falls outside the scope, beside the hunk and where a decision is stopped by it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedFile, Finding, Flag, Hunk } from "../protocol.gen";
import { remarks, warnings, wholeFileWords } from "./change_words";
import { findingLevel, findingSentence, findingsNotice, flagsIn, heldBackWords, stoppedHunks } from "./finding_words";

const finding = (facts: Partial<Finding> = {}): Finding => ({
  path: "a.ts",
  rule: "aws-access-key-id",
  kind: "credential",
  line: 3,
  start: 7,
  end: 27,
  message: "Looks like an AWS\naccess key id.",
  hunk: "h1",
  allowed: null,
  ...facts,
});

function hunk(id: string, facts: Partial<Hunk> = {}): Hunk {
  const author = { kind: "run", name: "goose", run: "a1.1", task: "a1", taskTitle: "Fix" };
  return {
    id,
    author,
    entangledWith: [],
    flagged: null,
    approvedBy: [],
    standing: "pending",
    findings: [],
    flag: null,
    ...facts,
  } as Hunk;
}

test("findings and flags stand beside a hunk, what is allowed does not", () => {
  const flag = { kind: "out-of-scope", message: "Outside of src/**." } as Flag;
  assert.deepEqual(remarks(hunk("h1", { findings: [finding(), finding()], flag })), [
    "⚠ aws access key id",
    "out of scope",
  ]);
  assert.deepEqual(remarks(hunk("h1", { findings: [finding({ allowed: "a sample" })] })), []);
  assert.deepEqual(warnings(hunk("h1", { findings: [finding({ allowed: "a sample" })], flag }), "jo"), [
    "Outside of src/**.",
    "Looks like an AWS access key id. Allowed: a sample",
  ]);
});

test("before everything is approved it is said what is left waiting", () => {
  const flag = { kind: "out-of-scope", message: "Outside of src/**." } as Flag;
  const file = (...hunks: Hunk[]) => ({ path: "a.ts", hunks }) as ChangedFile;
  const stopped = hunk("h2", { findings: [finding()] });
  assert.equal(heldBackWords([file(hunk("h1"), hunk("h3", { findings: [finding({ allowed: "a sample" })] }))]), "");
  assert.equal(heldBackWords([file(hunk("h1"), stopped)]), "1 hunk holds findings and is left waiting.");
  assert.equal(
    heldBackWords([file(stopped, stopped), file(hunk("h4", { flag, findings: [finding()] }))]),
    "2 hunks hold findings and are left waiting. 1 hunk is outside of what was agreed to and is left waiting.",
  );
});

test("a file that was renamed says so where its hunk stands, and lines speak for themselves", () => {
  assert.equal(wholeFileWords({ kind: "renamed", summary: "renamed from src/a.js" }), "Renamed from src/a.js");
  assert.equal(wholeFileWords({ kind: "lines", summary: "+1" }), undefined);
  assert.equal(wholeFileWords({ kind: "created", summary: "new file, +3" }), undefined);
});

test("a credential is an error, the rest a warning, and what is allowed only told", () => {
  assert.equal(findingLevel(finding()), "error");
  assert.equal(findingLevel(finding({ kind: "dependency" })), "warning");
  assert.equal(findingLevel(finding({ allowed: "x" })), "information");
  assert.equal(findingSentence(finding()), "Looks like an AWS access key id.");
});

test("a decision is stopped by the hunks that it is about", () => {
  const nobody = { kind: "unknown", name: null, run: null, task: null, taskTitle: null } as const;
  const files = [
    { path: "a.ts", hunks: [hunk("h1abc", { findings: [finding()] }), hunk("h2")] },
    { path: "b.ts", hunks: [hunk("h3", { findings: [finding({ allowed: "x" })] })] },
    { path: "c.ts", hunks: [hunk("h4", { author: nobody, findings: [finding()] })] },
  ] as unknown as ChangedFile[];
  const stopped = (what: Parameters<typeof stoppedHunks>[1]) =>
    stoppedHunks(files, what)
      .map(({ id }) => id)
      .join(" ");
  assert.equal(stopped({ all: true }), "h1abc h4");
  assert.equal(stopped({ hunks: ["h1ab", "h2"] }), "h1abc");
  assert.equal(stopped({ file: "b.ts" }), "");
  assert.equal(stopped({ file: "a.ts", task: "a1" }), "h1abc");
  assert.equal(stopped({ task: "a1" }), "h1abc");
  assert.equal(stopped({ unknown: true }), "h4");
  assert.equal(stopped({ run: "a2.1" }), "");
  assert.equal(
    findingsNotice(stoppedHunks(files, { all: true })),
    "Found in a.ts, line 4: aws access key id, and 1 more. Say why it may stay, or reject it.",
  );
});

test("a flag on a file is asked about once, however many hunks it has", () => {
  const flag = { id: "f1" } as Flag;
  const files = [{ path: "a.ts", hunks: [hunk("h1", { flag }), hunk("h2", { flag }), hunk("h3")] }] as ChangedFile[];
  assert.deepEqual(flagsIn(files, { all: true }), [flag]);
  assert.deepEqual(flagsIn(files, { hunks: ["h3"] }), []);
});
