// Figures of a period through the real program: each equals a recount of the runs, tasks and records that are listed, a rate of
// nothing is not told as 0 %, CSV is safe for spreadsheets, and what cannot be told is refused with the next step (M1).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { newProject } from "../rig/changes.mjs";
import { newStage } from "../rig/runs.mjs";
import { newGovernedProject } from "../rig/sessions.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

/** Rows of a CSV file by the names of its columns. */
function csvRows(text) {
  const [head, ...rows] = text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
  return rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [head[at], cell])));
}

const sum = (rows, of) => rows.reduce((total, row) => total + of(row), 0);

describe("a workspace in which two agents worked and a person decided", () => {
  let project;
  before(async () => {
    project = await newProject(undefined, { "a.txt": base, "b.txt": base, "c.txt": base });
    // One agent completes its task; two of its three hunks are approved, one is rejected, and that is undone.
    await project.add("Tidy up", "--label", "refactor", "--label", "=cmd()");
    const first = await project.json(["start", "--task-id", "a1", "--agent", "goose"]);
    project.write("a.txt", base.replace("2", "two").replace("8", "eight"));
    project.write("b.txt", base.replace("5", "five"));
    await project.json(["queue", "complete", "a1"], { env: { AUGMENT_TOKEN: first.token } });
    await project.approve("--file", "a.txt");
    await project.reject("--file", "b.txt");
    await project.undo();
    // Another one fails, without a label.
    const second = await project.agent("Break it", "codex");
    project.write("c.txt", base.replace("5", "FIVE"));
    await project.json(["queue", "fail", second.task, "--reason", "no way"], { env: second.env });
    await project.reject("--file", "c.txt");
    // And one is taken and cancelled by the person.
    const third = await project.agent("Never mind", "goose");
    await project.json(["queue", "cancel", third.task]);
  });
  after(() => project.end());

  test("every figure equals a recount of what is listed", async () => {
    const { total, byAgent, byType, byBucket, more, bucket } = await project.json(["analytics"]);
    assert.deepEqual([more, bucket], [false, "day"]);
    const tasks = await project.tasks("--all");
    const shown = await Promise.all(tasks.map(({ id }) => project.json(["queue", "show", id])));
    const runs = shown.flatMap((details) => details.runs).filter(({ endedAt }) => endedAt !== null);
    const records = await project.records("--kind", "review");
    const ended = tasks.filter(({ endedAt }) => endedAt !== null);
    assert.equal(total.tasks.ended, ended.length);
    for (const status of ["completed", "partial", "blocked", "failed", "cancelled"]) {
      assert.equal(total.tasks[status], ended.filter((task) => task.status === status).length, status);
    }
    for (const [verdict, kind] of [
      ["approved", "review.approved"],
      ["rejected", "review.rejected"],
      ["undone", "review.undone"],
      ["redone", "review.redone"],
    ]) {
      const recounted = sum(
        records.filter((record) => record.kind === kind),
        ({ data }) => data.hunks,
      );
      assert.equal(total.hunks[verdict], recounted, verdict);
    }
    assert.deepEqual(
      [total.hunks.approved, total.hunks.rejected, total.hunks.undone],
      [2, 2, 1],
      "two of one agent approved, one rejected and undone, and one of the other rejected",
    );
    assert.deepEqual(total.runs.success, { part: 1, of: 3 });
    assert.deepEqual(total.runs.failure, { part: 1, of: 3 });
    assert.equal(total.times.runs, 3);
    assert.equal(runs.length, total.runs.ended);
    assert.equal(
      sum(runs, ({ startedAt, endedAt }) => endedAt - startedAt),
      total.times.totalMs,
    );
    const goose = byAgent.find(({ name }) => name === "goose").figures;
    assert.deepEqual([goose.runs.ended, goose.runs.completed, goose.runs.cancelled], [2, 1, 1]);
    assert.deepEqual([goose.hunks.approved, goose.hunks.rejected, goose.hunks.undone], [2, 1, 1]);
    const codex = byAgent.find(({ name }) => name === "codex").figures;
    assert.deepEqual([codex.runs.ended, codex.runs.failed, codex.hunks.rejected], [1, 1, 1]);
    assert.deepEqual(byType.map(({ name, figures }) => [name, figures.runs.ended]).sort(), [
      [null, 2],
      ["=cmd()", 1],
      ["refactor", 1],
    ]);
    assert.equal(
      sum(byBucket, ({ figures }) => figures.runs.ended),
      total.runs.ended,
    );
    assert.ok(byBucket.length >= 30, "every day of the period is there, also the empty ones");
  });

  test("no data is never told as 0 %", async () => {
    const { total } = await project.json(["analytics", "--from", "2001-01-01", "--to", "2001-02-01"]);
    assert.deepEqual(total.runs.success, { part: 0, of: 0 });
    assert.deepEqual([total.times.medianMs, total.times.p90Ms, total.tokens.runs, total.costs], [null, null, 0, []]);
    const { stdout } = await project.cli(["analytics", "--from", "2001-01-01", "--to", "2001-02-01"]);
    assert.match(stdout, /^No run, task or decision ended in this period\./m);
    assert.doesNotMatch(stdout, /%/);
    const filled = (await project.cli(["analytics"])).stdout;
    assert.match(filled, /^cost +no agent told it$/m);
    assert.match(filled, /^runs +3 ended: 1 completed, 1 failed, 1 cancelled; success 33% \(1\/3\)$/m);
  });

  test("filters by agent, type and session", async () => {
    const codex = await project.json(["analytics", "--agent", "codex"]);
    assert.deepEqual([codex.total.runs.ended, codex.total.hunks.approved, codex.total.hunks.rejected], [1, 0, 1]);
    const refactor = await project.json(["analytics", "--type", "refactor"]);
    assert.deepEqual(
      [refactor.total.runs.ended, refactor.total.tasks.completed, refactor.total.hunks.approved],
      [1, 1, 2],
    );
    const nothing = await project.json(["analytics", "--type", "made-up"]);
    assert.deepEqual([nothing.total.runs.ended, nothing.total.hunks.approved], [0, 0]);
  });

  test("CSV has every count, and no cell is a formula", async () => {
    const { code, stdout, stderr } = await project.cli(["analytics", "--csv"]);
    assert.deepEqual([code, stderr], [0, ""]);
    const rows = csvRows(stdout);
    const { total, byAgent, byType, byBucket } = await project.json(["analytics"]);
    assert.equal(rows.length, 1 + byAgent.length + byType.length + byBucket.length);
    const [all] = rows;
    assert.deepEqual(
      [
        all.by,
        all.runs_ended,
        all.runs_failed,
        all.hunks_approved,
        all.run_median_ms,
        all.token_runs,
        all.input_tokens,
        all.cost,
      ],
      ["total", "3", "1", String(total.hunks.approved), String(total.times.medianMs), "0", "", ""],
    );
    assert.ok(
      rows.some(({ by, name }) => by === "type" && name === "'=cmd()"),
      stdout,
    );
    const days = csvRows((await project.cli(["analytics", "--by", "day", "--csv"])).stdout);
    assert.deepEqual([...new Set(days.map(({ by }) => by))], ["total", "day"]);
    const weeks = (await project.cli(["analytics", "--by", "week"])).stdout;
    assert.match(weeks, /^WEEK OF +RUNS/m);
  });

  test("a bad period, agent or session is named with the next step", async () => {
    await project.refused(
      ["analytics", "--from", "2026-02-01", "--to", "2026-01-01"],
      "The period ends at 2026-01-01T00:00:00Z, which is not after its beginning at 2026-02-01T00:00:00Z. Name a later end.",
      { code: "bad-period" },
    );
    await project.refused(
      ["analytics", "--from", "2020-01-01", "--to", "2026-01-01", "--by", "hour"],
      "The period has 52608 parts by hour, and at most 2000 are told. Tell it by day or week.",
      { code: "too-many-parts" },
    );
    await project.refused(
      ["analytics", "--agent", "ghost\u001b[31m"],
      'No agent "ghost\\u{1b}[31m" is configured, and none of that name has worked here. `augment-cli agent list` shows them.',
      { code: "unknown-agent" },
    );
    await project.refused(
      ["analytics", "--session", "99"],
      'There is no session "99". `augment-cli session list` shows them.',
      {
        code: "unknown-session",
      },
    );
    const { code, stderr } = await project.cli(["analytics", "--from", "soon"]);
    assert.equal(code, 2);
    assert.match(stderr, /"soon" is not a point in time\. Use for example 2h \(ago\)/);
    const help = (await project.cli(["analytics", "--help"])).stdout;
    assert.match(help, /Examples:\n {2}augment-cli analytics/);
  });
});

test("a decision about the work of two agents counts for each what is its own", async (t) => {
  const project = await newProject(t, { "a.txt": base, "b.txt": base });
  const goose = await project.agent("One", "goose");
  const codex = await project.agent("Two", "codex");
  await goose.declares("a.txt", base.replace("2", "two").replace("8", "eight"));
  await codex.declares("b.txt", base.replace("5", "five"));
  await project.json(["changes", "list"]);
  await goose.done();
  await codex.done();
  const decided = async () => {
    const { byAgent, total } = await project.json(["analytics"]);
    const counts = ({ approved, rejected, undone, redone }) => [approved, rejected, undone, redone];
    const of = (name) => counts(byAgent.find((one) => one.name === name).figures.hunks);
    return { total: counts(total.hunks), goose: of("goose"), codex: of("codex") };
  };
  await project.approve("--all");
  assert.deepEqual(await decided(), { total: [3, 0, 0, 0], goose: [2, 0, 0, 0], codex: [1, 0, 0, 0] });
  await project.undo();
  assert.deepEqual(await decided(), { total: [3, 0, 3, 0], goose: [2, 0, 2, 0], codex: [1, 0, 1, 0] });
  await project.redo();
  assert.deepEqual(await decided(), { total: [3, 0, 3, 3], goose: [2, 0, 2, 2], codex: [1, 0, 1, 1] });
});

test("the figures of a session are those of its time", async (t) => {
  const project = await newGovernedProject(t);
  await project.session("start");
  await project.session("confirm");
  const [{ id }] = await project.tasks();
  await project.workOff(id, { "src/a.txt": "1\nTWO\n3\n" });
  const [session] = (await project.json(["session", "list"])).sessions;
  const { total, from } = await project.json(["analytics", "--session", session.id, "--by", "hour"]);
  assert.equal(from, session.startedAt);
  assert.deepEqual([total.runs.ended, total.runs.completed, total.tasks.completed], [1, 1, 1]);
  const before = await project.json(["analytics", "--to", "2001-01-01"]);
  assert.equal(before.total.runs.ended, 0);
  const both = await project.cli(["analytics", "--csv", "--json"]);
  assert.deepEqual([both.code, both.stdout, JSON.parse(both.stderr).error.code], [1, "", "usage"]);
});

test("a workspace in which nothing happened says what will appear", async (t) => {
  const workspace = newWorkspace(t);
  const { stdout, code } = await workspace.cli(["analytics"]);
  assert.equal(code, 0);
  assert.match(stdout, /Figures appear once a run has ended/);
});

test("what runs used is what the system counted of all their processes; what nobody saw is not told as nothing", async (t) => {
  const stage = await newStage(t);
  const [burntMs, heldBytes] = [400, 64 * 1024 * 1024];
  // The agent itself does next to nothing: what it starts holds the memory and burns the time.
  const work = `const held = Buffer.alloc(${heldBytes}, 1); while (process.cpuUsage().user < ${burntMs}_000) held.fill(2);`;
  const starts = `require("node:child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(work)}])`;
  const node = (script) => ({
    ...stage.agents.fake([], { adapter: "command" }),
    args: ["-e", script, "{prompt}"],
    doneBy: "exit",
  });
  stage.configure({ burner: node(starts), lost: node("setInterval(() => {}, 1000)") });

  const run = await stage.start("burner", "Burn");
  const { resources, state } = await stage.ends(run);
  assert.equal(state, "completed");
  assert.ok(resources.cpuMs >= burntMs && resources.peakMemoryBytes >= heldBytes, JSON.stringify(resources));
  const [gone] = await stage.records("--kind", "run.gone");
  assert.deepEqual(
    { cpuMs: gone.data.cpuMs, peakMemoryBytes: gone.data.peakMemoryBytes },
    resources,
    "the ledger tells it, too",
  );
  assert.match(
    (await stage.cli(["agent", "status", "--id", run])).stdout,
    /^Resources +\S+ of processor time, at most \d+ MiB of memory in one process$/m,
  );

  const other = await stage.start("lost", "Be lost");
  assert.equal((await stage.info(other)).resources, null, "it goes on");
  const { pid } = await stage.processOf(/setInterval/);
  const keeper = Number(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) \S+ (\d+) .*$/s, "$1"));
  process.kill(keeper, "SIGKILL");
  assert.equal((await stage.ends(other)).resources, null);
  assert.match((await stage.cli(["agent", "status", "--id", other])).stdout, /^Resources +not known$/m);

  const watched = await stage.agent("Elsewhere", "watched");
  await watched.done();

  // Another host reads it from the store.
  await stage.crashHost();
  await stage.newHost();
  const { total, byAgent } = await stage.json(["analytics"]);
  const { cpuMs, peakMemoryBytes } = resources;
  const known = { runs: 1, cpuMedianMs: cpuMs, cpuTotalMs: cpuMs, peakMemoryBytes };
  const unknown = { runs: 0, cpuMedianMs: null, cpuTotalMs: 0, peakMemoryBytes: null };
  assert.equal(total.runs.ended, 3);
  assert.deepEqual(total.resources, known);
  assert.deepEqual(Object.fromEntries(byAgent.map(({ name, figures }) => [name, figures.resources])), {
    burner: known,
    lost: unknown,
    watched: unknown,
  });
  const rows = csvRows((await stage.cli(["analytics", "--csv"])).stdout).filter(({ by }) => by === "agent");
  const told = rows.map((row) => [
    row.name,
    [row.resource_runs, row.cpu_median_ms, row.cpu_total_ms, row.peak_memory_bytes],
  ]);
  assert.deepEqual(Object.fromEntries(told), {
    burner: ["1", String(cpuMs), String(cpuMs), String(peakMemoryBytes)],
    lost: ["0", "", "", ""],
    watched: ["0", "", "", ""],
  });
  const { stdout } = await stage.cli(["analytics"]);
  assert.match(stdout, /^used +\S+ of processor time, median .* seen of 1 of 3 runs$/m);
  assert.match((await stage.cli(["analytics", "--agent", "lost"])).stdout, /^used +not known of any run$/m);
});
