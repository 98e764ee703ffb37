// Bad input, each with its exact sentence, code and exit code; nothing is changed, and the refusal is on record (Q7).

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

describe("refused", () => {
  let workspace;
  before(async () => {
    workspace = newWorkspace();
    for (let number = 1; number <= 16; number += 1) await workspace.add(`task ${number}`);
    await workspace.json(["queue", "edit", "a2", "--depends-on", "a1"]);
    await workspace.json(["queue", "edit", "a3", "--depends-on", "a2"]);
  });
  after(() => workspace.end());

  const emptyTitle = "The title is empty. Say in a few words what is wanted.";
  const unknown = (id) => `There is no task "${id}". \`augment-cli queue list --all\` shows them all.`;
  const tooLong = (field, length, limit, more = "") =>
    `The ${field} is ${length} characters long; the limit is ${limit}. Shorten it${more}.`;
  const hidden = (field, code, position) =>
    `The ${field} has a control character (${code}) at position ${position}. Remove it.`;

  for (const [what, args, message, code] of [
    ["an empty title", ["add", "--title", ""], emptyTitle, "empty-text"],
    ["a title of spaces", ["add", " \t "], emptyTitle, "empty-text"],
    ["an empty new title", ["edit", "a1", "--title", ""], emptyTitle, "empty-text"],
    ["an id that is none", ["cancel", "task-7"], unknown("task-7"), "unknown-task"],
    ["an id of nobody", ["edit", "c100", "--title", "x"], unknown("c100"), "unknown-task"],
    ["an id past all numbers", ["retry", "99999999999999999999"], unknown("99999999999999999999"), "unknown-task"],
    ["an unknown dependency", ["add", "x", "--depends-on", "a1,zz"], unknown("zz"), "unknown-task"],
    [
      "an ambiguous prefix of two",
      ["move", "b", "--before", "a1"],
      '"b" could be b10, b11, b12, b13, b14 or others. Type more of the id.',
      "ambiguous-task",
    ],
    [
      "an ambiguous prefix of many",
      ["cancel", "a"],
      '"a" could be a1, a2, a3, a4, a5 or others. Type more of the id.',
      "ambiguous-task",
    ],
    [
      "a task that depends on itself",
      ["edit", "a1", "--depends-on", "a1"],
      "a1 cannot depend on itself. Name another task.",
      "dependency-cycle",
    ],
    [
      "a circle",
      ["edit", "a1", "--depends-on", "a3"],
      "That would make a circle of dependencies: a1 → a3 → a2 → a1. Leave one of them out.",
      "dependency-cycle",
    ],
    [
      "a long title",
      ["add", "x".repeat(201)],
      tooLong("title", 201, 200, " and put the rest into the description"),
      "text-too-long",
    ],
    [
      "a very long title",
      ["add", "ä".repeat(60_000)],
      tooLong("title", 60_000, 200, " and put the rest into the description"),
      "text-too-long",
    ],
    [
      "a long description",
      ["add", "x", "--description", "y".repeat(65_537)],
      tooLong("description", 65_537, 65_536),
      "text-too-long",
    ],
    ["a long label", ["add", "x", "--label", "l".repeat(101)], tooLong("label", 101, 100), "text-too-long"],
    ["an escape sequence", ["add", "a\u001b[2Jb"], hidden("title", "U+001B", 2), "control-character"],
    ["a line break in a title", ["add", "one\ntwo"], hidden("title", "U+000A", 4), "control-character"],
    ["a C1 control", ["add", "a\u009b31m"], hidden("title", "U+009B", 2), "control-character"],
    ["a mark that reorders text", ["add", "\u202etxt.exe"], hidden("title", "U+202E", 1), "control-character"],
    [
      "a mark without width",
      ["edit", "a1", "--title", "pay\u200bpal"],
      hidden("title", "U+200B", 4),
      "control-character",
    ],
    [
      "a clipboard sequence in a description",
      ["add", "x", "--description", "a\nb\u001b]52;c;AAAA\u0007"],
      hidden("description", "U+001B", 4),
      "control-character",
    ],
    [
      "a carriage return in a label",
      ["add", "x", "--label", "a\rb"],
      hidden("label", "U+000D", 2),
      "control-character",
    ],
    [
      "a bell in a reason",
      ["cancel", "a1", "--reason", "no\u0007"],
      hidden("reason", "U+0007", 3),
      "control-character",
    ],
    [
      "a tag character in a result",
      ["complete", "a1", "--result", "\u{e0041}"],
      hidden("result", "U+E0041", 1),
      "control-character",
    ],
    [
      "a null character in an agent's name",
      ["next", "--agent", "a\u007fb"],
      hidden("agent name", "U+007F", 2),
      "control-character",
    ],
    [
      "an empty agent name",
      ["next", "--agent", " "],
      "The agent name is empty. Name one, or leave it out.",
      "empty-text",
    ],
    ["no attempts", ["add", "x", "--max-attempts", "0"], "0 attempts are out of range. Use 1 to 1000.", "bad-attempts"],
    ["a lease of nothing", ["next", "--lease", "0s"], "A lease of 0ms is out of range. Use 1s to 1d.", "bad-duration"],
    [
      "a lease of a week",
      ["claim", "a1", "--lease", "7d"],
      "A lease of 7d is out of range. Use 1s to 1d.",
      "bad-duration",
    ],
    [
      "a time limit of a blink",
      ["add", "x", "--time-limit", "10ms"],
      "A time limit of 10ms is out of range. Use 1s to 30d.",
      "bad-duration",
    ],
    [
      "too many labels",
      ["add", "x", ...Array.from({ length: 33 }, (_, at) => ["--label", `l${at}`]).flat()],
      "There are 33 labels; the limit is 32. Leave some out.",
      "too-many",
    ],
    [
      "an edit of nothing",
      ["edit", "a1", "--title", "task 1"],
      "Nothing to change in a1. Say what is to be different, for example --title.",
      "nothing-to-change",
    ],
    [
      "a move beside itself",
      ["move", "a1", "--after", "a1"],
      "a1 cannot be moved next to itself. Name another task.",
      "beside-itself",
    ],
    [
      "a word for an attempt that never was",
      ["heartbeat", "a1", "--attempt", "3"],
      "Attempt 3 at a1 is not the current one: the task is pending, at attempt 0. This word changed nothing.",
      "late-word",
    ],
  ]) {
    test(what, async () => {
      const [tasks, [newest]] = [await workspace.tasks("--all"), await workspace.records()];
      await workspace.refused(["queue", ...args], message, { code });
      assert.deepEqual(await workspace.tasks("--all"), tasks);
      const [second, first, before] = await workspace.records();
      assert.deepEqual(before, newest);
      for (const record of [first, second]) {
        assert.deepEqual([record.kind, record.data.code, record.data.message], ["refused", code, message]);
        assert.equal(record.data.command, `queue ${args[0]}`);
      }
    });
  }
});

test("questions with bad input are answered with a sentence, too", async (t) => {
  const workspace = newWorkspace(t);
  for (const [args, message, code] of [
    [["queue", "show", "a1"], 'There is no task "a1". `augment-cli queue list --all` shows them all.', "unknown-task"],
    [
      ["status", "--task-id", "zz"],
      'There is no task "zz". `augment-cli queue list --all` shows them all.',
      "unknown-task",
    ],
    [["audit", "show", "99"], "There is no record 99. `augment-cli audit list` shows the newest.", "unknown-record"],
    [
      ["-C", "/nowhere/at/all", "status"],
      "/nowhere/at/all cannot be opened as a workspace: No such file or directory (os error 2). Name an existing folder with -C.",
      "workspace",
    ],
    [
      ["-C", "/etc/passwd", "status"],
      "/etc/passwd is not a folder. Name the folder that you open in your editor with -C.",
      "workspace",
    ],
  ]) {
    await workspace.refused(args, message, { code });
  }
});

test("what is not understood ends with 2, with a usage or as a document", async (t) => {
  const workspace = newWorkspace(t);
  for (const [args, message] of [
    [["quue", "list"], "unrecognized subcommand 'quue'"],
    [["queue", "add"], "the following required arguments were not provided:\n  <TITLE>"],
    [["queue", "add", "a", "--title", "b"], "the argument '[TITLE]' cannot be used with '--title <TITLE>'"],
    [["queue", "list", "--colour"], "unexpected argument '--colour' found"],
    [
      ["queue", "next", "--lease", "soon"],
      `invalid value 'soon' for '--lease <TIME>': "soon" is not a duration. Use for example 90s, 30m or 2h; a bare number is minutes`,
    ],
    [
      ["audit", "list", "--since", "yesterdayish"],
      `invalid value 'yesterdayish' for '--since <WHEN>': "yesterdayish" is not a point in time. Use for example 2h (ago), 2026-11-16 or 2026-11-16T10:00 (UTC)`,
    ],
    [
      ["queue", "move", "a1"],
      "the following required arguments were not provided:\n  <--before <ID>|--after <ID>|--top|--bottom>",
    ],
    [["queue", "\u001b[31mred"], "unrecognized subcommand '"],
    // Values of a fixed list, whichever flag takes them.
    [
      ["queue", "add", "x", "--priority", "urgent"],
      "invalid value 'urgent' for '--priority <PRIORITY>'\n  [possible values: high, medium, low]",
    ],
    [["queue", "edit", "a1", "--priority", "HIGH"], "invalid value 'HIGH' for '--priority <PRIORITY>'"],
    [["queue", "list", "--priority", "1"], "invalid value '1' for '--priority <PRIORITY>'"],
    [["queue", "list", "--status", "pending,done"], "invalid value 'done' for '--status <STATUS>'"],
    [["queue", "add", "x", "--origin", "space"], "invalid value 'space' for '--origin <ORIGIN>'"],
    [["stamp", "--precision", "hour"], "invalid value 'hour' for '--precision <FIELD>'"],
    [["stamp", "--model", "flat"], "invalid value 'flat' for '--model <MODEL>'"],
    [["stamp", "--format", "long"], "invalid value 'long' for '--format <FORM>'"],
    [["audit", "export", "--format", "doc"], "invalid value 'doc' for '--format <FORMAT>'"],
    [["init", "--agent", "nobody"], "invalid value 'nobody' for '--agent <NAME>'"],
  ]) {
    const human = await workspace.cli(args);
    assert.deepEqual([human.code, human.stdout], [2, ""], args.join(" "));
    assert.ok(human.stderr.startsWith(`error: ${message}`), human.stderr);
    assert.ok(!human.stderr.includes("\u001b"));
    const machine = await workspace.cli([...args, "--json"]);
    assert.deepEqual([machine.code, machine.stdout], [2, ""]);
    const { error } = JSON.parse(machine.stderr);
    assert.equal(error.code, "usage");
    assert.ok(error.message.startsWith(message), error.message);
  }
  assert.equal((await workspace.cli([])).code, 2);
  // A word that is not text; Node cannot pass one, a shell can.
  const shell = ["bash", "-c", `exec "$0" queue add $'caf\\xe9'`, program];
  const { code, stderr } = await run(shell, { cwd: workspace.folder, env: workspace.env });
  assert.deepEqual([code, stderr.split("\n")[0]], [2, "error: invalid UTF-8 was detected in one or more arguments"]);
});

test("standard input is read with a limit and has to be text", async (t) => {
  const workspace = newWorkspace(t);
  const add = (input) => workspace.cli(["queue", "add", "x", "--description", "-"], { input });
  const flood = await add("y".repeat(3_000_000));
  assert.deepEqual([flood.code, flood.stdout], [1, ""]);
  assert.match(flood.stderr, /^error: .*1048576|1 MiB|longer/i);
  const bytes = await add(Buffer.from([0x61, 0xff, 0xfe]));
  assert.deepEqual([bytes.code, bytes.stdout], [1, ""]);
  assert.match(bytes.stderr, /^error: .*UTF-8/);
  assert.deepEqual(await workspace.tasks(), []);
});
