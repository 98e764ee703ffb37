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
  const before = performance.now();
  project.write("lib/x.txt", "out\n");
  const { flags } = await eventually(
    "the change is flagged",
    () => client.request("augment/session/status", {}),
    (status) => status.flags.length > 0,
  );
  assert.ok(performance.now() - before < 5_000, "it took too long");
  assert.equal(flags[0].path, "lib/x.txt");
  const file = await client.request("augment/changes/file", { path: "lib/x.txt" });
  assert.deepEqual(
    file.hunks.map(({ flag, findings }) => [flag.id, findings]),
    [["f1", []]],
  );
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
