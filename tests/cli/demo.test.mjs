// `augment-cli demo`: a project to try everything on, made without an agent, an account, Node, git or a network, never over
// anything that exists; its built-in agent, which works there and nowhere else; and one session from start to end.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/steps/places.mjs";
import { eventually } from "../rig/eventually.mjs";
import { typingAt } from "../rig/terminal.mjs";
import { newWorkspace, program } from "../rig/workspace.mjs";

const template = join(root, "server", "core", "demo");
const files = [
  "CHANGELOG.md",
  "PROJECT_PLAN.md",
  "README.md",
  "package.json",
  "src/auth.js",
  "src/notes.js",
  "src/server.js",
  "test/auth.test.js",
];
const task = "Let sessions end after a day";

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
const plainFiles = (folder) => filesIn(folder).filter((name) => !name.startsWith(".git/"));
const fingerprint = (folder) =>
  filesIn(folder).map((name) => [
    name,
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex"),
  ]);

/** A machine with nothing on it but our program; demos are made with it and driven by it. */
function newMachine(t) {
  const workspace = newWorkspace(t);
  const env = { PATH: "/nowhere", HOME: workspace.home, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const json = (args, how) => workspace.json(args, { ...how, env: { ...env, ...how?.env } });
  return {
    ...workspace,
    env: { ...workspace.env, ...env },
    make: (...args) => json(["demo", ...args]),
    inDemo: (folder) => ({
      folder,
      json: (...args) => json(["-C", folder, ...args]),
      read: (name) => readFileSync(join(folder, name), "utf8"),
      refused: (args, message, how) => workspace.refused(["-C", folder, ...args], message, { env, ...how }),
      async host() {
        const host = workspace.start(["-C", folder, "host", "run"], { env });
        assert.equal(await host.line("the host is ready"), "ready");
      },
    }),
  };
}

test("a demo is the project of the repository, committed, with its tasks in the queue", async (t) => {
  const machine = newMachine(t);
  const { folder, task: id, agent } = await machine.make();
  assert.equal(folder, join(machine.home, "data", "demos", "lantern"));
  assert.deepEqual(plainFiles(folder), files);
  for (const name of files)
    assert.equal(readFileSync(join(folder, name), "utf8"), readFileSync(join(template, name), "utf8"));
  assert.match(readFileSync(join(folder, ".git", "logs", "HEAD"), "utf8"), /lantern: a notes server to work on/);
  const demo = machine.inDemo(folder);
  const { tasks } = await demo.json("queue", "list");
  assert.deepEqual(
    tasks.map(({ title, priority }) => [title, priority]),
    [
      [task, "high"],
      ["Keep notes on disk", "high"],
      ["Refuse oversized notes", "medium"],
      ["Refactor authentication module", "medium"],
      ["Describe the HTTP door in the README", "low"],
    ],
  );
  assert.deepEqual([tasks[0].id, tasks[0].scope, agent], [id, ["src/**"], "demo"]);
});

test("each demo has a folder of its own, and an earlier one is not touched", async (t) => {
  const machine = newMachine(t);
  const first = (await machine.make()).folder;
  writeFileSync(join(first, "README.md"), "mine\n");
  const before = fingerprint(first);
  const second = (await machine.make()).folder;
  assert.equal(second, `${first}-2`);
  assert.deepEqual(fingerprint(first), before);
  // What is kept of a demo that was removed is not taken up by a new one.
  rmSync(second, { recursive: true });
  assert.equal((await machine.make()).folder, `${first}-3`);
  assert.equal(existsSync(second), false);
});

test("a folder that is named must be empty or new, and nothing in it is written over", async (t) => {
  const machine = newMachine(t);
  const inScratch = (name) => join(machine.scratch, name);
  const refused = (name, message, code) => machine.refused(["demo", inScratch(name)], message, { code });

  const deep = inScratch("new/in/new");
  assert.equal((await machine.make(deep)).folder, deep);
  mkdirSync(inScratch("empty"));
  assert.deepEqual(plainFiles((await machine.make(inScratch("empty"))).folder), files);

  mkdirSync(inScratch("full"));
  writeFileSync(join(inScratch("full"), ".hidden"), "mine\n");
  const notEmpty = "is not empty, and nothing of yours is written over. Name a folder that is empty or does not exist.";
  await refused("full", `${inScratch("full")} ${notEmpty}`, "not-empty");
  assert.deepEqual(filesIn(inScratch("full")), [".hidden"]);

  writeFileSync(inScratch("file"), "mine\n");
  const notFolder = "is not a folder. Name a folder that is empty or does not exist.";
  await refused("file", `${inScratch("file")} ${notFolder}`, "not-a-folder");
  assert.equal(readFileSync(inScratch("file"), "utf8"), "mine\n");

  const { data } = await machine.inDemo(deep).json("where");
  rmSync(deep, { recursive: true });
  const used = `${deep} was a workspace before: its data is still in ${data}. Name another folder.`;
  await refused("new/in/new", used, "used-before");
  assert.equal(existsSync(deep), false);
});

test("people are told what to type next", async (t) => {
  const machine = newMachine(t);
  const { code, stdout } = await machine.cli(["demo", join(machine.scratch, "a demo")], { env: machine.env });
  assert.equal(code, 0);
  assert.match(stdout, /^A demo project is in \/.*\/a demo\.\n/);
  assert.match(stdout, /code '\/.*\/a demo'/);
  for (const part of [/cd '\/.*\/a demo'/, /session start/, /agent start --task-id a1 --agent demo/, /session end/])
    assert.match(stdout, part);
});

test("the built-in agent is there in a demo that was made here, and nowhere else", async (t) => {
  const machine = newMachine(t);
  const { folder } = await machine.make();
  const demo = machine.inDemo(folder);
  const agents = async (place) => (await place.json("agent", "list")).agents.map(({ name }) => name);
  const builtIn = (await demo.json("agent", "list")).agents.find(({ name }) => name === "demo");
  assert.deepEqual([builtIn.source, builtIn.allowed, builtIn.problem], ["preset", true, null]);

  const copy = join(machine.scratch, "copy");
  cpSync(folder, copy, { recursive: true });
  const moved = join(machine.scratch, "moved");
  for (const place of [machine.folder, copy]) assert.ok(!(await agents(machine.inDemo(place))).includes("demo"), place);
  const nowhere = (place) => `${place} is no demo, and the demo's agent works nowhere else.`;
  await machine.inDemo(copy).refused(["demo-agent"], nowhere(copy), { code: "no-demo" });
  const noToken = /^error: AUGMENT_TOKEN is not set/;
  assert.match((await machine.cli(["-C", folder, "demo-agent"])).stderr, noToken);

  // Another folder in its place is no demo, whatever is in it.
  renameSync(folder, moved);
  cpSync(copy, folder, { recursive: true });
  await demo.refused(["demo-agent"], nowhere(folder));
  rmSync(folder, { recursive: true });
  renameSync(moved, folder);
  assert.ok((await agents(demo)).includes("demo"));
});

test("nobody takes the built-in agent's name in a demo", async (t) => {
  const machine = newMachine(t);
  const { folder } = await machine.make();
  const own = '[agents.demo]\ncommand = "/bin/false"\n';
  mkdirSync(join(folder, ".augment"));
  writeFileSync(join(folder, ".augment", "agents.toml"), own.replace("/bin/false", "false"));
  mkdirSync(join(machine.home, "config"), { recursive: true });
  writeFileSync(join(machine.home, "config", "agents.toml"), own);
  const { agents, problems } = await machine.inDemo(folder).json("agent", "list");
  assert.deepEqual(
    agents.filter(({ name }) => name === "demo").map(({ source }) => source),
    ["preset"],
  );
  assert.equal(problems.length, 2);
  assert.match(problems[0], /"demo" is the built-in agent in this demo; yours can be started everywhere else\./);
  const elsewhere = await machine.inDemo(machine.folder).json("agent", "list");
  assert.deepEqual(
    elsewhere.agents.filter(({ name }) => name === "demo").map(({ source }) => source),
    ["user"],
  );
});

test("after the program was installed anew under its host, what that starts of it still begins", async (t) => {
  const machine = newMachine(t);
  const { folder, task: id } = await machine.make();
  const demo = machine.inDemo(folder);
  const installed = join(machine.scratch, "installed");
  mkdirSync(installed);
  const install = () => cpSync(program, join(installed, "augment-cli"));
  install();
  const host = spawn(join(installed, "augment-cli"), ["-C", folder, "host", "run"], {
    env: machine.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => host.kill("SIGKILL"));
  assert.match(String(await once(host.stdout, "data")), /^ready/);
  // An editor moves what it replaces out of the way before it is deleted.
  renameSync(installed, join(machine.scratch, "old"));
  rmSync(join(machine.scratch, "old"), { recursive: true });
  mkdirSync(installed);
  install();
  await demo.json("session", "start");
  await demo.json("session", "confirm");
  const { run } = await demo.json("agent", "start", "--task-id", id, "--agent", "demo", "--background");
  await eventually("it asks", async () => (await demo.json("agent", "questions")).questions.length === 1);
  await demo.json("agent", "stop", run.run);
  assert.equal((await demo.json("status")).host.pid, host.pid);
});

test("a whole session: scope before code, a question, a flag, hunks to decide, a record", async (t) => {
  const machine = newMachine(t);
  const { folder, task: id } = await machine.make();
  const demo = machine.inDemo(folder);
  await demo.host();
  const start = ["agent", "start", "--task-id", id, "--agent", "demo", "--background"];

  const { session } = await demo.json("session", "start");
  assert.deepEqual([session.number, session.state], [3, "planned"]);
  assert.deepEqual(
    session.items.map(({ title }) => title),
    [task, "Keep notes on disk", "Refuse oversized notes"],
  );
  const { code } = await machine.cli(["-C", folder, ...start]);
  assert.equal(code, 1, "nothing begins before the scope is confirmed");
  await demo.json("session", "confirm");
  const { run } = await demo.json(...start);

  const [question] = await eventually(
    "it asks",
    async () => (await demo.json("agent", "questions")).questions,
    (questions) => questions.length === 1,
  );
  assert.equal(question.question, "How long shall a session last?");
  assert.deepEqual(plainFiles(folder), files);
  for (const name of files) assert.equal(demo.read(name), readFileSync(join(template, name), "utf8"), "not yet");
  await demo.json("agent", "answer", question.id, "hour");
  const ended = await eventually(
    "it is done",
    async () => (await demo.json("agent", "status", "--id", run.run)).run,
    ({ state }) => !["starting", "running", "waiting"].includes(state),
  );
  assert.equal(ended.state, "completed", ended.because);

  const { flags } = await demo.json("session", "status");
  assert.deepEqual(
    flags.map(({ path, kind }) => [path, kind]),
    [["README.md", "out-of-scope"]],
  );
  const list = await demo.json("changes", "list");
  const hunks = (path) => list.files.find((file) => file.path === path).hunks;
  assert.deepEqual(
    list.files.map(({ path, hunks: { length } }) => [path, length]),
    [
      ["README.md", 1],
      ["src/auth.js", 3],
      ["src/server.js", 2],
    ],
  );
  for (const { author } of list.files.flatMap((file) => file.hunks)) assert.equal(author.run, run.run);

  // The one that prints every token is rejected, the rest of the file stays.
  await demo.json("changes", "reject", hunks("src/server.js")[0].id);
  const server = readFileSync(join(template, "src/server.js"), "utf8");
  assert.equal(demo.read("src/server.js"), server.replace("Who are you?", "Log in again."));
  await demo.json("session", "flag", flags[0].id, "--log");
  assert.equal(demo.read("README.md"), readFileSync(join(template, "README.md"), "utf8"));
  await demo.json("changes", "approve", "--task-id", id);
  assert.match(demo.read("src/auth.js"), /const sessionMs = 1 \* 60 \* 60 \* 1000;/);
  assert.deepEqual((await demo.json("changes", "list")).files, []);

  const over = await demo.json("session", "end");
  assert.equal(over.session.state, "ended");
  assert.equal(over.commit.problem, null, "also where git was never set up");
  assert.match(demo.read("CHANGELOG.md"), /Session 003/);
  assert.match(demo.read("PROJECT_PLAN.md"), /\| Let sessions end after a day \| auth \| 30 min \| \| Complete \|/);
  assert.equal((await demo.json("audit", "verify")).holds, true);
});

test("whoever follows a run in a terminal answers there; what cannot be answered is asked again", async (t) => {
  const machine = newMachine(t);
  const { folder, task: id } = await machine.make();
  const demo = machine.inDemo(folder);
  await demo.host();
  await demo.json("session", "start", "--confirm");
  const prompt = "Number or name of your answer to q1, or Enter to leave it open: ";
  const { code, stdout } = await machine.cli(["-C", folder, "agent", "start", "--task-id", id, "--agent", "demo"], {
    command: typingAt([prompt, "a fortnight"], [prompt, "2"]),
    env: { ...machine.env, PATH: process.env.PATH, TERM: "dumb" },
  });
  assert.equal(code, 0, stdout);
  assert.equal(stdout.split(prompt).length, 3, stdout);
  assert.equal(stdout.split("How long shall a session last?").length, 2, "it is shown once");
  assert.doesNotMatch(stdout.slice(stdout.indexOf("Answered: hour")), /Enter to leave it open/, "and asked no more");
  const [{ answer }] = (await demo.json("agent", "status", "--id", `${id}.1`)).questions;
  assert.equal(answer.choice, "hour");
  assert.match(demo.read("src/auth.js"), /const sessionMs = 1 \* 60 \* 60 \* 1000;/);
});

test("a question that is left open in the terminal waits for an answer from elsewhere", async (t) => {
  const machine = newMachine(t);
  const { folder, task: id } = await machine.make();
  const demo = machine.inDemo(folder);
  await demo.host();
  await demo.json("session", "start", "--confirm");
  const following = machine.start(["-C", folder, "agent", "start", "--task-id", id, "--agent", "demo"], {
    command: typingAt(["to leave it open: ", ""]),
    env: { ...machine.env, PATH: process.env.PATH, TERM: "dumb" },
  });
  await following.line("it is left open", (line) => line.includes("q1 stays open: `augment-cli agent answer q1 …`."));
  await demo.json("agent", "answer", "q1", "day");
  assert.equal((await following.exit).code, 0);
  assert.match(demo.read("src/auth.js"), /const sessionMs = 24 \* 60 \* 60 \* 1000;/);
});

test("on another task the agent says that it cannot, and changes nothing", async (t) => {
  const machine = newMachine(t);
  const { folder } = await machine.make();
  const demo = machine.inDemo(folder);
  await demo.host();
  const before = files.map(demo.read);
  const { tasks } = await demo.json("queue", "list");
  const other = tasks.find(({ title }) => title === "Keep notes on disk").id;
  await demo.json("session", "start", "--confirm");
  const { run } = await demo.json("agent", "start", "--task-id", other, "--agent", "demo", "--background");
  const { state } = await eventually(
    "it has ended",
    async () => (await demo.json("agent", "status", "--id", run.run)).run,
    ({ state }) => !["starting", "running", "waiting"].includes(state),
  );
  assert.equal(state, "blocked");
  assert.deepEqual(files.map(demo.read), before);
});
