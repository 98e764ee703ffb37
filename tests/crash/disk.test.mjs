// Disks that are full, broken or read-only: what cannot be saved is refused with a sentence and has not happened, the host
// lives on, and everything works again when the disk does (Z1).

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fork, leave, state, steps, template } from "../rig/crash-workload.mjs";
import { dial } from "../rig/frames.mjs";
import { eachPlace } from "../rig/lanes.mjs";
import { failAt, places, record, spaceTaking } from "../rig/strace.mjs";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

const full =
  /^The disk is full, so nothing was changed\. Free some space around .*(?:state\.db|manifest) and try again\.$/;
const broken =
  /^.*state\.db cannot be written: disk I\/O error\. Nothing was changed\. Check the disk and the permissions, then try again\.$/;
const notWritten = /^.*settings\.toml could not be written: .*\. The setting is unchanged\.$/;
const unusable =
  /^.* cannot be used(?: as the person's token)?: (?:No space left on device|Input\/output error) \(os error \d+\)\./;
const sentences = [full, broken, notWritten, unusable];

const isTold = (message) =>
  assert.ok(
    sentences.some((sentence) => sentence.test(message)),
    message,
  );

/** The work without its burst: one thing after the other, so that each failure belongs to one step. */
const work = steps.filter(([, { title }]) => !title?.startsWith("burst"));

/** What the work comes to, whatever went wrong on the way: without the records of that, and the numbers they took. */
function outcome({ tasks, settings }) {
  return { tasks: tasks.map(({ revision, ...task }) => task), settings };
}

describe("the host, where one write fails", () => {
  let workspace;
  let golden;
  before(async () => {
    workspace = newWorkspace();
    await template(workspace);
  });
  after(() => workspace.end());

  /** A host under strace with a client, or what it said when it could not start. */
  async function begin(home, tracer) {
    const host = home.start(["host", "run"], { command: tracer });
    const ready = await host.line("it is ready").then(
      () => true,
      () => false,
    );
    return { host, client: ready ? await dial(home) : undefined };
  }

  /** The work in which nothing fails: its calls, and the outcome after each step. */
  async function goldenRun(calls) {
    const home = fork(workspace, `golden-${calls[0]}`);
    const log = `${workspace.scratch}/${calls[0]}-calls`;
    const { host, client } = await begin(home, record(log, calls));
    golden = [outcome(await state(client))];
    for (const [method, params] of work) {
      await client.request(method, params).catch((error) => assert.equal(error.code, -32001));
      golden.push(outcome(await state(client)));
    }
    client.destroy();
    await leave(home, host);
    return places(log);
  }

  /** Does the work with a fault in it; gives what was said, and how far it had come when that was. */
  async function suffer(home, error, place, onFailure) {
    const { host, client } = await begin(home, failAt(error, place));
    if (!client) {
      const { code, stderr } = await host.exit;
      assert.equal(code, 1);
      isTold(stderr.replace(/^error: /, "").trimEnd());
      return { failures: 1 };
    }
    let failures = 0;
    for (const [at, [method, params]] of work.entries()) {
      for (let again = true; again; ) {
        again = false;
        const answer = await client.request(method, params).catch((refusal) => refusal);
        if (answer.code === -32003) {
          failures += 1;
          assert.ok(failures <= 2, "it fails again and again");
          isTold(answer.message);
          if ((await onFailure?.({ host, client, at, answer })) === "end") return { failures };
          again = true;
        } else if (answer instanceof Error) {
          assert.equal(answer.code, -32001, answer.message);
        }
      }
    }
    assert.deepEqual(outcome(await state(client)), golden.at(-1));
    assert.equal((await client.request("augment/audit/verify", {})).holds, true);
    const { records } = await client.request("augment/audit/list", { limit: 1_000 });
    const told = records.filter(({ kind }) => kind === "saving.failed" || kind === "setting.failed");
    assert.equal(told.length > 0, failures > 0, "the ledger says that something could not be saved");
    client.destroy();
    await leave(home, host);
    return { failures };
  }

  for (const [error, calls] of [
    ["ENOSPC", spaceTaking],
    ["EIO", ["fsync", "fdatasync"]],
  ]) {
    test(`${error} at each ${calls.join(" or ")}: refused, and the next try works`, async (t) => {
      const all = await goldenRun(calls);
      let failed = 0;
      await eachPlace(all, async (place, at) => {
        const home = fork(workspace, `${error}-${at}`);
        const { failures } = await suffer(home, error, place);
        failed += failures;
        home.drop();
      });
      t.diagnostic(`${all.length} places, ${failed} refusals`);
      assert.ok(failed > 10, `only ${failed} were ever told`);
    });
  }

  test("what was refused has not happened, also when the host is killed right after", async (t) => {
    const all = await goldenRun(["fsync", "fdatasync"]);
    let refused = 0;
    await eachPlace(all, async (place, at) => {
      const home = fork(workspace, `after-${at}`);
      let reached;
      await suffer(home, "EIO", place, async ({ host, client, at: step }) => {
        reached = step;
        process.kill(client.introduction.pid, "SIGKILL");
        await host.exit;
        return "end";
      });
      if (reached !== undefined) {
        refused += 1;
        const { host, client } = await begin(home, []);
        assert.deepEqual(outcome(await state(client)), golden[reached]);
        assert.equal((await client.request("augment/audit/verify", {})).holds, true);
        client.destroy();
        host.kill();
        await host.exit;
      }
      home.drop();
    });
    t.diagnostic(`${all.length} places, ${refused} refusals`);
    assert.ok(refused > 5);
  });
});

describe("a single command, where one write fails", () => {
  let workspace;
  before(async () => {
    workspace = newWorkspace();
    await template(workspace);
  });
  after(() => workspace.end());

  const titles = async (home) => {
    const { code, stdout, stderr } = await home.cli(["queue", "list", "--json"]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).tasks.map(({ title }) => title);
  };

  for (const [error, calls, empty] of [
    ["ENOSPC", spaceTaking],
    ["ENOSPC", spaceTaking, true],
    ["EIO", ["fsync", "fdatasync"]],
    ["EIO", ["fsync", "fdatasync"], true],
  ]) {
    test(`${error} at each ${calls.join(" or ")}${empty ? " of its first use" : ""}`, async (t) => {
      const name = `${error}-${empty ? "first" : "later"}`;
      const recorded = fork(workspace, name, { empty });
      const log = `${workspace.scratch}/${name}-calls`;
      const before = empty ? [] : await titles(recorded);
      assert.equal((await recorded.cli(["queue", "add", "new"], { command: record(log, calls) })).code, 0);
      const all = places(log);
      let failed = 0;
      await eachPlace(all, async (place, at) => {
        const home = fork(workspace, `${name}-${at}`, { empty });
        const { code, stdout, stderr } = await home.cli(["queue", "add", "new"], { command: failAt(error, place) });
        const now = await titles(home);
        if (code === 0) {
          assert.deepEqual(now, [...before, "new"]);
        } else {
          failed += 1;
          assert.deepEqual([code, stdout], [1, ""]);
          isTold(stderr.replace(/^error: /, "").trimEnd());
          assert.deepEqual(now, before, "it said that nothing was changed");
        }
        assert.equal((await home.cli(["queue", "add", "again"])).code, 0);
        const verified = await home.cli(["audit", "verify"]);
        assert.equal(verified.code, 0, verified.stdout);
        home.drop();
      });
      t.diagnostic(`${all.length} places, ${failed} refusals`);
      assert.ok(failed > 0);
    });
  }
});

/** A small disk of its own, where this machine allows to make one. */
function smallDisk(folder, size) {
  mkdirSync(folder, { recursive: true });
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]).status === 0;
}

const probe = newWorkspace();
const canMount = smallDisk(join(probe.scratch, "probe"), "64k");
if (canMount) spawnSync("umount", [join(probe.scratch, "probe")]);
await probe.end();

const onSmallDisk = canMount ? test : () => {};

/** A workspace whose home is on a small disk. */
function onDisk(t, size) {
  const workspace = newWorkspace();
  const disk = join(workspace.scratch, "disk");
  assert.ok(smallDisk(disk, size));
  const home = fork(workspace, "disk/home", { empty: true });
  t.after(async () => {
    await workspace.end().catch(() => {});
    spawnSync("umount", [disk]);
    rmSync(workspace.scratch, { recursive: true, force: true });
  });
  return {
    home,
    fill() {
      // One page after the other until none is left.
      for (let at = 0; ; at += 1) {
        try {
          writeFileSync(join(disk, `ballast-${at}`), Buffer.alloc(4_096));
        } catch (error) {
          assert.equal(error.code, "ENOSPC");
          return;
        }
      }
    },
    free() {
      for (const name of readdirSync(disk)) if (name.startsWith("ballast")) rmSync(join(disk, name));
    },
  };
}

onSmallDisk("a full disk under a running host: refused, readable, and as before when there is space", async (t) => {
  const { home, fill, free } = onDisk(t, "3m");
  const host = home.start(["host", "run"]);
  await host.line("it is ready");
  const client = await dial(home);
  await client.request("augment/queue/add", { title: "one" });
  await client.request("augment/queue/next", { agent: "goose", leaseMs: 3_600_000 });
  const before = await state(client);
  fill();
  const said = [];
  for (let at = 0; at < 40; at += 1) {
    const answer = await client
      .request("augment/queue/add", { title: `more ${at}`, description: "x".repeat(60_000) })
      .catch((error) => error);
    if (answer instanceof Error) said.push(answer);
  }
  assert.ok(said.length >= 30, `${said.length} of 40 were refused`);
  for (const { code, message, data } of said) {
    assert.deepEqual([code, data.code], [-32003, "not-saved"]);
    assert.match(message, full);
  }
  for (const [method, params] of [
    ["queue/list", {}],
    ["queue/show", { task: "a1" }],
    ["audit/list", {}],
    ["status", {}],
  ]) {
    await client.request(`augment/${method}`, params);
  }
  assert.equal(host.ended, undefined);
  const during = await state(client);
  assert.deepEqual(during.tasks.slice(0, before.tasks.length), before.tasks);

  free();
  const added = await client.request("augment/queue/add", { title: "afterwards" });
  assert.equal(added.title, "afterwards");
  const { tasks, records } = await state(client);
  assert.equal(tasks.length, during.tasks.length + 1, "nothing of what was refused is there");
  const failures = records.filter(({ kind }) => kind === "saving.failed");
  assert.equal(failures.length, 1);
  assert.equal(failures[0].data.times, said.length);
  assert.match(failures[0].data.message, full);
  assert.equal((await client.request("augment/audit/verify", {})).holds, true);
  await client.request("augment/queue/complete", { task: "a1", attempt: 1 });
});

onSmallDisk(
  "a full disk under single commands: refused with a sentence, and as before when there is space",
  async (t) => {
    const { home, fill, free } = onDisk(t, "2m");
    assert.equal((await home.cli(["queue", "add", "one"])).code, 0);
    fill();
    for (const args of [
      ["queue", "add", "two"],
      ["queue", "next"],
      ["config", "set", "queue.maxAttempts", "7"],
    ]) {
      const { code, stdout, stderr } = await home.cli(args);
      assert.deepEqual([code, stdout], [1, ""], args.join(" "));
      isTold(stderr.replace(/^error: /, "").trimEnd());
    }
    free();
    assert.equal((await home.cli(["queue", "add", "three"])).code, 0);
    const { stdout } = await home.cli(["queue", "list", "--json"]);
    assert.deepEqual(
      JSON.parse(stdout).tasks.map(({ title, status }) => `${title} ${status}`),
      ["one pending", "three pending"],
    );
    assert.equal((await home.cli(["config", "get", "queue.maxAttempts"])).stdout, "3\n");
    assert.equal((await home.cli(["audit", "verify"])).code, 0);
  },
);

onSmallDisk("a full disk at the first use: refused with a sentence, and nothing half is left", async (t) => {
  const { home, fill, free } = onDisk(t, "1m");
  fill();
  for (const args of [
    ["queue", "add", "one"],
    ["host", "run"],
  ]) {
    const { code, stdout, stderr } = await home.cli(args);
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    isTold(stderr.replace(/^error: /, "").trimEnd());
  }
  free();
  assert.equal((await home.cli(["queue", "add", "one"])).code, 0);
  assert.equal((await home.cli(["audit", "verify"])).code, 0);
});

test("data that may not be written: refused with a sentence, and as before when it may", async (t) => {
  const workspace = newWorkspace(t);
  // Root may write everywhere, so there the command is run as nobody.
  const own = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const theirs = join(workspace.scratch, "cli");
  copyFileSync(program, theirs);
  chmodSync(theirs, 0o755);
  for (const folder of [workspace.scratch, workspace.home, workspace.folder]) {
    chmodSync(folder, 0o755);
    if (own.uid) chownSync(folder, own.uid, own.gid);
  }
  const cli = (...args) => run([theirs, ...args], { cwd: workspace.folder, env: workspace.env, ...own });
  assert.equal((await cli("queue", "add", "one")).code, 0);
  const { data } = JSON.parse((await cli("where", "--json")).stdout);
  const files = readdirSync(data).map((name) => join(data, name));
  const modes = files.map((file) => statSync(file).mode);

  // Neither the folder nor anything in it.
  for (const file of files) chmodSync(file, 0o400);
  chmodSync(data, 0o500);
  for (const args of [
    ["queue", "add", "two"],
    ["queue", "next"],
    ["host", "run"],
  ]) {
    const { code, stdout, stderr } = await cli(...args);
    assert.deepEqual([code, stdout], [1, ""], args.join(" "));
    assert.match(stderr, /^error: .* cannot be (used|written): .*[Pp]ermission.*\n$/);
  }
  // Only the database.
  chmodSync(data, 0o700);
  for (const [at, file] of files.entries()) chmodSync(file, file.includes("state.db") ? 0o400 : modes[at]);
  const { code, stderr } = await cli("queue", "add", "two");
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: .*state\.db cannot be written: .*\. Nothing was changed\. Check the disk and the permissions, then try again\.\n$/,
  );

  for (const [at, file] of files.entries()) chmodSync(file, modes[at]);
  assert.equal((await cli("queue", "add", "three")).code, 0);
  const { stdout } = await cli("queue", "list", "--json");
  assert.deepEqual(
    JSON.parse(stdout).tasks.map(({ title }) => title),
    ["one", "three"],
  );
});
