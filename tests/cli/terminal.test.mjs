// What reaches a terminal: text from outside is spelled out, colours only where they are wanted, a reader who leaves is
// no error, and a document for programs is one whatever is in it (X3, X4, ABUSE 30).

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../rig/database.mjs";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

/** Clipboard and link sequences, CSI, C1, a carriage return, marks that reorder or hide. */
const hostile =
  "a\u001b]52;c;QUFB\u0007b\u001b]8;;http://x\u001b\\c\u001b[2J\u009b31m\r\u0085\u0000\u007f\u202eevil\u2066\u200b\ufeff\u{e0041}z";

const steering = /(?![\t\n])\p{Cc}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\u{e0041}/u;

/** As if an older or broken program had let it in: the commands refuse it. */
async function plant(workspace) {
  await workspace.add("one");
  await workspace.add("two", "--depends-on", "a1");
  await workspace.json(["queue", "claim", "a1", "--agent", "goose"]);
  const { database } = await workspace.places();
  const text = `'${hostile.replaceAll("\u0000", "")}'`;
  await sql(
    database,
    `UPDATE task SET title = ${text}, description = ${text}, holder = ${text}, labels = ${text}, goal = ${text}, result = ${text}`,
    `UPDATE run SET agent = ${text}`,
    `UPDATE ledger SET actor = ${text}, kind = ${text}, subject = ${text}, data = json_object('title', ${text}) WHERE sequence = 1`,
  );
}

const looks = [
  ["queue", "list", "--all"],
  ["queue", "show", "a1"],
  ["queue", "show", "a2"],
  ["status"],
  ["audit", "list"],
  ["audit", "show", "1"],
  ["audit", "verify"],
  ["config", "list"],
  ["where"],
  ["doctor"],
];

test("text from outside never reaches the terminal raw", async (t) => {
  const workspace = newWorkspace(t);
  await plant(workspace);
  for (const args of looks) {
    const { stdout, stderr } = await workspace.cli(args);
    assert.doesNotMatch(stdout + stderr, steering, args.join(" "));
  }
  const { stdout } = await workspace.cli(["queue", "show", "a1"]);
  assert.match(stdout, /\\u\{1b\}\]52;c;QUFB\\u\{7\}/);
});

test("documents for programs are valid and say the text as it is", async (t) => {
  const workspace = newWorkspace(t);
  await plant(workspace);
  for (const args of looks) {
    const { stdout, stderr } = await workspace.cli([...args, "--json"]);
    assert.doesNotMatch(stdout + stderr, steering, args.join(" "));
    assert.equal(stdout.split("\n").length, 2, "one line");
    JSON.parse(stdout);
  }
  assert.equal((await workspace.task("a1")).title, hostile.replaceAll("\u0000", ""));
});

test("hostile words in refusals are spelled out in both forms", async (t) => {
  const workspace = newWorkspace(t);
  for (const [exit, ...args] of [
    [1, "queue", "show", "\u001b]0;x\u0007"],
    [2, "queue", "add", "x", "--priority", "\u009b1m\u202e"],
    [1, "config", "set", "\u001b[31m", "1"],
    [1, "config", "set", "queue.leaseSeconds", "\u001b[31m"],
    [1, "-C", "/nowhere\u001b[2J", "status"],
  ]) {
    for (const form of [[], ["--json"]]) {
      const { code, stdout, stderr } = await workspace.cli([...args, ...form]);
      assert.deepEqual([code, stdout], [exit, ""], args.join(" "));
      assert.doesNotMatch(stderr, steering);
      if (form.length > 0) JSON.parse(stderr);
    }
  }
  for (const { stdout } of [await workspace.cli(["audit", "list"]), await workspace.cli(["audit", "list", "--json"])]) {
    assert.doesNotMatch(stdout, steering);
  }
});

test("a workspace with a hostile name is shown spelled out", async (t) => {
  const workspace = newWorkspace(t);
  const cwd = join(workspace.scratch, "w\u001b[31m\n\u202e'$(x)");
  mkdirSync(cwd);
  for (const args of [
    ["queue", "add", "one"],
    ["queue", "list"],
    ["status"],
    ["where"],
    ["doctor"],
    ["config", "path"],
  ]) {
    const human = await workspace.cli(args, { cwd });
    assert.equal(human.code, 0, human.stderr);
    assert.doesNotMatch(human.stdout + human.stderr, steering, args.join(" "));
    const machine = await workspace.cli([...args, "--json"], { cwd });
    assert.doesNotMatch(machine.stdout, steering);
    JSON.parse(machine.stdout);
  }
  assert.equal((await workspace.json(["where"], { cwd })).workspace, cwd);
});

test("colours come only where they are asked for", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one", "--priority", "high");
  const colourful = async (args, env) => (await workspace.cli(args, { env })).stdout.includes("\u001b[");
  assert.equal(await colourful(["queue", "list"]), false);
  assert.equal(await colourful(["queue", "list", "--color", "always"]), true);
  assert.equal(await colourful(["queue", "list", "--color", "always", "--json"]), false);
  await workspace.json(["config", "set", "output.color", "always"]);
  assert.equal(await colourful(["queue", "list"]), true);
  assert.equal(await colourful(["queue", "list"], { NO_COLOR: "1" }), false);
  assert.equal(await colourful(["queue", "list", "--color", "never"]), false);
});

test("a reader who leaves ends a command quietly", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("the first");
  const { database } = await workspace.places();
  // Three thousand tasks by three thousand commands would only take time.
  await sql(
    database,
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
     INSERT INTO task SELECT i, title || ' ' || i, description, priority, status, i, 0, origin, goal, scope, labels, route,
       waits_for, time_limit_ms, attempt, attempts_used, max_attempts, created_ms, started_ms, ended_ms, holder, result,
       lease_boot, lease_length_ms, lease_started_ms, lease_due_ms, lease_heartbeat_ms, revision FROM n, task WHERE number = 1`,
  );
  assert.equal((await workspace.tasks("--all")).length, 3_000);
  for (const [command, reader] of [
    ["queue list --all --limit 3000", "head -1"],
    ["queue list --all", "head -1"],
    ["queue list --all --limit 3000 --json", "head -c 10"],
    ["completions bash", "head -1"],
    ["--help", "head -1"],
    ["queue list --all --limit 3000", "true"],
  ]) {
    const line = `"$0" ${command} | ${reader} >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const answer = await run(["bash", "-c", line, program], { cwd: workspace.folder, env: workspace.env });
    assert.deepEqual(answer, { code: 0, signal: null, stdout: "0\n", stderr: "" }, command);
  }
});

test("following commands end when their reader leaves, although nothing happens", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  for (const command of ["queue list --watch", "queue list --watch --json", "audit follow", "audit follow --json"]) {
    // A real pipe: what Node gives to its children is a socket.
    const line = `"$0" ${command} | head -1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const answer = await run(["bash", "-c", line, program], { cwd: workspace.folder, env: workspace.env });
    assert.deepEqual(answer, { code: 0, signal: null, stdout: "0\n", stderr: "" }, command);
  }
});

test("Ctrl-C ends a following command with 130 and leaves the host", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  for (const args of [
    ["queue", "list", "--watch", "--json"],
    ["audit", "follow", "--json"],
  ]) {
    const following = workspace.start(args);
    await following.line("it shows what is there");
    following.kill("SIGINT");
    assert.equal((await following.exit).code, 130);
  }
  assert.equal((await workspace.json(["status"])).host.lasting, true);
});
