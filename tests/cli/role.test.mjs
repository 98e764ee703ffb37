// What an agent can do with the token it was given: speak for its own attempt, look, and nothing else (ABUSE 15, 20).

import assert from "node:assert/strict";
import { chmodSync, readFileSync, renameSync } from "node:fs";
import { test } from "node:test";
import { newWorkspace } from "../rig/workspace.mjs";

for (const withHost of [true, false]) {
  const how = withHost ? "with a host" : "without a host";

  test(`a run may not decide, order, take or configure anything, ${how}`, async (t) => {
    const workspace = newWorkspace(t);
    const host = withHost ? await workspace.host() : undefined;
    for (const title of ["one", "two"]) await workspace.add(title);
    const { token } = await workspace.next("--agent", "goose");
    const env = { AUGMENT_TOKEN: token };
    const before = [await workspace.tasks("--all"), await workspace.json(["config", "list"])];
    const commands = [
      ["queue", "add", "x"],
      ["queue", "edit", "a2", "--title", "x"],
      ["queue", "edit", "a1", "--title", "x"],
      ["queue", "move", "a2", "--top"],
      ["queue", "remove", "a2"],
      ["queue", "cancel", "a1"],
      ["queue", "retry", "a1"],
      ["queue", "next"],
      ["queue", "claim", "a2"],
      ["config", "set", "queue.leaseSeconds", "5"],
    ];
    if (host) commands.push(["host", "stop"]);
    for (const args of commands) {
      const action = args.slice(0, 2).join(" ");
      const message =
        `A run may not do \`${action}\`. AUGMENT_TOKEN is set, so this command speaks as a run. ` +
        "A person decides that: `unset AUGMENT_TOKEN`, then repeat.";
      await workspace.refused(args, message, { code: "role-may-not", env });
    }
    const settings = await workspace.json(["config", "list"]);
    assert.deepEqual([(await workspace.tasks("--all")).map(still), settings], [before[0].map(still), before[1]]);
    assert.equal(host?.ended, undefined);
    const refused = await workspace.records("--kind", "refused", "--actor", "run:a1.1");
    assert.deepEqual(
      new Set(refused.map(({ data }) => data.command)),
      new Set(commands.map((args) => args.slice(0, 2).join(" "))),
    );
  });

  test(`a run reports on its own attempt and on no other, without the person's token, ${how}`, async (t) => {
    const workspace = newWorkspace(t);
    if (withHost) await workspace.host();
    for (const title of ["one", "two"]) await workspace.add(title);
    const { token } = await workspace.next("--agent", "goose");
    await workspace.next("--agent", "codex");
    const { token: personToken } = await workspace.places();
    renameSync(personToken, `${personToken}.away`);
    const env = { AUGMENT_TOKEN: token };
    for (const command of ["heartbeat", "complete", "fail"]) {
      const message = "This run works on a1 and cannot speak for a2. Name a1.";
      await workspace.refused(["queue", command, "a2"], message, { code: "not-its-task", env });
      // Naming the other's attempt does not help.
      await workspace.refused(["queue", command, "a2", "--attempt", "1"], message, { env });
    }
    for (const args of [
      ["queue", "list"],
      ["status"],
      ["queue", "show", "a2"],
      ["audit", "list"],
      ["config", "list"],
    ]) {
      await workspace.json(args, { env });
    }
    assert.equal((await workspace.json(["queue", "heartbeat", "a1"], { env })).status, "in-progress");
    const done = await workspace.json(["queue", "complete", "a1", "--result", "Done."], { env });
    assert.deepEqual([done.status, done.result], ["completed", "Done."]);
    const late = "Attempt 1 at a1 has ended: the task is completed now. This word came too late and changed nothing.";
    await workspace.refused(["queue", "fail", "a1"], late, { code: "late-word", env });
    if (withHost) renameSync(`${personToken}.away`, personToken);
    const [ended] = await workspace.records("--kind", "task.ended");
    assert.equal(ended.actor, "run:a1.1");
    assert.equal((await workspace.task("a2")).status, "in-progress");
  });

  test(`a token from elsewhere is turned away, ${how}`, async (t) => {
    const workspace = newWorkspace(t);
    if (withHost) await workspace.host();
    await workspace.add("one");
    for (const token of ["f".repeat(64), "x", "../../etc/passwd", "'; DROP TABLE run; --"]) {
      await workspace.refused(
        ["queue", "list"],
        "The token is not known in this workspace. Use the person's token, or the one that came with the task.",
        { env: { AUGMENT_TOKEN: token } },
      );
    }
    const refused = await workspace.records("--kind", "connection.refused");
    assert.equal(refused.length, 4);
    assert.equal((await workspace.tasks()).length, 1);
  });
}

test("the token of a task is printed for eval alone, and it works there", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("$(touch pwned); echo `id`");
  const { code, stdout, stderr } = await workspace.cli(["queue", "next", "--agent", "goose", "--print-token"]);
  assert.equal(code, 0);
  assert.match(stdout, /^export AUGMENT_TOKEN='?[0-9a-f]{64}'?\n$/);
  assert.match(stderr, /a1/);
  const [, token] = stdout.match(/([0-9a-f]{64})/);
  await workspace.json(["queue", "complete", "a1"], { env: { AUGMENT_TOKEN: token } });
});

test("neither token is in the ledger, the log or the database", async (t) => {
  const workspace = newWorkspace(t);
  const host = await workspace.host({ env: { AUGMENT_LOG: "trace" } });
  await workspace.add("one");
  const { token } = await workspace.next("--agent", "goose");
  await workspace.json(["queue", "heartbeat", "a1"], { env: { AUGMENT_TOKEN: token } });
  const secrets = [token, await workspace.token()];
  await workspace.json(["host", "stop"]);
  await host.exit;
  const { database, log } = await workspace.places();
  const { stdout } = await workspace.cli(["audit", "list", "--json"]);
  for (const [name, text] of [
    ["ledger", stdout],
    ["log", readFileSync(log, "latin1")],
    ["database", readFileSync(database, "latin1") + readFileSync(`${database}-wal`, "latin1")],
  ]) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `a token is in the ${name}`);
  }
});

test("a person's token that others could read is not used", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.add("one");
  const { token } = await workspace.places();
  chmodSync(token, 0o644);
  await workspace.refused(
    ["queue", "list"],
    `${token} can be read by others or is not yours. Remove it; a new one is made at the next start.`,
  );
});

/** A task but for how long its lease still stands. */
function still(task) {
  return { ...task, lease: task.lease && { ...task.lease, leftMs: 0 } };
}
