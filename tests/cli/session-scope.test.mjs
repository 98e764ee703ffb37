// What falls outside of what was agreed to: flagged as it happens, and answered in three ways (S3, S8).

import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { client } from "../rig/mcp.mjs";
import { newGovernedProject } from "../rig/sessions.mjs";
import { typing } from "../rig/terminal.mjs";

/** A session on the first task that may write in `src/`, and an agent at work on it. */
async function atWork(t) {
  const project = await newGovernedProject(t, { files: { "lib/x.txt": "x\n" } });
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first", "--path", "src/**");
  return { project, worker: await project.worker("a1") };
}

/** The flags that hunks carry, by path. */
const flagged = async (project) =>
  Object.fromEntries((await project.hunks()).map(({ path, flag }) => [path, flag && `${flag.id} ${flag.kind}`]));

test("where each task may write is shown before the yes, and again with it", async (t) => {
  const project = await newGovernedProject(t);
  await project.add("Write the first", "--scope", "src/**");
  const shown = (title, place) => new RegExp(`^ +${title}: ${place}$`, "m");
  const only = shown("Write the first", "src/\\*\\*");
  const all = shown("Write the second", "everywhere in this folder");
  const started = await project.cli(["session", "start"]);
  const status = await project.cli(["session", "status"]);
  const confirmed = await project.cli(["session", "confirm"]);
  for (const { stdout } of [started, status, confirmed]) {
    assert.match(stdout, /^ *It may write in:$/m);
    assert.match(stdout, only);
    assert.match(stdout, all);
  }
  const { session } = await project.status();
  assert.deepEqual(
    session.items.map(({ paths, waiting }) => [paths, waiting]),
    [
      [["src/**"], 0],
      [[], 0],
      [[], 0],
    ],
  );
});

test("where nothing limits it, that is said as well", async (t) => {
  const project = await newGovernedProject(t);
  assert.match((await project.cli(["session", "start"])).stdout, /^It may write everywhere in this folder\.$/m);
});

test("a change outside the scope is flagged, and its approval waits for an answer", async (t) => {
  const { project } = await atWork(t);
  project.write("src/a.txt", "in\n");
  project.write("lib/x.txt", "out\n");
  assert.deepEqual(await flagged(project), { "lib/x.txt": "f1 out-of-scope", "src/a.txt": null });
  const { flags, question } = await project.status();
  assert.deepEqual(
    flags.map(({ id, path, run, task, needed, answer }) => [id, path, run, task, needed, answer]),
    [["f1", "lib/x.txt", "a1.1", "a1", false, null]],
  );
  assert.match(question, /^f1: lib\/x\.txt lies outside the confirmed scope\./);
  const { troubles } = await project.json(["status"]);
  assert.ok(
    troubles.some(({ message }) => message.startsWith("f1: lib/x.txt lies outside")),
    JSON.stringify(troubles),
  );
  // What was agreed to is approved, and the rest waits.
  const all = await project.cli(["changes", "approve", "--all"]);
  assert.equal(all.code, 1, all.stdout);
  assert.match(all.stdout, /^1 hunk in 1 file approved\. Undo with .* 1 file was left out and still waits\.$/m);
  assert.match(
    all.stdout,
    /^lib\/x\.txt +not approved +.*Answer f1 first, with `augment-cli session flag f1 --extend`/m,
  );
  const list = await project.cli(["changes", "list"]);
  assert.match(list.stdout, /f1 outside the scope$/m);
  // Whoever names the file has looked at it.
  await project.approve("--file", "lib/x.txt");
  assert.deepEqual((await project.status()).flags, []);
});

test("what a session leaves unanswered is still asked when it is over", async (t) => {
  const { project, worker } = await atWork(t);
  project.write("lib/x.txt", "out\n");
  await project.hunks();
  await worker.done();
  await project.session("end");
  const { session, flags, question } = await project.status();
  assert.equal(session, null);
  assert.deepEqual(
    flags.map(({ id, session: of, path, answer }) => [id, of, path, answer]),
    [["f1", "s1", "lib/x.txt", null]],
  );
  assert.equal(question, "f1: lib/x.txt lies outside the confirmed scope. Log it, or allow it once?");
  const shown =
    /f1 lib\/x\.txt lies outside the confirmed scope by a1\.1 in s1: augment-cli session flag f1 --log \| --allow-once/;
  assert.match((await project.cli(["session", "status"])).stdout, shown);
  assert.match((await project.cli(["session", "show", "s1"])).stdout, shown);
  const { troubles } = await project.json(["status"]);
  assert.ok(
    troubles.some(({ message }) => message.startsWith("f1: lib/x.txt lies outside")),
    JSON.stringify(troubles),
  );
  // Also beside the next session; and what is taken back waits for nobody.
  await project.session("start");
  assert.deepEqual((await project.status()).flags, flags);
  await project.reject("--file", "lib/x.txt");
  assert.deepEqual((await project.status()).flags, []);
});

test("the queue says what is outside of the confirmed scope", async (t) => {
  const { project } = await atWork(t);
  await project.add("Paint the shed");
  await project.add("Mow the lawn");
  assert.deepEqual((await project.json(["queue", "list"])).outOfScope, { session: 9, tasks: ["a2", "a3"] });
  const { stdout } = await project.cli(["queue", "list"]);
  assert.match(stdout, /^a2 +medium +pending, out of scope +Paint the shed/m);
  assert.doesNotMatch(stdout, /^a1 .*out of scope/m);
  assert.match(stdout, /^2 tasks are not in the confirmed scope of session 009; augment-cli session adjust --add a2$/m);
  const next = await project.cli(["queue", "next"]);
  assert.deepEqual(
    [next.code, next.stdout],
    [
      1,
      "No task of the confirmed scope of session 009 is ready. 2 tasks outside of it are; `augment-cli session adjust --add a2` adds one.\n",
    ],
  );
  await project.session("adjust", "--add", "a2");
  assert.deepEqual((await project.json(["queue", "list"])).outOfScope, { session: 9, tasks: ["a3"] });
  assert.equal((await project.next()).task.id, "a2");
});

test("extending the scope covers what comes after", async (t) => {
  const { project } = await atWork(t);
  project.write("lib/x.txt", "out\n");
  await project.hunks();
  const misses = await project.cli(["session", "flag", "f1", "--extend", "docs/**"]);
  assert.match(misses.stderr, /The pattern "docs\/\*\*" does not cover lib\/x\.txt\./);
  const flag = await project.session("flag", "f1", "--extend", "lib/**");
  assert.deepEqual([flag.answer, flag.answeredBy], ["extend", "person:ada"]);
  project.write("lib/y.txt", "more\n");
  assert.deepEqual(await flagged(project), { "lib/x.txt": null, "lib/y.txt": null });
  assert.deepEqual((await project.status()).session.paths, ["src/**", "lib/**"]);
  const twice = await project.cli(["session", "flag", "f1", "--log"]);
  assert.match(twice.stderr, /f1 is answered already: extend\./);
});

test("logging takes the change out and notes it for another time", async (t) => {
  const { project } = await atWork(t);
  project.write("lib/x.txt", "out\n");
  project.write("src/a.txt", "in\n");
  await project.hunks();
  await project.session("flag", "f1", "--log");
  assert.equal(project.text("lib/x.txt"), "x\n");
  assert.equal(project.text("src/a.txt"), "in\n");
  const found = (await project.tasks()).find(({ origin }) => origin === "discovered");
  assert.equal(found.title, "Look at lib/x.txt: changed outside the scope");
  assert.deepEqual((await project.status()).session.discovered, [found.title]);
});

/** What an agent wrote outside the scope, and the person's own edit in the middle of it. */
async function entangled(t) {
  const { project } = await atWork(t);
  const editor = await project.editor();
  project.write("lib/x.txt", "x\nby the agent\nand more\n");
  await project.hunks();
  await editor.save("lib/x.txt", "x\nby the person\nand more\n");
  return { project, editor };
}

test("what is entangled with one's own edit is shown first, and taken out on a yes", async (t) => {
  const { project } = await entangled(t);
  const shown = await project.cli(["session", "flag", "f1", "--log"]);
  assert.equal(shown.code, 1);
  assert.match(shown.stdout, /entangled with ada/);
  assert.match(shown.stdout, /^-and more$/m);
  assert.match(shown.stderr, /^error: .* is entangled .* Nothing was changed; --yes does it\.\n$/);
  assert.equal(project.text("lib/x.txt"), "x\nby the person\nand more\n");
  assert.deepEqual(
    (await project.status()).flags.map(({ id, answer }) => [id, answer]),
    [["f1", null]],
  );
  assert.equal((await project.tasks()).filter(({ origin }) => origin === "discovered").length, 0);
  // It is asked about where somebody can be asked, and a no changes nothing.
  const asked = ["session", "flag", "f1", "--log"];
  const no = await project.cli(asked, { command: typing("n"), env: { TERM: "dumb" } });
  assert.match(no.stdout, /Do exactly this\? .*Nothing was changed\./s);
  assert.equal(project.text("lib/x.txt"), "x\nby the person\nand more\n");
  const { answer, tookOut } = await project.session("flag", "f1", "--log", "--yes");
  assert.equal(answer, "log");
  assert.equal(tookOut.files[0].outcome, "changed");
  assert.match(project.text("lib/x.txt"), /^x\n(by the person\n)?$/);
  const misplaced = await project.cli(["session", "flag", "f1", "--allow-once", "--yes"]);
  assert.equal(misplaced.code, 2);
});

test("what was logged and taken out is undone as any decision, and waits for an answer again", async (t) => {
  const { project } = await atWork(t);
  project.write("lib/x.txt", "out\n");
  await project.hunks();
  const told = await project.cli(["session", "flag", "f1", "--log"]);
  const said =
    /^f1 lib\/x\.txt: logged as discovered and taken out\. 1 hunk in 1 file rejected\. Undo with `augment-cli changes undo (d\d+)`\.$/m;
  const [, decision] = told.stdout.match(said) ?? [];
  assert.ok(decision, told.stdout);
  await project.undo(decision);
  assert.equal(project.text("lib/x.txt"), "out\n");
  assert.deepEqual(await flagged(project), { "lib/x.txt": "f1 out-of-scope" });
  const all = await project.cli(["changes", "approve", "--all"]);
  assert.match(all.stderr + all.stdout, /Answer f1 first/);
});

test("logging takes out the file alone, and leaves the person's folder that it was put into", async (t) => {
  const { project } = await atWork(t);
  mkdirSync(project.at("docs/mine"), { recursive: true });
  project.write("docs/mine/agent.txt", "out\n");
  await project.hunks();
  await project.session("flag", "f1", "--log");
  assert.deepEqual(readdirSync(project.at("docs")), ["mine"]);
  assert.deepEqual(readdirSync(project.at("docs/mine")), []);
});

test("allowing once is for this file and this task alone", async (t) => {
  const { project, worker } = await atWork(t);
  project.write("lib/x.txt", "out\n");
  await project.hunks();
  await project.session("flag", "f1", "--allow-once");
  project.write("lib/x.txt", "out again\n");
  project.write("lib/y.txt", "another\n");
  assert.deepEqual(await flagged(project), { "lib/x.txt": null, "lib/y.txt": "f2 out-of-scope" });
  await worker.done();
  await project.session("adjust", "--add", "Write the second");
  const { session } = await project.status();
  await project.worker(session.items[1].task);
  project.write("lib/x.txt", "by the next\n");
  assert.match((await flagged(project))["lib/x.txt"] ?? "", /out-of-scope$/);
});

/** An agent that was at work before anybody thought of a session, and then a session whose scope nobody has confirmed. */
async function planned(t, ...settings) {
  const project = await newGovernedProject(t);
  await project.host();
  for (const [key, value] of [["session.protocol", "off"], ...settings])
    await project.json(["config", "set", key, value]);
  const { id } = await project.add("Fix it");
  const worker = await project.worker(id);
  assert.equal((await project.status()).session, null);
  assert.equal((await project.session("start")).session.state, "planned");
  return { project, worker };
}

test("what a run writes before the scope is confirmed is held as unauthorised", async (t) => {
  const { project } = await planned(t);
  project.write("src/a.txt", "too early\n");
  assert.deepEqual(await flagged(project), { "src/a.txt": "f1 unauthorised" });
  assert.equal(project.text("src/a.txt"), "too early\n");
  const { flags } = await project.status();
  assert.equal(flags[0].message, "src/a.txt was written before the scope was confirmed.");
});

test("what a run writes before the scope is confirmed is taken out where the policy says so", async (t) => {
  const { project } = await planned(t, ["session.unauthorised", "roll-back"]);
  project.write("src/a.txt", "too early\n");
  assert.deepEqual(await flagged(project), {});
  assert.equal(project.text("src/a.txt"), "1\n2\n3\n");
  const { flags } = await project.session("show");
  assert.deepEqual(
    flags.map(({ id, kind, answer, answeredBy }) => [id, kind, answer, answeredBy]),
    [["f1", "unauthorised", "rolled-back", "host"]],
  );
});

test("an agent asks for more scope before it writes, and hears the answer", async (t) => {
  const { project, worker } = await atWork(t);
  const mcp = client(project, worker.env);
  await mcp.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {} });
  const { result } = await mcp.ask("tools/call", { name: "session_status", arguments: {} });
  assert.match(result.content[0].text, /Write only in: src\/\*\*/);
  assert.equal(result.structuredContent.session.number, 9);
  const asked = mcp.tool("request_scope", { paths: ["lib/x.txt"], why: "The interface is there." });
  const [question] = await eventually(
    "the agent asks",
    async () => (await project.json(["agent", "questions"])).questions,
    (questions) => questions.length > 0,
  );
  assert.match(question.question, /^The task needs more than the confirmed scope: lib\/x\.txt\./);
  const { flags } = await project.status();
  assert.deepEqual(
    flags.map(({ path, needed, why }) => [path, needed, why]),
    [["lib/x.txt", true, "The interface is there."]],
  );
  await project.json(["agent", "answer", question.id, "extend"]);
  const answer = await asked;
  assert.equal(answer.isError, false, answer.text);
  assert.match(answer.text, /extend/);
  project.write("lib/x.txt", "needed\n");
  assert.deepEqual(await flagged(project), { "lib/x.txt": null });
  assert.deepEqual((await project.status()).session.paths, ["src/**", "lib/x.txt"]);
  const { text } = await mcp.tool("complete", { status: "completed", summary: "Done." });
  assert.match(text, /│ Task completed: Write the first +│/);
  await mcp.close();
});
