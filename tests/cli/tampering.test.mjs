// A database that somebody or something has meddled with: the ledger says where, and a file that is not ours, newer or
// damaged is reported and left as it is (L1, ABUSE 31, 33).

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { copyDatabase, sql } from "../rig/database.mjs";
import { newWorkspace, run } from "../rig/workspace.mjs";

describe("a copy of a ledger of twelve records", () => {
  let original;
  before(async () => {
    original = newWorkspace();
    for (let number = 1; number <= 12; number += 1) await original.add(`task ${number}`);
  });
  after(() => original.end());

  /** A workspace whose database is a copy that these statements have changed. */
  async function meddled(t, ...statements) {
    const workspace = newWorkspace(t);
    const { database } = await workspace.places();
    copyDatabase((await original.places()).database, database);
    await sql(database, ...statements);
    return workspace;
  }

  async function check(t, statements, sequence, reason, records) {
    const workspace = await meddled(t, ...statements);
    const { code, stdout, stderr } = await workspace.cli(["audit", "verify", "--json"]);
    assert.deepEqual([code, stderr], [1, ""]);
    const found = JSON.parse(stdout);
    assert.deepEqual([found.holds, found.broken], [false, { sequence, reason }]);
    if (records !== undefined) assert.equal(found.records, records);
    const human = await workspace.cli(["audit", "verify"]);
    assert.equal(human.code, 1);
    assert.ok(
      human.stdout.startsWith(`The ledger does not hold. The first bad record is ${sequence}: ${reason}\n`),
      human.stdout,
    );
    const doctor = await workspace.json(["doctor"]).catch((error) => error);
    assert.match(String(doctor), /ended with 1/, "the doctor finds it, too");
    return workspace;
  }

  test("holds while nobody touches it", async (t) => {
    const workspace = await meddled(t, "SELECT 1");
    assert.equal((await workspace.json(["audit", "verify"])).records, 12);
  });

  const changed = (sequence) => `Record ${sequence} was changed after it was written.`;

  for (const [what, statement] of [
    ["a byte of its data", "UPDATE ledger SET data = replace(data, 'task 5', 'task 6') WHERE sequence = 5"],
    ["its time", "UPDATE ledger SET time_ms = time_ms + 1 WHERE sequence = 5"],
    ["its actor", "UPDATE ledger SET actor = 'person:eve' WHERE sequence = 5"],
    ["its kind", "UPDATE ledger SET kind = 'task.edited' WHERE sequence = 5"],
    ["its subject", "UPDATE ledger SET subject = 'task:a6' WHERE sequence = 5"],
    ["what it is about", "UPDATE ledger SET about = 'run:a1.1' WHERE sequence = 5"],
    ["its version", "UPDATE ledger SET version = 2 WHERE sequence = 5"],
    ["its hash", "UPDATE ledger SET hash = zeroblob(32) WHERE sequence = 5"],
    ["data that is no JSON", "UPDATE ledger SET data = 'x' WHERE sequence = 5"],
  ]) {
    test(`an edit of ${what} is found`, (t) => check(t, [statement], 5, changed(5)));
  }

  test("an edit of the hash before it is found", (t) =>
    check(
      t,
      ["UPDATE ledger SET previous = zeroblob(32) WHERE sequence = 5"],
      5,
      "Record 5 does not follow the record before it: one of them was replaced.",
    ));

  for (const [place, sequence] of [
    ["first", 1],
    ["middle", 7],
  ]) {
    test(`the removed ${place} row is found`, (t) =>
      check(t, [`DELETE FROM ledger WHERE sequence = ${sequence}`], sequence, `Record ${sequence} is missing.`));
  }

  test("a removed row whose gap was closed is found", (t) =>
    check(
      t,
      ["DELETE FROM ledger WHERE sequence = 7", "UPDATE ledger SET sequence = sequence - 1 WHERE sequence > 7"],
      7,
      "Record 7 does not follow the record before it: one of them was replaced.",
    ));

  test("two swapped rows are found", (t) =>
    check(
      t,
      [
        "UPDATE ledger SET sequence = -1 WHERE sequence = 4",
        "UPDATE ledger SET sequence = 4 WHERE sequence = 5",
        "UPDATE ledger SET sequence = 5 WHERE sequence = -1",
      ],
      4,
      "Record 4 does not follow the record before it: one of them was replaced.",
    ));

  test("the swapped content of two rows is found", (t) =>
    check(
      t,
      [
        "CREATE TEMP TABLE kept AS SELECT * FROM ledger WHERE sequence IN (4, 5)",
        "UPDATE ledger SET data = (SELECT data FROM kept WHERE sequence = 5) WHERE sequence = 4",
        "UPDATE ledger SET data = (SELECT data FROM kept WHERE sequence = 4) WHERE sequence = 5",
      ],
      4,
      changed(4),
    ));

  test("a cut tail is found by the head that is kept beside", (t) =>
    check(
      t,
      ["DELETE FROM ledger WHERE sequence > 9"],
      10,
      "The ledger should end with record 12, but it ends with record 9.",
    ));

  test("an emptied ledger is found", (t) =>
    check(t, ["DELETE FROM ledger"], 1, "The ledger should end with record 12, but it ends with record 0."));

  test("an inserted row is found", (t) =>
    check(
      t,
      [
        "INSERT INTO ledger SELECT 13, time_ms, actor, kind, subject, about, data, version, previous, hash FROM ledger WHERE sequence = 12",
      ],
      13,
      "Record 13 does not follow the record before it: one of them was replaced.",
    ));

  test("work goes on after meddling, and the break stays to be found", async (t) => {
    const workspace = await check(
      t,
      ["DELETE FROM ledger WHERE sequence > 9"],
      10,
      "The ledger should end with record 12, but it ends with record 9.",
    );
    await workspace.add("after");
    const { stdout } = await workspace.cli(["audit", "verify", "--json"]);
    assert.deepEqual(JSON.parse(stdout).broken, { sequence: 10, reason: "Record 10 is missing." });
  });
});

/** Every file of a data folder with the hash of its content, but for those that looking at it makes. */
function fingerprint(folder) {
  const passing = ["lock", "host.log", "state.db-shm"];
  const files = readdirSync(folder).filter((name) => !passing.includes(name));
  const contents = files.sort().map((name) => [name, readFileSync(join(folder, name))]);
  return Object.fromEntries(
    contents
      .filter(([name, content]) => name !== "state.db-wal" || content.length > 0)
      .map(([name, content]) => [name, createHash("sha256").update(content).digest("hex")]),
  );
}

/** Every way in is refused with this sentence, and no byte has changed. */
async function refusedUntouched(workspace, message) {
  const { database } = await workspace.places();
  const before = fingerprint(dirname(database));
  for (const args of [
    ["queue", "list"],
    ["queue", "add", "x"],
    ["audit", "verify"],
    ["config", "set", "queue.leaseSeconds", "5"],
  ]) {
    const { code, stdout, stderr } = await workspace.cli(args);
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, message);
  }
  const host = await workspace.cli(["host", "run"]);
  assert.deepEqual([host.code, host.stdout], [1, ""]);
  assert.match(host.stderr, message);
  const serve = await workspace.cli(["serve", "--stdio"], { input: "" });
  assert.deepEqual([serve.code, serve.stdout], [1, ""]);
  assert.match(serve.stderr, /^error: The host could not be started: /);
  assert.deepEqual(workspace.processes(), []);
  assert.deepEqual(fingerprint(dirname(database)), before);
  const doctor = await workspace.cli(["doctor", "--json"]);
  assert.equal(doctor.code, 1);
  assert.equal(JSON.parse(doctor.stdout).fine, false);
}

test("a newer database is refused and stays as it is", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { database } = await workspace.places();
  await sql(database, "PRAGMA user_version = 99");
  await refusedUntouched(
    workspace,
    /^error: .*state\.db was written by a newer program \(form 99; this one knows 11\)\. Update Augment Orchestrator; nothing was changed\.\n$/,
  );
  await sql(database, "PRAGMA user_version = 11");
  assert.equal((await workspace.tasks()).length, 1);
});

test("a newer database whose mark is only in its log yet is refused, too", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { database } = await workspace.places();
  // The change stays in the -wal file: a second connection keeps it from being moved into the database.
  const script = `
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA user_version = 99")
os._exit(0)
`;
  assert.equal((await run(["python3", "-c", script, database])).code, 0);
  assert.ok(readFileSync(`${database}-wal`).length > 0);
  await workspace.cli(["queue", "list"]);
  await refusedUntouched(workspace, /was written by a newer program \(form 99; this one knows 11\)/);
});

test("another program's database is refused and stays as it is", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { database } = await workspace.places();
  for (const end of ["", "-wal"]) writeFileSync(database + end, "");
  await sql(
    database,
    "PRAGMA journal_mode = DELETE",
    "CREATE TABLE photo (name TEXT)",
    "INSERT INTO photo VALUES ('x')",
  );
  await refusedUntouched(
    workspace,
    /state\.db is not a database of Augment Orchestrator\. Move it away and try again; nothing was changed\.\n$/,
  );
});

test("a file that is no database is reported and stays as it is", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { database } = await workspace.places();
  writeFileSync(`${database}-wal`, "");
  writeFileSync(database, "Dear diary, ".repeat(1_000));
  await refusedUntouched(
    workspace,
    /state\.db is damaged: .*It was left as it is\. Restore a copy, or move it away to begin anew\.\n$/,
  );
});

test("a cut database is reported and not made anew", async (t) => {
  const workspace = newWorkspace(t);
  for (let number = 1; number <= 40; number += 1) await workspace.add(`task ${number}`);
  const { database } = await workspace.places();
  await sql(database, "PRAGMA wal_checkpoint(TRUNCATE)");
  const whole = readFileSync(database);
  truncateSync(database, 4_096 * 3);
  const cut = readFileSync(database);
  const { code, stderr } = await workspace.cli(["queue", "list"]);
  assert.equal(code, 1);
  assert.match(stderr, /state\.db is damaged: .*It was left as it is\./);
  const doctor = await workspace.cli(["doctor"]);
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /damaged/);
  assert.deepEqual(readFileSync(database), cut, "it was left as it is");
  writeFileSync(database, whole);
  assert.equal((await workspace.tasks()).length, 40);
});

test("noise inside the database is reported by the doctor, and a command that meets it says so", async (t) => {
  const workspace = newWorkspace(t);
  for (let number = 1; number <= 40; number += 1) await workspace.add(`task ${number}`);
  const { database } = await workspace.places();
  const [[page]] = await sql(database, "SELECT rootpage FROM sqlite_schema WHERE name = 'task'");
  const [[size]] = await sql(database, "PRAGMA page_size");
  const bytes = readFileSync(database);
  bytes.fill(0xa5, (page - 1) * size, page * size);
  writeFileSync(database, bytes);
  const list = await workspace.cli(["queue", "list"]);
  assert.equal(list.code, 1);
  assert.match(list.stderr, /state\.db is damaged: .*It was left as it is\./);
  const doctor = await workspace.cli(["doctor"]);
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /database +fail/);
});

test("a database that is gone or emptied is reported, and not taken for a new beginning", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { database } = await workspace.places();
  for (const vanish of [() => writeFileSync(database, ""), () => rmSync(database)]) {
    vanish();
    const { code, stdout, stderr } = await workspace.cli(["queue", "list", "--json"]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(JSON.parse(stderr).error.code, "database-gone");
    assert.match(
      JSON.parse(stderr).error.message,
      /is empty or gone, though this workspace has been used\. Nothing was changed\./,
    );
  }
  assert.equal(existsSync(database), false, "a new one was made");
});
