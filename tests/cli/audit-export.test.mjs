// The ledger as it leaves: each format whole and safe, without secrets, and JSON Lines that can be checked anywhere (L4, ABUSE 25, 29–31).

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { newGovernedProject } from "../rig/sessions.mjs";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

const formats = ["jsonl", "csv", "md", "html"];
// Put together here, so that no scanner stops at this file.
const secret = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].join("");
const person = ["maria.keller", "posteo.de"].join("@");
const hostile = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "`</pre>` [x](javascript:1)"];
const formulas = ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)"];

/** Rows of a CSV file, as RFC 4180 has it. */
function csvRows(text) {
  const rows = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  while (cells.lastIndex < text.length) {
    const from = cells.lastIndex;
    const found = cells.exec(text);
    assert.ok(found, `no cell at ${text.slice(from, from + 80)}`);
    const [, quoted, plain, end] = found;
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ",") rows.push([]);
  }
  assert.deepEqual(rows.pop(), [], "it ends with the end of a row");
  return rows;
}

/** What stands in a script element of the page, as data. */
function embedded(page, id) {
  const [, text] = new RegExp(`<script type="application/json" id="${id}">([^<]*)</script>`).exec(page);
  return JSON.parse(text);
}

describe("a workspace with hostile texts and planted secrets", () => {
  let workspace;
  const exported = {};
  before(async () => {
    workspace = newWorkspace();
    for (const title of [...hostile, ...formulas]) await workspace.add(title);
    await workspace.add(`Rotate ${secret} of ${person}`);
    await workspace.add("Second", "--description", `The key of ${person} is ${secret}, look\nat it`);
    await workspace.json(["queue", "cancel", "a2", "--reason", `It held ${secret} of ${person}`]);
    for (const format of formats) {
      const { code, stdout, stderr } = await workspace.cli(["audit", "export", "--format", format]);
      assert.deepEqual([code, stderr], [0, ""], format);
      exported[format] = stdout;
    }
  });
  after(() => workspace.end());

  test("no secret comes out of any format, and what was redacted says so", () => {
    for (const format of formats) {
      for (const text of [secret, person]) assert.ok(!exported[format].includes(text), `${format}: ${text}`);
      for (const rule of ["[github-token]", "[mail-address]"]) assert.ok(exported[format].includes(rule), format);
      assert.match(exported[format], /redacted/, format);
    }
  });

  test("JSON Lines hold every record in order, with their hashes", async () => {
    const lines = exported.jsonl.trimEnd().split("\n");
    const closing = JSON.parse(lines.pop());
    const records = lines.map((line) => JSON.parse(line));
    const kept = (await workspace.records()).reverse();
    assert.deepEqual(
      records.map(({ sequence, hash, previous }) => [sequence, hash, previous]),
      kept.map(({ sequence, hash, previous }) => [sequence, hash, previous]),
    );
    const redacted = records.filter((record) => record.redacted === true);
    assert.deepEqual(
      redacted.map(({ kind }) => kind),
      ["task.added", "task.added", "task.cancelled"],
    );
    assert.equal(redacted[0].data.title, "Rotate [github-token] of [mail-address]");
    assert.deepEqual(records[0], kept[0], "a record without secrets is as it was");
    const { records: count, head, whole } = closing;
    assert.deepEqual([count, head, whole, closing.redacted], [kept.length, kept.at(-1).hash, true, 3]);
  });

  test("CSV reads back, and no cell is a formula", () => {
    const [head, ...rows] = csvRows(exported.csv);
    assert.deepEqual(head.slice(0, 7), ["sequence", "time", "actor", "kind", "subject", "about", "text"]);
    for (const row of rows) {
      assert.equal(row.length, head.length);
      for (const cell of row) assert.doesNotMatch(cell, /^\s*[=+\-@]|^[\t\r]/, cell);
    }
    const texts = rows.map((row) => row[6]);
    for (const formula of formulas) assert.ok(texts.includes(`'${formula}`), formula);
    for (const title of hostile) assert.ok(texts.includes(title), title);
    assert.deepEqual(JSON.parse(rows[0][7]).title, hostile[0]);
  });

  test("Markdown holds what comes from outside only in code", () => {
    // Without code spans and blocks nothing of it is left.
    const outside = exported.md.replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
    for (const text of ["<img", "</script>", "javascript:", "HYPERLINK", "task.added", "person:"]) {
      assert.ok(exported.md.includes(text), text);
      assert.ok(!outside.includes(text), `${text} in ${outside}`);
    }
    assert.match(exported.md, /^# Ledger of `work`$/m);
  });

  test("the page holds it as data alone, and lets nothing else run", () => {
    const page = exported.html;
    assert.match(page, /content="default-src 'none'; style-src 'nonce-([0-9a-f]{64})'; script-src 'nonce-\1'; /);
    assert.ok(!/<(img|script>alert)/.test(page));
    assert.equal(page.match(/<script\b/g).length, 3);
    assert.ok(!/https?:(?!\/\/www\.w3\.org\/2000\/svg)/.test(page), "it names no place on the network");
    const titles = embedded(page, "records").map(([, , , , , , data]) => data.title);
    for (const title of hostile) assert.ok(titles.includes(title), title);
    assert.equal(embedded(page, "facts").redacted, 3);
  });

  test("no control character reaches a terminal", async () => {
    for (const format of formats) {
      assert.doesNotMatch(exported[format].replaceAll("\r\n", "\n"), /(?!\n)\p{Cc}|\u2028/u, format);
    }
  });

  test("filters hold, and the file says that it is a part", async () => {
    const { stdout } = await workspace.cli(["audit", "export", "--format", "jsonl", "--task", "a2"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(lines.at(-1).whole, false);
    assert.deepEqual(
      lines.slice(0, -1).map(({ kind }) => kind),
      ["task.added", "task.cancelled"],
    );
    await workspace.refused(
      ["audit", "export", "--format", "md", "--session", "77"],
      'There is no session "77". `augment-cli session list` shows them.',
      { code: "unknown-session" },
    );
  });

  test("a file is written whole, and another is not replaced by mistake", async () => {
    const path = join(workspace.scratch, "out.jsonl");
    const told = await workspace.cli(["audit", "export", "--format", "jsonl", "--out", path]);
    const { head, records } = JSON.parse(exported.jsonl.trimEnd().split("\n").at(-1));
    assert.equal(
      told.stdout,
      `${records} records in ${path}. In 3 of them secrets were redacted. The head is ${head}.\n`,
    );
    assert.equal((await workspace.json(["audit", "verify", "--file", path, "--head", head])).notedAt, records);
    assert.equal(readFileSync(path, "utf8"), exported.jsonl);
    await workspace.refused(
      ["audit", "export", "--format", "md", "--out", path],
      `${path} is there already. Name another file, or add --force to replace it.`,
      { code: "file-exists" },
    );
    const { redacted } = await workspace.json(["audit", "export", "--format", "md", "--out", path, "--force"]);
    assert.equal(redacted, 3);
    assert.equal(readFileSync(path, "utf8").slice(0, 9), "# Ledger ");
    const nowhere = join(workspace.scratch, "nowhere", "out.md");
    const failed = await workspace.cli(["audit", "export", "--format", "md", "--out", nowhere]);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /nowhere\/out\.md cannot be written: .* Name a file where you may write\./);
    assert.ok(!readdirSync(workspace.scratch).some((name) => name.endsWith(".part")));
  });

  describe("an exported file, checked without its workspace", () => {
    const clean = () => exported.jsonl.trimEnd().split("\n");
    let at = 0;
    /** What checking these lines says. */
    async function check(lines, ...args) {
      at += 1;
      const path = join(workspace.scratch, `copy-${at}.jsonl`);
      writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
      const how = {
        cwd: tmpdir(),
        env: { ...process.env, HOME: join(workspace.scratch, "nobody"), AUGMENT_HOME: undefined },
      };
      const command = [program, "audit", "verify", "--file", path, ...args];
      const { code, stdout, stderr } = await run([...command, "--json"], how);
      assert.equal(stderr, "");
      const human = await run(command, how);
      assert.equal(human.code, code);
      return { code, ...JSON.parse(stdout), human: human.stdout };
    }
    async function broken(lines, sequence, reason, ...args) {
      const found = await check(lines, ...args);
      assert.deepEqual([found.code, found.holds], [1, false], found.human);
      assert.equal(found.broken.sequence, sequence);
      assert.match(found.broken.reason, reason);
      assert.match(found.human, /^The file does not hold\./);
      if (sequence !== null) assert.ok(found.human.includes(`The first bad record is ${sequence}:`), found.human);
      return found;
    }

    test("holds as it was written, and says what that cannot show", async () => {
      const found = await check(clean());
      assert.deepEqual([found.code, found.holds, found.redacted, found.whole], [0, true, 3, true]);
      assert.equal(found.records, clean().length - 1);
      assert.match(
        found.human,
        /^The file is intact: \d+ records, each bound to the one before\.\nhead {2}[0-9a-f]{64}\n/,
      );
      assert.match(found.human, /What this cannot show:\n {2}The text of 3 redacted records: only their places/);
      assert.match(
        found.human,
        /rewritten, the last line with it\. Compare the head with one that was noted elsewhere: --head\./,
      );
      assert.ok(!existsSync(join(workspace.scratch, "nobody")), "nothing was made for it");
    });

    test("the last record dropped", async () => {
      const lines = clean();
      const last = JSON.parse(lines.at(-2));
      const dropped = lines.toSpliced(-2, 1);
      await broken(dropped, last.sequence, /was cut off, or all was written anew/);
      // Without the last line nothing says where it ends, and that is told; a noted head finds it.
      const cut = lines.slice(0, -2);
      const found = await check(cut);
      assert.equal(found.holds, true);
      assert.match(found.human, /That records are missing at the end: the file does not say where it ends/);
      await broken(cut, last.sequence, /no record has the hash/, "--head", last.hash);
      const noted = await check(cut, "--head", JSON.parse(lines[2]).hash);
      assert.deepEqual([noted.holds, noted.notedAt], [true, 3]);
    });

    test("two records swapped", async () => {
      const lines = clean();
      await broken(lines.with(3, lines[4]).with(4, lines[3]), 4, /^Record 4 is missing\.$/);
    });

    test("one record taken out, and one put in twice", async () => {
      const lines = clean();
      await broken(lines.toSpliced(3, 1), 4, /^Record 4 is missing\.$/);
      await broken(lines.toSpliced(3, 0, lines[3]), 5, /^Record 4 stands where record 5 belongs\.$/);
    });

    test("any one byte edited is found at its record", async () => {
      const lines = clean();
      const whole = lines[2];
      for (let place = 0; place < whole.length; place += 7) {
        const byte = whole[place] === "0" ? "1" : "0";
        const edited = whole.slice(0, place) + byte + whole.slice(place + 1);
        const found = await check(lines.with(2, edited));
        assert.deepEqual([found.holds, found.code], [false, 1], edited);
        assert.ok([3, 4].includes(found.broken.sequence), `${found.broken.reason}: ${edited}`);
      }
    });

    test("text put beside what the chain covers, and an edit of what was redacted", async () => {
      const lines = clean();
      await broken(
        lines.with(1, lines[1].replace('{"about"', '{"note":"x","about"')),
        2,
        /not written as exports write it/,
      );
      await broken(
        lines.with(1, lines[1].replace('"title":', '"title":"other","title":')),
        2,
        /not written as exports write it/,
      );
      const redacted = lines.findIndex((line) => line.includes("Rotate [github-token]"));
      await broken(
        lines.with(redacted, lines[redacted].replace("Rotate", "Revoke")),
        null,
        /what was redacted, or how something is spelled, was changed/,
      );
      await broken([...lines, lines[0]], JSON.parse(lines.at(-2)).sequence + 1, /after the line that ends the file/);
    });

    test("a part may have gaps; it is said, and disorder is found", async () => {
      const { stdout } = await workspace.cli(["audit", "export", "--format", "jsonl", "--task", "a2"]);
      const lines = stdout.trimEnd().split("\n");
      const found = await check(lines);
      assert.deepEqual([found.holds, found.whole, found.gaps], [true, false, 2]);
      assert.match(found.human, /It is a part of the ledger\./);
      assert.match(found.human, /What stands in the ledger between these records: there are 2 gaps\./);
      await broken([lines[1], lines[0], lines[2]], JSON.parse(lines[1]).sequence + 1, /stands where record/);
      await broken(lines.toSpliced(0, 1), null, /It says that it holds 2 records, and it holds 1/);
      const bare = await check(lines.slice(0, -1), "--part");
      assert.equal(bare.holds, true);
      const perhaps = await broken(lines.slice(0, -1), 1, /^Record 1 is missing\.$/);
      const hint =
        "As a part of a ledger it holds. Perhaps it is the ledger of an archived session: `augment-cli archive verify` checks those, and `--part` checks this file as a part.";
      assert.equal(perhaps.hint, hint);
      assert.ok(perhaps.human.trimEnd().endsWith(`\n${hint}`), perhaps.human);
      // What does not hold as a part either is no such ledger.
      const disorder = await broken([lines[1], lines[0]], 1, /^Record 1 is missing\.$/);
      assert.equal(disorder.hint, null);
    });

    test("what is no export is told", async () => {
      const empty = await broken(
        [],
        null,
        /^It holds no records, not even the line that ends an export\. Export it again/,
      );
      assert.equal(empty.records, 0);
      assert.doesNotMatch(empty.human, /intact/);
      await broken([], null, /^It holds no records/, "--part");
      await broken(['{"sequence":1}'], 1, /^Line 1 is no record: /);
      const others = { "diary.txt": "Dear diary\n", "empty-line.txt": "\n" };
      for (const format of ["csv", "md", "html"]) others[`ledger.${format}`] = exported[format];
      for (const [name, text] of Object.entries(others)) {
        const path = join(workspace.scratch, name);
        writeFileSync(path, text);
        await workspace.refused(
          ["audit", "verify", "--file", path],
          `${path} is no JSON Lines export: its first line is no record. Only what \`augment-cli audit export --format jsonl\` has written can be checked.`,
          { code: "no-export" },
        );
      }
      const missing = await run([program, "audit", "verify", "--file", join(workspace.scratch, "none")]);
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, /cannot be read: .* Name a file that `augment-cli audit export` has written\./);
      const head = await run([program, "audit", "verify", "--file", "x", "--head", "abc"]);
      assert.match(head.stderr, /"abc" is no head\. A head has 64 hexadecimal digits/);
    });
  });
});

test("an empty ledger is exported in every format", async (t) => {
  const workspace = newWorkspace(t);
  for (const format of formats) {
    const { code, stderr } = await workspace.cli(["audit", "export", "--format", format]);
    assert.deepEqual([code, stderr], [0, ""], format);
  }
});

test("a session's export holds what happened in it, its reports and the diffs, without secrets", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  await project.session("start", "--yes", "--title", "Write the first");
  const { env } = await project.worker("a1");
  project.put({ "src/b.txt": `one\nkey = "${secret}"\n`, "src/a.txt": "1\ntwo\n3\n" });
  const asked = await project.cli(["ask", `Use ${secret}?`, "--option", "a=A", "--option", "b=B", "--wait", "1s"], {
    env,
  });
  assert.equal(asked.code, 1);
  const done = await project.cli(["complete", "--summary", `Put in ${secret}`, "--next", `@ops:has ${secret}`], {
    env,
  });
  assert.equal(done.code, 0, done.stderr);
  await project.approve("--file", "src/a.txt");
  await project.session("end", "--no-commit");
  await project.add("After the session");
  const outputs = {};
  for (const format of formats) {
    const { code, stdout, stderr } = await project.cli(["audit", "export", "--format", format, "--session", "9"]);
    assert.deepEqual([code, stderr], [0, ""], format);
    assert.ok(!stdout.includes(secret), format);
    assert.ok(!stdout.includes("After the session"), format);
    outputs[format] = stdout;
  }
  const kinds = outputs.jsonl
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  for (const kind of [
    "session.started",
    "question.asked",
    "run.reported",
    "task.claimed",
    "file.changed",
    "session.ended",
  ])
    assert.ok(kinds.includes(kind), kind);
  assert.match(outputs.md, /│ Task completed: Write the first/);
  const facts = embedded(outputs.html, "facts");
  assert.deepEqual([facts.session.number, facts.session.state], [9, "ended"]);
  assert.ok(facts.reports.some(({ text }) => text.includes("│ Task completed: Write the first")));
  const hunks = Object.fromEntries(facts.files.map(({ path, hunks }) => [path, hunks]));
  assert.deepEqual(
    hunks["src/a.txt"].map(({ standing, removed, added }) => [standing, removed, added]),
    [["approved", ["2"], ["two"]]],
  );
  assert.deepEqual(hunks["src/b.txt"][0].added, ["one", 'key = "[github-token]"']);
  const listed = await project.records("--session", "s1");
  assert.ok(listed.every(({ data }) => data.title !== "After the session"));
});

test("the page of a session shows what was done in it, and not what others did in the same files", async (t) => {
  const project = await newGovernedProject(t, { files: { "shared.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" } });
  const lines = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  const write = (at, word) => {
    lines[at] = word;
    return { "shared.txt": `${lines.join("\n")}\n` };
  };
  await project.session("start", "--confirm", "--title", "Write the first");
  await project.workOff("a1", write(1, "in the first"));
  await project.session("end");
  await project.session("start", "--confirm", "--title", "Write the second");
  await project.workOff("a2", write(7, "in the second"));
  await project.session("end");
  for (const [session, word, other] of [
    ["s1", "in the first", "in the second"],
    ["s2", "in the second", "in the first"],
  ]) {
    const { code, stdout } = await project.cli(["audit", "export", "--format", "html", "--session", session]);
    assert.equal(code, 0);
    const added = embedded(stdout, "facts").files.flatMap(({ hunks }) => hunks.flatMap(({ added }) => added));
    assert.ok(added.includes(word), `${session}: ${added}`);
    assert.ok(!added.includes(other), `${session}: ${added}`);
  }
});
