// Settings: whose value counts, that a policy may only tighten, and what is said about a wrong one (X5).

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/steps/places.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

function policy(workspace, text) {
  mkdirSync(join(workspace.folder, ".augment"), { recursive: true });
  writeFileSync(join(workspace.folder, ".augment", "policy.toml"), text);
}

async function userFile(workspace, text) {
  const { userSettings } = await workspace.places();
  mkdirSync(dirname(userSettings), { recursive: true });
  writeFileSync(userSettings, text);
}

const get = async (workspace, key) => {
  const { value, source } = await workspace.json(["config", "get", key]);
  return `${value} ${source}`;
};

test("the default, then the user's value, then a policy that tightens, then the flag", async (t) => {
  const workspace = newWorkspace(t);
  const lease = async (...args) => {
    await workspace.add("x");
    return (await workspace.next(...args)).task.lease.lengthMs;
  };
  assert.deepEqual([await get(workspace, "queue.leaseSeconds"), await lease()], ["60 default", 60_000]);
  await workspace.json(["config", "set", "queue.leaseSeconds", "90"]);
  assert.deepEqual([await get(workspace, "queue.leaseSeconds"), await lease()], ["90 user", 90_000]);
  policy(workspace, "[queue]\nleaseSeconds = 30\n");
  assert.deepEqual([await get(workspace, "queue.leaseSeconds"), await lease()], ["30 policy", 30_000]);
  assert.equal(await lease("--lease", "5s"), 5_000);
  const { code, stdout } = await workspace.cli(["config", "set", "queue.leaseSeconds", "80"]);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    "queue.leaseSeconds = 30 (policy)\nnote: the policy of this workspace tightens it; elsewhere your value counts.\n",
  );
  policy(workspace, "");
  assert.equal(await get(workspace, "queue.leaseSeconds"), "80 user");
  await workspace.json(["config", "unset", "queue.leaseSeconds"]);
  assert.equal(await get(workspace, "queue.leaseSeconds"), "60 default");
});

test("a policy that would widen is shown and not followed", async (t) => {
  const workspace = newWorkspace(t);
  policy(
    workspace,
    '[queue]\nleaseSeconds = 3600\nmaxAttempts = 100\n[host]\nidleSeconds = 1\n[output]\ncolor = "always"\n[agents]\npermission = "allow"\nhandOff = "off"\n',
  );
  const { settings, problems } = await workspace.json(["config", "list"]);
  assert.deepEqual(
    settings.map(({ key, value, source, refusedPolicy }) => [key, value, source, refusedPolicy]),
    [
      ["queue.leaseSeconds", "60", "default", "3600"],
      ["queue.maxAttempts", "3", "default", "100"],
      ["queue.listLimit", "50", "default", null],
      ["host.idleSeconds", "300", "default", "1"],
      ["output.color", "auto", "default", "always"],
      ["changes.track", "on", "default", null],
      ["changes.ignore", "", "default", null],
      ["changes.trackIgnored", "off", "default", null],
      ["changes.maxFileMegabytes", "32", "default", null],
      ["changes.pollSeconds", "0", "default", null],
      ["review.approve", "", "default", null],
      ["review.reject", "", "default", null],
      ["review.secondApprover", "", "default", null],
      ["review.control", "", "default", null],
      ["agents.heartbeatSeconds", "5", "default", null],
      ["agents.parallel", "4", "default", null],
      ["agents.timeLimitMinutes", "0", "default", null],
      ["agents.graceSeconds", "5", "default", null],
      ["agents.permission", "ask", "default", "allow"],
      ["agents.confine", "enforce", "default", null],
      ["agents.handOff", "off", "policy", null],
      ["agents.handOffDepth", "3", "default", null],
      ["session.protocol", "on", "default", null],
      ["session.checkpointTasks", "3", "default", null],
      ["session.unauthorised", "hold", "default", null],
      ["session.silenceMinutes", "60", "default", null],
      ["session.closeSeconds", "60", "default", null],
      ["session.plan", "PROJECT_PLAN.md", "default", null],
      ["session.changelog", "CHANGELOG.md", "default", null],
      ["session.architecture", "ARCHITECTURE.md", "default", null],
      ["session.model", "", "default", null],
      ["scan.blocks", "credential, personal-data, environment, dependency", "default", null],
      ["archive.folder", "memory-bank/augment-sessions", "default", null],
      ["archive.tags", "", "default", null],
      ["notices.command", "", "default", null],
      ["knowledge.file", "memory-bank/augment-knowledge.json", "default", null],
      ["stamp.model", "chronos", "default", null],
      ["prompt.branch", "", "default", null],
      ["prompt.remote", "origin", "default", null],
      ["prompt.intents", "manual", "default", null],
    ],
  );
  assert.equal(problems.length, 5);
  const { policy: path } = await workspace.places();
  assert.equal(
    problems[0],
    `${path}: queue.leaseSeconds = 3600 would widen what you allow; a policy may only tighten. 60 stays in force; take the line out.`,
  );
  const check = await workspace.cli(["config", "check"]);
  assert.equal(check.code, 1);
  assert.match(
    check.stdout,
    /wrong: .*queue\.maxAttempts = 100 would widen what you allow; a policy may only tighten\. 3 stays in force/,
  );
  const { troubles } = await workspace.json(["status"]);
  assert.ok(troubles.some(({ message }) => message === problems[0]));
});

test("an unknown key or a bad value is named with the nearest right one, and nothing is written", async (t) => {
  const workspace = newWorkspace(t);
  for (const [args, message, code] of [
    [
      ["set", "queue.leaseSecond", "5"],
      'There is no setting "queue.leaseSecond". Did you mean queue.leaseSeconds?',
      "unknown-setting",
    ],
    [["get", "maxattempts"], 'There is no setting "maxattempts". Did you mean queue.maxAttempts?', "unknown-setting"],
    [
      ["unset", "nonsense"],
      'There is no setting "nonsense". `augment-cli config list` shows them all.',
      "unknown-setting",
    ],
    [
      ["set", "queue.leaseSeconds", "0"],
      '"0" does not fit queue.leaseSeconds. Use a whole number from 1 to 86400.',
      "bad-setting",
    ],
    [
      ["set", "queue.leaseSeconds", "-5"],
      '"-5" does not fit queue.leaseSeconds. Use a whole number from 1 to 86400.',
      "bad-setting",
    ],
    [
      ["set", "queue.leaseSeconds", "1e3"],
      '"1e3" does not fit queue.leaseSeconds. Use a whole number from 1 to 86400.',
      "bad-setting",
    ],
    [["set", "output.color", "blue"], '"blue" does not fit output.color. Use auto, always or never.', "bad-setting"],
  ]) {
    await workspace.refused(["config", ...args], message, { code });
  }
  const { userSettings } = await workspace.places();
  assert.throws(() => readFileSync(userSettings), { code: "ENOENT" });
});

test("wrong things in a settings file are named, and the right ones count", async (t) => {
  const workspace = newWorkspace(t);
  await userFile(workspace, '# mine\n[queue]\nleaseSecond = 5\nmaxAttempts = "many"\nlistLimit = 7\n');
  const { userSettings } = await workspace.places();
  const check = await workspace.cli(["config", "check", "--json"]);
  assert.equal(check.code, 1);
  assert.deepEqual(JSON.parse(check.stdout).problems, [
    `${userSettings}: There is no setting "queue.leaseSecond". Did you mean queue.leaseSeconds?`,
    `${userSettings}: "many" does not fit queue.maxAttempts. Use a whole number from 1 to 1000.`,
  ]);
  assert.equal(await get(workspace, "queue.listLimit"), "7 user");
  await workspace.json(["config", "set", "queue.maxAttempts", "9"]);
  assert.equal(
    readFileSync(userSettings, "utf8"),
    "# mine\n[queue]\nleaseSecond = 5\nmaxAttempts = 9\nlistLimit = 7\n",
  );
});

test("a settings file that cannot be understood is named with its line, counts as empty and is not rewritten", async (t) => {
  const workspace = newWorkspace(t);
  const broken = "[queue]\nleaseSeconds = = 4\n";
  await userFile(workspace, broken);
  const { userSettings } = await workspace.places();
  const { code, stdout } = await workspace.cli(["config", "check"]);
  assert.equal(code, 1);
  assert.match(stdout, /^wrong: .*settings\.toml: Line 2 is not understood: .* Nothing in it is in force\.\n$/);
  const set = await workspace.cli(["config", "set", "queue.leaseSeconds", "5"]);
  assert.equal(set.code, 1);
  assert.match(set.stderr, /^error: .*settings\.toml was not changed: Line 2 is not understood: /);
  assert.equal(readFileSync(userSettings, "utf8"), broken);
});

test("a running host follows a file that was edited by hand", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  assert.equal(await get(workspace, "queue.listLimit"), "50 default");
  await userFile(workspace, "[queue]\nlistLimit = 8\n");
  assert.equal(await get(workspace, "queue.listLimit"), "8 user");
});

test("path and check tell where the files are and that they are fine", async (t) => {
  const workspace = newWorkspace(t);
  const { userSettings, policy: policyFile } = await workspace.places();
  assert.deepEqual(await workspace.json(["config", "path"]), { user: userSettings, policy: policyFile });
  assert.equal((await workspace.cli(["config", "check"])).stdout, "ok: nothing is wrong in the settings files.\n");
  assert.equal((await workspace.cli(["config", "get", "queue.leaseSeconds"])).stdout, "60\n");
  assert.equal(
    (await workspace.cli(["config", "set", "queue.leaseSeconds", "61"])).stdout,
    "queue.leaseSeconds = 61 (user)\n",
  );
});

test("the list tells of every setting what it takes and what it is about, in lines that fit", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.json(["config", "set", "queue.leaseSeconds", "61"]);
  const { settings } = await workspace.json(["config", "list"]);
  const { stdout } = await workspace.cli(["config", "list"]);
  const words = stdout.replace(/\s+/g, " ");
  for (const { key, value, source, takes, about } of settings) {
    assert.ok(stdout.split("\n").includes(`${key} = ${value === "" ? "-" : value}  (${source})`), key);
    assert.ok(words.includes(about) && words.includes(`Takes ${takes}`), key);
  }
  assert.match(stdout, /^queue\.leaseSeconds = 61 {2}\(user\)$/m);
  assert.deepEqual(
    stdout.split("\n").filter((line) => line.length > 80),
    [],
  );
});

test("a list in brackets is refused with the right spelling, and nothing is set", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.refused(
    ["config", "set", "review.approve", '["docs/**", "*.md"]'],
    '"["docs/**", "*.md"]" does not fit review.approve. Use up to 64 patterns such as docs/** or *.md, with commas between them, without brackets and quotes: docs/**, *.md.',
    { code: "bad-setting" },
  );
  const { settings } = await workspace.json(["config", "list"]);
  assert.equal(settings.find(({ key }) => key === "review.approve").value, "");
});

test("schemas are those that are committed, and know what a policy may say", async (t) => {
  const workspace = newWorkspace(t);
  for (const file of ["settings", "policy", "agents"]) {
    const { stdout } = await workspace.cli(["config", "schema", file]);
    assert.equal(stdout, readFileSync(join(root, "docs", `${file}.schema.json`), "utf8"), file);
    assert.deepEqual(await workspace.json(["config", "schema", file]), JSON.parse(stdout));
  }
  const { properties } = await workspace.json(["config", "schema", "policy"]);
  assert.deepEqual(properties.agents.properties.permission.enum, ["allow", "ask", "refuse"]);
  assert.equal(properties.review.properties.approve, undefined);
});
