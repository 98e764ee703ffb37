// A person's yes to an agent that comes with the workspace holds for exactly what was shown: once a script that it names or
// a line of its configuration changes, it is not started, and the next question shows what has changed (abuse 5).

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { newStage } from "../rig/runs.mjs";

const notAsked = "error: Nothing was allowed, since nobody can be asked. Look at it, and repeat with --yes.\n";
const isOff =
  /^theirs comes with the workspace and has not been allowed as it is configured now\. Look at it and allow it/;

/** A workspace with an agent `theirs` that runs `run.sh` as `args` say, and a host that starts it. */
async function withTheirs(t, args) {
  const stage = await newStage(t);
  const ran = stage.beside("ran");
  const script = (word) =>
    writeFileSync(join(stage.folder, "run.sh"), `#!/bin/sh\n# first\necho ${word} >> '${ran}'\n`);
  const configure = (more = "") => {
    mkdirSync(join(stage.folder, ".augment"), { recursive: true });
    const text = `command = "sh"\nargs = ${JSON.stringify(args(stage.folder))}\nprompt = "nothing"\ndoneBy = "exit"\n`;
    writeFileSync(join(stage.folder, ".augment", "agents.toml"), `[agents.theirs]\n${text}confine = "off"\n${more}`);
  };
  mkdirSync(join(stage.folder, "sub"), { recursive: true });
  script("good");
  configure();
  return Object.assign(stage, {
    script,
    configure,
    ran: () => readFileSync(ran, "utf8"),
    async works() {
      const { state } = await stage.ends(await stage.start("theirs", "a task"));
      assert.equal(state, "completed");
    },
    async isRefused() {
      const { id } = await stage.add("not started");
      const start = ["agent", "start", "--agent", "theirs", "--task-id", id, "--background", "--json"];
      const { code, stderr } = await stage.cli(start);
      assert.equal(code, 1, stderr);
      const { error } = JSON.parse(stderr);
      assert.equal(error.code, "agent-not-allowed");
      assert.match(error.message, isOff);
      assert.deepEqual(await stage.runs(id), []);
    },
    /** What somebody who is asked is shown. */
    async shown() {
      const { code, stdout, stderr } = await stage.cli(["agent", "allow", "theirs"]);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.ok(stderr.endsWith(notAsked), stderr);
      return stderr.slice(0, -notAsked.length);
    },
    async allow() {
      const { allowed, allowedBefore } = await stage.json(["agent", "allow", "theirs", "--yes"]);
      assert.deepEqual({ allowed, allowedBefore }, { allowed: true, allowedBefore: null });
    },
  });
}

/** The lines of a diff that are taken away or added, without hashes. */
const changed = (shown) =>
  shown
    .split("\n")
    .filter((line) => /^[-+](?![-+]{2} )/.test(line))
    .map((line) => line.replace(/[0-9a-f]{64}/, "HASH"));

for (const [how, args] of [
  ["by its name", () => ["run.sh"]],
  ["by its whole path", (folder) => [join(folder, "run.sh")]],
  ["by a way round", () => ["sub/../run.sh"]],
]) {
  test(`a changed script that is named ${how} is not started, and shown as a diff`, async (t) => {
    const stage = await withTheirs(t, args);
    await stage.isRefused();
    const first = await stage.shown();
    assert.match(first, /^theirs comes with this workspace\. It would be started like this:\n\nagent = "theirs"\n/);
    assert.match(first, /\ncontent of "run\.sh" = [0-9a-f]{64}\n\| #!\/bin\/sh\n\| # first\n\| echo good >> /);
    await stage.allow();
    await stage.works();
    assert.equal(stage.ran(), "good\n");

    stage.script("evil");
    await stage.isRefused();
    assert.equal(stage.ran(), "good\n");
    const second = await stage.shown();
    assert.match(
      second,
      /^theirs comes with this workspace, and is not what was allowed before\. This has changed:\n\n/,
    );
    assert.deepEqual(changed(second), [
      '-content of "run.sh" = HASH',
      '+content of "run.sh" = HASH',
      `-| echo good >> '${stage.beside("ran")}'`,
      `+| echo evil >> '${stage.beside("ran")}'`,
    ]);
    const { agents } = await stage.json(["agent", "list"]);
    assert.match(agents.find(({ name }) => name === "theirs").allowedBefore, /\n\| echo good >> /);

    // What was allowed is back, and with it the yes.
    stage.script("good");
    await stage.works();
    assert.equal(stage.ran(), "good\ngood\n");
  });
}

test("a changed line of the configuration is shown as a diff and asked for again", async (t) => {
  const stage = await withTheirs(t, () => ["run.sh"]);
  await stage.allow();
  stage.configure('set = { MORE = "1" }\n');
  await stage.isRefused();
  assert.deepEqual(changed(await stage.shown()), ['+set.MORE = "1"']);
  await stage.allow();
  await stage.works();
  assert.equal(stage.ran(), "good\n");
  // The diff is against the last yes, not the first.
  stage.configure('set = { MORE = "2" }\n');
  await stage.isRefused();
  assert.deepEqual(changed(await stage.shown()), ['-set.MORE = "1"', '+set.MORE = "2"']);
});

test("an agent that names a folder is told with the next step, and cannot be allowed", async (t) => {
  const stage = await withTheirs(t, () => ["./sub"]);
  const problem =
    `${join(stage.folder, ".augment", "agents.toml")}: agents.theirs: "./sub" in args is a folder of the workspace, and a ` +
    "yes cannot be bound to all that is in it. Name the file in it that is meant, put the command into a script below the " +
    "workspace, or configure the agent in your own file.";
  await stage.refused(["agent", "allow", "theirs", "--yes"], problem, { code: "bad-agent" });
  const { agents, problems } = await stage.json(["agent", "list"]);
  assert.ok(!agents.some(({ name }) => name === "theirs"));
  assert.deepEqual(problems, [problem]);
});
