// Order and truth on the wire: requests are done in the order they were sent, notices follow what is durable, and a
// command on something that has changed since is refused with what it is now.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../rig/database.mjs";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

async function hosted(t) {
  const workspace = newWorkspace(t);
  const host = await workspace.host();
  return { workspace, host };
}

test("3,000 pipelined adds keep their order", async (t) => {
  const { workspace } = await hosted(t);
  const client = await dial(workspace);
  const answers = await Promise.all(
    Array.from({ length: 3_000 }, (_, at) => client.request("augment/queue/add", { title: `task ${at + 1}` })),
  );
  assert.deepEqual(
    answers.map(({ id, title }) => [Number(id.slice(1)), title]),
    answers.map((_, at) => [at + 1, `task ${at + 1}`]),
  );
  assert.deepEqual(
    answers.map(({ revision }) => revision),
    answers.map((_, at) => answers[0].revision + at),
  );
  client.destroy();
});

test("commands that build on each other can be sent without waiting", async (t) => {
  const { workspace } = await hosted(t);
  const client = await dial(workspace);
  const answers = await Promise.all([
    client.request("augment/queue/add", { title: "one" }),
    client.request("augment/queue/edit", { task: "a1", title: "two" }),
    client.request("augment/queue/claim", { task: "a1", agent: "goose" }),
    client.request("augment/queue/heartbeat", { task: "a1", attempt: 1 }),
    client.request("augment/queue/complete", { task: "a1", attempt: 1 }),
    client.refusal("augment/queue/cancel", { task: "a1" }),
  ]);
  assert.equal(answers[4].status, "completed");
  assert.equal(answers[5].data.code, "wrong-status");
  client.destroy();
});

test("two clients who send at once both keep their own order", async (t) => {
  const { workspace } = await hosted(t);
  const clients = [await dial(workspace), await dial(workspace)];
  const answers = await Promise.all(
    clients.map((client, who) =>
      Promise.all(
        Array.from({ length: 500 }, (_, at) => client.request("augment/queue/add", { title: `${who} ${at}` })),
      ),
    ),
  );
  for (const [who, own] of answers.entries()) {
    const numbers = own.map(({ id }) => Number(id.slice(1)));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      own.map(({ title }) => title),
      own.map((_, at) => `${who} ${at}`),
    );
  }
  assert.equal((await workspace.tasks()).length, 1_000);
  for (const client of clients) client.destroy();
});

test("notices carry revisions that grow, parts, and no data, and come after what they tell is durable", async (t) => {
  const { workspace } = await hosted(t);
  const { database } = await workspace.places();
  const [acting, listening] = [await dial(workspace), await dial(workspace)];
  let before = listening.introduction.revision;
  for (const [method, params, parts] of [
    ["augment/queue/add", { title: "one" }, ["ledger", "queue"]],
    ["augment/queue/edit", { task: "a1", title: "two" }, ["ledger", "queue"]],
    ["augment/config/set", { key: "queue.leaseSeconds", value: "90" }, ["ledger", "settings"]],
    ["augment/queue/add", { title: "" }, ["ledger"]],
  ]) {
    await acting.request(method, params).catch(() => {});
    const notice = await listening.moved(before + 1);
    assert.deepEqual(Object.keys(notice.params).sort(), ["parts", "revision"]);
    assert.deepEqual(notice.params.parts.toSorted(), parts, method);
    // Read past the host: what was told has to be in the file already.
    const [[last]] = await sql(database, "SELECT max(sequence) FROM ledger");
    assert.ok(last >= notice.params.revision, `record ${notice.params.revision} is told, but ${last} is the last`);
    before = notice.params.revision;
  }
  const revisions = listening.notices.map(({ params }) => params.revision);
  assert.deepEqual(
    revisions,
    [...new Set(revisions)].toSorted((a, b) => a - b),
    "they only grow",
  );
  for (const client of [acting, listening]) client.destroy();
});

test("whoever acted hears their answer before the notice about it", async (t) => {
  const { workspace } = await hosted(t);
  const client = await dial(workspace);
  for (let time = 0; time < 100; time += 1) {
    const { revision } = await client.request("augment/queue/add", { title: `task ${time}` });
    const { answered } = client;
    const notice = await client.moved(revision);
    assert.ok(notice.place > answered, `the answer was message ${answered}, the notice ${notice.place}`);
  }
  client.destroy();
});

test("a flood of changes is told in few notices, and the last one is the truth", async (t) => {
  const { workspace } = await hosted(t);
  const [acting, listening] = [await dial(workspace), await dial(workspace)];
  const answers = await Promise.all(
    Array.from({ length: 2_000 }, (_, at) => acting.request("augment/queue/add", { title: `task ${at}` })),
  );
  const last = answers.at(-1).revision;
  await listening.moved(last);
  assert.equal(listening.notices.at(-1).params.revision, last);
  assert.ok(listening.notices.length < 1_000, `${listening.notices.length} notices for 2,000 changes`);
  t.diagnostic(`${listening.notices.length} notices for 2,000 changes`);
  for (const client of [acting, listening]) client.destroy();
});

test("a stale revision is refused with the fresh task", async (t) => {
  const { workspace } = await hosted(t);
  const client = await dial(workspace);
  const shown = await client.request("augment/queue/add", { title: "one" });
  const fresh = await client.request("augment/queue/edit", { task: "a1", title: "two" });
  for (const [method, more] of [
    ["edit", { title: "three" }],
    ["move", { place: "top" }],
    ["cancel", {}],
    ["remove", {}],
    ["retry", {}],
  ]) {
    const { code, message, data } = await client.refusal(`augment/queue/${method}`, {
      task: "a1",
      revision: shown.revision,
      ...more,
    });
    assert.deepEqual(
      [code, message],
      [
        -32001,
        `a1 has changed since it was shown (revision ${shown.revision}, now ${fresh.revision}). Look at it again, then repeat.`,
      ],
    );
    const fields = ["preview", "named", "start", "intent", "finish", "undo", "push", "commit"];
    const nothing = Object.fromEntries(fields.map((field) => [field, null]));
    assert.deepEqual(data, { code: "stale", task: fresh, ...nothing });
  }
  const edited = await client.request("augment/queue/edit", { task: "a1", revision: fresh.revision, title: "three" });
  assert.ok(edited.revision > fresh.revision);
  client.destroy();
});

test("pages go on where the one before ended, also while tasks are added", async (t) => {
  const { workspace } = await hosted(t);
  const client = await dial(workspace);
  const add = (title) => client.request("augment/queue/add", { title });
  await Promise.all(Array.from({ length: 250 }, (_, at) => add(`task ${at}`)));
  const seen = [];
  let after;
  do {
    const page = await client.request("augment/queue/list", { limit: 100, ...(after ? { after } : {}) });
    seen.push(...page.tasks.map(({ id }) => id));
    after = page.next;
    await add("meanwhile");
  } while (after);
  assert.equal(new Set(seen).size, seen.length);
  assert.ok(seen.length >= 250);
  const { tasks } = await client.request("augment/queue/list", { limit: 1_000_000 });
  assert.ok(tasks.length <= 1_000);
  client.destroy();
});
