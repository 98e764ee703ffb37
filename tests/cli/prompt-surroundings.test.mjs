// A person's own settings count for what is written in their name: who they are, their keys, their hooks. None of theirs
// is changed, and what is missing is explained.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { each, everything, newRepository } from "../rig/prompts.mjs";
import { run } from "../rig/workspace.mjs";

const who = (repository, commit) =>
  repository.git("log", "-1", "--format=%an <%ae> by %cn <%ce>", ...(commit ? [commit] : []));

test("author and committer are those of the person's shell", async (t) => {
  const repository = await newRepository(t, "git");
  const env = {
    GIT_AUTHOR_NAME: "Grace",
    GIT_AUTHOR_EMAIL: "grace@example.org",
    GIT_COMMITTER_NAME: "Bot",
    GIT_COMMITTER_EMAIL: "bot@example.org",
  };
  await repository.begin();
  // Somebody else's shell has started what runs in the background.
  repository.write("a.txt", "one\ntwo\n");
  await repository.json(["prompt", "intent", "say two"], { env });
  assert.equal(await who(repository), "Grace <grace@example.org> by Bot <bot@example.org>\n");
  await repository.finish();
  assert.equal(await who(repository), "Grace <grace@example.org> by Ada <ada@example.org>\n", "the author stays");
  await repository.git("config", "committer.name", "Committing Ada");
  await repository.report();
  assert.equal(await who(repository), "Ada <ada@example.org> by Committing Ada <ada@example.org>\n");
});

test("jj's own rules say who made a commit", async (t) => {
  const repository = await newRepository(t, "jj");
  await repository.begin();
  const env = { JJ_USER: "Grace", JJ_EMAIL: "grace@example.org" };
  const both = 'author.email() ++ " by " ++ committer.email()';
  const told = () => repository.peek("log", "--no-graph", "-r", "@-", "-T", both);
  repository.write("a.txt", "one\ntwo\n");
  await repository.json(["prompt", "intent", "say two"], { env });
  assert.equal(
    await told(),
    "ada@example.org by grace@example.org",
    "a change is whose it was begun by, as ever in jj",
  );
});

test("commits are signed with the person's key", async (t) => {
  const repository = await newRepository(t, "git");
  const key = join(repository.scratch, "key");
  await repository.must(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada@example.org", "-f", key]);
  const signers = join(repository.scratch, "signers");
  await repository.must(["sh", "-c", `printf 'ada@example.org %s' "$(cat ${key}.pub)" > ${signers}`]);
  for (const [name, value] of [
    ["gpg.format", "ssh"],
    ["user.signingKey", `${key}.pub`],
    ["commit.gpgSign", "true"],
    ["gpg.ssh.allowedSignersFile", signers],
  ]) {
    await repository.git("config", name, value);
  }
  const verified = async () => repository.git("verify-commit", await repository.tip());
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await verified();
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  await repository.finish();
  await verified();
  await repository.report();
  await verified();

  rmSync(key);
  await repository.prompt("push");
  await repository.begin("Once more");
  repository.write("a.txt", "one\n");
  await repository.refuses(["intent", "say less"], "refused-by-others", /sign/i);
});

test("a hook that refuses is heard, and one that adds a trailer has its way", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  repository.write("a.txt", "one\ntwo\n");
  repository.hook("pre-commit", 'echo "Not on Fridays." >&2\nexit 1');
  await repository.refuses(["intent", "say two"], "refused-by-others", /Not on Fridays\./);
  repository.hook("pre-commit", "exit 0");
  repository.hook("commit-msg", 'git interpret-trailers --in-place --trailer "Reviewed-by: Grace" "$1"');
  const { notes } = await repository.prompt("intent", "say two");
  assert.equal(notes.length, 1, "that the message was changed is told");
  const trailers = (message) => repository.must(["git", "interpret-trailers", "--parse"], { input: message });
  const change = /^Change-Id: ([k-z]{32})$/m;
  const said = await trailers(await repository.message());
  assert.match(said, change);
  assert.match(said, /^Reviewed-by: Grace$/m);
  const { finished } = await repository.finish();
  const session = await trailers(await repository.message());
  assert.equal(change.exec(session)[1], change.exec(said)[1]);
  assert.match(session, /^Reviewed-by: Grace$/m);
  assert.equal(finished.commit, await repository.tip());
});

/** The change ids that a message names, one a line. */
const ids = (message) => message.match(/^Change-Id: [k-z]{32}$/gm) ?? [];

test("a hook that writes below the change id hides no commit", async (t) => {
  const repository = await newRepository(t, "git");
  repository.hook("commit-msg", "printf '\\nJira ticket ABC-1\\n' >> \"$1\"");
  await repository.begin();
  const { intent, notes } = await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  assert.equal(intent.commit, await repository.tip());
  assert.match(notes.join("\n"), /^A hook has changed the message of the commit\. Its Change-Id no longer stands/);
  const { finished } = await repository.finish();
  const message = await repository.message();
  assert.equal(finished.commit, await repository.tip());
  assert.equal(ids(message).length, 1, message);
  assert.equal(ids(message)[0], `Change-Id: ${finished.change}`);
  await repository.report();
  const { prompt } = await repository.prompt("push");
  assert.equal(prompt.state, "closed");
});

test("a hook that takes the change id out is told of, and the session goes on", async (t) => {
  const repository = await newRepository(t, "git");
  repository.hook("commit-msg", "sed -i '/^Change-Id: /d' \"$1\"");
  await repository.begin();
  for (const [text, content] of [
    ["say two", "one\ntwo\n"],
    ["say three", "one\ntwo\nthree\n"],
  ]) {
    const { intent, notes } = await repository.intent(text, { "a.txt": content });
    assert.equal(intent.commit, await repository.tip());
    assert.match(notes.join("\n"), /known by its hash alone/);
  }
  const { finished, notes } = await repository.finish();
  assert.match(notes.join("\n"), /A hook has taken the Change-Id out of the message of the session's commit\./);
  assert.equal(finished.commit, await repository.tip());
  assert.deepEqual(ids(await repository.message()), []);
  const reported = await repository.report();
  assert.match(reported.notes.join("\n"), /known by its hash alone/);
  assert.equal((await repository.prompt("push")).prompt.state, "closed");
});

/** A hook that ends whoever started git, once; then it goes on with `rest`. */
const killing = (rest) => `
[ -e .git/killed ] && exit 0
: > .git/killed
kill -9 "$(awk '/^PPid/ { print $2 }' "/proc/$PPID/status")"
${rest}`;

/** What a commit needs while it is made, and lies about still. */
const lyingAbout = (repository) => readdirSync(repository.at(".git")).filter((name) => name.startsWith("augment-"));

test("killed while a hook runs, nothing stays staged and nothing lies about", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  repository.write("a.txt", "one\ntwo\n");
  const status = () => repository.git("--no-optional-locks", "status", "--porcelain");
  assert.equal(await status(), " M a.txt\n");
  repository.hook("pre-commit", killing("exit 1"));
  assert.notEqual((await repository.cli(["prompt", "intent", "say two"])).code, 0);
  assert.equal(lyingAbout(repository).length, 1);
  // A command that comes to nothing finds out all the same what became of the one before.
  const next = await repository.cli(["prompt", "push", "--json"]);
  assert.equal(JSON.parse(next.stderr).error.code, "prompt-state", next.stderr);
  assert.equal(await status(), " M a.txt\n");
  assert.deepEqual(lyingAbout(repository), []);
  const { intent } = await repository.prompt("intent", "say two");
  assert.equal(intent.commit, await repository.tip());
});

test("given up after a kill in a hook, nothing stays staged and nothing lies about", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  repository.write("a.txt", "one\ntwo\n");
  repository.hook("pre-commit", killing("exit 1"));
  assert.notEqual((await repository.cli(["prompt", "intent", "say two"])).code, 0);
  const { prompt, notes } = await repository.prompt("drop");
  assert.deepEqual([prompt, lyingAbout(repository)], [null, []]);
  assert.match(notes.join("\n"), /A commit was interrupted before it was done; nothing is left of it\./);
  assert.equal(await repository.git("--no-optional-locks", "status", "--porcelain"), " M a.txt\n");
});

test("given up after its repository is gone, an interrupted commit is in nobody's way", async (t) => {
  const repository = await newRepository(t, "git");
  await repository.begin();
  repository.write("a.txt", "one\ntwo\n");
  repository.hook("pre-commit", killing("exit 1"));
  assert.notEqual((await repository.cli(["prompt", "intent", "say two"])).code, 0);
  rmSync(repository.at(".git"), { recursive: true });
  assert.equal((await repository.prompt("drop")).prompt, null);
});

test("a session that is half made is not given up before it is whole or gone", async (t) => {
  const repository = await newRepository(t, "jj");
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  const tree = async () => repository.git("rev-parse", `${await repository.tip()}^{tree}`);
  const before = await tree();
  const broken = join(repository.scratch, "broken");
  const real = (await repository.must(["sh", "-c", "command -v jj"])).trim();
  const fails = `case " $* " in *" --quiet rebase "*|*" --quiet abandon "*) echo 'disk full' >&2; exit 1;; esac`;
  repository.hook("jj", `${fails}\nexec '${real}' "$@"`, broken);
  const env = { PATH: `${broken}:${repository.env.PATH}` };
  for (const args of [["finish", "It is better"], ["drop"], ["drop", "p1"]]) {
    const { code, stderr } = await repository.cli(["prompt", ...args, "--json"], { env });
    assert.deepEqual([code, JSON.parse(stderr).error.code], [1, "half-done"], stderr);
  }
  assert.equal((await repository.prompt("status")).prompt.state, "open");
  const { prompt, notes } = await repository.prompt("drop");
  assert.equal(prompt, null);
  assert.match(notes.join("\n"), /The session's commit, which was interrupted, is made\./);
  assert.match((await repository.titles())[0], /^session: It is better/);
  assert.equal(await tree(), before);
  const making = await repository.peek(
    "log",
    "--no-graph",
    "-r",
    "description(substring:'in the making')",
    "-T",
    "'x'",
  );
  assert.equal(making, "", "nothing half made is left");
});

test("killed after a commit whose change id a hook took out, it is found again", async (t) => {
  const repository = await newRepository(t, "git");
  repository.hook("commit-msg", "sed -i '/^Change-Id: /d' \"$1\"");
  await repository.begin();
  repository.write("a.txt", "one\ntwo\n");
  repository.hook("post-commit", killing(""));
  assert.notEqual((await repository.cli(["prompt", "intent", "say two"])).code, 0);
  const tip = await repository.tip();
  const { intent } = await repository.prompt("intent", "say two");
  assert.deepEqual([intent.commit, await repository.tip()], [tip, tip]);
  assert.deepEqual(lyingAbout(repository), []);

  rmSync(repository.at(".git/hooks/post-commit"));
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  rmSync(repository.at(".git/killed"));
  repository.hook("reference-transaction", `[ "$1" = committed ] || exit 0${killing("")}`);
  assert.notEqual((await repository.cli(["prompt", "finish", "All"])).code, 0);
  const session = await repository.tip();
  assert.match((await repository.titles())[0], /^session: All /);
  const { finished } = await repository.finish("All");
  assert.deepEqual([finished.commit, await repository.tip()], [session, session]);
});

test("git reaches a remote the way the person's shell does", async (t) => {
  const repository = await newRepository(t, "git");
  const seen = join(repository.scratch, "seen");
  const ssh = join(repository.scratch, "ssh");
  writeFileSync(ssh, `#!/bin/sh\nenv > ${seen}\nexit 1\n`);
  chmodSync(ssh, 0o755);
  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.finish();
  await repository.git("remote", "set-url", "origin", "ssh://nobody@localhost/x");
  const env = {
    GIT_SSH_COMMAND: ssh,
    GIT_SSH_VARIANT: "simple",
    https_proxy: "http://proxy:1",
    NO_PROXY: "corp",
    SSL_CERT_FILE: "/certificates",
    VSCODE_GIT_ASKPASS_NODE: "/node",
    VSCODE_GIT_IPC_HANDLE: "/handle",
    SECRET_OF_MINE: "1",
  };
  await repository.cli(["prompt", "push"], { env });
  const found = readFileSync(seen, "utf8").split("\n");
  const { SECRET_OF_MINE, ...passed } = env;
  for (const [name, value] of Object.entries(passed)) assert.ok(found.includes(`${name}=${value}`), name);
  assert.ok(!found.includes(`SECRET_OF_MINE=${SECRET_OF_MINE}`));
});

test("a repository with other hashes", async (t) => {
  const repository = await newRepository(t, "git");
  repository.remove(".git");
  await repository.must(["git", "init", "--quiet", "--object-format=sha256"]);
  const { code, stderr } = await repository.cli(["prompt", "start", "Go on"]);
  assert.deepEqual(
    [code, stderr],
    [
      1,
      "error: This repository names its objects by SHA-256, which is not understood here. Commit in it with git itself; prompts need a repository with SHA-1 (`git init --object-format=sha1`).\n",
    ],
  );
});

each(
  test,
  "nothing of the person's home is touched",
  async (t, kind) => {
    const repository = await newRepository(t, kind);
    writeFileSync(join(repository.bare, ".gitconfig"), "[user]\n\tname = Ada of the home\n");
    const before = everything(repository.bare);
    await repository.closed();
    // jj keeps what a repository is set to beside its own settings, and makes that folder itself.
    const after = everything(repository.bare);
    const own = Object.fromEntries(Object.entries(after).filter(([path]) => !path.startsWith(".config/jj/repos/")));
    const had = Object.fromEntries(Object.entries(before).filter(([path]) => !path.startsWith(".config/jj/repos/")));
    assert.deepEqual(own, had);
  },
  ["git", "jj colocated"],
);

each(test, "the person's settings of git and jj are the same to the byte after whole prompts", async (t, kind) => {
  const repository = await newRepository(t, kind);
  const settings = {
    ".gitconfig": "# mine\n[user]\n\tname = Ada of the home\n\temail=ada@home.example\n[init] defaultBranch = trunk\n",
    ".config/git/config": "[core]\n  excludesFile = ~/.config/git/ignore ; mine\n[push]\n\tdefault = nothing\n",
    ".config/git/ignore": "*.mine\n",
    ".config/git/attributes": "*.mine -text\n",
    ".config/jj/config.toml":
      '# mine\nuser = { name = "Ada of the home", email = "ada@home.example" }\nui.paginate = "never"\n[aliases]\nl = ["log"]\n',
    ".config/jj/conf.d/more.toml": "[ui]\n  color   = 'always' # mine\n",
  };
  for (const [path, content] of Object.entries(settings)) {
    mkdirSync(dirname(join(repository.bare, path)), { recursive: true });
    writeFileSync(join(repository.bare, path), content);
  }
  // What a repository is set to is the person's as well: in git beside it, in jj below the home once there is any.
  if (kind !== "jj") await repository.git("config", "mine.key", "value");
  if (repository.isJj) await repository.jj("config", "set", "--repo", "ui.log-word-wrap", "true");
  const inside = kind === "jj" ? ".jj/repo/store/git/config" : ".git/config";
  const before = { home: everything(repository.bare), inside: repository.text(inside) };

  await repository.begin();
  await repository.intent("say two", { "a.txt": "one\ntwo\n" });
  await repository.intent("add a file", { "b.txt": "b\n", "c.mine": "ignored\n" });
  await repository.finish("It is better", "--dry-run");
  await repository.finish();
  await repository.prompt("undo");
  await repository.prompt("undo");
  await repository.prompt("intent", "add a file once more");
  await repository.finish();
  await repository.report();
  await repository.prompt("status");
  await repository.cli(["prompt", "guard"]);
  await repository.prompt("push");
  await repository.begin("And now this\n");
  await repository.intent("say three", { "a.txt": "one\ntwo\nthree\n" });
  await repository.prompt("drop");
  assert.deepEqual({ home: everything(repository.bare), inside: repository.text(inside) }, before);
});

/** A PATH with git and what hooks need, and nothing else. */
async function bareRoad(repository) {
  const folder = join(repository.scratch, "road");
  mkdirSync(folder);
  const { stdout } = await run(["sh", "-c", "command -v git"], { env: repository.env });
  symlinkSync(stdout.trim(), join(folder, "git"));
  return folder;
}

test("without jj, a repository of jj's is left alone, and that is explained", async (t) => {
  const repository = await newRepository(t, "jj colocated");
  const road = await bareRoad(repository);
  const how = { env: { PATH: road } };
  await repository.refuses(
    ["start", "Go on"],
    "no-jj",
    "This is a jj repository, and no jj is found in PATH. Install it (`cargo install --locked jj-cli`), then repeat.",
    how,
  );
  const old = join(road, "jj");
  writeFileSync(old, "#!/bin/sh\necho jj 0.10.0\n");
  chmodSync(old, 0o755);
  await repository.refuses(
    ["start", "Go on"],
    "old-jj",
    `${old} is version 0.10.0, and 0.38.0 or newer is needed. Update it (\`cargo install --locked jj-cli\`), then repeat.`,
    { env: { PATH: `${road}:/bin:/usr/bin` } },
  );
});

test("where there is no repository at all", async (t) => {
  const repository = await newRepository(t, "git");
  repository.remove(".git");
  const { code, stderr } = await repository.cli(["prompt", "start", "Go on"]);
  assert.deepEqual(
    [code, stderr],
    [
      1,
      "error: The workspace lies in no repository of git or jj. Make one with `git init` or `jj git init`, then repeat.\n",
    ],
  );
});

test("commands that only look find the programs that the person's shell has", async (t) => {
  const repository = await newRepository(t, "jj");
  // A host whose own PATH has no jj, as one that a desktop has started.
  const bin = join(repository.scratch, "plain-bin");
  mkdirSync(bin);
  const git = (await run(["sh", "-c", "command -v git"])).stdout.trim();
  symlinkSync(git, join(bin, "git"));
  await repository.host({ env: { PATH: bin } });
  await repository.begin();
  const { sessions } = await repository.prompt("list");
  assert.deepEqual(sessions, []);
  const { notes } = await repository.prompt("status");
  assert.deepEqual(notes, []);
});
