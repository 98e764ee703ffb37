// A whole session with goose, the real program, on a project with a plan: scope, three tasks, drift, a planted key, a
// checkpoint and the record at the end, every text of it compared to a file (S1–S11). And the same where a person thinks
// of nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { serve } from "../rig/frames.mjs";
import { gate } from "../rig/model.mjs";
import { newStage, ourTools, reports } from "../rig/runs.mjs";
import { documents, introduce } from "../rig/sessions.mjs";

const expected = (name) => readFileSync(join(import.meta.dirname, "session", name), "utf8");

/** A token of the right shape that nobody was ever given; put together here so that no scanner stops at this file. */
const planted = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].join("");

/**
 * Compares a text to its file, in which `{name}` stands for what is not the same every time.
 * @param {Record<string, string>} values as the program said them
 */
function checkText(text, name, values = {}) {
  let whole = expected(name);
  for (const [value, said] of Object.entries(values)) whole = whole.replaceAll(`{${value}}`, said);
  assert.equal(text, whole, name);
}

async function weatherStation(t) {
  const files = {
    "src/thermometer.js": "export const read = () => 21;\n",
    "docs/wiring.txt": "red: 5 V\n",
    ...documents({ plan: expected("plan.md"), log: expected("changelog.md") }),
  };
  const stage = await newStage(t, files, { prepare: introduce });
  stage.configure({ goose: stage.agents.goose() });
  return Object.assign(stage, {
    session: (...args) => stage.json(["session", ...args]),
    status: () => stage.json(["session", "status"]),
    reports: async (...args) => (await stage.json(["session", "report", "--all", ...args])).reports,
  });
}

const write = ({ at }, path, content) => ({ tool: "write", args: { path: at(path), content } });

/** When a session was and how long it took, as its end says; silence at the end does not count. */
function whenItWas({ session, report: { data } }) {
  const atMost = Math.max(1, Math.round((session.endedAt - session.startedAt) / 60_000));
  assert.ok(data.minutes >= 1 && data.minutes <= atMost, `${data.minutes} of ${atMost} minutes`);
  return { date: data.date, duration: data.minutes === 1 ? "~1 minute" : `~${data.minutes} minutes` };
}

/** The entries that were in the changelog before. */
function changelogBody() {
  const before = expected("changelog.md");
  return before.slice(before.indexOf("## "));
}

/** What git says has changed in a file, without the names of the contents. */
async function diffOf(stage, path) {
  const diff = await stage.git("diff", "--unified=0", "--", path);
  return diff.slice(diff.indexOf("--- a/"));
}

test("a whole session: scope, three tasks, drift, a planted key, a checkpoint, and the record", async (t) => {
  const stage = await weatherStation(t);
  const told = [];
  const said = async (args) => {
    const { code, stdout, stderr } = await stage.cli(args);
    told.push(stdout, stderr);
    return { code, stdout, stderr };
  };
  const refused = async (args, sentence, code) => {
    await stage.refused(args, sentence, { code });
    told.push(sentence);
  };
  const startOrder = (task) => ["agent", "start", "--agent", "goose", "--task-id", task, "--background"];

  // The start: what is proposed is told, and nothing begins before it is agreed to.
  const early = await stage.add("Read the wind vane");
  const start = await said(["session", "start", "--model", "gpt-4o"]);
  assert.deepEqual([start.code, start.stderr], [0, ""]);
  checkText(start.stdout, "start-shown.txt", { start: expected("start.txt") });
  const waits =
    "No work before the scope of session 009 is confirmed. Look at it with `augment-cli session status`, then `augment-cli session confirm`.";
  await refused(startOrder(early.id), waits, "scope-not-confirmed");
  assert.deepEqual(stage.processes(), [], "no agent was started");
  const { session: confirmed } = await stage.session("confirm", "--path", "src/**");
  const [vane, rain, sending] = confirmed.items.map(({ task }) => task);
  assert.equal(confirmed.items.length, 3);
  assert.equal(vane, early.id);

  // The first task: goose writes with its own tool, in the scope.
  const vaneScript = stage.model.play([
    write(stage, "src/vane.js", "export const north = 0;\n"),
    reports("completed", "The wind vane is read.", { metrics: { files_modified: 1 } }),
    { say: "The wind vane is read." },
  ]);
  const first = await stage.startOn("goose", vane);
  assert.equal((await stage.ends(first)).state, "completed");
  assert.match(vaneScript.prompt(), /src\/\*\*/, "goose was told where it may write");
  await stage.staysDead(first);

  // The second: its shell writes outside the scope. That is flagged while goose is at work, and the answer takes it out.
  const held = gate();
  const rainScript = stage.model.play([
    {
      tool: "shell",
      args: {
        command: "printf 'export const millimetres = 0;\\n' > src/rain.js && echo 'blue: data' >> docs/wiring.txt",
      },
    },
    { hold: held, tool: ourTools.log_discovered_task, args: { title: "Calibrate the rain gauge", priority: "high" } },
    reports("completed", "The rain gauge is read."),
    { say: "The rain gauge is read." },
  ]);
  const second = await stage.startOn("goose", rain);
  await stage.decide(await stage.asks(second), "allow");
  await held.reached();
  const { flags, question } = await eventually("the drift is flagged", stage.status, ({ flags }) => flags.length > 0);
  assert.deepEqual(
    flags.map(({ id, kind, path, run, task, answer }) => [id, kind, path, run, task, answer]),
    [["f1", "out-of-scope", "docs/wiring.txt", second, rain, null]],
  );
  told.push(question);
  assert.equal((await stage.info(second)).state, "running");
  await stage.session("flag", "f1", "--log");
  assert.equal(stage.text("docs/wiring.txt"), "red: 5 V\n");
  assert.equal(stage.text("src/rain.js"), "export const millimetres = 0;\n");
  held.open();
  assert.equal((await stage.ends(second)).state, "completed");
  assert.equal(rainScript.results().length, 3);
  const discovered = (await stage.tasks()).filter(({ origin }) => origin === "discovered");
  assert.deepEqual(
    discovered.map(({ title, status, priority }) => [title, status, priority]),
    [
      ["Calibrate the rain gauge", "pending", "high"],
      ["Look at docs/wiring.txt: changed outside the scope", "pending", "medium"],
    ],
  );
  await stage.staysDead(second);

  // The third: a key stands in what goose writes.
  stage.model.play([
    write(stage, "src/send.js", `export const key = "${planted}";\n`),
    reports("completed", "The readings are sent."),
    { say: "The readings are sent." },
  ]);
  const third = await stage.startOn("goose", sending);
  assert.equal((await stage.ends(third)).state, "completed");
  await stage.staysDead(third);
  const [hunk] = await stage.hunks("--file", "src/send.js");
  const found = hunk.findings.map(({ rule, line, allowed }) => [rule, line, allowed]);
  assert.deepEqual(found, [["github-token", 0, null]]);
  const stopped = await said(["changes", "approve", "--file", "src/send.js"]);
  assert.equal(stopped.code, 1);
  assert.match(stopped.stderr, /^error: src\/send\.js:1 holds a GitHub token\./);
  const scanned = await said(["scan"]);
  assert.equal(scanned.code, 1);
  assert.match(scanned.stdout, new RegExp(`^src/send\\.js:1:\\d+ \\[${hunk.id}\\] github-token: `));
  assert.equal((await said(["scan", "acknowledge", hunk.id, "--reason", "A sample that opens nothing"])).code, 0);
  await stage.approve("--all");
  assert.deepEqual(await stage.pending(), []);

  // Three tasks in a row: the session waits for a word.
  const checkpoint = await said(["session", "checkpoint"]);
  // It is shown as it stands by now, with everything decided.
  const reviewed = expected("checkpoint.txt").replaceAll(/(?:; |\()1 hunk waits for review/g, "");
  checkText(checkpoint.stdout, "checkpoint-shown.txt", { checkpoint: reviewed });
  assert.equal((await stage.status()).session.state, "checkpoint");
  const next = await stage.add("Keep what could not be sent");
  const atCheckpoint =
    "Session 009 waits at a checkpoint after 3 tasks. Look at it with `augment-cli session checkpoint`, then go on with `--continue`, or adjust the scope.";
  await refused(startOrder(next.id), atCheckpoint, "checkpoint-waits");
  assert.deepEqual(stage.processes(), []);
  assert.equal((await stage.session("checkpoint", "--continue")).session.state, "working");

  // The end: all of it told, and written into the project's own documents.
  const head = await stage.git("rev-parse", "HEAD");
  const ended = await stage.session("end", "--decision", "North is zero degrees");
  const when = whenItWas(ended);
  const all = await stage.reports("--session", "9");
  assert.deepEqual(
    all.map(({ level, task }) => [level, task]),
    [
      ["start", null],
      ["light", vane],
      ["light", rain],
      ["light", sending],
      ["medium", null],
      ["comprehensive", null],
    ],
  );
  const texts = all.map(({ text }) => text);
  checkText(texts[0], "start.txt");
  checkText(texts[1], "task-1.txt");
  checkText(texts[2], "task-2.txt");
  checkText(texts[3], "task-3.txt");
  checkText(texts[4], "checkpoint.txt");
  checkText(texts[5], "end.txt", when);
  assert.equal(ended.report.text, texts[5]);
  checkText(stage.text("CHANGELOG.md"), "changelog-after.md", { ...when, before: changelogBody() });
  checkText(await diffOf(stage, "PROJECT_PLAN.md"), "plan-diff.txt", when);
  assert.deepEqual([ended.commit.problem, ended.commit.files.toSorted()], [null, ["CHANGELOG.md", "PROJECT_PLAN.md"]]);
  const { commit, message } = await stage.session("commit");
  checkText(message, "commit.txt");
  assert.equal(await stage.git("log", "-1", "--format=%B", commit), `${message}\n`);
  assert.equal(await stage.git("rev-parse", `${commit}^`), head);
  assert.equal(await stage.git("show", "--name-only", "--format=", commit), "CHANGELOG.md\nPROJECT_PLAN.md\n");
  assert.equal(await stage.git("status", "--porcelain", "CHANGELOG.md", "PROJECT_PLAN.md"), "");

  await stage.verify();
  // What was planted stands in its file, and in nothing that was told or recorded.
  assert.ok(stage.text("src/send.js").includes(planted));
  told.push(JSON.stringify(await stage.records()), JSON.stringify(all), JSON.stringify(await stage.session("show")));
  told.push(stage.text("CHANGELOG.md"), stage.text("PROJECT_PLAN.md"), message, JSON.stringify(ended));
  for (const text of told) assert.ok(!text.includes(planted), text);
});

test("everything forgotten: the session begins and ends by itself, and its record is complete", async (t) => {
  const stage = await weatherStation(t);
  await stage.json(["config", "set", "session.closeSeconds", "1"]);
  const editor = serve({ start: stage.spawn });
  await editor.initialize({ initializationOptions: { protocol: 1 } });
  stage.model.play([write(stage, "src/vane.js", "export const north = 0;\n"), { say: "The wind vane is read." }]);
  const run = await stage.start("goose", "Read the wind vane");
  assert.equal((await stage.ends(run)).state, "completed");
  await stage.staysDead(run);
  const { session } = await stage.status();
  assert.equal(session.automatic, "work began on a1: Read the wind vane");

  editor.finish();
  assert.equal((await editor.process.exit).code, 0);
  const { session: over } = await eventually(
    "the session is ended",
    () => stage.session("show", "s1"),
    ({ session: { state } }) => state === "ended",
  );
  assert.equal(over.endReason, "the window was closed");
  const all = await stage.reports("--session", "s1");
  assert.deepEqual(
    all.map(({ level, task }) => [level, task]),
    [
      ["start", null],
      ["light", "a1"],
      ["comprehensive", null],
    ],
  );
  const when = whenItWas({ session: over, report: all[2] });
  checkText(all[0].text, "forgotten-start.txt");
  checkText(all[1].text, "forgotten-task.txt");
  checkText(all[2].text, "forgotten-end.txt", when);
  checkText(stage.text("CHANGELOG.md"), "forgotten-changelog.md", { ...when, before: changelogBody() });
  checkText(await diffOf(stage, "PROJECT_PLAN.md"), "forgotten-plan-diff.txt", when);
  assert.equal(await stage.git("log", "--format=%s"), "all\n", "nobody said yes to a commit");
  await stage.verify();
});
