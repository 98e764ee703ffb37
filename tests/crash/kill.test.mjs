// kill -9 at each durable system call: what was acknowledged is there, the rest is there wholly or not at all, and the
// next start goes on as if nothing had happened (Q5, Z1).

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkLeft, fork, goldenStates, leave, template, work } from "../rig/crash-workload.mjs";
import { dial } from "../rig/frames.mjs";
import { eachPlace } from "../rig/lanes.mjs";
import { killAt, places, record } from "../rig/strace.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

describe("the host, killed at a durable call", () => {
  let workspace;
  before(async () => {
    workspace = newWorkspace();
    await template(workspace);
  });
  after(() => workspace.end());

  /** One life of a host under strace: its start, and the work until that is done or the host is gone. */
  async function live(home, tracer) {
    const host = home.start(["host", "run"], { command: tracer });
    const ready = await host.line("it is ready").then(
      () => true,
      () => false,
    );
    const client = ready ? await dial(home).catch(() => undefined) : undefined;
    const done = client ? await work(client) : { sent: 0, acknowledged: 0 };
    client?.destroy();
    return { host, ready, done };
  }

  test("of a mixed workload, the first 200 and those that follow", async (t) => {
    const states = await goldenStates(fork(workspace, "golden"));

    const recorded = fork(workspace, "recorded");
    const log = `${workspace.scratch}/calls`;
    const whole = await live(recorded, record(log));
    assert.ok(whole.done.finished);
    await leave(recorded, whole.host);
    const all = places(log);
    assert.ok(all.length > 200, `the workload has only ${all.length} durable calls`);

    const reached = new Set();
    const told = { kills: 0, early: 0 };
    const from = performance.now();
    await eachPlace(all, async (place, at) => {
      const home = fork(workspace, `kill-${at}`);
      const { host, ready, done } = await live(home, killAt(place));
      if (done.finished) {
        // The burst at the end shares turns as it happens to, so the last calls are not there in every run.
        assert.ok(at >= 200, "it was never killed");
        await leave(home, host);
      } else {
        const { signal, code } = await host.exit;
        assert.equal(signal, "SIGKILL", `it ended with ${code}`);
        reached.add(await checkLeft(home, states, done));
        told.kills += 1;
        told.early += ready ? 0 : 1;
      }
      home.drop();
    });
    const seconds = (performance.now() - from) / 1000;
    t.diagnostic(
      `${told.kills} kills at ${all.length} places in ${seconds.toFixed(1)} s, ${told.early} of them before it was ready; ` +
        `${reached.size} of ${states.length} states were left`,
    );
    assert.ok(reached.size > 10, `only the states ${[...reached]} were ever left`);
  });

  test("while it makes its data for the first time, and while it leaves", async (t) => {
    const recorded = fork(workspace, "first", { empty: true });
    const log = `${workspace.scratch}/first-calls`;
    const first = recorded.start(["host", "run"], { command: record(log) });
    await first.line("it is ready");
    await leave(recorded, first);
    const all = places(log);
    t.diagnostic(`${all.length} places`);
    await eachPlace(all, async (place, at) => {
      const home = fork(workspace, `first-${at}`, { empty: true });
      const killed = home.start(["host", "run"], { command: killAt(place) });
      await killed.line("it is ready").then(
        () => leave(home, killed),
        () => killed.exit,
      );
      assert.equal(killed.ended.signal, "SIGKILL", JSON.stringify(killed.ended));
      const next = home.start(["host", "run"]);
      await next.line("the host comes back");
      const client = await dial(home);
      assert.equal((await client.request("augment/queue/add", { title: "one" })).id, "a1");
      assert.equal((await client.request("augment/audit/verify", {})).holds, true);
      client.destroy();
      next.kill();
      await next.exit;
      home.drop();
    });
  });
});

describe("a single command, killed at a durable call", () => {
  let workspace;
  before(async () => {
    workspace = newWorkspace();
    await template(workspace);
    await workspace.next("--agent", "goose", "--lease", "1h");
  });
  after(() => workspace.end());

  const json = async (home, args) => {
    const { code, stdout, stderr } = await home.cli([...args, "--json"]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };

  /** What the workspace holds, as single commands tell it, without what differs from run to run. */
  async function told(home) {
    const { tasks } = await json(home, ["queue", "list", "--all"]);
    const { records } = await json(home, ["audit", "list", "--limit", "1000"]);
    const { settings } = await json(home, ["config", "list"]);
    assert.equal((await json(home, ["audit", "verify"])).holds, true);
    return {
      tasks: tasks.map(({ id, title, status, attempt, holder, result, revision }) =>
        [id, title, status, attempt, holder, result, revision].join(" "),
      ),
      records: records.map(({ kind, subject }) => `${kind} ${subject}`),
      settings: settings.map(({ key, value }) => `${key} ${value}`),
    };
  }

  for (const [what, args, empty] of [
    ["the first add of all", ["queue", "add", "new"], true],
    ["add", ["queue", "add", "new"]],
    ["next", ["queue", "next", "--agent", "codex", "--lease", "1h"]],
    ["complete", ["queue", "complete", "a1", "--attempt", "1", "--result", "done"]],
    ["config set", ["config", "set", "queue.maxAttempts", "7"]],
  ]) {
    test(what, async (t) => {
      const name = what.replaceAll(" ", "-");
      const recorded = fork(workspace, name, { empty });
      const log = `${workspace.scratch}/${name}-calls`;
      const before = empty
        ? { tasks: [], records: [], settings: (await told(workspace)).settings }
        : await told(recorded);
      const whole = await recorded.cli(args, { command: record(log) });
      assert.equal(whole.code, 0, whole.stderr);
      const afterwards = await told(recorded);
      const all = places(log);
      let lost = 0;
      await eachPlace(all, async (place, at) => {
        const home = fork(workspace, `${name}-${at}`, { empty });
        const { code, signal } = await home.cli(args, { command: killAt(place) });
        const left = await told(home);
        if (signal === "SIGKILL") {
          const isThere = left.records.length === afterwards.records.length;
          lost += isThere ? 0 : 1;
          assert.deepEqual(left, isThere ? afterwards : before);
        } else {
          assert.deepEqual([code, left], [0, afterwards]);
        }
        if (!empty) assert.equal((await home.cli(["queue", "add", "more"])).code, 0);
        home.drop();
      });
      t.diagnostic(`${all.length} places; at ${lost} of them it had not happened`);
      assert.ok(lost > 0 && all.length > 10);
    });
  }
});
