// What the person's policies do with changes as they come, and that a repository may only tighten them (R3, R6; ABUSE 4, 6).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { newProject } from "../rig/changes.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n";
const changed = base.replace("4", "four").replace("8", "eight");

test("review.approve decides without asking, but for control files and unknown authors", async (t) => {
  const project = await newProject(t, { "src/a.txt": base, "docs/a.txt": base });
  await project.json(["config", "set", "review.approve", "docs/**, *.md, .vscode/**"]);
  await project.agent("one");
  project.write("docs/a.txt", changed);
  project.write("src/a.txt", changed);
  project.write("AGENTS.md", "obey\n");
  project.write(".vscode/tasks.json", "{}\n");
  project.write("README.md", "read\n");
  const pending = (await project.pending()).map((line) => line.split(":")[0]);
  assert.deepEqual(pending, [".vscode/tasks.json", "AGENTS.md", "src/a.txt", "src/a.txt"]);
  const approved = await project.records("--kind", "review.approved");
  assert.deepEqual(
    [new Set(approved.map(({ actor }) => actor)), approved.flatMap(({ data }) => data.paths).sort()],
    [new Set(["host"]), ["README.md", "docs/a.txt"]],
  );
  // It can be undone like any other decision, but only by its name: nobody means it by saying no more than undo.
  await project.refused(["changes", "undo"], "There is no decision to undo.", { code: "nothing-to-undo" });
  await project.undo("d1");
  await project.agent("two");
  project.write("docs/b.txt", "whose?\n");
  assert.ok((await project.pending()).includes("docs/b.txt: unknown nothing created new file, +1"));
});

test("review.reject takes changes out as they come, and an undo brings them back", async (t) => {
  const project = await newProject(t, { "gen/a.txt": base, "b.txt": base });
  await project.json(["config", "set", "review.reject", "gen/"]);
  await project.agent("one");
  project.write("gen/a.txt", changed);
  project.write("gen/new.txt", "new\n");
  project.write("b.txt", changed);
  assert.deepEqual(await project.pending(), ["b.txt: a1.1 inferred lines +1 −1", "b.txt: a1.1 inferred lines +1 −1"]);
  assert.deepEqual(project.tree(), { "b.txt": changed, "gen/a.txt": base });
  const rejected = await project.records("--kind", "review.rejected");
  assert.ok(rejected.length > 0 && rejected.every(({ actor }) => actor === "host"));
  await project.verify();
});

test("review.reject never takes out what the person writes there", async (t) => {
  const project = await newProject(t, { "gen/a.txt": base });
  await project.json(["config", "set", "review.reject", "gen/"]);
  await project.agent("one");
  const editor = await project.editor();
  await editor.says("gen/a.txt", `mine\n${base}`);
  project.write("gen/a.txt", `mine\n${base}`);
  assert.deepEqual(await project.pending(), []);
  project.write("gen/a.txt", `mine\n${changed}`);
  assert.deepEqual(await project.pending(), []);
  assert.equal(project.text("gen/a.txt"), `mine\n${base}`);
});

test("review.secondApprover needs two people, and one twice is not two", async (t) => {
  const project = await newProject(t, { "pay/a.txt": base, "b.txt": base });
  await project.json(["config", "set", "review.secondApprover", "pay/**"]);
  await project.agent("one");
  project.write("pay/a.txt", base.replace("4", "four"));
  project.write("b.txt", base.replace("4", "four"));
  await project.approve("--all");
  const [half] = await project.hunks();
  assert.deepEqual([half.path, half.standing, half.approvedBy], ["pay/a.txt", "half-approved", ["person:ada"]]);
  await project.refused(
    ["changes", "approve", "--file", "pay/a.txt"],
    `You have approved ${half.id} already. It needs the approval of somebody else, too.`,
    { code: "same-approver" },
  );
  // Who speaks is who runs the program that owns the workspace, so the other person has to be it.
  await project.unhosted();
  await project.json(["changes", "approve", "--file", "pay/a.txt"], { env: { USER: "bo" } });
  assert.deepEqual(await project.pending(), []);
  assert.equal(project.text("pay/a.txt"), base.replace("4", "four"));
  const actors = (await project.records("--kind", "review.approved")).map(({ actor }) => actor);
  assert.deepEqual(actors, ["person:bo", "person:ada"]);
});

test("one person alone may reject what needs two approvals", async (t) => {
  const project = await newProject(t, { "pay/a.txt": base });
  await project.json(["config", "set", "review.secondApprover", "pay/**"]);
  await project.agent("one");
  project.write("pay/a.txt", changed);
  await project.approve("--all");
  await project.reject("--all");
  assert.equal(project.text("pay/a.txt"), base);
});

test("control files ask when they are swept up with others, and not when they are named", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.json(["config", "set", "review.control", "deploy/*.sh"]);
  await project.agent("one");
  project.write("a.txt", changed);
  project.write("deploy/go.sh", "go\n");
  project.write(".github/workflows/ci.yml", "on: push\n");
  const flagged = (await project.hunks()).filter((hunk) => hunk.flagged).map(({ path }) => path);
  assert.deepEqual(flagged, [".github/workflows/ci.yml", "deploy/go.sh"]);
  for (const args of [
    ["changes", "approve", "--all"],
    ["changes", "--task-id", "a1", "--approve"],
  ]) {
    const { code, stderr } = await project.cli(args);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      "error: Among these are files that steer editors, agents, hooks or CI. Look at them first, then say yes, " +
        "or approve them by file. Nothing was changed; --yes does it.\n",
    );
  }
  assert.equal((await project.pending()).length, 4);
  await project.approve("--file", ".github/workflows/ci.yml");
  await project.approve("--file", "a.txt");
  assert.deepEqual(await project.pending(), ["deploy/go.sh: a1.1 inferred created new file, +1"]);
  await project.approve("--all", "--yes");
  assert.deepEqual(await project.pending(), []);
  await project.undo();
  // Rejecting is always safe, so it does not ask.
  await project.reject("--all");
  assert.ok(!("deploy/go.sh" in project.tree()));
});

test("a yes is bound to what was shown", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const [one, two] = [await project.agent("one"), await project.agent("two")];
  await one.declares("a.txt", base.replace("4\n5", "four\nfive"));
  await project.pending();
  await two.declares("a.txt", base.replace("4\n5", "four\nFIVE"));
  const refused = await project.cli(["changes", "reject", "--task-id", "a1", "--json"]);
  const { data, code } = JSON.parse(refused.stderr).error;
  assert.deepEqual([refused.code, code, data.preview.asks], [1, "entangled", true]);
  const [{ path, diff, entangledWith }] = data.preview.files;
  assert.deepEqual([path, entangledWith.map(({ run }) => run)], ["a.txt", ["a2.1"]]);
  assert.match(diff, /^-four$/m);
  const { client } = await project.editor();
  const what = { verdict: "reject", what: { task: "a1" } };
  // Somebody writes after it was shown: the yes does not count for that.
  await two.declares("a.txt", base.replace("4\n5", "four\nFIVE\nSIX"));
  const stale = await client.refusal("augment/changes/decide", { ...what, confirm: data.preview.confirm });
  assert.equal(stale.data.code, "shown-otherwise");
  assert.equal(project.text("a.txt"), base.replace("4\n5", "four\nFIVE\nSIX"));
  const { confirm } = stale.data.preview;
  const done = await client.request("augment/changes/decide", { ...what, confirm });
  assert.equal(done.files[0].outcome, "changed");
  assert.match(project.text("a.txt"), /FIVE\nSIX/);
});

test("a workspace's policy may only tighten", async (t) => {
  const project = await newProject(t, {
    ".augment/policy.toml":
      '[review]\napprove = "*"\nreject = "gen/**"\nsecondApprover = "pay/**"\ncontrol = "deploy/**"\n',
    "a.txt": base,
    "gen/a.txt": base,
    "pay/a.txt": base,
  });
  const { settings, problems } = await project.json(["config", "list"]);
  const inForce = Object.fromEntries(settings.map(({ key, value, source }) => [key, `${value} (${source})`]));
  assert.deepEqual(
    ["approve", "reject", "secondApprover", "control"].map((key) => inForce[`review.${key}`]),
    [" (default)", "gen/** (policy)", "pay/** (policy)", "deploy/** (policy)"],
  );
  const { policy } = await project.places();
  assert.equal(problems.length, 1);
  assert.ok(problems[0].startsWith(`${policy}: review.approve = * is not for a policy to say.`), problems[0]);
  await project.json(["config", "set", "review.reject", "tmp/"]);
  const { settings: both } = await project.json(["config", "list"]);
  assert.equal(both.find(({ key }) => key === "review.reject").value, "tmp/, gen/**");
  await project.agent("one");
  for (const path of ["a.txt", "gen/a.txt", "pay/a.txt", "deploy/x"]) project.write(path, "agent\n");
  await project.pending();
  assert.equal(project.text("gen/a.txt"), base, "the policy rejects");
  const flagged = (await project.hunks()).map(({ path, flagged: why }) => [path, why !== null]);
  assert.deepEqual(flagged, [
    ["a.txt", false],
    ["deploy/x", true],
    ["pay/a.txt", false],
  ]);
  await project.approve("--all", "--yes");
  assert.deepEqual(
    (await project.hunks()).map(({ path, standing }) => [path, standing]),
    [["pay/a.txt", "half-approved"]],
  );
});

test("an agent that writes the policy does not change its own review", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.agent("one");
  project.write(".augment/policy.toml", '[review]\napprove = "*"\n[changes]\ntrack = "off"\nignore = "*"\n');
  project.write("a.txt", changed);
  const pending = (await project.pending()).map((line) => line.split(":")[0]);
  assert.deepEqual(pending, [".augment/policy.toml", "a.txt", "a.txt"]);
});

test("settings with wrong patterns are refused", async (t) => {
  const project = await newProject(t, {});
  const wanted = "Use up to 64 patterns such as docs/** or *.md, with commas between them.";
  const many = Array.from({ length: 65 }, (_, at) => `p${at}`).join(",");
  for (const value of [many, "a\u001bb", "x".repeat(257)]) {
    const { code, stderr } = await project.cli(["config", "set", "review.approve", value]);
    assert.equal(code, 1);
    assert.ok(stderr.endsWith(`does not fit review.approve. ${wanted}\n`), stderr);
  }
  const { userSettings } = await project.places();
  assert.throws(() => readFileSync(userSettings), { code: "ENOENT" });
});

test("tracking can be switched off, and that is told", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  await project.json(["config", "set", "changes.track", "off"]);
  await project.agent("one");
  project.write("a.txt", changed);
  assert.deepEqual(await project.pending(), []);
  const { watching } = await project.json(["status"]);
  assert.deepEqual(
    [watching.state, watching.message],
    [
      "off",
      "Changes are not tracked: changes.track is off. Switch it on with `augment-cli config set changes.track on`.",
    ],
  );
});
