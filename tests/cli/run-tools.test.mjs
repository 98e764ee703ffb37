// What a run can do with its token through our tools: MCP, hooks, `complete` and `ask` (A3, C2, C3, C4, ABUSE 15, 20).

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { dial } from "../rig/frames.mjs";
import { client, takenRun } from "../rig/mcp.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

/** A question that waits, once it is asked. */
function openQuestion(person, text) {
  return eventually(`"${text}" is asked`, async () => {
    const { questions } = await person.request("augment/question/list", { answered: false, run: null });
    return questions.find(({ question }) => question === text);
  });
}

test("a run learns its task, keeps it, and goes on after the host was replaced", async (t) => {
  const workspace = newWorkspace(t);
  const { host, id, run, env } = await takenRun(workspace, "Refactor the login", "--description", "All of it.");
  const mcp = client(workspace, env);
  const { text, isError } = await mcp.tool("get_task");
  assert.equal(isError, false, text);
  assert.ok(text.startsWith(`Task ${id} (your run is ${run}): Refactor the login\n`), text);
  assert.match(text, /\nAll of it\.\n/);
  const beat = await mcp.tool("heartbeat");
  assert.deepEqual(beat, { text: `${id} stays yours for another 1h.`, isError: false });
  host.kill();
  await host.exit;
  const next = workspace.host();
  const again = await mcp.tool("get_task");
  assert.equal(again.isError, false, again.text);
  await next;
  await mcp.close();
});

test("a person's answer reaches the run that waits for it", async (t) => {
  const workspace = newWorkspace(t);
  const { env } = await takenRun(workspace);
  const mcp = client(workspace, env);
  const options = [{ value: "redis", text: "Use Redis" }, { value: "memory" }];
  const asked = mcp.tool("ask_decision", { question: "Which store?", options, recommendation: "redis" });
  // While it waits other messages are answered.
  assert.deepEqual((await mcp.ask("ping")).result, {});
  const person = await dial(workspace);
  const question = await openQuestion(person, "Which store?");
  assert.deepEqual(
    question.options.map(({ value, text }) => [value, text]),
    [
      ["redis", "Use Redis"],
      ["memory", "memory"],
    ],
  );
  await person.request("augment/question/answer", { question: question.id, choice: "redis", text: null });
  const { text, isError } = await asked;
  assert.equal(isError, false, text);
  assert.ok(text.startsWith(`Answer to ${question.id}: redis (Use Redis)\nBy person:`), text);
  const later = await mcp.tool("get_answer", { id: question.id });
  assert.equal(later.text, text);
  const mine = await mcp.ask("tools/call", { name: "approve", arguments: { question: question.id } });
  assert.equal(mine.error.code, -32602);
  await mcp.close();
});

test("a run reports once, tells of other work, and has no hand-off of its own", async (t) => {
  const workspace = newWorkspace(t);
  const { id, env } = await takenRun(workspace);
  const mcp = client(workspace, env);
  const found = await mcp.tool("log_discovered_task", { title: "The tests are slow", priority: "low" });
  assert.equal(found.isError, false, found.text);
  const [task] = (await workspace.tasks()).filter(({ title }) => title === "The tests are slow");
  assert.deepEqual([task.origin, task.priority], ["discovered", "low"]);
  assert.equal((await mcp.tool("read_hand_off")).isError, true);
  const metrics = { files_modified: 3 };
  const done = await mcp.tool("complete", { status: "completed", summary: "Done.", metrics });
  assert.equal(done.isError, false, done.text);
  assert.match(done.text, new RegExp(`^The report for ${id} `));
  await mcp.close();
});

test("a run's hook is heard, and the answer is in its agent's form or nothing", async (t) => {
  const workspace = newWorkspace(t);
  const { env } = await takenRun(workspace);
  const before = (name) =>
    JSON.stringify({
      cwd: workspace.folder,
      hook_event_name: name,
      tool_name: "Write",
      tool_input: { file_path: join(workspace.folder, "a.txt"), content: "x" },
    });
  for (const agent of ["claude-code", "codex", "gemini", "qwen", "auggie"]) {
    const name = agent === "gemini" ? "BeforeTool" : "PreToolUse";
    const { code, stdout, stderr } = await workspace.cli(["hook", agent], { input: before(name), env });
    assert.deepEqual([code, stderr], [0, ""]);
    if (stdout !== "") JSON.parse(stdout);
  }
  for (const name of ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd", "Notification"]) {
    const { code, stdout, stderr } = await workspace.cli(["hook", "claude-code"], { input: before(name), env });
    assert.deepEqual([code, stdout, stderr], [0, "", ""], name);
  }
});

test("`complete` tells the report with the run's token, and prints it either way", async (t) => {
  const workspace = newWorkspace(t);
  const { run, env } = await takenRun(workspace);
  const args = ["complete", "--status", "partial", "--summary", "Half <of> it", "--next", "@reviewer:look at it"];
  const alone = await workspace.cli(args);
  assert.equal(alone.code, 0, alone.stderr);
  assert.match(alone.stdout, /^<agent_completion>\n {2}<status>partial<\/status>/);
  assert.match(alone.stderr, /told to nobody/);
  const told = await workspace.cli(args, { env });
  assert.deepEqual([told.code, told.stdout, told.stderr], [0, alone.stdout, `Reported for ${run}.\n`]);
});

test("`ask` prints the value that a person chose, and gives up in time", async (t) => {
  const workspace = newWorkspace(t);
  const { env } = await takenRun(workspace);
  const options = ["--option", "yes=Drop it", "--option", "no=Keep it"];
  const asked = workspace.cli(["ask", "Drop the old table?", ...options, "--wait", "1m"], { env });
  const person = await dial(workspace);
  const { id } = await openQuestion(person, "Drop the old table?");
  await person.request("augment/question/answer", { question: id, choice: "no", text: null });
  const { code, stdout, stderr } = await asked;
  assert.deepEqual([code, stdout, stderr], [0, "no\n", `${id} waits for a person's answer.\n`]);
  const late = await workspace.cli(["ask", "And now?", "--wait", "1s"], { env });
  assert.deepEqual([late.code, late.stdout], [1, ""]);
  assert.match(late.stderr, /has not been answered in time/);
});
