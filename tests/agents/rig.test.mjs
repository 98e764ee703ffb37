// What the other tests here stand on, without the product: real agents work with the scripted model, ask before they
// write, and do not write when they are refused.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSession } from "../rig/acp-client.mjs";
import { agentHome } from "../rig/agents.mjs";
import { eventually } from "../rig/eventually.mjs";
import { gate, startModel } from "../rig/model.mjs";
import { run } from "../rig/workspace.mjs";

async function place(t) {
  const scratch = mkdtempSync(join(tmpdir(), "aug-agents-"));
  const folder = join(scratch, "work");
  mkdirSync(folder);
  writeFileSync(join(folder, "hello.txt"), "hello\n");
  const model = await startModel(t);
  const at = (path) => join(folder, path);
  const agents = agentHome({ scratch, model });
  t.after(async () => {
    await agents.end();
    rmSync(scratch, { recursive: true, force: true });
  });
  return {
    folder,
    model,
    at,
    text: (path) => readFileSync(at(path), "utf8"),
    agents,
  };
}

const edits = ({ at }) => [
  { tool: "edit", args: { path: at("hello.txt"), before: "hello", after: "hello from goose" } },
  { tool: "write", args: { path: at("new.txt"), content: "new\n" } },
  { say: "Done." },
];

test("goose asks over ACP, and edits and creates files when it may", async (t) => {
  const here = await place(t);
  const script = here.model.play(edits(here));
  const before = [];
  const session = await openSession(here.agents.goose(), {
    cwd: here.folder,
    decide() {
      before.push([here.text("hello.txt"), existsSync(here.at("new.txt"))]);
      return "allow";
    },
  });
  assert.equal(await session.prompt("Change hello.txt."), "end_turn");
  assert.deepEqual(before, [
    ["hello\n", false],
    ["hello from goose\n", false],
  ]);
  assert.deepEqual([here.text("hello.txt"), here.text("new.txt")], ["hello from goose\n", "new\n"]);
  assert.match(script.prompt(), /Change hello\.txt\./);
  assert.equal(script.results().length, 2);
  assert.match(session.spoken(), /Done\./);
});

test("goose writes nothing when it is refused, and tells the model so", async (t) => {
  const here = await place(t);
  const script = here.model.play([edits(here)[0], { say: "I may not." }]);
  const session = await openSession(here.agents.goose(), { cwd: here.folder, decide: () => "reject" });
  await session.prompt("Change hello.txt.");
  assert.equal(session.questions.length, 1);
  assert.equal(here.text("hello.txt"), "hello\n");
  assert.match(script.results()[0], /declin|reject|denied|not/i);
});

test("goose as a plain command does its work and ends", async (t) => {
  const here = await place(t);
  const script = here.model.play([
    { tool: "shell", args: { command: "echo from a shell > shell.txt" } },
    ...edits(here),
  ]);
  const { command, args, set } = here.agents.gooseHeadless();
  const ended = await run([command, ...args.map((arg) => arg.replace("{prompt}", "Change hello.txt."))], {
    cwd: here.folder,
    env: { PATH: process.env.PATH, ...set },
  });
  assert.equal(ended.code, 0, ended.stderr);
  assert.deepEqual(["hello.txt", "new.txt", "shell.txt"].map(here.text), [
    "hello from goose\n",
    "new\n",
    "from a shell\n",
  ]);
  assert.match(ended.stdout, /Done\./);
  assert.match(script.prompt(), /Change hello\.txt\./);
});

const patch =
  "*** Begin Patch\n*** Update File: hello.txt\n@@\n-hello\n+hello from codex\n*** Add File: new.txt\n+new\n*** End Patch\n";

for (const decision of ["allow", "reject"]) {
  test(`codex asks over ACP before it patches: ${decision}`, async (t) => {
    const here = await place(t);
    here.model.play([{ tool: "apply_patch", input: patch }, { say: "Done." }]);
    const before = [];
    const session = await openSession(here.agents.codex(), {
      cwd: here.folder,
      decide() {
        before.push(here.text("hello.txt"));
        return decision;
      },
    });
    const stopped = await session.prompt("Change hello.txt.");
    assert.ok(before.length > 0 && before.every((text) => text === "hello\n"), "it asks, and before it writes");
    if (decision === "allow") {
      assert.equal(stopped, "end_turn");
      assert.deepEqual(["hello.txt", "new.txt"].map(here.text), ["hello from codex\n", "new\n"]);
    } else {
      assert.equal(here.text("hello.txt"), "hello\n");
      assert.equal(existsSync(here.at("new.txt")), false);
    }
  });
}

test("a gate holds the model, and tells when the agent that waits is gone", async (t) => {
  const here = await place(t);
  const held = gate();
  const script = here.model.play([{ hold: held, ...edits(here)[1] }, { say: "Done." }]);
  const session = await openSession(here.agents.goose(), { cwd: here.folder });
  const turn = session.prompt("Create new.txt.");
  await held.reached();
  process.kill(session.pid, "SIGKILL");
  await held.left();
  await assert.rejects(turn, /The agent ended \(SIGKILL\)/);
  held.open();
  assert.deepEqual(here.agents.processes(), []);
  assert.equal(existsSync(here.at("new.txt")), false);

  // Nobody took the answer, so it is there for the next.
  const next = await openSession(here.agents.goose(), { cwd: here.folder });
  assert.equal(await next.prompt("Create new.txt."), "end_turn");
  assert.equal(here.text("new.txt"), "new\n");
  assert.equal(script.asked.length, 3);
});

for (const [what, step] of [
  ["fails", { fail: 500, times: 1 }],
  ["breaks off", { cut: true, times: 1 }],
]) {
  test(`a model that ${what} once is asked again`, async (t) => {
    const here = await place(t);
    const script = here.model.play([step, { say: "Done." }]);
    const session = await openSession(here.agents.codex(), { cwd: here.folder });
    assert.equal(await session.prompt("Do it."), "end_turn");
    assert.match(session.spoken(), /Done\./);
    assert.equal(script.asked.length, 2);
  });
}

test("a turn whose model fails for good ends as one that is done: the protocol does not tell", async (t) => {
  const here = await place(t);
  here.model.play([{ fail: 400 }]);
  const session = await openSession(here.agents.codex(), { cwd: here.folder });
  assert.equal(await session.prompt("Do it."), "end_turn");
  assert.match(session.spoken(), /The model failed, as the script says/);
});

test("agents at once each hear their own script, by key and by prompt", async (t) => {
  const here = await place(t);
  const barrier = gate();
  const write = (name) => [
    { hold: barrier, tool: "write", args: { path: here.at(name), content: `${name}\n` } },
    { say: `Wrote ${name}.` },
  ];
  const names = ["key-1", "key-2", "prompt-1", "prompt-2"];
  const scripts = names.map((name) =>
    here.model.play(write(name), name.startsWith("key") ? { key: name } : { prompt: `Write ${name}.` }),
  );
  const sessions = await Promise.all(
    names.map((name) => openSession(here.agents.goose({ key: name }), { cwd: here.folder })),
  );
  const turns = sessions.map((session, at) => session.prompt(`Write ${names[at]}.`));
  await Promise.all(scripts.map((script) => script.reached(1)));
  assert.deepEqual(
    names.filter((name) => existsSync(here.at(name))),
    [],
  );
  barrier.open();
  await Promise.all(turns);
  assert.deepEqual(
    names.map(here.text),
    names.map((name) => `${name}\n`),
  );
  assert.deepEqual(
    sessions.map((session) => session.spoken()),
    names.map((name) => `Wrote ${name}.`),
  );
});

const environment = ({ set }) => ({ PATH: process.env.PATH, ...set });

test("the fake agent speaks ACP, asks, and does what it is told", async (t) => {
  const here = await place(t);
  const beside = (name) => join(here.agents.home, name);
  const fake = here.agents.fake([
    { savePrompt: beside("prompt") },
    { ask: { times: 2, path: here.at("hello.txt"), save: beside("answers") } },
    { write: [here.at("hello.txt"), "faked\n"] },
    { tool: { title: "Write", status: "failed", path: here.at("hello.txt"), content: "faked\n" } },
    { call: { method: "_nobody/knows", save: beside("unknown") } },
    { flood: 200_000 },
    { endTurn: "max_tokens" },
  ]);
  const decisions = ["allow", "reject"];
  const session = await openSession(fake, { cwd: here.folder, decide: () => decisions.shift() });
  assert.equal(await session.prompt("Do your worst."), "max_tokens");
  assert.equal(readFileSync(beside("prompt"), "utf8"), "Do your worst.");
  assert.equal(readFileSync(beside("answers"), "utf8"), "yes\nno");
  assert.equal(JSON.parse(readFileSync(beside("unknown"), "utf8")).error.code, -32601);
  assert.equal(here.text("hello.txt"), "faked\n");
  assert.ok(session.spoken().length >= 200_000);
  const [begun, failed] = session.updates.filter(({ toolCallId }) => toolCallId === "tool");
  assert.deepEqual([begun.status, failed.status], ["in_progress", "failed"]);
  await assert.rejects(session.call("_orchestrator/ping", {}), { code: -32601 });
});

test("the fake agent as a command: its daemon outlives it and writes when the gate opens", async (t) => {
  const here = await place(t);
  const beside = (name) => join(here.agents.home, name);
  const daemon = { gate: beside("go"), path: here.at("late.txt"), born: beside("born"), deaf: true };
  const fake = here.agents.fake([{ printPrompt: true }, { daemon }, { exit: 3 }], { adapter: "command" });
  const ended = await run([fake.command, ...fake.args, "Leave a daemon."], { env: environment(fake) });
  assert.deepEqual([ended.code, ended.stdout, ended.stderr], [3, "Leave a daemon.\n", ""]);
  const left = here.agents.processes();
  assert.ok(left.some(({ pid, parent }) => pid === Number(readFileSync(beside("born"), "utf8")) && parent === 1));
  assert.equal(existsSync(here.at("late.txt")), false);
  writeFileSync(beside("go"), "");
  await eventually("the daemon has written", () => here.text("late.txt") === "from a daemon\n");
});

test("the fake agent signals no parent but ours", async (t) => {
  const here = await place(t);
  const fake = here.agents.fake([{ signalParent: "SIGKILL" }], { adapter: "command" });
  const ended = await run([fake.command, ...fake.args, ""], { env: environment(fake) });
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /is left alone/);
});
