// Archived sessions on the command line: list, search, show, verify and import (E3, E4).

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { archiveFolder, touch, writeArchive } from "../rig/archives.mjs";
import { blake3 } from "../rig/blake3.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

function archived(t) {
  const workspace = newWorkspace(t);
  const shelf = join(workspace.folder, archiveFolder);
  return {
    workspace,
    shelf,
    write: (given) => writeArchive(shelf, given),
    ids: async (...args) => (await workspace.json(["archive", "list", ...args])).sessions.map(({ id }) => id),
    found: async (...args) =>
      (await workspace.json(["archive", "search", ...args])).hits.map(({ session }) => session.id),
  };
}

const withings = {
  id: "s4",
  number: 10,
  title: "Withings paging",
  startedAt: "2026-11-18T10:00:00Z",
  endedAt: "2026-11-18T11:00:00Z",
  agents: ["codex"],
  tags: ["Paging"],
  outcome: "Pages are read to the last.",
  artifacts: [],
  tasks: [{ id: "b12", title: "Read the last page", goal: null, end: "partial", files: [], why: "no time" }],
};

test("sessions are listed, the newest first, by tag, task, agent and date", async (t) => {
  const { workspace, write, ids } = archived(t);
  assert.deepEqual(await ids(), []);
  assert.match((await workspace.cli(["archive", "list"])).stdout, /^No archived session to show\.\n$/);
  write();
  write(withings);
  assert.deepEqual(await ids(), ["s4", "s3"]);
  for (const [args, expected] of [
    [["--tag", "connector"], ["s3"]],
    [["--tag", "CONNECTOR", "--tag", "lifesum"], ["s3"]],
    [["--tag", "connector", "--tag", "paging"], []],
    [["--task", "b12"], ["s4"]],
    [["--task", "read the last page"], ["s4"]],
    [["--agent", "goose"], ["s3"]],
    [["--since", "2026-11-17"], ["s4"]],
    [["--until", "2026-11-17"], ["s3"]],
    [["--since", "2026-11-16T11:20", "--until", "2026-11-18T11:00"], ["s3"]],
    [["--limit", "1"], ["s4"]],
  ]) {
    assert.deepEqual(await ids(...args), expected, args.join(" "));
  }
  const { stdout } = await workspace.cli(["archive", "list"]);
  assert.match(stdout, /^ENDED +NO +ID +TITLE +TAGS +FOLDER\n2026-11-18 +010 +s4 +Withings paging +Paging /);
});

test("words are found wherever they stand, the title first, and no sign in them is an operator", async (t) => {
  const { workspace, write, found } = archived(t);
  write();
  write(withings);
  write({
    id: "s5",
    number: 11,
    title: "Other",
    endedAt: "2026-11-19T10:00:00Z",
    tags: [],
    outcome: "Withings once more",
  });
  for (const [args, expected] of [
    [["connector"], ["s3", "s5"]],
    [["WITHINGS"], ["s4", "s5", "s3"]],
    [
      ["rate", "limit", "lifesum"],
      ["s3", "s5"],
    ],
    [['"rate limit"', "--tag", "lifesum"], ["s3"]],
    [['"limit rate"'], []],
    [["pag*", "--agent", "codex"], ["s4"]],
    [["src/lifesum.rs", "--tag", "connector"], ["s3"]],
    [["nowhere"], []],
  ]) {
    assert.deepEqual(await found(...args), expected, args.join(" "));
  }
  for (const hostile of [
    '"',
    'a" OR "b',
    "title:connector",
    "NEAR(a b)",
    "a AND",
    "OR",
    "NOT x",
    "^a",
    "{a b}:c",
    "a*b*",
    "'; DROP TABLE session; --",
    "-x",
    "a\u0001b",
    "(((",
    "é".repeat(900),
    "\ud83d\ude00 connector",
  ]) {
    const { code, stderr } = await workspace.cli(["archive", "search", "--", hostile]);
    const none = code === 1 && /^error: There is no word in /.test(stderr);
    assert.ok(code === 0 || none, `${hostile}: ${stderr}`);
  }
  assert.deepEqual(await found("connector"), ["s3", "s5"]);
  await workspace.refused(["archive", "search", "***"], 'There is no word in "***". Name at least one to search for.', {
    code: "nothing-to-search",
  });
  await workspace.refused(
    ["archive", "search", "a ".repeat(40)],
    "That is too much to search for at once. Name at most 32 words, 1000 characters in all.",
    { code: "nothing-to-search" },
  );
  const { stdout } = await workspace.cli(["archive", "search", "withings", "--limit", "1"]);
  assert.match(stdout, /^010 {2}2026-11-18 {2}Withings paging\n {2}.*\n {2}2026-11-18-s4-withings-paging\n\n… more/);
});

test("a session is shown by any of its names, and nothing in it steers the terminal", async (t) => {
  const { workspace, shelf, write } = archived(t);
  const folder = write({ summary: "# Session\n\u001b]52;c;AAAA\u0007evil\u009b2J\n" });
  write(withings);
  for (const name of ["s3", "9", folder, "2026-11-16"]) {
    const { code, stdout } = await workspace.cli(["archive", "show", name]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^# Session\n\\u\{1b\}\]52;c;AAAA\\u\{7\}evil\\u\{9b\}2J\n\nmemory-bank\/augment-sessions\/2026-11-16/,
    );
  }
  const record = await workspace.json(["archive", "show", "s3"]);
  assert.deepEqual(record, JSON.parse(readFileSync(join(shelf, folder, "session.json"), "utf8")));
  await workspace.refused(
    ["archive", "show", "s9"],
    'There is no archived session "s9". `augment-cli archive list` shows them.',
    { code: "unknown-archive" },
  );
  await workspace.refused(
    ["archive", "show", "2026"],
    `"2026" means several archives. Name one: ${folder}, 2026-11-18-s4-withings-paging.`,
    { code: "ambiguous-archive" },
  );
});

test("a folder that cannot be read is told, and takes nothing else away", async (t) => {
  const { workspace, shelf, write, ids } = archived(t);
  write();
  const bad = join(shelf, write(withings), "session.json");
  touch(bad, (text) => text.replace('"augment-session/1"', '"augment-session/2"'));
  assert.deepEqual(await ids(), ["s3"]);
  const { problems } = await workspace.json(["archive", "list"]);
  assert.deepEqual(problems, [
    {
      folder: "2026-11-18-s4-withings-paging",
      message:
        'session.json is of the form "augment-session/2", which this program does not know. Update Augment Orchestrator to read it.',
    },
  ]);
  touch(bad, (text) => text.replace('"augment-session/2"', '"augment-session/1"').replace('"title"', '"tilte"'));
  const { stdout } = await workspace.cli(["archive", "list"]);
  assert.match(stdout, /^not read: 2026-11-18-s4-withings-paging: session\.json: title is missing\.$/m);
});

test("verify names the first thing that was touched", async (t) => {
  const { workspace, shelf, write } = archived(t);
  const folder = write();
  write(withings);
  const whole = await workspace.json(["archive", "verify"]);
  assert.deepEqual([whole.holds, whole.archives.map(({ records }) => records)], [true, [4, 4]]);
  assert.match(
    (await workspace.cli(["archive", "verify", "--all"])).stdout,
    /^They hold: 2 archives with 8 records of the ledger\.\n/,
  );
  const place = join(shelf, folder);
  const swap = (text) => {
    const lines = text.split("\n");
    [lines[1], lines[2]] = [lines[2], lines[1]];
    return lines.join("\n");
  };
  for (const [file, change, problem] of [
    [
      "summary.md",
      (text) => text.replace("meals", "meal5"),
      "summary.md was changed: its content is not what session.json says.",
    ],
    [
      "ledger.jsonl",
      (text) => text.replace("completed", "comp1eted"),
      "ledger.jsonl: Record 10 was changed after it was written.",
    ],
    [
      "ledger.jsonl",
      (text) => text.split("\n").toSpliced(1, 1).join("\n"),
      "ledger.jsonl has 3 records, session.json says 4: some were taken out or put in.",
    ],
    ["ledger.jsonl", swap, "ledger.jsonl: Record 6 stands where record 11 belongs."],
    [
      "ledger.jsonl",
      (text) => `${text}\n`,
      "ledger.jsonl, line 5: it is no record: EOF while parsing a value at line 1 column 0.",
    ],
    [
      "ledger.jsonl",
      (text) => text.replace('"previous":"0e', '"previous":"1e'),
      "ledger.jsonl: Record 6 does not follow the record before it: one of them was replaced.",
    ],
    [
      "session.json",
      (text) => text.replace('"records": 4', '"records": 5'),
      "ledger.jsonl has 4 records, session.json says 5: some were taken out or put in.",
    ],
  ]) {
    const before = readFileSync(join(place, file), "utf8");
    touch(join(place, file), change);
    assert.notEqual(readFileSync(join(place, file), "utf8"), before);
    const { code, stdout } = await workspace.cli(["archive", "verify", folder, "--json"]);
    assert.equal(code, 1);
    const { holds, archives } = JSON.parse(stdout);
    assert.deepEqual([holds, archives.map((one) => one.problem)], [false, [problem]]);
    const all = await workspace.cli(["archive", "verify"]);
    assert.equal(all.code, 1);
    assert.ok(
      all.stdout.startsWith(`does not hold: ${folder}: ${problem}\n1 of 2 archives does not hold.\n`),
      all.stdout,
    );
    writeFileSync(join(place, file), before);
  }
  rmSync(join(place, "ledger.jsonl"));
  const gone = await workspace.cli(["archive", "verify", "s3"]);
  assert.match(gone.stdout, /ledger\.jsonl is not there\./);
});

test("archives from elsewhere are taken in as they are, once", async (t) => {
  const { workspace, shelf, ids } = archived(t);
  const elsewhere = join(workspace.scratch, "elsewhere");
  const [one, other] = [writeArchive(elsewhere), writeArchive(elsewhere, withings)];
  const single = await workspace.json(["archive", "import", join(elsewhere, one)]);
  assert.deepEqual(single, { imported: [one], already: [], skipped: [] });
  assert.deepEqual(await ids(), ["s3"]);
  const rest = await workspace.json(["archive", "import", elsewhere]);
  assert.deepEqual(rest, { imported: [other], already: [one], skipped: [] });
  for (const folder of [one, other]) {
    for (const file of ["summary.md", "session.json", "ledger.jsonl"]) {
      assert.deepEqual(readFileSync(join(shelf, folder, file)), readFileSync(join(elsewhere, folder, file)));
    }
  }
  assert.equal((await workspace.json(["archive", "verify"])).holds, true);
  assert.deepEqual(
    (await workspace.records("--kind", "archive.imported")).map(({ data }) => data.folder),
    [other, one],
  );
});

const badName =
  "cannot be imported: its name is no plain name. Rename it: at most 200 letters from a to z, digits, `-`, `_` and `.`, " +
  "and neither `-` nor `.` at the beginning.";

test("every file that an archive names comes along, and those without a plain name are named", async (t) => {
  const { workspace, shelf } = archived(t);
  const elsewhere = join(workspace.scratch, "elsewhere");
  const folder = writeArchive(elsewhere);
  const place = join(elsewhere, folder);
  const notes = "What else there was.\n";
  writeFileSync(join(place, "notes.txt"), notes);
  touch(join(place, "session.json"), (text) =>
    text.replace('"summary.md":', `"notes.txt": "${blake3(notes)}",\n    "summary.md":`),
  );
  writeArchive(elsewhere, { ...withings, folder: "a b" });
  const taken = await workspace.json(["archive", "import", elsewhere]);
  assert.deepEqual(taken, { imported: [folder], already: [], skipped: ["a b"] });
  assert.equal(readFileSync(join(shelf, folder, "notes.txt"), "utf8"), notes);
  assert.equal((await workspace.json(["archive", "verify"])).holds, true);
  const again = await workspace.cli(["archive", "import", elsewhere]);
  assert.equal(again.stdout, `there already ${folder}\nleft out, since the name is no plain name: a b\n`);
  rmSync(place, { recursive: true });
  await workspace.refused(["archive", "import", elsewhere], `${join(elsewhere, "a b")} ${badName}`, {
    code: "bad-name",
  });
  renameSync(join(elsewhere, "a b"), join(elsewhere, ".hidden"));
  await workspace.refused(
    ["archive", "import", join(elsewhere, ".hidden")],
    `${join(elsewhere, ".hidden")} ${badName}`,
    {
      code: "bad-name",
    },
  );
  renameSync(join(elsewhere, ".hidden"), join(elsewhere, "many"));
  const hashes = Array.from({ length: 100 }, (_, at) => `"${at}.txt": "${blake3("")}",`).join("");
  touch(join(elsewhere, "many", "session.json"), (text) => text.replace('"summary.md":', `${hashes} "summary.md":`));
  await workspace.refused(
    ["archive", "import", elsewhere],
    `${join(elsewhere, "many")} cannot be imported: session.json: files names 102 files, and an archive has at most 100. Nothing was imported.`,
    { code: "unsound-archive" },
  );
});

test("what does not hold, leads out, clashes or is too large is not taken in, nor anything beside it", async (t) => {
  const { workspace, shelf } = archived(t);
  const elsewhere = join(workspace.scratch, "elsewhere");
  const good = writeArchive(elsewhere, withings);
  const bad = writeArchive(elsewhere);
  const place = join(elsewhere, bad);
  const refused = async (pattern, code) => {
    const { code: exit, stderr } = await workspace.cli(["archive", "import", elsewhere, "--json"]);
    assert.equal(exit, 1);
    const { error } = JSON.parse(stderr);
    assert.match(error.message, pattern);
    assert.equal(error.code, code);
    assert.throws(() => readdirSync(shelf), { code: "ENOENT" });
  };
  const rewritten = (given) => {
    rmSync(place, { recursive: true });
    writeArchive(elsewhere, { folder: bad, ...given });
  };
  touch(join(place, "summary.md"), (text) => `${text}x`);
  await refused(/summary\.md was changed: .* Nothing was imported\.$/, "unsound-archive");

  rewritten({
    tasks: [{ id: "a1", title: "T", goal: null, end: null, files: [{ path: "../../x", touch: "created" }], why: null }],
  });
  await refused(/tasks\[0\]\.files\[0\]\.path is "\.\.\/\.\.\/x", but it has a part/, "unsound-archive");

  rewritten({});
  touch(join(place, "session.json"), (text) => text.replace('"summary.md":', '"../../../out": "00", "summary.md":'));
  await refused(/files\.\.\.\/\.\.\/\.\.\/out is not a BLAKE3 hash/, "unsound-archive");

  rewritten({});
  rmSync(join(place, "ledger.jsonl"));
  symlinkSync("/etc/passwd", join(place, "ledger.jsonl"));
  await refused(/ledger\.jsonl is a link\./, "unsound-archive");

  rewritten({});
  writeFileSync(join(place, "session.json"), " ".repeat(4 * 1024 * 1024 + 1));
  await refused(/session\.json is too large/, "unsound-archive");

  rewritten({});
  writeFileSync(join(place, "ledger.jsonl"), Buffer.alloc(64 * 1024 * 1024 + 1));
  await refused(/ledger\.jsonl is too large/, "unsound-archive");

  // The name of a folder is no way out: what has no plain name is no archive.
  rewritten({});
  renameSync(place, join(elsewhere, "a b"));
  await workspace.refused(["archive", "import", join(elsewhere, "a b")], `${join(elsewhere, "a b")} ${badName}`, {
    code: "bad-name",
  });
  rmSync(join(elsewhere, "a b"), { recursive: true });

  mkdirSync(shelf, { recursive: true });
  cpSync(join(elsewhere, good), join(shelf, good), { recursive: true });
  touch(join(shelf, good, "summary.md"), () => "mine\n");
  await workspace.refused(
    ["archive", "import", elsewhere],
    `The archive has another session in "${good}". Rename the folder that you import. Nothing was imported.`,
    { code: "archive-exists" },
  );
  assert.equal(readFileSync(join(shelf, good, "summary.md"), "utf8"), "mine\n");
  assert.deepEqual(readdirSync(shelf), [good]);

  const packed = join(workspace.scratch, "packed.tar");
  writeFileSync(packed, "x");
  await workspace.refused(
    ["archive", "import", packed],
    `${packed} is not a folder. Only folders are imported; unpack it and name the folder.`,
    { code: "not-a-folder" },
  );
});

test("an archive folder that is a link is not followed", async (t) => {
  const { workspace } = archived(t);
  const outside = join(workspace.scratch, "outside");
  writeArchive(join(outside, "augment-sessions"));
  symlinkSync(outside, join(workspace.folder, "memory-bank"));
  const { code, stderr } = await workspace.cli(["archive", "list"]);
  assert.equal(code, 1);
  assert.match(
    stderr,
    /memory-bank\/augment-sessions cannot be read: a link or a file is in its place\. Links are not followed\./,
  );
  const elsewhere = join(workspace.scratch, "elsewhere");
  writeArchive(elsewhere, withings);
  const refused = await workspace.cli(["archive", "import", elsewhere]);
  assert.equal(refused.code, 1);
  assert.deepEqual(readdirSync(join(outside, "augment-sessions")).length, 1);
});

test("a run may look, and takes nothing in", async (t) => {
  const { workspace, write, found } = archived(t);
  write();
  await workspace.add("one");
  const { token } = await workspace.next("--agent", "goose");
  const env = { AUGMENT_TOKEN: token };
  assert.deepEqual((await workspace.json(["archive", "search", "lifesum"], { env })).hits.length, 1);
  assert.equal((await workspace.json(["archive", "verify"], { env })).holds, true);
  const elsewhere = join(workspace.scratch, "elsewhere");
  writeArchive(elsewhere, withings);
  const { code, stderr } = await workspace.cli(["archive", "import", elsewhere, "--json"], { env });
  assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "role-may-not"]);
  assert.deepEqual(await found("withings"), ["s3"]);
  assert.deepEqual(
    (await workspace.records("--kind", "refused")).map(({ data }) => data.command),
    ["archive import"],
  );
});
