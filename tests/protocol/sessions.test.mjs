// Sessions over the protocol: who may call what, what clients hear, and parameters that make no sense (S3, P1).

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { dial } from "../rig/frames.mjs";
import { newGovernedProject } from "../rig/sessions.mjs";

/** A window of our extension that comes and goes. */
async function closedWindow(project) {
  const window = await dial(project, { initialize: false });
  await window.initialize({ clientInfo: { name: "vscode" }, initializationOptions: { protocol: 1 } });
  window.destroy();
}

test("clients hear that the session moved, and flags come with the changes soon after", async (t) => {
  const project = await newGovernedProject(t, { files: { "lib/x.txt": "x\n" } });
  await project.host();
  const client = await dial(project);
  t.after(() => client.destroy());
  const started = await client.request("augment/session/start", { model: "m" });
  const notice = await client.moved(started.revision);
  assert.ok(notice.params.parts.includes("sessions"), JSON.stringify(notice));
  await client.request("augment/session/confirm", { items: [{ title: "Write the first" }], paths: ["src/**"] });
  await project.worker("a1");
  project.write("lib/x.txt", "out\n");
  const { flags } = await eventually(
    "the change is flagged",
    () => client.request("augment/session/status", {}),
    (status) => status.flags.length > 0,
  );
  assert.equal(flags[0].path, "lib/x.txt");
  const file = await client.request("augment/changes/file", { path: "lib/x.txt" });
  assert.deepEqual(
    file.hunks.map(({ flag, findings }) => [flag.id, findings]),
    [["f1", []]],
  );
});

test("an order is for the session and the checkpoint that were shown", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  const client = await dial(project);
  t.after(() => client.destroy());
  const { session: first } = await client.request("augment/session/start", {});
  // Somebody ends it in a terminal and begins another one.
  await project.json(["session", "end"]);
  await project.json(["session", "start"]);
  const { session: second } = await client.request("augment/session/status", {});
  assert.notEqual(second.id, first.id);
  const items = [{ title: "Write the first" }];
  for (const [method, order] of Object.entries({
    "augment/session/confirm": { items },
    "augment/session/adjust": { add: items },
    "augment/session/continue": { checkpoint: 1 },
    "augment/session/end": { title: "It was the other one" },
  })) {
    const { message, data } = await client.refusal(method, { ...order, session: first.id });
    assert.equal(data.code, "other-session", method);
    assert.match(
      message,
      /^Session \d{3} is over, and session \d{3} is under way\. .*`augment-cli session status`/,
      method,
    );
  }
  const { session: now } = await client.request("augment/session/status", {});
  assert.deepEqual([now.id, now.state, now.checkpoints], [second.id, "planned", 0]);
  const { session } = await client.request("augment/session/confirm", { items, session: second.id });
  assert.equal(session.state, "confirmed");
  // Whoever names none means the one under way.
  assert.equal((await client.request("augment/session/end", {})).session.id, second.id);
  const none = await client.refusal("augment/session/end", { session: second.id });
  assert.equal(none.data.code, "other-session");
  assert.match(none.message, /^Session \d{3} is over, and no other is under way\./);
});

test("a scope is not adjusted past a checkpoint that was not shown, nor over paths that were not", async (t) => {
  const project = await newGovernedProject(t);
  await project.json(["config", "set", "session.checkpointTasks", "1"]);
  await project.host();
  const client = await dial(project);
  t.after(() => client.destroy());
  const { session: first } = await client.request("augment/session/start", {});
  const session = first.id;
  await client.request("augment/session/confirm", {
    session,
    items: [{ title: "Write the first" }],
    paths: ["src/**"],
  });
  // The list is open, and meanwhile somebody extends the scope and the task ends.
  await project.session("adjust", "--add-path", "docs/**");
  const add = [{ title: "Write the second" }];
  const paths = await client.refusal("augment/session/adjust", { session, paths: ["lib/**"], shownPaths: ["src/**"] });
  assert.equal(paths.data.code, "other-paths");
  assert.match(
    paths.message,
    /^Where session 009 may write has changed since it was shown: src\/\*\*, docs\/\*\*\. Nothing was changed/,
  );
  await project.workOff("a1", { "src/b.txt": "b\n" });
  const unseen = await client.refusal("augment/session/adjust", { session, add, checkpoint: null });
  assert.equal(unseen.data.code, "other-checkpoint");
  assert.match(
    unseen.message,
    /^Session 009 has come to checkpoint 1 since its scope was shown, and nothing was changed\./,
  );
  const other = await client.refusal("augment/session/adjust", { session, add, checkpoint: 2 });
  assert.equal(other.data.code, "other-checkpoint");
  const { session: waits } = await client.request("augment/session/status", {});
  assert.deepEqual([waits.state, waits.items.length], ["checkpoint", 1]);
  const shown = { session, add, checkpoint: 1, paths: ["lib/**"], shownPaths: ["src/**", "docs/**"] };
  const { session: now } = await client.request("augment/session/adjust", shown);
  assert.deepEqual([now.state, now.items.length, now.paths], ["working", 2, ["lib/**"]]);
});

/** A session that may write in `src/`, and an agent of it that wrote elsewhere. */
async function flagged(t) {
  const project = await newGovernedProject(t, { files: { "lib/x.txt": "1\n2\n3\n4\n5\n" } });
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first", "--path", "src/**");
  await project.worker("a1");
  project.write("lib/x.txt", "one\n2\n3\n4\n5\n");
  await project.hunks();
  const client = await dial(project);
  t.after(() => client.destroy());
  const flags = async () => (await client.request("augment/session/status", {})).flags;
  return { project, client, flags };
}

test("a flag is logged as far as it was shown", async (t) => {
  const { project, client, flags } = await flagged(t);
  const [{ id, hunks }] = await flags();
  assert.deepEqual(
    hunks,
    (await project.hunks()).map((hunk) => hunk.id),
  );
  // While the notification stands, it is written in another place.
  project.write("lib/x.txt", "one\n2\n3\n4\nfive\n");
  const { answer, tookOut } = await client.request("augment/session/flag", { flag: id, answer: "log", hunks });
  assert.deepEqual([answer, tookOut.hunks, tookOut.files[0].outcome], ["log", 1, "changed"]);
  assert.equal(project.text("lib/x.txt"), "1\n2\n3\n4\nfive\n");
  const [rest] = await flags();
  assert.deepEqual([rest.id, rest.hunks.length], ["f2", 1]);
  // What was shown is written anew.
  project.write("lib/x.txt", "1\n2\n3\n4\nFIVE\n");
  const log = { flag: "f2", answer: "log" };
  const stale = await client.refusal("augment/session/flag", { ...log, hunks: rest.hunks });
  assert.equal(stale.data.code, "unknown-hunk");
  assert.equal(project.text("lib/x.txt"), "1\n2\n3\n4\nFIVE\n");
  assert.equal((await project.tasks()).filter(({ origin }) => origin === "discovered").length, 1);
  // Without hunks it is what is there now; and one decision brings it back with its flag.
  const { tookOut: all } = await client.request("augment/session/flag", log);
  assert.equal(project.text("lib/x.txt"), "1\n2\n3\n4\n5\n");
  await client.request("augment/changes/undo", { decision: all.decision });
  assert.equal(project.text("lib/x.txt"), "1\n2\n3\n4\nFIVE\n");
  assert.deepEqual(
    (await flags()).map((flag) => flag.id),
    ["f2"],
  );
});

test("logging what is entangled comes with what it would do, and takes the yes to that", async (t) => {
  const { project, client, flags } = await flagged(t);
  const editor = await project.editor();
  project.write("lib/x.txt", "one\nand more\n3\n4\n5\n");
  await project.hunks();
  await editor.save("lib/x.txt", "mine\nand more\n3\n4\n5\n");
  await project.hunks();
  const [{ id, hunks }] = await flags();
  const log = { flag: id, answer: "log", hunks };
  const { data } = await client.refusal("augment/session/flag", log);
  assert.equal(data.code, "entangled");
  const [file] = data.preview.files;
  assert.deepEqual([file.path, file.entangledWith.map(({ name }) => name)], ["lib/x.txt", ["ada"]]);
  assert.match(file.diff, /^-and more$/m);
  const other = await client.refusal("augment/session/flag", { ...log, confirm: "0".repeat(32) });
  assert.deepEqual([other.data.code, other.data.preview.confirm], ["shown-otherwise", data.preview.confirm]);
  const { answer } = await client.request("augment/session/flag", { ...log, confirm: data.preview.confirm });
  assert.equal(answer, "log");
  assert.deepEqual(await flags(), []);
});

test("every method takes what it says and nothing else", async (t) => {
  const project = await newGovernedProject(t);
  await project.host();
  const client = await dial(project);
  t.after(() => client.destroy());
  const wrong = {
    "augment/session/start": { modell: "m" },
    "augment/session/confirm": { items: [{ name: "x" }] },
    "augment/session/adjust": { add: "x" },
    "augment/session/continue": { yes: true },
    "augment/session/end": { decisions: "one" },
    "augment/session/commit": {},
    "augment/session/list": { limit: "ten" },
    "augment/session/show": { session: 9 },
    "augment/session/reports": { after: -1 },
    "augment/session/flag": { flag: "f1", answer: "maybe" },
    "augment/run/scope": { paths: "a", why: "b" },
    "augment/scan": { paths: "a" },
    "augment/scan/acknowledge": { hunk: "a" },
    "augment/scan/allow": { rule: "iban" },
    "augment/scan/disallow": { number: "one" },
  };
  for (const [method, params] of Object.entries(wrong)) {
    await assert.rejects(client.request(method, params), ({ code }) => code === -32_602, method);
  }
  for (const path of ["../x", "/etc/passwd", "a//b", ""]) {
    await assert.rejects(
      client.request("augment/scan", { paths: [path] }),
      ({ data }) => data.code === "bad-path",
      path,
    );
  }
  await assert.rejects(
    client.request("augment/run/scope", { paths: ["a"], why: "b" }),
    ({ data }) => data.code === "role-may-not",
    "a person need not ask",
  );
  const { reports } = await client.request("augment/session/reports", { limit: 0 });
  assert.deepEqual(reports, []);
});

test("a session that waits keeps the host, which leaves once it has ended; no command is a window", async (t) => {
  const project = await newGovernedProject(t);
  await project.json(["config", "set", "host.idleSeconds", "1"]);
  await project.json(["config", "set", "session.closeSeconds", "1"]);
  await project.session("start");
  const host = await project.host();
  assert.equal((await project.status()).session.state, "planned");
  // Another host with the same patience, but no session, leaves meanwhile.
  const other = await newGovernedProject(t);
  await other.json(["config", "set", "host.idleSeconds", "3"]);
  await (await other.host()).exit;
  assert.equal(host.ended, undefined);
  assert.equal((await project.session("end")).session.endReason, null);
  assert.equal((await host.exit).code, 0);
});

test("a window that was closed while an agent worked ends the session once the agent is done", async (t) => {
  const project = await newGovernedProject(t);
  await project.json(["config", "set", "session.closeSeconds", "1"]);
  await project.host();
  await project.session("start", "--confirm", "--title", "Write the first");
  const worker = await project.worker("a1");
  await closedWindow(project);
  // As long as a second window needs to be left for good: the first was tried in vain by then.
  const other = await newGovernedProject(t);
  await other.json(["config", "set", "session.closeSeconds", "2"]);
  await other.host();
  await other.session("start");
  await closedWindow(other);
  const ends = ({ session }) => session === null;
  await eventually("the session without work is left", () => other.status(), ends);
  assert.equal((await project.status()).session.state, "working");
  await worker.done();
  await eventually("the session is left", () => project.status(), ends);
  const [ended] = await project.records("--kind", "session.ended");
  assert.equal(ended.data.reason, "the window was closed");
});
