// A command of prompt sessions that is killed at any place where something becomes durable, or right after it has started
// git or jj: the same command, or the next one, ends in what an undisturbed one ends in, and nothing is there twice
// (J1 to J7, Z1).

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { newPromptProject } from "../rig/prompt-project.mjs";
import { durable, killAt, record } from "../rig/strace.mjs";
import { run } from "../rig/workspace.mjs";

/** Of more places than this every so-manieth is taken, always the same ones, and the last. */
const most = { own: 3, programs: 2, all: 12 };

/**
 * A prompt from its start to its end. `before` is what somebody does before the command, `isDone` says whether a command
 * that was killed had come to its end all the same: what is not to be given again then.
 */
const steps = [
  {
    name: "start",
    before: (project) => project.write("src/b.txt", "b\nfrom before\n"),
    args: ["start", "Teach the parser comments", "--context", "A new token.", "--commit-first"],
  },
  {
    name: "intent",
    before: (project) => project.write("src/a.txt", "1\n2\n3\nfour\n"),
    args: ["intent", "Read comments"],
  },
  {
    name: "a second intent, with a new file",
    before: (project) => project.write("src/c.txt", "c\n"),
    args: ["intent", "Test comments"],
  },
  {
    name: "undo",
    args: ["undo"],
    isDone: ({ prompt }) => prompt.intents.length === 2,
    after: (project) => project.prompt("intent", "Test comments"),
  },
  { name: "finish", args: ["finish", "The parser reads comments"] },
  {
    name: "undo of finish",
    args: ["undo"],
    isDone: ({ prompt }) => !prompt.isFinished,
    after: (project) => project.prompt("finish", "The parser reads comments"),
  },
  {
    name: "report",
    args: ["report", "--title", "Comments", "--answer", "It reads them.", "--subject", "Parser"],
  },
  { name: "push", args: ["push", "--to", "dev"] },
];

/** The first write after each sync, each sync, and each change of a name, as their threads count them; some of them. */
function placesOf(log, limit) {
  const counts = new Map();
  const isWritten = new Set();
  const found = new Map();
  for (const [, thread, call] of readFileSync(log, "utf8").matchAll(/^(\d+) +(\w+)\(/gm)) {
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, number);
    const isFurther = call === "pwrite64" && isWritten.has(thread);
    if (call === "pwrite64") isWritten.add(thread);
    if (/sync$/.test(call)) isWritten.delete(thread);
    if (!isFurther && !found.has(`${call} ${number}`)) found.set(`${call} ${number}`, { call, number });
  }
  return someOf([...found.values()], limit);
}

function someOf(places, limit) {
  const stride = Math.max(1, Math.ceil(places.length / limit));
  return places.filter((_, at) => at % stride === 0 || at === places.length - 1);
}

/** Brings everything back to before a command, and runs it with a prefix that kills it somewhere. */
async function killed(project, step, command) {
  await project.bringBack();
  const { code, signal } = await project.cli(["prompt", ...step.args], { command });
  return code !== 0 || signal !== null;
}

/** Gives the command again unless it was done, and compares with what it comes to undisturbed. */
async function goesOn(project, step, golden, what) {
  const isDone = step.isDone?.(await project.picture()) ?? false;
  let again = isDone ? null : await project.cli(["prompt", ...step.args]);
  const way = ways.find(({ said }) => said.test(again?.stderr ?? ""));
  if (way) {
    await way.mend(project, again.stderr);
    again = await project.cli(["prompt", ...step.args]);
  }
  // A refusal is right where all was done already; that it was the comparison says.
  if (again) assert.ok([0, 1].includes(again.code), `${what}: ${again.stderr}`);
  const said = `${what}, then: ${again?.stderr}`;
  assert.deepEqual(await project.picture(), golden, said);
  await project.isSound(said);
}

/** What the person has to do first, and is told to do: git and jj keep to themselves what was killed in them. */
const ways = [
  { said: /Run `jj workspace update-stale`/, mend: (project) => project.jj("workspace", "update-stale") },
  { said: /there is an index\.lock.*remove/s, mend: (project) => rmSync(project.at(".git/index.lock")) },
  {
    said: /\.git\/refs\/(heads|augment)\/\S+\.lock/,
    mend: (project, said) => rmSync(project.at(said.match(/\.git\/refs\/\S+?\.lock/)[0])),
  },
];

/** A prompt from its start to its end; each command undisturbed, then as `disturb` has it, each time from before it. */
async function through(t, system, disturb) {
  const project = await newPromptProject(t, system);
  const { database } = await project.places();
  const own = [database, `${database}-wal`];
  for (const step of steps) {
    await step.before?.(project);
    await project.keep();
    const log = join(project.beside, "calls");
    const files = system === "jj" ? own : [];
    const undisturbed = await project.cli(["prompt", ...step.args], { command: record(log, durable, files) });
    assert.equal(undisturbed.code, 0, `${step.name}: ${undisturbed.stderr}`);
    const golden = await project.picture();
    await project.isSound(step.name);
    const count = await disturb({ project, step, golden, log, files });
    t.diagnostic(`${step.name}: killed at ${count}`);
    await project.bringBack();
    await project.prompt(...step.args);
    await step.after?.(project);
  }
}

for (const system of ["git", "jj"]) {
  test(`${system}: killed at any durable place, the command given again ends in the same`, async (t) => {
    await through(t, system, async ({ project, step, golden, log, files }) => {
      const places = placesOf(log, system === "git" ? most.all : most.own);
      let count = 0;
      for (const place of places) {
        if (await killed(project, step, killAt({ ...place, files }))) count += 1;
        await goesOn(project, step, golden, `${step.name}, ${place.call} ${place.number}`);
      }
      assert.ok(count > places.length / 2, `${step.name} is killed at ${count} of ${places.length} places`);
      return `${count} of ${places.length} places`;
    });
  });
}

for (const system of ["git", "jj"]) {
  test(`${system}: killed right after it has started ${system}, which goes on or ends as well`, async (t) => {
    let all = 0;
    await through(t, system, async ({ project, step, golden }) => {
      await project.bringBack();
      const counting = project.shim({ number: 0 });
      await project.prompt(...step.args);
      const total = counting.count();
      for (const number of someOf(
        Array.from({ length: total }, (_, at) => at + 1),
        most.programs,
      ))
        for (const dies of [true, false]) {
          await project.bringBack();
          const shim = project.shim({ number, dies });
          const { signal } = await project.cli(["prompt", ...step.args]);
          const what = `${step.name}, ${system} number ${number} ${dies ? "ends as well" : "goes on"}`;
          assert.equal(signal, "SIGKILL", what);
          await shim.over();
          shim.remove();
          await goesOn(project, step, golden, what);
          all += 1;
        }
      return `some of ${total} programs`;
    });
    assert.ok(all > 0, "it starts programs");
  });
}

for (const intents of [1, 2])
  for (const isThere of [true, false])
    test(`jj: after a finish of ${intents} that was killed at its bookmark, undo leads ${isThere ? "it back" : "to none"}`, async (t) => {
      const project = await newPromptProject(t, "jj");
      await project.prompt("start", "Teach the parser comments", "--context", "A new token.");
      if (isThere) await project.jj("bookmark", "set", "dev", "-r", "@-");
      const at = () => project.jj("bookmark", "list", "dev", "-T", 'name ++ " " ++ normal_target.commit_id()');
      const before = await at();
      assert.equal(before !== "", isThere);
      for (let number = 0; number < intents; number += 1) {
        project.write("src/a.txt", `${number}\n`);
        await project.prompt("intent", `Say ${number}`);
      }
      await project.keep();
      for (const dies of [true, false]) {
        await project.bringBack();
        const shim = project.shim({ number: 1, dies, command: " bookmark set " });
        const { signal } = await project.cli(["prompt", "finish", "It reads them"]);
        assert.equal(signal, "SIGKILL");
        await shim.over();
        shim.remove();
        const { finished } = await project.prompt("finish", "It reads them");
        assert.match(await at(), new RegExp(finished.commit));
        await project.prompt("undo");
        assert.equal(await at(), before, dies ? "it was not set before the kill" : "it was set all the same");
        assert.equal((await project.picture()).prompt.isFinished, false);
      }
    });

test("git: a host that is killed while it works for a client leaves what a command by itself finishes", async (t) => {
  const project = await newPromptProject(t, "git");
  const [start, intent] = steps;
  start.before(project);
  await project.prompt(...start.args);
  intent.before(project);
  await project.keep();
  await project.prompt(...intent.args);
  const golden = await project.picture();
  for (const file of [".git/index.lock", ".git/refs/heads/main.lock"]) {
    await project.bringBack();
    const call = "?rename,?renameat,?renameat2";
    const host = await project.host({ command: killAt({ call, number: 1, files: [project.at(file)] }) });
    await project.cli(["prompt", ...intent.args]);
    await host.exit;
    await goesOn(project, intent, golden, `the host, killed before ${file} is renamed`);
  }
});

test("git: killed between the index and the branch, nothing stays staged, and a lock that lies there is named", async (t) => {
  const project = await newPromptProject(t, "git");
  await project.prompt(...steps[0].args);
  project.write("src/a.txt", "1\n2\n3\nfour\n");
  project.write("src/b.txt", "b\nstaged\n");
  project.write("src/c.txt", "c\n");
  await project.git("add", "src/b.txt");
  const status = await project.git("status", "--porcelain");
  await project.keep();
  const call = "?rename,?renameat,?renameat2";
  for (const file of [".git/index.lock", ".git/refs/heads/main.lock"]) {
    await project.bringBack();
    const command = killAt({ call, number: 1, files: [project.at(file)] });
    const { signal, code } = await project.cli(["prompt", "intent", "Read comments"], { command });
    assert.ok(signal !== null || code !== 0, `killed before ${file} is renamed`);
    const isOfIndex = file.endsWith("index.lock");
    if (isOfIndex) rmSync(project.at(file));
    const { notes } = await project.prompt("drop");
    assert.equal(await project.git("status", "--porcelain"), status, `after a kill before ${file} is renamed`);
    assert.deepEqual(
      readdirSync(project.at(".git")).filter((name) => name.startsWith("augment-")),
      [],
    );
    const left = isOfIndex
      ? /; nothing is left of it\.$/
      : /; all that may be left of it is \S+\/\.git\/refs\/heads\/main\.lock, which keeps others from writing there\. Remove/;
    assert.match(notes.join("\n"), left);
  }
});

/** A repository in which two files are changed for a prompt, one of them staged, and what git says of them. */
async function changedAndStaged(t) {
  const project = await newPromptProject(t, "git");
  await project.prompt(...steps[0].args);
  project.write("src/a.txt", "1\n2\n3\nfour\n");
  project.write("src/b.txt", "b\nstaged\n");
  await project.git("add", "src/b.txt");
  return { project, before: await project.git("status", "--porcelain") };
}

/** A command that is killed before git's lock becomes the file. */
async function killedAt(project, args, file) {
  const call = "?rename,?renameat,?renameat2";
  const command = killAt({ call, number: 1, files: [project.at(file)] });
  const { signal, code } = await project.cli(["prompt", ...args], { command });
  assert.ok(signal !== null || code !== 0, `killed before ${file} is renamed`);
}

/** Takes the last commit back, and is killed there. */
const undoKilledAt = (project, file) => killedAt(project, ["undo"], file);

test("git: a taking back that is killed leaves nothing staged the wrong way round, and the next command finishes it", async (t) => {
  const { project, before } = await changedAndStaged(t);
  await project.prompt("intent", "Read comments");
  await project.keep();
  for (const [file, between] of [
    [".git/refs/heads/main.lock", ""],
    [".git/index.lock", "M  src/a.txt\nM  src/b.txt\n"],
  ])
    for (const next of [["undo"], ["drop"], ["intent", "Read remarks"]]) {
      await project.bringBack();
      await undoKilledAt(project, file);
      const what = `killed before ${file} is renamed, then ${next[0]}`;
      // As long as the lock lies there it is refused, and not forgotten.
      const { code, stderr } = await project.cli(["prompt", ...next, "--json"]);
      assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "git-busy"], what);
      rmSync(project.at(file));
      assert.equal(await project.git("status", "--porcelain"), between, what);
      assert.match((await project.prompt("status")).notes.join("\n"), /was interrupted while it was written or taken/);
      const { notes } = await project.prompt(...next);
      assert.match(notes.join("\n"), /^`intent: Read comments` was being taken back by .*; that is done now\.$/m, what);
      const { prompt, log } = await project.picture();
      const isIntent = next[0] === "intent";
      assert.deepEqual(prompt.intents, isIntent ? ["work intent: Read remarks"] : [], what);
      assert.doesNotMatch(log, /Read comments/, what);
      assert.equal(await project.git("status", "--porcelain"), isIntent ? "" : before, what);
      await project.isSound(what);
    }
});

test("git: a taking back that was killed is not finished on another branch", async (t) => {
  const { project } = await changedAndStaged(t);
  await project.prompt("intent", "Read comments");
  const lock = ".git/refs/heads/main.lock";
  await undoKilledAt(project, lock);
  rmSync(project.at(lock));
  await project.git("switch", "--quiet", "--create", "other");
  const tips = () => project.git("for-each-ref", "--format=%(refname) %(subject)", "refs/heads/");
  const kept = "refs/heads/main intent: Read comments\nrefs/heads/other intent: Read comments\n";
  project.write("src/c.txt", "c\n");
  const { code, stderr } = await project.cli(["prompt", "intent", "Test comments", "--json"]);
  assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "other-branch"]);
  assert.equal(await tips(), kept);
  const { notes } = await project.prompt("drop");
  assert.match(
    notes.join("\n"),
    /^`intent: Read comments` was being taken back .*, and that cannot be finished: Prompt p1/m,
  );
  assert.equal(await tips(), kept);
});

const branchLock = ".git/refs/heads/main.lock";

test("git: a command that is refused tells all the same of the taking back that it has finished", async (t) => {
  const project = await newPromptProject(t, "git");
  const [start, intent] = steps;
  await project.prompt(...start.args);
  intent.before(project);
  await project.prompt(...intent.args);
  await project.prompt("finish", "The parser reads comments");
  await undoKilledAt(project, branchLock);
  rmSync(project.at(branchLock));
  assert.equal((await project.prompt("status")).interrupted, "undo");
  const { stdout } = await project.cli(["prompt", "status"]);
  assert.match(stdout, /\n\nRepeat what was interrupted: augment-cli prompt undo\n$/);
  await project.keep();
  const done =
    "`session: The parser reads comments` was being taken back by a command that was interrupted; that is done now. ";
  for (const [code, refused, ...args] of [
    ["prompt-state", "Prompt p1 is open, and this is for one that is finished.", "push"],
    ["prompt-under-way", 'Prompt p1 ("Teach the parser comments") is open.', "start", "Another one", "--leave"],
    ["nothing-to-commit", "Nothing that is approved is left to commit.", "intent", "Test comments"],
    ["shown-otherwise", "What would be taken back for prompt p1 is no longer", "undo", "--commit", "00000000"],
    ["shown-otherwise", "What finishing prompt p1 would write is no longer", "finish", "It is", "--confirm", "0"],
  ]) {
    await project.bringBack();
    const [first, again] = [await said(project, args), await said(project, args)];
    assert.deepEqual([first.code, again.code], [code, code], first.message);
    assert.ok(first.message.startsWith(done + refused), `${args[0]}: ${first.message}`);
    assert.equal(first.message, done + again.message, `${args[0]} tells it once`);
    assert.equal((await project.prompt("status")).interrupted, null, args[0]);
  }
});

/** With which words a command is refused. */
async function said(project, args) {
  const { code, stderr } = await project.cli(["prompt", ...args, "--json"]);
  assert.equal(code, 1, `${args.join(" ")}: ${stderr}`);
  return JSON.parse(stderr).error;
}

test("git: an approval that is committed at once tells of what it has finished, also where it is not committed", async (t) => {
  const { project } = await changedAndStaged(t);
  await project.prompt("intent", "Read comments");
  await project.json(["config", "set", "prompt.intents", "approved"]);
  await undoKilledAt(project, branchLock);
  rmSync(project.at(branchLock));
  await project.agent("Write remarks");
  project.write("src/c.txt", "c\n");
  const committed = await project.approve("--all");
  const isDone = "`intent: Read comments` was being taken back by a command that was interrupted; that is done now.";
  assert.ok(committed.message.endsWith(` ${isDone} Committed as \`intent: Write remarks\`.`), committed.message);

  project.write("src/c.txt", "c\nd\n");
  assert.equal((await project.hunks()).length, 1);
  await project.unhosted();
  await killedAt(project, ["finish", "It reads them"], branchLock);
  rmSync(project.at(branchLock));
  assert.equal((await project.prompt("status")).interrupted, "finish");
  const left = await project.approve("--all");
  const isMade = "The session's commit, which was interrupted, is made. Not committed: Prompt p1 is finished,";
  assert.ok(left.message.includes(` ${isMade} and this is for one that is open.`), left.message);
});

test("git: what was staged is staged again also when the intent was killed in a hook that runs after it", async (t) => {
  const { project, before } = await changedAndStaged(t);
  const hook = project.at(".git/hooks/post-commit");
  mkdirSync(dirname(hook), { recursive: true });
  // Whoever started git.
  writeFileSync(hook, '#!/bin/sh\nkill -9 "$(cut -d" " -f4 "/proc/$PPID/stat")"\n', { mode: 0o755 });
  const { signal } = await project.cli(["prompt", "intent", "Read comments"]);
  assert.equal(signal, "SIGKILL");
  const running = readdirSync(project.at(".git")).find((name) => name.startsWith("augment-"));
  await eventually("git has ended", async () => {
    const { code } = await run(["flock", "--nonblock", project.at(`.git/${running}/running`), "true"]);
    return code === 0;
  });
  rmSync(hook);
  const { what } = await project.prompt("undo");
  assert.equal(what, "the commit `intent: Read comments`");
  assert.equal(await project.git("status", "--porcelain"), before);
});
