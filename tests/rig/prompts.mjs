// Prompts in a real repository, of git or of jj, with a bare remote beside it and a home in which nobody has configured
// anything. What the histories hold is asked of git and jj themselves, never of the product.

import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { installedJj } from "../../scripts/steps/jj.mjs";
import { newProject } from "./changes.mjs";
import { run } from "./workspace.mjs";

/** The kinds of repository; jj keeps its git repository beside itself or inside. */
export const kinds = ["git", "jj colocated", "jj"];

/** What a person's environment may hold that would change what a commit says or where it goes. */
const unset = Object.fromEntries(
  [
    ...["GIT_CONFIG_GLOBAL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME"],
    ...["GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE", "GIT_SSH_COMMAND", "GIT_DIR", "GIT_WORK_TREE", "SSH_AUTH_SOCK"],
    ...["GIT_INDEX_FILE", "JJ_CONFIG", "EMAIL"],
  ].map((name) => [name, undefined]),
);

/**
 * A repository with one commit, `first`, which the remote has as well.
 * @param {string} kind one of `kinds`
 * @param {Record<string, string>} files as `newProject` takes them
 */
export async function newRepository(t, kind, files = { "a.txt": "one\n" }) {
  const project = await newProject(t, files, { git: false });
  const bare = join(project.scratch, "bare-home");
  const remote = join(project.scratch, "remote.git");
  const jj = process.env.AUGMENT_TEST_JJ || installedJj();
  mkdirSync(bare);
  Object.assign(project.env, unset, {
    HOME: bare,
    XDG_CONFIG_HOME: join(bare, ".config"),
    GIT_CONFIG_NOSYSTEM: "1",
    JJ_USER: "Ada",
    JJ_EMAIL: "ada@example.org",
    PATH: `${dirname(jj)}${delimiter}${process.env.PATH}`,
  });
  const isJj = kind !== "git";
  const branch = isJj ? "dev" : "main";

  /** Runs a program in the folder; it has to succeed. */
  async function must(command, how = {}) {
    const { code, stdout, stderr } = await run(command, { cwd: project.folder, env: project.env, ...how });
    assert.equal(code, 0, `${command.join(" ")}: ${stderr}${stdout}`);
    return stdout;
  }
  const gitDir = kind === "jj" ? ["--git-dir", project.at(".jj/repo/store/git")] : [];

  const repository = Object.assign(project, {
    kind,
    isJj,
    branch,
    remote,
    bare,
    must,
    git: (...args) => must(["git", ...gitDir, ...args]),
    jj: (...args) => must([jj, "--no-pager", "--color=never", ...args]),
    /** The same without looking at the files, which jj writes down. */
    peek: (...args) => must([jj, "--no-pager", "--color=never", "--ignore-working-copy", ...args]),
    atRemote: (...args) => must(["git", "--git-dir", remote, ...args]),

    prompt: (...args) => project.json(["prompt", ...args]),
    /** Begins a prompt; `text` to the byte. */
    async begin(text = "Make it better\n", ...args) {
      const more = args.includes("--context") ? args : ["--context", "It shall be better.", ...args];
      const started = await project.json(["prompt", "start", "-", ...more], { input: text });
      assert.notEqual(started.prompt, null, JSON.stringify(started));
      return started;
    },
    /** Changes a file by the person's own hand, and commits that. */
    async intent(text, tree, ...args) {
      for (const [path, content] of Object.entries(tree)) project.write(path, content);
      return repository.prompt("intent", text, ...args);
    },
    finish: (summary = "It is better", ...args) => repository.prompt("finish", summary, ...args),
    report(...args) {
      const subject = args.includes("--subject") ? [] : ["--subject", "Better"];
      return repository.prompt("report", "--title", "The answer", "--answer", "Done so.", ...subject, ...args);
    },
    /** A whole session, pushed. */
    async closed() {
      await repository.begin();
      await repository.intent("say two", { "a.txt": "one\ntwo\n" });
      await repository.finish();
      await repository.report();
      return repository.prompt("push");
    },

    /** Checks that a command is refused with this code and these words, and that nothing was written by it. */
    async refuses(args, code, words, how = {}) {
      const before = await repository.state();
      const { code: exit, stdout, stderr } = await project.cli(["prompt", ...args, "--json"], how);
      assert.equal(stdout, "");
      const { error } = JSON.parse(stderr);
      assert.deepEqual([exit, error.code], [1, code], error.message);
      if (words instanceof RegExp) assert.match(error.message, words);
      else assert.equal(error.message, words);
      assert.deepEqual(await repository.state(), before, `${args.join(" ")} has written something`);
      return error.message;
    },

    /** The newest commit that is no working copy, by its hash. */
    async tip() {
      if (isJj) return (await repository.peek("log", "--no-graph", "-r", "@-", "-T", "commit_id")).trim();
      return (await repository.git("rev-parse", "HEAD")).trim();
    },
    /** A commit's message, to the byte. */
    async message(commit) {
      const raw = await repository.git("cat-file", "commit", commit ?? (await repository.tip()));
      return raw.slice(raw.indexOf("\n\n") + 2);
    },
    /** A commit's files, by path. */
    async files(commit) {
      const of = commit ?? (await repository.tip());
      const names = (await repository.git("ls-tree", "-r", "-z", "--name-only", of)).split("\0").filter(Boolean);
      const found = {};
      for (const name of names) found[name] = await repository.git("cat-file", "blob", `${of}:${name}`);
      return found;
    },
    /** What the tip changed in its parent: the names of the files, and how. */
    async changed(commit) {
      const of = commit ?? (await repository.tip());
      return (await repository.git("show", "--format=", "--name-status", "--no-renames", of))
        .trim()
        .replaceAll("\t", " ");
    },
    /** Titles from the tip down, the tip first. */
    async titles(from) {
      const of = from ?? (await repository.tip());
      return (await repository.git("log", "--first-parent", "--format=%s", of)).trim().split("\n");
    },
    /** Where the remote's branch is; null where there is none. */
    async pushed() {
      return (
        (await repository.atRemote("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`)).trim() || null
      );
    },

    /** Every byte on disk that is the person's, with when it was written. */
    disk: () => onDisk(project.folder),
    /** Everything that a command could have written to the history, and the person's files. */
    async state() {
      return {
        disk: repository.disk(),
        refs: await references(repository),
        head: isJj ? await operations(repository) : await repository.git("rev-parse", "--symbolic-full-name", "HEAD"),
        index: kind === "git" ? await repository.git("ls-files", "--stage") : "",
        remote: await repository.atRemote("for-each-ref"),
      };
    },
    /** The files on disk stay as they are, with their times, whatever is done. */
    async keepsDisk(work) {
      const before = repository.disk();
      const answer = await work();
      assert.deepEqual(repository.disk(), before);
      return answer;
    },

    /** A hook of git's, here or of the remote. */
    hook(name, script, folder = project.at(".git/hooks")) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, name), 0o755);
    },
    remoteRefuses: (words) => repository.hook("pre-receive", `echo "${words}" >&2\nexit 1`, join(remote, "hooks")),

    /** Somebody else's clone. */
    async clone() {
      const folder = join(project.scratch, "clone");
      await must(["git", "clone", "--quiet", "--branch", branch, remote, folder]);
      const env = { ...project.env, ...identity };
      return { folder, git: (...args) => must(["git", ...args], { cwd: folder, env }) };
    },
    /** Another clone pushes a commit. */
    async othersPush(title = "others") {
      const other = await repository.clone();
      writeFileSync(join(other.folder, "others.txt"), "others\n");
      await other.git("add", "--all");
      await other.git("commit", "--quiet", "--message", title);
      await other.git("push", "--quiet", "origin", branch);
      return (await other.git("rev-parse", "HEAD")).trim();
    },
  });

  await must(["git", "init", "--quiet", "--bare", "--initial-branch", branch, remote]);
  if (isJj) {
    await repository.jj("git", "init", kind === "jj" ? "--no-colocate" : "--colocate", ".");
    await repository.jj("commit", "--message", "first");
    await repository.jj("git", "remote", "add", "origin", remote);
    await repository.jj("bookmark", "create", branch, "--revision", "@-");
    await repository.jj("git", "push", "--bookmark", branch);
  } else {
    await must(["git", "init", "--quiet", "--initial-branch", branch]);
    await must(["git", "config", "user.name", "Ada"]);
    await must(["git", "config", "user.email", "ada@example.org"]);
    await must(["git", "remote", "add", "origin", remote]);
    await must(["git", "add", "--all"]);
    await must(["git", "commit", "--quiet", "--message", "first"]);
    await must(["git", "push", "--quiet", "origin", branch]);
  }
  return repository;
}

/** Somebody else. */
export const identity = {
  GIT_AUTHOR_NAME: "Bea",
  GIT_AUTHOR_EMAIL: "bea@example.org",
  GIT_COMMITTER_NAME: "Bea",
  GIT_COMMITTER_EMAIL: "bea@example.org",
};

/** The same test on every kind of repository. */
export const each = (test, name, body, of = kinds) => {
  for (const kind of of) test(`${name} (${kind})`, (t) => body(t, kind));
};

/** Every reference but those with which jj keeps what it has seen of the files. */
async function references({ git }) {
  const lines = (await git("for-each-ref")).split("\n");
  return lines.filter((line) => !line.includes("\trefs/jj/keep/"));
}

/** What jj wrote down of its own, but for its looks at the files: those change nothing. */
async function operations({ peek }) {
  const lines = await peek("op", "log", "--no-graph", "-T", 'id.short() ++ " " ++ description.first_line() ++ "\n"');
  return lines
    .split("\n")
    .filter((line) => !line.endsWith(" snapshot working copy"))
    .join("\n");
}

function onDisk(folder, below = "", found = {}) {
  for (const name of readdirSync(join(folder, below)).sort()) {
    if (below === "" && (name === ".git" || name === ".jj")) continue;
    const path = below ? `${below}/${name}` : name;
    const whole = join(folder, path);
    const stat = lstatSync(whole, { bigint: true });
    if (stat.isDirectory()) onDisk(folder, path, found);
    else {
      const content = stat.isSymbolicLink() ? readlinkSync(whole) : readFileSync(whole, "latin1");
      found[path] = [content, (stat.mode & 0o777n).toString(8), stat.mtimeNs.toString(), stat.ino.toString()];
    }
  }
  return found;
}

/** Every file below a folder with its content, for what must not be touched. */
export const everything = (folder) => onDisk(folder);
