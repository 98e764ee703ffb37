// What `npm test` counts is what ran: from cargo's words and from Node's events.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { countCargoTests } from "./cargo-part.mjs";
import { runNodeTests } from "./node-part.mjs";

const folder = mkdtempSync(join(tmpdir(), "aug-counting-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function check(source, { passed, failed, problems }) {
  const own = mkdtempSync(join(folder, "case-"));
  if (source !== undefined)
    writeFileSync(join(own, "case.test.mjs"), `import { describe, test } from "node:test";\n${source}`);
  const result = await runNodeTests("counting", own, { limitMs: 20_000, concurrency: 1, show: false });
  assert.deepEqual(
    { passed: result.passed, failed: result.failed, problems: result.problems.length },
    { passed, failed, problems },
  );
}

test("cargo's programs are added up and failures named", () => {
  const text = `
test queue::adds ... ok
test queue::claims ... FAILED
test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
test result: ok. 12 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.50s
`;
  assert.deepEqual(countCargoTests(text), { passed: 13, failed: 1, failures: ["queue::claims"] });
});

test("tests inside suites are counted, suites are not", () =>
  check('describe("a", () => { test("b", () => {}); test("c", () => {}); }); test("d", () => {});', {
    passed: 3,
    failed: 0,
    problems: 0,
  }));

test("a failing test in a suite counts once", () =>
  check('describe("a", () => { test("b", () => { throw new Error("no"); }); });', {
    passed: 0,
    failed: 1,
    problems: 1,
  }));

test("a file without a test is a failure", () => check("", { passed: 0, failed: 0, problems: 1 }));

test("only skipped tests are a failure", () =>
  check('test.skip("a", () => {});', { passed: 0, failed: 0, problems: 1 }));

test("a folder without a file is a failure", () => check(undefined, { passed: 0, failed: 0, problems: 1 }));

test("a file that does not load is a failure", () =>
  check("import './gone.mjs';", { passed: 0, failed: 1, problems: 1 }));
