// Hooks of agents: whatever happens, the agent goes on; what the host says comes in the agent's own form (A3, Z4).

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { newGovernedProject } from "../rig/sessions.mjs";
import { stopped } from "../rig/stopped.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const AGENTS = ["claude-code", "codex", "gemini", "qwen", "auggie"];

/** The agent goes on: nothing is printed, and one line says why. */
async function goesOn(workspace, args, part, how) {
  const { code, stdout, stderr } = await workspace.cli(["hook", ...args], how);
  assert.deepEqual([code, stdout], [0, ""], stderr);
  assert.match(stderr, part);
  assert.match(stderr, /^augment-cli hook: .*The agent goes on\.\n$/);
}

const before = (workspace, more = {}) => ({
  session_id: "s",
  cwd: workspace.folder,
  hook_event_name: "PreToolUse",
  tool_name: "Write",
  tool_input: { file_path: join(workspace.folder, "a.txt"), content: "x" },
  ...more,
});

test("without a host the agent goes on, and none is started", async (t) => {
  const workspace = newWorkspace(t);
  for (const agent of AGENTS) {
    await goesOn(workspace, [agent], /no host runs for /, { input: JSON.stringify(before(workspace)) });
  }
  await goesOn(workspace, ["codex", '{"type":"agent-turn-complete","turn-id":"1"}'], /no host runs for /);
  assert.deepEqual(workspace.processes(), []);
});

test("without a host, too, nothing is written before the scope is confirmed", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start");
  const hook = (more) => project.cli(["hook", "claude-code"], { input: JSON.stringify(before(project, more)) });
  const denied = await hook({});
  assert.deepEqual([denied.code, denied.stderr], [0, ""]);
  const { hookSpecificOutput: said } = JSON.parse(denied.stdout);
  assert.equal(said.permissionDecision, "deny");
  assert.match(said.permissionDecisionReason, /^No code before the scope of session 009 is confirmed\./);
  // Nobody knows what a shell writes.
  assert.match((await hook({ tool_name: "Bash", tool_input: { command: "ls" } })).stdout, /"deny"/);
  for (const free of [
    { tool_name: "Read", tool_input: { file_path: join(project.folder, "a.txt") } },
    { tool_input: { file_path: join(project.scratch, "elsewhere.txt"), content: "x" } },
    { hook_event_name: "PostToolUse" },
  ]) {
    await goesOn(project, ["claude-code"], /no host runs for /, { input: JSON.stringify(before(project, free)) });
  }
  await project.session("confirm");
  await goesOn(project, ["claude-code"], /no host runs for /, { input: JSON.stringify(before(project)) });
  assert.deepEqual(project.processes(), []);
});

test("what is no event lets the agent go on", async (t) => {
  const workspace = newWorkspace(t);
  for (const [input, part] of [
    ["", /no JSON/],
    ["hello", /no JSON/],
    ["{", /no JSON/],
    ["[]", /no JSON object/],
    ["null", /no JSON object/],
    ["{}", /has no name/],
    ['{"hook_event_name":7}', /has no name/],
    [Buffer.from([0xff, 0x00, 0x1b]), /no JSON/],
    ["[".repeat(1_000_000), /no JSON/],
    [`{"hook_event_name":"${"x".repeat(5_000_000)}"}`, /longer than 4194304 bytes/],
  ]) {
    await goesOn(workspace, ["claude-code"], part, { input });
  }
});

test("a wrong call lets the agent go on: to Claude Code an exit code of 2 would be a no", async (t) => {
  const workspace = newWorkspace(t);
  const input = JSON.stringify(before(workspace));
  await goesOn(workspace, [], /is no agent whose hooks are known/, { input });
  await goesOn(workspace, ["cursor"], /"cursor" is no agent whose hooks are known \(claude-code, codex/, { input });
  await goesOn(workspace, ["--wrong"], /is no agent/, { input });
  await goesOn(workspace, ["claude-code", "--wrong"], /no JSON/, { input });
  await goesOn(workspace, ["claude-code", "a", "b", "--json"], /no JSON/, { input });
  await goesOn(workspace, ["\u001b]52;c;x\u0007"], /is no agent/, { input });
  const nowhere = JSON.stringify(before(workspace, { cwd: join(workspace.scratch, "none") }));
  await goesOn(workspace, ["claude-code"], /cannot be opened as a workspace/, { input: nowhere });
  await goesOn(workspace, ["claude-code"], /cannot be opened as a workspace/, {
    input,
    env: { AUGMENT_WORKSPACE: join(workspace.scratch, "none") },
  });
  await goesOn(workspace, ["claude-code"], /HOME/, { input, env: { AUGMENT_HOME: "", HOME: "" } });
});

test("an input that never ends holds the agent up for three seconds and no longer", async (t) => {
  const workspace = newWorkspace(t);
  const hook = workspace.start(["hook", "claude-code"]);
  const { code, stderr } = await hook.exit;
  assert.equal(code, 0);
  assert.match(stderr, /it took more than 3 seconds/);
});

test("a host that does not answer holds the agent up for three seconds and no longer", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  t.after(() => host.kill("SIGCONT"));
  await stopped(host.pid);
  const input = JSON.stringify(before(workspace));
  await goesOn(workspace, ["claude-code"], /it took more than 3 seconds/, { input });
});

test("a token that no run has lets the agent go on", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  const input = JSON.stringify(before(workspace));
  await goesOn(workspace, ["claude-code"], /./, { input, env: { AUGMENT_TOKEN: "0".repeat(64) } });
});
