// The scan: findings stop the approval of their hunk until a person has looked at them, and the value is never told (S9).

import assert from "node:assert/strict";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newProject } from "../rig/changes.mjs";
import { newStage } from "../rig/runs.mjs";

/** A token of the right shape that nobody was ever given; put together here so that no scanner stops at this file. */
const token = ["gh", "p_9fK2mQ7xLr4TzW8vBn3YcJ6hSd1GpEaUo5Xt"].join("");
const leak = `const é = 1;\nconst key = "é${token}";\n`;

test("a planted key stops its hunk until it is acknowledged, and is nowhere told", async (t) => {
  const project = await newProject(t, { "a.js": "", "b.txt": "b\n" });
  await project.agent("one");
  project.write("a.js", leak);
  project.write("b.txt", "c\n");
  const [hunk] = await project.hunks("--file", "a.js");
  assert.deepEqual(
    hunk.findings.map(({ path, rule, kind, line, start, end, hunk: of, allowed }) => [
      path,
      rule,
      kind,
      line,
      start,
      end,
      of,
      allowed,
    ]),
    [["a.js", "github-token", "credential", 1, 14, 54, hunk.id, null]],
  );
  const scan = await project.cli(["scan"]);
  assert.equal(scan.code, 1);
  assert.match(scan.stdout, new RegExp(`^a\\.js:2:15 \\[${hunk.id}\\] github-token: This looks like a GitHub token`));
  const list = await project.cli(["changes", "list"]);
  assert.match(list.stdout, /found: github-token$/m);
  const all = await project.cli(["changes", "approve", "--all"]);
  assert.equal(all.code, 1);
  assert.match(all.stdout, /^1 hunk in 1 file approved\. Undo with .* 1 file was left out and still waits\.$/m);
  assert.match(all.stdout, /^a\.js +not approved +a\.js:2 holds a GitHub token\./m);
  assert.ok(all.stdout.includes(`\`augment-cli scan acknowledge ${hunk.id} --reason WHY\``), all.stdout);
  const refused = await project.cli(["changes", "approve", "--file", "a.js", "--json"]);
  const { error } = JSON.parse(refused.stderr);
  assert.deepEqual([refused.code, error.code], [1, "findings"]);
  assert.match(error.message, /a\.js:2 holds/);
  const missing = await project.cli(["scan", "acknowledge", hunk.id, "--reason", " "]);
  assert.equal(missing.code, 1);
  const none = await project.cli(["scan", "acknowledge", hunk.id, "--rule", "iban", "--reason", "x"]);
  assert.match(none.stderr, /Nothing is found in/);
  const seen = await project.json(["scan", "acknowledge", hunk.id, "--reason", "A sample"]);
  assert.deepEqual(
    seen.findings.map(({ allowed }) => allowed),
    ["acknowledged by person:ada: A sample"],
  );
  assert.equal((await project.cli(["scan"])).code, 0);
  // The file holds what was looked at, before and after the approval; what comes in besides does not pass by that.
  const ofFile = async () => (await project.json(["scan", "a.js"])).findings.map(({ allowed }) => allowed);
  assert.deepEqual(await ofFile(), ["acknowledged by person:ada: A sample"]);
  await project.approve("--all");
  assert.deepEqual(await ofFile(), ["acknowledged by person:ada: A sample"]);
  project.write("d.js", leak);
  const other = await project.cli(["scan", "a.js", "d.js", "--json"]);
  assert.equal(other.code, 1);
  assert.deepEqual(
    JSON.parse(other.stdout).findings.map(({ path, allowed }) => [path, allowed === null]),
    [
      ["a.js", false],
      ["d.js", true],
    ],
  );
  const { database } = await project.places();
  const kept = [database, `${database}-wal`].map((file) => {
    try {
      return readFileSync(file, "latin1");
    } catch {
      return "";
    }
  });
  const told = [scan.stdout, refused.stderr, JSON.stringify(await project.records()), JSON.stringify(seen)];
  for (const text of told) assert.ok(!text.includes(token));
  // The file's content itself is kept for undoing; the findings are not.
  assert.ok(kept.join("").includes("github-token"));
});

test("a file that comes back is looked through as a whole, whoever wrote its lines at first", async (t) => {
  const project = await newProject(t, { "kept.js": leak, "b.txt": "b\n" });
  // Both are known, and gone, before an agent is at work.
  project.write("again.js", leak);
  await project.hunks();
  for (const name of ["kept.js", "again.js"]) rmSync(join(project.folder, name));
  await project.hunks();
  await project.agent("one");
  for (const name of ["kept.js", "again.js", "new.js"]) project.write(name, leak);
  const hunks = await project.hunks();
  const told = hunks.map(({ path, summary, findings }) => [path, summary, findings.map(({ rule }) => rule).join()]);
  assert.deepEqual(
    told,
    ["again.js", "kept.js", "new.js"].map((path) => [path, "new file, +2", "github-token"]),
  );
  const { code } = await project.cli(["changes", "approve", "--file", "kept.js"]);
  assert.equal(code, 1);
});

test("an allow comment that the hunk brings along does not count, one that was there does", async (t) => {
  const comment = "// augment: allow credential of a test\n";
  const project = await newProject(t, { "old.js": comment, "new.js": "" });
  await project.agent("one");
  project.write("old.js", `${comment}const key = "${token}";\n`);
  project.write("new.js", `${comment}const key = "${token}";\n`);
  const by = Object.fromEntries((await project.hunks()).map(({ path, findings }) => [path, findings[0]?.allowed]));
  assert.deepEqual(by, { "new.js": null, "old.js": "allowed by a comment: of a test" });
  // In a scan of files nobody can tell who wrote the comment.
  const { findings } = await project.json(["scan", "new.js"]);
  assert.deepEqual(
    findings.map(({ allowed, hunk }) => [allowed, hunk]),
    [["allowed by a comment: of a test", null]],
  );
});

test("what is let pass is let pass by rule and path until a day", async (t) => {
  const project = await newProject(t, { "tests/a.js": leak, "src/a.js": leak });
  const allow = (...args) => ["scan", "allow", "--reason", "Samples", ...args];
  const list = await project.json(allow("--rule", "credential", "--path", "tests/**", "--until", "2099-12-31"));
  assert.deepEqual(
    list.allowed.map(({ number, rule, path, until, reason, by, expired }) => [
      number,
      rule,
      path,
      until,
      reason,
      by,
      expired,
    ]),
    [[1, "credential", "tests/**", "2099-12-31", "Samples", "person:ada", false]],
  );
  const { code, stdout } = await project.cli(["scan", "."]);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^src\/a\.js:2:15 github-token: .*\ntests\/a\.js:2:15 github-token: .*\(allowed until 2099-12-31: Samples\)\n\n1 finding in 2 files, 1 that may stay\.\n$/s,
  );
  assert.equal((await project.cli(["scan", "tests"])).code, 0);
  await project.refused(
    allow("--rule", "nothing", "--path", "x", "--until", "2099-01-01"),
    '"nothing" is no rule and no kind. `augment-cli scan --rules` lists them.',
    { code: "unknown-rule" },
  );
  for (const day of ["2020-01-01", "2099-02-30", "tomorrow"]) {
    await project.refused(
      allow("--rule", "iban", "--path", "x", "--until", day),
      `"${day}" is not a day to come. Write it as in 2027-01-31.`,
      { code: "bad-date" },
    );
  }
  assert.deepEqual((await project.json(["scan", "disallow", "1"])).allowed, []);
  await project.refused(
    ["scan", "disallow", "1"],
    "Nothing is let pass under number 1. `augment-cli scan allowed` lists what is.",
    { code: "unknown-allowed" },
  );
  assert.equal((await project.cli(["scan", "tests"])).code, 1);
});

test("content that is too much to look through stops its hunk, a picture does not", async (t) => {
  const project = await newProject(t, { "a.txt": "a\n" });
  await project.agent("one");
  project.write("a.min.js", `const key = "${token}";${"x".repeat(70_000)}`);
  project.write("b.png", "\x89PNG\x00\x00");
  const found = Object.fromEntries((await project.hunks()).map(({ path, findings }) => [path, findings]));
  assert.deepEqual(
    found["a.min.js"].map(({ rule, kind, allowed }) => [rule, kind, allowed]),
    [["not-looked-at", "credential", null]],
  );
  assert.deepEqual(found["b.png"], []);
  const all = await project.cli(["changes", "approve", "--all"]);
  assert.equal(all.code, 1);
  assert.match(all.stdout, /^a\.min\.js +not approved +a\.min\.js:1 holds content that was too much to look through/m);
  const [hunk] = await project.hunks();
  await project.json(["scan", "acknowledge", hunk.id, "--reason", "Looked at"]);
  await project.approve("--all");
  assert.deepEqual(await project.hunks(), []);
});

test("of many findings the records tell how many more there are", async (t) => {
  const project = await newProject(t, { "a.js": "" });
  await project.agent("one");
  project.write("a.js", leak.repeat(25));
  await project.hunks();
  const records = await project.records();
  assert.equal(records.filter(({ kind }) => kind === "scan.found").length, 20);
  assert.deepEqual(
    records.filter(({ kind }) => kind === "scan.found-more").map(({ data }) => data.more),
    [5],
  );
});

test("kinds that do not stop are told, and stop nothing", async (t) => {
  const project = await newProject(t, { "a.js": leak });
  await project.json(["config", "set", "scan.blocks", "dependency"]);
  const { findings } = await project.json(["scan", "a.js"]);
  assert.equal(findings[0].allowed, "scan.blocks does not name its kind");
  assert.equal((await project.cli(["scan", "a.js"])).code, 0);
});

test("files are looked at within the workspace, without links and what git ignores", async (t) => {
  const project = await newProject(t, {
    "in/a.js": leak,
    ".gitignore": "out/\n",
    "out/b.js": leak,
    "c.bin": `\x00${token}`,
  });
  writeFileSync(`${project.scratch}/outside.js`, leak);
  symlinkSync(project.scratch, project.at("link"));
  const paths = async (...args) => JSON.parse((await project.cli(["scan", ...args, "--json"])).stdout);
  const whole = await paths(".");
  assert.deepEqual(
    whole.findings.map(({ path }) => path),
    ["in/a.js"],
  );
  assert.equal(whole.files, 3);
  assert.deepEqual(
    (await paths("out")).findings.map(({ path }) => path),
    ["out/b.js"],
  );
  assert.deepEqual((await paths("link/outside.js")).notRead, ["link/outside.js: links are not followed"]);
  assert.match((await paths("gone.js")).notRead[0], /^gone\.js: /);
  assert.equal((await project.cli(["scan", "gone.js"])).code, 1);
  const outside = await project.cli(["scan", "../outside.js"]);
  assert.match(outside.stderr, /lies outside of the workspace/);
});

test("the rules are listed without a host", async (t) => {
  const project = await newProject(t, {});
  const { rules } = await project.json(["scan", "--rules"]);
  assert.ok(rules.length > 50 && rules.every(({ rule, kind, about }) => rule && kind && about));
  assert.match((await project.cli(["scan", "--rules"])).stdout, /^private-key +credential +a private key$/m);
});

test("a run may scan and not acknowledge", async (t) => {
  const project = await newProject(t, { "a.js": "" });
  const { env } = await project.agent("one");
  project.write("a.js", leak);
  const [hunk] = await project.hunks();
  assert.equal((await project.cli(["scan"], { env })).code, 1);
  const { stderr } = await project.cli(["scan", "acknowledge", hunk.id, "--reason", "Trust me", "--json"], { env });
  assert.equal(JSON.parse(stderr).error.code, "role-may-not");
});

test("a key in an agent's report is named and nowhere told, however it reports", async (t) => {
  const stage = await newStage(t, { "a.txt": "a\n" });
  const report = `<agent_completion><status>blocked</status><summary>It needs ${token}.</summary><metrics><metric name="key">${token}</metric></metrics><next_steps><recommend>@ops</recommend><reason>has ${token}</reason></next_steps></agent_completion>`;
  const agent = (step) => stage.agents.fake([step], { adapter: "command" });
  const command = ["augment-cli", "complete", "--status", "blocked", "--summary", `It needs ${token}.`];
  stage.configure({
    prints: agent({ say: report }),
    tells: agent({ run: { command, save: stage.beside("told") } }),
    talks: agent({ say: `It needs ${token}.` }),
  });
  for (const [at, name] of ["prints", "tells", "talks"].entries()) {
    const task = `a${at + 1}`;
    await stage.add(`Work of ${name}`);
    const outputs = [];
    if (name === "tells") {
      // In the foreground, with what came of it at its end.
      const started = await stage.cli(["agent", "start", "--agent", name, "--task-id", task]);
      assert.match(started.stdout, /^a2 is blocked;/m);
      outputs.push(started.stdout, started.stderr);
    } else {
      await stage.ends(await stage.startOn(name, task));
    }
    for (const args of [
      ["status", "--task-id", task],
      ["status"],
      ["agent", "status"],
      ["agent", "status", "--id", `${task}.1`],
      ["queue", "show", task],
      ["handoff", "list"],
      ["audit", "list", "--task", task],
    ])
      for (const more of [[], ["--json"]]) outputs.push((await stage.cli([...args, ...more])).stdout);
    assert.ok(
      !outputs.join("\n").includes(token),
      outputs.find((output) => output.includes(token)),
    );
    if (name !== "talks") assert.equal((await stage.task(task)).result, "It needs [github-token].");
  }
  // Its own output is its own.
  assert.ok((await stage.cli(["agent", "logs", "a1.1"])).stdout.includes(token));
});
