// `completion …`: looking for reports in a text, and the functions that shell scripts report with, in three shells and
// with whatever text (C1, C2, C5, ABUSE 7, 21).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { takenRun } from "../rig/mcp.mjs";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

const report = (inside) => `<agent_completion><status>completed</status>${inside}</agent_completion>`;
const metrics = '<metrics><metric name="coverage_percent">82%</metric><metric name="cups">2</metric></metrics>';

/** What `completion check` says of a text, for programs, without any workspace. */
async function check(workspace, input) {
  const how = { input, cwd: "/", env: { AUGMENT_HOME: join(workspace.scratch, "none") } };
  const { code, stdout, stderr } = await workspace.cli(["completion", "check", "-", "--json"], how);
  assert.equal(stderr, "");
  return { code, ...JSON.parse(stdout) };
}

const places = ({ findings }) => findings.map(({ kind, line, column }) => `${line}:${column} ${kind}`);

test("reports, broken ones, look-alikes and examples are told apart, with an exit code", async (t) => {
  const workspace = newWorkspace(t);
  const good = await check(workspace, `Done.\n${report(`<agent>goose</agent>${metrics}`)}\n`);
  assert.deepEqual([good.code, good.isGood, places(good)], [0, true, ["2:1 report"]]);
  assert.equal(good.findings[0].report.agent, "@goose");
  assert.deepEqual(
    good.findings[0].report.metrics.map(({ name, value, unit }) => [name, value, unit]),
    [
      ["coverage_percent", "82%", "percent"],
      ["cups", "2", null],
    ],
  );
  const mixed = await check(
    workspace,
    [
      report(""),
      report("\nR&D"),
      '<agent_completion path="a" status="b">text</agent_completion>',
      "```xml",
      report(""),
      "```",
      "end",
    ].join("\n"),
  );
  assert.deepEqual([mixed.code, mixed.isGood], [1, false]);
  assert.deepEqual(places(mixed), ["1:1 report", "3:2 broken", "4:1 other", "6:1 quoted"]);
  const quoted = [
    `<!-- ${report("")} -->`,
    `<example><![CDATA[${report("")}]]></example>`,
    `> ${report("")}`,
    `\n    ${report("")}\n`,
  ];
  const examples = await check(workspace, `So:\n${quoted.join("\n")}\nend`);
  assert.deepEqual([examples.code, examples.reports], [1, 0]);
  assert.deepEqual(places(examples), ["2:6 quoted", "3:19 quoted", "4:3 quoted", "6:5 quoted"]);
  assert.equal(mixed.findings[1].message, "a & that begins no entity. Write &amp; for it.");
  assert.equal((await check(workspace, "```xml\n<agent_completion>\n```\nend")).code, 1);
  assert.deepEqual([(await check(workspace, "")).code, (await check(workspace, "prose")).findings], [1, []]);
  assert.equal(existsSync(join(workspace.scratch, "none")), false, "nothing is made for it");
});

test("an element that reports do not have is named, with what is left of it", async (t) => {
  const workspace = newWorkspace(t);
  const found = await check(workspace, report("\n<sumary>x</sumary><foo/><summary>a <b>b</b></summary>"));
  assert.deepEqual([found.code, found.isGood, found.findings[0].report.summary], [0, true, "a b"]);
  assert.deepEqual(
    found.findings[0].notes.map(({ line, column, message }) => `${line}:${column} ${message}`),
    [
      "2:1 <sumary> is no element that a report has here: it is ignored with all that is in it.",
      "2:19 <foo> is no element that a report has here: it is ignored with all that is in it.",
      "2:36 <b> is no element that a report has here: its text is kept, its tags are not.",
    ],
  );
  const many = await check(workspace, report("<x/>".repeat(30)));
  assert.deepEqual([many.code, many.findings[0].notes.length], [0, 20]);
  assert.match(many.findings[0].notes[19].message, /There may be more; no more are told\.$/);
  assert.deepEqual((await check(workspace, report(metrics))).findings[0].notes, []);
});

test("what cannot be read is told in a sentence", async (t) => {
  const workspace = newWorkspace(t);
  const file = join(workspace.folder, "out.txt");
  writeFileSync(file, `${report("<summary>a\u001b]52;c;eA==\u0007</summary>")}\n`);
  const { code, stdout } = await workspace.cli(["completion", "check", file]);
  assert.equal(code, 1);
  assert.match(stdout, /^line 1, column 55: broken: the character U\+001B cannot stand in XML\./);
  await workspace.refused(
    ["completion", "check", "missing.txt"],
    "missing.txt cannot be read: No such file or directory (os error 2).",
    { code: "unreadable" },
  );
  const huge = join(workspace.folder, "huge.txt");
  execFileSync("truncate", ["-s", "70M", huge]);
  await workspace.refused(
    ["completion", "check", huge],
    `${huge} is longer than 64 MiB. Give the part with the report, for example \`tail -c 1000000 FILE | augment-cli completion check -\`.`,
    { code: "too-long" },
  );
});

test("the functions for shells are printed, installed, and never put over what is not ours", async (t) => {
  const workspace = newWorkspace(t);
  const helper = readFileSync(join(import.meta.dirname, "../../scripts/agents/completion-report.sh"), "utf8");
  const to = (file, ...more) => workspace.cli(["completion", "shell-helper", "--to", file, ...more]);
  assert.equal((await workspace.cli(["completion", "shell-helper"])).stdout, helper);
  const path = join(workspace.folder, "report.sh");
  assert.equal((await to(path)).stdout, `${path} was written. Scripts beside it use it with \`. ./report.sh\`.\n`);
  assert.equal(readFileSync(path, "utf8"), helper);
  assert.match((await to("report.sh")).stdout, /^report\.sh is there already, as it should be\./);

  writeFileSync(path, `${helper}# mine\n`);
  const refused = await to(path);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /\n-# mine\n/, "the difference is shown");
  assert.match(refused.stderr, /^error: .*report\.sh holds something else and was left alone\./);
  assert.equal(readFileSync(path, "utf8"), `${helper}# mine\n`);
  chmodSync(path, 0o700);
  assert.equal((await to(path, "--force")).code, 0);
  assert.equal(readFileSync(path, "utf8"), helper);

  symlinkSync(path, join(workspace.folder, "link.sh"));
  for (const [file, part] of [
    ["link.sh", /is a link/],
    ["no/such/folder/a.sh", /There is no folder no\/such\/folder\. Make it first\./],
    [workspace.folder, /is a folder/],
  ]) {
    const { code, stderr } = await to(file, "--force");
    assert.equal(code, 1, file);
    assert.match(stderr, part);
  }
});

/** The shells that scripts are run with; busybox with nothing but its own tools. */
function shells(scratch) {
  const tools = join(scratch, "busybox");
  mkdirSync(tools);
  execFileSync("busybox", ["--install", "-s", tools]);
  return [
    { command: ["bash", "-eu", "-o", "pipefail"], path: process.env.PATH },
    { command: ["dash", "-eu"], path: process.env.PATH },
    { command: [join(tools, "sh"), "-eu"], path: tools },
  ];
}

const script = '. "$0"; "$@"';

test("whatever text a script is given is read back as it was, in bash, dash and busybox", async (t) => {
  const workspace = newWorkspace(t);
  const helper = join(workspace.folder, "completion-report.sh");
  await workspace.cli(["completion", "shell-helper", "--to", helper]);
  const texts = [
    "'single' \"double\" `backticks` $(touch ran) $\u007bHOME} $0 \\$x \\n \\0101 %s %%",
    "</summary></agent_completion><agent_completion><status>completed</status>]]><![CDATA[<!-- &amp; & < >",
    "-n -e --help",
    "one\ntwo\n\n  three\n```\nfour",
    "äöü 日本 👨\u200d👩 \u202ex \u{10ffff}",
  ];
  for (const { command, path } of shells(workspace.scratch)) {
    const call = (...words) =>
      run([...command, "-c", script, helper, ...words], { cwd: workspace.folder, env: { PATH: path, LC_ALL: "C" } });
    for (const text of texts) {
      const { code, stdout, stderr } = await call("complete_partial", `@${text}`, text, text, "@qa");
      assert.deepEqual([code, stderr], [0, ""], command.join(" "));
      const checked = await check(workspace, stdout);
      assert.deepEqual([checked.code, places(checked)], [0, ["6:1 report"]], `${command}: ${stdout}`);
      const { summary, agent, nextSteps } = checked.findings[0].report;
      const name = `@${text.split(/\s+/).join(" ")}`;
      assert.deepEqual([summary, agent, nextSteps.map((step) => step.agent)], [text, name, [name, "@qa"]], command[0]);
    }
    // Controls, and what is no UTF-8, which node cannot hand over: the shell makes it.
    const raw = `. "$0"; complete_success a "$(printf 'a\\001b\\037 \\357\\277\\277')"; complete_blocked b "$(printf 'x\\377\\303( z')"`;
    const { stdout } = await run([...command, "-c", raw, helper], { env: { PATH: path } });
    const { findings } = await check(workspace, stdout);
    assert.deepEqual(
      findings.map((found) => found.report?.summary),
      ["a?b? ?", "Cannot proceed: x??( z"],
      command[0],
    );
  }
  assert.equal(existsSync(join(workspace.folder, "ran")), false, "nothing of it was run");
});

test("in a run the host is told, once, and a script never fails for it", async (t) => {
  const workspace = newWorkspace(t);
  const { run: id, env } = await takenRun(workspace);
  const helper = join(workspace.folder, "completion-report.sh");
  await workspace.cli(["completion", "shell-helper", "--to", helper]);
  const bin = join(workspace.scratch, "bin");
  mkdirSync(bin);
  symlinkSync(program, join(bin, "augment-cli"));
  const call = (token, ...words) => {
    const path = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`;
    const how = { cwd: workspace.folder, env: { ...workspace.env, ...env, ...token, PATH: path } };
    return run(["dash", "-eu", "-c", `${script}; echo after`, helper, ...words], how);
  };
  const told = await call({}, "complete_partial", "goose", "Half <of> it", "reviewer");
  assert.equal(told.code, 0, told.stderr);
  assert.equal(told.stderr, `Reported for ${id}.\n`);
  assert.equal(told.stdout.match(/<agent_completion>/g).length, 1);
  assert.match(told.stdout, /\nafter\n$/);
  const { run: info, report: kept } = await workspace.json(["agent", "status", "--id", id]);
  assert.deepEqual([info.reported, kept.summary, kept.nextSteps[0].agent], ["partial", "Half <of> it", "@reviewer"]);

  const refused = await call({ AUGMENT_TOKEN: "nobody's" }, "complete_success", "goose", "Done");
  assert.equal(refused.code, 0, "a script does not fail for it");
  assert.match(refused.stdout, /<status>completed<\/status>[\s\S]*\nafter\n$/);
  assert.match(refused.stderr, /^error: /);
});

test("only a run can tell a report", async (t) => {
  const workspace = newWorkspace(t);
  const { code, stdout, stderr } = await workspace.cli(["completion", "tell", "-"], { input: report("") });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^error: AUGMENT_TOKEN is not set/);
});
