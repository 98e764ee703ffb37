// Git at work beside an agent's run, and repositories of every kind: what git does is never called the agent's, and what
// waits for a decision is never lost (T2, T3).

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { git, picture, put, repository } from "../rig/changed-files.mjs";
import { newWorkspace, program, run } from "../rig/workspace.mjs";

const base = "one\ntwo\nthree\nfour\nfive\nsix\n";
const edited = base.replace("two", "TWO");

/** A repository with a branch `topic`, in which a run has an edit of agent.txt and a new file waiting. */
async function begin(t, { files = {}, topic = { "other.txt": `${base}topic\n`, "topic.txt": "topic\n" } } = {}) {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  repository(folder, { "agent.txt": base, "other.txt": base, "far/away.txt": base, ...files });
  git(folder, "checkout", "--quiet", "-b", "topic");
  put(folder, topic);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "topic");
  git(folder, "checkout", "--quiet", "main");
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(folder, { "agent.txt": edited, "made.txt": "made\n" });
  await workspace.json(["changes", "list"]);
  const read = (path) => readFileSync(join(folder, path), "utf8");
  return {
    ...workspace,
    read,
    git: (...args) => git(folder, ...args),
    /** The files that wait for a decision about the run's work. */
    async waiting() {
      const { files: found } = await workspace.json(["changes", "list"]);
      for (const { hunks } of found) for (const { author } of hunks) assert.equal(author.run, "a1.1");
      return found.map(({ path }) => path);
    },
    /** What the ledger says of these files: nowhere that the run has changed them. */
    async notBlamed(...paths) {
      await workspace.json(["changes", "list"]);
      for (const { subject, data } of await workspace.records("--kind", "file.changed")) {
        const path = subject.replace(/^file:/, "");
        if (paths.includes(path)) assert.doesNotMatch(data.author, /^run:/, `${path} is called the run's`);
      }
      assert.equal((await workspace.json(["audit", "verify"])).holds, true);
    },
    /** Rejects all that the run did: its own files are as before, and the person's commits untouched. */
    async rejected() {
      await workspace.json(["changes", "reject", "--task-id", "a1"]);
      assert.equal(read("agent.txt"), base);
      assert.equal(existsSync(join(folder, "made.txt")), false);
    },
  };
}

const both = ["agent.txt", "made.txt"];

test("checkout there and back", async (t) => {
  const workspace = await begin(t);
  workspace.git("checkout", "--quiet", "topic");
  await workspace.notBlamed("other.txt", "topic.txt", "far/away.txt");
  assert.equal(workspace.read("other.txt"), `${base}topic\n`);
  workspace.git("checkout", "--quiet", "main");
  await workspace.notBlamed("other.txt", "topic.txt");
  assert.deepEqual(await workspace.waiting(), both);
  await workspace.rejected();
  assert.equal(workspace.read("other.txt"), base);
});

test("a checkout that would overwrite the run's edit parks it, and it comes back with its branch", async (t) => {
  const workspace = await begin(t, { topic: { "agent.txt": `topic\n${base}` } });
  workspace.git("add", "--all");
  workspace.git("commit", "--quiet", "--message", "the run's work");
  assert.deepEqual(await workspace.waiting(), both, "a commit while a run is at work is no decision");
  workspace.git("checkout", "--quiet", "topic");
  assert.deepEqual(await workspace.waiting(), []);
  await workspace.notBlamed();
  const blame = (await workspace.records("--kind", "file.changed")).filter(({ data }) =>
    data.author.startsWith("run:"),
  );
  assert.equal(blame.length, 2, "only what the run wrote is the run's");
  workspace.git("checkout", "--quiet", "main");
  assert.deepEqual(await workspace.waiting(), both);
  await workspace.rejected();
});

test("merge, fast and with a commit of its own", async (t) => {
  const workspace = await begin(t);
  workspace.git("merge", "--quiet", "topic");
  await workspace.notBlamed("other.txt", "topic.txt");
  workspace.git("checkout", "--quiet", "-b", "second", "HEAD~1");
  workspace.git("commit", "--quiet", "--allow-empty", "--message", "second");
  workspace.git("checkout", "--quiet", "main");
  workspace.git("merge", "--quiet", "--no-ff", "--no-edit", "second");
  assert.deepEqual(await workspace.waiting(), both);
  await workspace.rejected();
  assert.equal(workspace.read("other.txt"), `${base}topic\n`);
});

test("pull", async (t) => {
  const workspace = await begin(t);
  const remote = join(workspace.scratch, "remote.git");
  const elsewhere = join(workspace.scratch, "elsewhere");
  git(workspace.scratch, "clone", "--quiet", "--bare", workspace.folder, remote);
  git(workspace.scratch, "clone", "--quiet", remote, elsewhere);
  put(elsewhere, { "other.txt": `${base}pulled\n`, "pulled.txt": "pulled\n" });
  git(elsewhere, "add", "--all");
  git(elsewhere, "commit", "--quiet", "--message", "pulled");
  git(elsewhere, "push", "--quiet", "origin", "HEAD:main");
  workspace.git("pull", "--quiet", "--ff-only", remote, "main");
  assert.equal(workspace.read("pulled.txt"), "pulled\n");
  await workspace.notBlamed("other.txt", "pulled.txt");
  assert.deepEqual(await workspace.waiting(), both);
  await workspace.rejected();
});

test("a rebase that stops half-way, is given up, and is done", async (t) => {
  const workspace = await begin(t, { topic: { "other.txt": base.replace("five", "topic") } });
  workspace.git("stash", "push", "--quiet", "--include-untracked");
  put(workspace.folder, { "other.txt": base.replace("five", "main") });
  workspace.git("commit", "--quiet", "--all", "--message", "main");
  workspace.git("checkout", "--quiet", "topic");
  assert.throws(() => workspace.git("rebase", "--quiet", "main"), "it stops at the conflict");
  assert.match(workspace.read("other.txt"), /<<<<<<</);
  await workspace.json(["changes", "list"]);
  workspace.git("rebase", "--abort");
  await workspace.notBlamed("topic.txt");
  assert.throws(() => workspace.git("rebase", "--quiet", "main"));
  put(workspace.folder, { "other.txt": base.replace("five", "both") });
  workspace.git("add", "other.txt");
  workspace.git("rebase", "--continue");
  workspace.git("checkout", "--quiet", "main");
  workspace.git("stash", "pop", "--quiet");
  assert.equal(workspace.read("agent.txt"), edited);
  const { files } = await workspace.json(["changes", "list"]);
  assert.ok(
    files.some(({ path }) => path === "agent.txt"),
    "the run's edit waits again",
  );
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

test("stash and pop: what waited waits again", async (t) => {
  const workspace = await begin(t);
  workspace.git("stash", "push", "--quiet", "--include-untracked");
  assert.equal(workspace.read("agent.txt"), base);
  await workspace.json(["changes", "list"]);
  workspace.git("stash", "pop", "--quiet");
  assert.equal(workspace.read("agent.txt"), edited);
  assert.deepEqual(await workspace.waiting(), both);
  await workspace.rejected();
});

test("stash and pop over and over: what the stash has does not wait, and waits again with each pop", async (t) => {
  const workspace = await begin(t);
  for (let round = 1; round <= 3; round += 1) {
    workspace.git("stash", "push", "--quiet", "--include-untracked");
    assert.equal(workspace.read("agent.txt"), base);
    assert.deepEqual(await workspace.waiting(), [], `stashed ${round} times`);
    workspace.git("stash", "pop", "--quiet");
    assert.equal(workspace.read("agent.txt"), edited);
    assert.deepEqual(await workspace.waiting(), both, `popped ${round} times`);
  }
  await workspace.rejected();
});

/**
 * Runs git with a look before and after each program that it starts in turn, and in the middle of its cleaning. What is
 * looked at then is what somebody sees who asks while git is at work.
 */
async function looking({ folder, scratch, env }, ...args) {
  const bin = join(scratch, "looking");
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh
git() { env -u GIT_EXEC_PATH PATH="$REAL_PATH" git "$@"; }
look() {
  env -u GIT_DIR -u GIT_INDEX_FILE -u GIT_EXEC_PATH -u GIT_PREFIX -C '${folder}' '${program}' changes list --json \
    </dev/null >/dev/null || exit 99
}
look
if [ "$1" = clean ]; then
  # Whoever refreshes the index meanwhile, as editors do, makes the repository be looked at.
  git update-index --force-write-index || exit 98
  look
  git clean --force --quiet -- made.txt || exit 97
  look
fi
git "$@"
code=$?
look
exit $code
`;
  writeFileSync(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  const found = await run(["git", ...args], {
    cwd: folder,
    env: {
      ...env,
      ...{ HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" },
      ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
      ...{ GIT_EXEC_PATH: bin, REAL_PATH: env.PATH },
    },
  });
  assert.equal(found.code, 0, found.stderr);
}

for (const back of ["pop", "apply"])
  test(`a stash that is looked at all the way takes, and with ${back} gives back the same`, async (t) => {
    const workspace = newWorkspace(t);
    const { folder } = workspace;
    repository(folder, { "agent.txt": base });
    put(folder, { "mine.txt": "mine, not tracked\n" });
    await workspace.json(["start", "x", "--agent", "goose"]);
    put(folder, { "agent.txt": edited, "made.txt": "made\n", "new/more.txt": "more\n" });
    const waiting = async () =>
      (await workspace.json(["changes", "list"])).files.map(({ path, hunks }) => [path, hunks[0].author.run]);
    const all = [
      ["agent.txt", "a1.1"],
      ["made.txt", "a1.1"],
      ["new/more.txt", "a1.1"],
    ];
    assert.deepEqual(await waiting(), all);
    const written = picture(folder);
    const blamed = async () =>
      (await workspace.records("--kind", "file.changed"))
        .filter(({ data }) => data.author !== "vcs")
        .map(({ subject, data }) => [subject.replace("file:", ""), data.author.replace("run:", "")])
        .sort();
    const before = await blamed();
    await looking(workspace, "stash", "push", "--quiet", "--include-untracked");
    assert.deepEqual([await waiting(), await blamed()], [[], before], "what the stash took is called somebody's work");
    await looking(workspace, "stash", back, "--quiet");
    assert.deepEqual(picture(folder), written);
    assert.deepEqual([await waiting(), await blamed()], [all, before], "what it gave back is called somebody's work");
    // What a stash has given back is the run's to delete, also while that stash is still there.
    rmSync(join(folder, "mine.txt"));
    assert.deepEqual(await waiting(), [...all.slice(0, 2), ["mine.txt", "a1.1"], all[2]]);
    await workspace.json(["changes", "reject", "--task-id", "a1"]);
    assert.equal(readFileSync(join(folder, "agent.txt"), "utf8"), base);
    assert.equal(readFileSync(join(folder, "mine.txt"), "utf8"), "mine, not tracked\n");
    assert.equal(existsSync(join(folder, "made.txt")), false);
  });

test("reset --hard takes the run's edit away, and undo brings it back", async (t) => {
  const workspace = await begin(t);
  workspace.git("reset", "--quiet", "--hard");
  assert.deepEqual(await workspace.waiting(), ["made.txt"]);
  const implied = await workspace.records("--kind", "review.implied");
  assert.deepEqual(
    implied.map(({ subject, data }) => [subject, data.verdict, data.by]),
    [["file:agent.txt", "rejected", "vcs"]],
  );
  await workspace.json(["changes", "undo"]);
  assert.equal(workspace.read("agent.txt"), edited);
  assert.deepEqual(await workspace.waiting(), both);
});

// Git removes and patches these without its lock, so nothing tells them from the one run that is at work: they are
// inferred to be its doing. Nothing is lost by that.
test("clean and apply: nothing is lost", async (t) => {
  const workspace = await begin(t);
  workspace.git("clean", "--quiet", "--force", "-d");
  assert.equal(existsSync(join(workspace.folder, "made.txt")), false);
  assert.deepEqual(await workspace.waiting(), ["agent.txt"]);
  const patch = join(workspace.scratch, "patch");
  writeFileSync(patch, workspace.git("diff", "main", "topic", "--", "other.txt"));
  workspace.git("apply", patch);
  assert.equal(workspace.read("other.txt"), `${base}topic\n`);
  await workspace.json(["changes", "list"]);
  const changes = await workspace.records("--kind", "file.changed");
  const { data } = changes.find(({ subject }) => subject === "file:other.txt");
  assert.deepEqual([data.author, data.evidence], ["run:a1.1", "inferred"]);
  const shown = picture(workspace.folder);
  await workspace.json(["changes", "reject", "--all", "--yes"]);
  await workspace.json(["changes", "undo"]);
  assert.deepEqual(picture(workspace.folder), shown);
  // With --index it holds its lock, and it brings back what was there before.
  await workspace.json(["changes", "reject", "--all", "--yes"]);
  workspace.git("update-index", "--refresh");
  workspace.git("apply", "--index", patch);
  assert.deepEqual(await workspace.waiting(), []);
});

test("what a run does by way of git waits like anything else it does", async (t) => {
  const workspace = await begin(t, { files: { "old.txt": base, "gone.txt": base, "patched.txt": base } });
  await workspace.rejected();
  workspace.git("mv", "old.txt", "new.txt");
  put(workspace.folder, { "new.txt": edited });
  workspace.git("rm", "--quiet", "gone.txt");
  const patch = join(workspace.scratch, "patch");
  put(workspace.folder, { "patched.txt": edited });
  writeFileSync(patch, workspace.git("diff", "patched.txt"));
  workspace.git("checkout", "--quiet", "patched.txt");
  await workspace.json(["changes", "list"]);
  workspace.git("apply", "--index", patch);
  workspace.git("commit", "--quiet", "--all", "--message", "all of it");
  assert.deepEqual(await workspace.waiting(), ["gone.txt", "new.txt", "patched.txt"]);
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  for (const path of ["old.txt", "gone.txt", "patched.txt"]) assert.equal(workspace.read(path), base, path);
  assert.equal(existsSync(join(workspace.folder, "new.txt")), false);
});

test("a merge of a branch whose lines wait brings them to wait", async (t) => {
  const workspace = await begin(t);
  workspace.git("checkout", "--quiet", "-b", "agents");
  workspace.git("add", "--all");
  workspace.git("commit", "--quiet", "--message", "the run's work");
  workspace.git("checkout", "--quiet", "main");
  assert.deepEqual(await workspace.waiting(), []);
  put(workspace.folder, { "agent.txt": `${base}mine\n` });
  workspace.git("commit", "--quiet", "--all", "--message", "mine");
  await workspace.json(["changes", "list"]);
  workspace.git("merge", "--quiet", "--no-edit", "agents");
  assert.equal(workspace.read("agent.txt"), `${edited}mine\n`);
  const { files } = await workspace.json(["changes", "list"]);
  const held = files.flatMap(({ path, hunks }) => hunks.map(({ summary, author }) => [path, summary, author.run]));
  assert.ok(
    held.some(([path, , run]) => path === "agent.txt" && run === "a1.1"),
    JSON.stringify(held),
  );
});

test("a stash that is put on other ground brings back what waited", async (t) => {
  const workspace = await begin(t);
  workspace.git("stash", "push", "--quiet", "--include-untracked");
  assert.deepEqual(await workspace.waiting(), []);
  put(workspace.folder, { "agent.txt": `${base}seven\n` });
  workspace.git("commit", "--quiet", "--all", "--message", "other ground");
  await workspace.json(["changes", "list"]);
  workspace.git("stash", "pop", "--quiet");
  assert.equal(workspace.read("agent.txt"), `${edited}seven\n`);
  const { files } = await workspace.json(["changes", "list", "--file", "agent.txt"]);
  const [{ hunks }] = files;
  assert.deepEqual(
    hunks.filter(({ author }) => author.run === "a1.1").map(({ addedLines }) => addedLines),
    [["TWO"], ["seven"]],
    "the run's line waits again; the line typed beside it is inferred",
  );
});

test("git that goes back over a run's commits, and a stash after a merge: a no gives back what was there", async (t) => {
  const back = await begin(t);
  back.git("commit", "--quiet", "--all", "--message", "the run's work");
  await back.json(["changes", "list"]);
  put(back.folder, { "agent.txt": edited.replace("TWO", "TWO again").replace("five", "FIVE") });
  await back.json(["changes", "list"]);
  back.git("restore", "agent.txt");
  assert.deepEqual(await back.waiting(), both);
  await back.rejected();

  const merged = await begin(t);
  await merged.rejected();
  merged.git("switch", "--quiet", "--create", "side");
  await merged.json(["changes", "list"]);
  put(merged.folder, { "agent.txt": edited });
  await merged.json(["changes", "list"]);
  merged.git("commit", "--quiet", "--all", "--message", "side");
  merged.git("switch", "--quiet", "main");
  await merged.json(["changes", "list"]);
  merged.git("merge", "--quiet", "side");
  assert.deepEqual(await merged.waiting(), ["agent.txt"]);
  put(merged.folder, { "agent.txt": `${edited}put aside\n` });
  await merged.json(["changes", "list"]);
  merged.git("stash", "push", "--quiet");
  await merged.json(["changes", "list"]);
  merged.git("stash", "pop", "--quiet");
  assert.deepEqual(await merged.waiting(), ["agent.txt"]);
  await merged.rejected();
});

test("what a run has git throw away of the person's waits, and a no brings it back", async (t) => {
  for (const command of [
    ["checkout", "--", "."],
    ["restore", "."],
    ["reset", "--quiet", "--hard"],
  ]) {
    const workspace = newWorkspace(t);
    repository(workspace.folder, { "mine.txt": base });
    put(workspace.folder, { "mine.txt": `${base}mine, not committed\n` });
    await workspace.json(["start", "x", "--agent", "goose"]);
    git(workspace.folder, ...command);
    const { files } = await workspace.json(["changes", "list"]);
    assert.deepEqual(
      files.map(({ path, hunks }) => [path, hunks.map(({ author }) => author.kind)]),
      [["mine.txt", ["vcs"]]],
      command.join(" "),
    );
    await workspace.json(["changes", "reject", "--all"]);
    assert.equal(readFileSync(join(workspace.folder, "mine.txt"), "utf8"), `${base}mine, not committed\n`);
  }
});

test("worktrees, beside and inside", async (t) => {
  const workspace = await begin(t);
  workspace.git("worktree", "add", "--quiet", join(workspace.scratch, "beside"), "topic");
  put(join(workspace.scratch, "beside"), { "other.txt": "elsewhere\n" });
  assert.deepEqual(await workspace.waiting(), both);
  workspace.git("worktree", "add", "--quiet", "-b", "inner", "inside", "main");
  await workspace.notBlamed("inside/other.txt", "inside/agent.txt", "inside/far/away.txt");
  await workspace.rejected();
  assert.equal(workspace.read("inside/other.txt"), base);
});

test("a workspace that is itself a worktree", async (t) => {
  const workspace = newWorkspace(t);
  const main = repository(join(workspace.scratch, "main"), { "a.txt": base });
  rmSync(workspace.folder, { recursive: true });
  git(main, "worktree", "add", "--quiet", "-b", "work", workspace.folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(workspace.folder, { "a.txt": edited });
  await workspace.json(["changes", "list"]);
  git(workspace.folder, "stash", "push", "--quiet");
  git(workspace.folder, "stash", "pop", "--quiet");
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.equal(readFileSync(join(workspace.folder, "a.txt"), "utf8"), base);
});

test("submodules: updated and edited in", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  const library = repository(join(workspace.scratch, "library"), { "lib.txt": base });
  repository(folder, { "agent.txt": base });
  git(folder, "submodule", "--quiet", "add", library, "lib");
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(library, { "lib.txt": `${base}newer\n` });
  git(library, "commit", "--quiet", "--all", "--message", "newer");
  git(join(folder, "lib"), "pull", "--quiet");
  const lib = () => readFileSync(join(folder, "lib/lib.txt"), "utf8");
  assert.equal(lib(), `${base}newer\n`);
  assert.deepEqual((await workspace.json(["changes", "list"])).files, []);
  put(folder, { "lib/lib.txt": `${edited}newer\n` });
  const { files } = await workspace.json(["changes", "list"]);
  assert.deepEqual(
    files.map(({ path }) => path),
    ["lib/lib.txt"],
  );
  git(join(folder, "lib"), "stash", "--quiet");
  git(join(folder, "lib"), "stash", "pop", "--quiet");
  await workspace.json(["changes", "reject", "--file", "lib/lib.txt"]);
  assert.equal(lib(), `${base}newer\n`);
});

test("a submodule that is added while a run is at work", async (t) => {
  const workspace = await begin(t);
  const library = repository(join(workspace.scratch, "library"), { "lib.txt": base });
  workspace.git("submodule", "--quiet", "add", library, "lib");
  await workspace.notBlamed("lib/lib.txt");
});

test("a sparse checkout that narrows and widens", async (t) => {
  const workspace = await begin(t);
  workspace.git("sparse-checkout", "set", "--no-cone", "/*.txt");
  assert.equal(existsSync(join(workspace.folder, "far/away.txt")), false);
  await workspace.notBlamed("far/away.txt", "other.txt");
  workspace.git("sparse-checkout", "disable");
  assert.equal(workspace.read("far/away.txt"), base);
  await workspace.notBlamed("far/away.txt", "other.txt");
  assert.deepEqual(await workspace.waiting(), both);
  await workspace.rejected();
});

/** One edit, one new file and one deletion, rejected and taken back, in a repository that is prepared. */
async function roundTrip(workspace, path) {
  const { folder } = workspace;
  const before = picture(folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  const text = readFileSync(join(folder, path));
  writeFileSync(join(folder, path), Buffer.concat([Buffer.from("FIRST\n"), text, Buffer.from("last")]));
  put(folder, { "new/file.txt": "new\n" });
  rmSync(join(folder, "gone.txt"));
  const made = picture(folder);
  const { counts } = await workspace.json(["changes", "list"]);
  assert.equal(counts.pendingFiles, 3);
  await workspace.json(["changes", "reject", "--task-id", "a1"]);
  assert.deepEqual(picture(folder), before);
  await workspace.json(["changes", "undo"]);
  assert.deepEqual(picture(folder), made);
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
}

for (const [what, prepare] of [
  ["no git at all", ({ folder }) => put(folder, { "a.txt": base, "gone.txt": base })],
  [
    "a repository without a commit",
    ({ folder }) => {
      git(folder, "init", "--quiet");
      put(folder, { "a.txt": base, "gone.txt": base });
    },
  ],
  [
    "a repository of SHA-256",
    ({ folder }) => repository(folder, { "a.txt": base, "gone.txt": base }, "--object-format=sha256"),
  ],
  [
    "a shallow clone",
    ({ folder, scratch }) => {
      const origin = repository(join(scratch, "origin"), { "a.txt": base, "gone.txt": base });
      git(origin, "commit", "--quiet", "--allow-empty", "--message", "two");
      rmSync(folder, { recursive: true });
      git(scratch, "clone", "--quiet", "--depth", "1", `file://${origin}`, folder);
    },
  ],
  [
    "autocrlf",
    ({ folder, scratch }) => {
      const origin = repository(join(scratch, "origin"), { "a.txt": base, "gone.txt": base });
      rmSync(folder, { recursive: true });
      git(scratch, "-c", "core.autocrlf=true", "clone", "--quiet", "-c", "core.autocrlf=true", origin, folder);
      assert.ok(readFileSync(join(folder, "a.txt"), "utf8").includes("\r\n"));
    },
  ],
  [
    "a filter that keeps pointers",
    ({ folder }) => {
      git(folder, "init", "--quiet");
      git(folder, "config", "filter.pointer.clean", "sha256sum | cut -c1-64");
      git(folder, "config", "filter.pointer.smudge", "cat");
      put(folder, { ".gitattributes": "*.txt filter=pointer\n", "a.txt": base, "gone.txt": base });
      git(folder, "add", "--all");
      git(folder, "commit", "--quiet", "--message", "base");
    },
  ],
  [
    "dirty and untracked files of the person's",
    ({ folder }) => {
      repository(folder, { "a.txt": "committed\n", "gone.txt": "committed\n" });
      put(folder, { "a.txt": base, "gone.txt": base, "mine.txt": "untracked\n" });
    },
  ],
  [
    "a repository in a folder of the workspace",
    ({ folder }) => {
      repository(join(folder, "sub"), { "inner.txt": base });
      put(folder, { "a.txt": base, "gone.txt": base });
    },
  ],
  [
    "an index of the newest form, split and compressed",
    ({ folder }) => {
      repository(folder, { "a.txt": base, "gone.txt": base });
      git(folder, "update-index", "--index-version", "4", "--split-index");
    },
  ],
]) {
  test(`a round trip in ${what}`, async (t) => {
    const workspace = newWorkspace(t);
    prepare(workspace);
    await roundTrip(workspace, "a.txt");
  });
}

test("a damaged repository is told, and files are tracked all the same", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  repository(folder, { "a.txt": base, "gone.txt": base });
  writeFileSync(join(folder, ".git/index"), "no index");
  mkdirSync(join(folder, "empty"));
  await roundTrip(workspace, "a.txt");
});
