// Agents by name: the presets, one's own, and whether they work (A3, A7). Every test of an agent leaves nothing running.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "../rig/eventually.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const fake = fileURLToPath(new URL("../rig/fake-acp.mjs", import.meta.url));

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A workspace whose user has these agents; `how` of each is what the fake agent is told. */
async function withAgents(t, text = "") {
  const workspace = newWorkspace(t);
  const { userAgents, data } = await workspace.places();
  const pids = join(workspace.scratch, "pids");
  const agents = ["speaks", "exits", "silent", "garbage", "banner", "login", "newer", "asks", "stubborn"].map(
    (how) =>
      `[agents.${how}]\nadapter = "acp"\ncommand = "${process.execPath}"\nargs = ["${fake}", "${how}", "${pids}"]\n`,
  );
  write(userAgents, `${agents.join("\n")}\n${text}`);
  return Object.assign(workspace, {
    userAgents,
    async tested(name, ...args) {
      const { code, stdout, stderr } = await workspace.cli(["agent", "test", name, "--json", ...args]);
      assert.equal(stderr, "");
      const report = JSON.parse(stdout);
      assert.equal(code, report.works ? 0 : 1);
      assert.deepEqual(readdirSync(join(data, "tests")), [], "the folder of the test is gone");
      return report;
    },
    /** The agent and its child. */
    numbers: () => readFileSync(pids, "utf8").trim().split(" "),
    /** Asserts that an agent was there and that it and its child are gone. */
    assertGone() {
      const numbers = workspace.numbers();
      assert.equal(numbers.length, 2);
      for (const number of numbers) assert.ok(!existsSync(`/proc/${number}`), `process ${number} is left`);
    },
  });
}

test("presets say what they are, how to get them, and which are there", async (t) => {
  const workspace = newWorkspace(t);
  const bin = join(workspace.scratch, "bin");
  write(join(bin, "goose"), "#!/bin/sh\n");
  chmodSync(join(bin, "goose"), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin` };
  const { presets } = await workspace.json(["agent", "list-presets"], { env });
  assert.deepEqual(
    presets.map(({ name }) => name),
    ["goose", "goose-headless", "codex", "gemini", "qwen", "opencode", "claude", "auggie", "shell"],
  );
  assert.equal(presets[0].program, join(bin, "goose"));
  assert.equal(presets[0].command, "goose acp --with-builtin developer");
  assert.equal(presets.at(-1).command, null, "a shell's command is the person's own");
  for (const { about, install } of presets) assert.match(`${about} ${install}`, /^\S.*\. \S.*\.$/);
  const { stdout } = await workspace.cli(["agent", "list-presets"], { env });
  assert.match(stdout, /^PRESET +ADAPTER +FOUND +COMMAND +ABOUT\ngoose +acp +yes +goose acp/);
  assert.match(stdout, /\ncodex: Install it with `npm install -g @openai\/codex/);
});

test("a working agent is started, spoken with, told of, and ended with all that it started", async (t) => {
  const workspace = await withAgents(t);
  const report = await workspace.tested("speaks");
  workspace.assertGone();
  const { steps, confinement, ...rest } = report;
  assert.deepEqual(rest, {
    name: "speaks",
    source: "user",
    works: true,
    adapter: "acp",
    command: rest.command,
    program: process.execPath,
    version: "fake 0.1\u001b[31m",
    protocolVersion: 1,
    needsSignIn: false,
    signInWays: ["browser"],
    session: true,
    modes: ["ask", "auto"],
    mode: "ask",
    notes: [],
    problem: null,
    complaints: null,
  });
  assert.deepEqual(
    steps.map(({ step }) => step),
    ["start", "initialize", "session", "end"],
  );
  // Where the kernel cannot hold it, the default starts it all the same and says so.
  assert.equal(confinement.inForce, confinement.reason === null);
  assert.equal(confinement.setting, confinement.inForce ? "enforce" : "warn");
  const { stdout, code } = await workspace.cli(["agent", "test", "speaks"]);
  assert.equal(code, 0);
  assert.match(stdout, /version +fake 0\.1\\u\{1b\}\[31m\n/);
  assert.match(stdout, /\nok: it works\.\n$/);
});

test("what is wrong with an agent is told, with what it said and what to do", async (t) => {
  const workspace = await withAgents(t);
  const cases = [
    ["exits", "exited", /^It ended with code 3 before it had answered\. Run ".*" by hand to see why\.$/],
    ["silent", "silent", /^It did not answer within 1 s\. Check that its arguments make it speak ACP/],
    ["garbage", "garbage", /^It does not speak ACP; it says "Welcome to the agent!"\. Check its arguments/],
    ["login", "needs-sign-in", /^It wants you to sign in first\. It offers: browser\.$/],
    ["newer", "protocol-version", /^It speaks version 7 of ACP; version 1 is needed\./],
  ];
  for (const [name, code, message] of cases) {
    // Only the one that says nothing is waited for in vain; the others need their time to begin.
    const report = await workspace.tested(name, ...(name === "silent" ? ["--wait", "1s"] : []));
    workspace.assertGone();
    assert.equal(report.problem.code, code, JSON.stringify(report));
    assert.match(report.problem.message, message);
    assert.equal(report.works, false);
    assert.equal(report.complaints, name === "exits" ? "cannot find my licence" : null);
  }
  const { stdout, code } = await workspace.cli(["agent", "test", "exits"]);
  assert.equal(code, 1);
  assert.match(stdout, /stderr at the end:\ncannot find my licence\n\nfailed: It ended with code 3/);
});

test("an agent that is odd but works is told to work, with a note", async (t) => {
  const workspace = await withAgents(t);
  const banner = await workspace.tested("banner");
  assert.deepEqual(
    [banner.works, banner.notes],
    [true, ['It says things that its protocol does not have, such as "Welcome!".']],
  );
  assert.equal((await workspace.tested("asks")).works, true, "its own requests are declined");
  const stubborn = await workspace.tested("stubborn");
  workspace.assertGone();
  assert.equal(stubborn.works, true);
  assert.match(stubborn.notes.join(), /^[12] of its processes did not leave when asked and were killed\.$/);
});

test("a test that is killed in the middle leaves nothing running", async (t) => {
  const workspace = await withAgents(t);
  const testing = workspace.start(["agent", "test", "silent", "--wait", "10m"]);
  await eventually("the agent is there", () => workspace.numbers().length === 2);
  testing.child.kill("SIGKILL");
  await eventually("the agent is gone", () => workspace.numbers().every((number) => !existsSync(`/proc/${number}`)));
});

test("a program that is missing is told with how to get it, and nothing is started", async (t) => {
  const workspace = await withAgents(t, '[agents.mine]\nadapter = "acp"\ncommand = "/nowhere/agent"\n');
  const env = { PATH: "/nowhere" };
  const goose = await workspace.cli(["agent", "test", "goose", "--json"], { env });
  assert.equal(goose.code, 1);
  assert.deepEqual(JSON.parse(goose.stdout).problem, {
    code: "program-not-found",
    message:
      "The program goose was not found in PATH. Install it from https://block.github.io/goose. Run `goose configure` once.",
  });
  const mine = await workspace.cli(["agent", "test", "mine"]);
  assert.match(mine.stdout, /failed: The program \/nowhere\/agent does not exist\. Install it, or set its full path/);
  await workspace.refused(["agent", "test", "gose"], 'There is no agent "gose". Did you mean goose?', {
    code: "unknown-agent",
  });
});

test("a command of one's own is found and not run; a mistake in its table is named", async (t) => {
  const workspace = await withAgents(t);
  const ran = join(workspace.scratch, "ran");
  const script = join(workspace.scratch, "deploy.sh");
  writeFileSync(script, `#!/bin/sh\ntouch ${ran}\n`);
  chmodSync(script, 0o755);
  writeFileSync(workspace.userAgents, `[agents.deploy]\npreset = "shell"\ncommand = "${script}"\n`);
  const { code, stdout } = await workspace.cli(["agent", "test", "deploy"]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /note: It was not started: .*\nok: its program is there\.\n$/);
  assert.ok(!existsSync(ran));
  writeFileSync(workspace.userAgents, `[agents.deploy]\ncomand = "${script}"\n`);
  const wrong = await workspace.cli(["agent", "test", "deploy"]);
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stderr,
    /The agent "deploy" is not configured right\. .*There is no key "comand"\. Did you mean command\?/,
  );
});

test("a workspace's agent is not started before a person has said yes, and takes no other agent's name", async (t) => {
  const workspace = await withAgents(t);
  const { workspaceAgents } = await workspace.places();
  const ran = join(workspace.scratch, "ran");
  const evil = `command = "sh"\nargs = ["-c", "touch ${ran}"]\nprompt = "nothing"\n`;
  write(
    workspaceAgents,
    `[agents.theirs]\nadapter = "acp"\ncommand = "sh"\n\n[agents.speaks]\n${evil}\n[agents.goose]\n${evil}`,
  );
  await workspace.refused(
    ["agent", "test", "theirs"],
    'The agent "theirs" comes with this workspace and is not started before you have looked at it and said yes: `augment-cli agent allow theirs`.',
    { code: "not-allowed" },
  );
  assert.equal((await workspace.tested("speaks")).source, "user");
  assert.ok(!existsSync(ran));
});

test("an agent gets none of the person's secrets and can write nowhere but where it works", async (t) => {
  const workspace = await withAgents(t);
  const outside = join(workspace.folder, "outside.txt");
  // A folder of its own for temporary files, which every agent may write to; the workspace does not lie in it.
  const tmp = join(workspace.scratch, "tmp");
  mkdirSync(tmp);
  const script = join(workspace.scratch, "agent.sh");
  writeFileSync(script, `#!/bin/sh\nenv > ${tmp}/environment\necho x > ${outside} 2> /dev/null\nexit 4\n`);
  chmodSync(script, 0o755);
  writeFileSync(workspace.userAgents, `[agents.probe]\nadapter = "acp"\ncommand = "${script}"\nenv = ["WANTED"]\n`);
  const env = { TMPDIR: tmp, WANTED: "yes", SECRET_KEY: "hidden", AUGMENT_TOKEN: "hidden", AUGMENT_LOG: "off" };
  const { stdout } = await workspace.cli(["agent", "test", "probe", "--json"], { env });
  const report = JSON.parse(stdout);
  assert.equal(report.problem.code, "exited");
  const got = readFileSync(join(tmp, "environment"), "utf8");
  assert.match(got, /^WANTED=yes$/m);
  assert.doesNotMatch(got, /hidden|AUGMENT_HOME|AUGMENT_TOKEN|AUGMENT_LOG/);
  assert.equal(existsSync(outside), !report.confinement.inForce);
});
