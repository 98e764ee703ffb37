// What a repository, and an agent in it, may try: commands planted for git to run, files that steer programs, names that
// steer terminals, and more than a machine can hold (ABUSE 2, 6, 7, 8).

import assert from "node:assert/strict";
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { git, picture, put, repository } from "../rig/changed-files.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

test("no command that a repository plants for git is run by tracking, diff, review or rollback", async (t) => {
  const workspace = newWorkspace(t);
  const { folder, scratch } = workspace;
  repository(folder, { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "c.bin": Buffer.from([0, 1, 2, 3]) });
  const marks = join(scratch, "marks");
  mkdirSync(marks);
  /** A program that leaves a mark and passes its input on. */
  const planted = (name) => {
    const path = join(scratch, `planted-${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch ${marks}/${name}\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  for (const [key, name] of [
    ["core.fsmonitor", "fsmonitor"],
    ["diff.external", "external"],
    ["filter.x.clean", "clean"],
    ["filter.x.smudge", "smudge"],
    ["filter.x.process", "process"],
    ["diff.x.textconv", "textconv"],
    ["diff.x.command", "command"],
    ["merge.x.driver", "merge"],
    ["core.sshCommand", "ssh"],
    ["core.pager", "pager"],
    ["core.editor", "editor"],
    ["core.askPass", "askpass"],
    ["gpg.program", "gpg"],
    ["credential.helper", "credential"],
    ["core.alternateRefsCommand", "alternates"],
  ]) {
    git(folder, "config", key, planted(name));
  }
  git(folder, "config", "filter.x.required", "true");
  git(folder, "config", "remote.origin.url", "ssh://nowhere.invalid/x");
  git(folder, "config", "core.hooksPath", join(scratch, "hooks"));
  const hooks = [join(scratch, "hooks"), join(folder, ".git/hooks")];
  for (const hook of ["post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"]) {
    for (const place of hooks) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, hook), readFileSync(planted(hook)), { mode: 0o755 });
    }
  }
  put(folder, { ".gitattributes": "* filter=x diff=x merge=x\n", ".git/info/attributes": "* filter=x diff=x\n" });
  // The planted commands do run when git itself is asked, though it fails by them: the trap is set.
  assert.throws(() => git(folder, "diff", "--quiet"));
  assert.notDeepEqual(readdirSync(marks), [], "nothing is planted");
  for (const mark of readdirSync(marks)) rmSync(join(marks, mark));

  const before = picture(folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(folder, { "a.txt": "one\nTWO\nthree\n", "c.bin": Buffer.from([0, 9, 9]), "new.txt": "new\n" });
  rmSync(join(folder, "b.txt"));
  const made = picture(folder);
  for (const args of [
    ["changes", "list"],
    ["changes", "diff"],
    ["changes", "diff", "--file", "a.txt"],
    ["changes", "show", "--file", "a.txt"],
    ["changes", "history", "a.txt"],
    ["blame", "a.txt"],
    ["changes", "approve", "--file", "new.txt"],
    ["changes", "undo"],
    ["changes", "reject", "--task-id", "a1"],
  ]) {
    const { code, stderr } = await workspace.cli(args);
    assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
  }
  assert.deepEqual(picture(folder), before);
  await workspace.json(["changes", "undo"]);
  assert.deepEqual(picture(folder), made);
  await workspace.cli(["host", "stop"]);
  await workspace.json(["changes", "list"]);
  await workspace.json(["doctor"]);
  assert.deepEqual(readdirSync(marks), [], "something that was planted has run");
});

test("files that steer programs are held for a yes, also where everything is approved by itself", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  repository(folder, {
    "src/a.rs": "fn a() {}\n",
    ".github/workflows/ci.yml": "on: push\n",
    ".mcp.json": "{}\n",
    ".claude/settings.json": "{}\n",
  });
  symlinkSync(".github", join(folder, "alias"));
  linkSync(join(folder, ".mcp.json"), join(folder, "harmless.json"));
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "aliases");
  await workspace.json(["config", "set", "review.approve", "*"]);
  await workspace.json(["start", "x", "--agent", "goose"]);
  const control = [
    ".vscode/tasks.json",
    ".VSCode/settings.json",
    ".cursor/rules/x.mdc",
    "AGENTS.md",
    "docs/agents.MD",
    "CLAUDE.md",
    ".husky/pre-commit",
    ".githooks/pre-commit",
    ".gitlab-ci.yml",
    "Jenkinsfile",
    ".augment/policy.toml",
    ".gitattributes",
  ];
  put(folder, Object.fromEntries(control.map((path) => [path, "steers\n"])));
  put(folder, { "src/a.rs": "fn b() {}\n", "src/new.rs": "fn c() {}\n" });
  // By another name: through a linked folder, through a second name of the same file, and a new link to a folder.
  put(folder, { "alias/workflows/ci.yml": "on: [push, fork]\n" });
  writeFileSync(join(folder, "harmless.json"), '{"evil":1}\n');
  symlinkSync("../.claude", join(folder, "docs/tips"));
  symlinkSync(".CLAUDE/settings.json", join(folder, "notes.txt"));
  const { files } = await workspace.json(["changes", "list", "--limit", "1000"]);
  assert.deepEqual(
    files.map(({ path }) => path).sort(),
    [...control, ".github/workflows/ci.yml", ".mcp.json", "docs/tips", "notes.txt"].sort(),
  );
  for (const { path, hunks } of files) {
    for (const { standing, author } of hunks) assert.deepEqual([path, standing, author.run], [path, "pending", "a1.1"]);
  }
  const { files: decided } = await workspace.json(["changes", "list", "--decided", "--limit", "1000"]);
  const approved = decided.filter(({ hunks }) => hunks.some(({ standing }) => standing === "approved"));
  assert.deepEqual(approved.map(({ path }) => path).sort(), ["harmless.json", "src/a.rs", "src/new.rs"]);
  // Even a person who approves all is asked about them first.
  const { code, stderr } = await workspace.cli(["changes", "approve", "--all"]);
  assert.equal(code, 1, "they were swept up with the rest");
  assert.match(stderr, /^error: /);
  assert.equal((await workspace.json(["changes", "list"])).counts.pendingFiles, files.length);
  await workspace.json(["changes", "approve", "--file", "AGENTS.md"]);
  await workspace.json(["changes", "approve", "--all", "--yes"]);
  assert.equal((await workspace.json(["changes", "list"])).counts.pendingFiles, 0);
});

const hostile = [
  "new\nline",
  "carriage\rreturn",
  "\u001b[31mred\u001b]52;c;AA\u0007",
  "\u009b31mcsi",
  "photo\u202Egpj.exe",
  "-rf",
  "--help",
  "$(touch pwned)",
  "`touch pwned`",
  "; touch pwned",
  " leading and trailing ",
  "back\\slash\\x41",
  "quo\"te's",
  "per%25cent%",
  "tab\there",
  "a".repeat(255),
  "ü".repeat(127),
  "日本語 👩‍👩‍👧",
  ".augment-0123456789abcdef0123456789abcdef.tmp",
].map((name) => Buffer.from(name));
hostile.push(Buffer.from([0xff, 0xfe, 0x2e, 0x62]), Buffer.from([0x61, 0xc3]), Buffer.from([0xed, 0xa0, 0x80]));

test("names that steer a terminal or a shell, or are no text, are shown escaped and rolled back right", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  const at = (...parts) =>
    Buffer.concat([folder, ...parts].flatMap((part) => [Buffer.from("/"), Buffer.from(part)]).slice(1));
  const deep = [];
  // As deep as a path from the root may be, less what a temporary name needs.
  for (let length = folder.length; length + 202 < 4_096 - 60; length += 201) deep.push("d".repeat(200));
  mkdirSync(at(...deep), { recursive: true });
  const old = [...hostile.map((name) => [name]), [...deep, "edited"]];
  for (const parts of old) writeFileSync(at(...parts), "one\ntwo\n");
  repository(folder);
  const before = picture(folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  for (const parts of old) writeFileSync(at(...parts), "one\nTWO\n");
  mkdirSync(at("new\nfolder"));
  const added = [...hostile.map((name) => ["new\nfolder", name]), [...deep, "-added"]];
  for (const parts of added) writeFileSync(at(...parts), "new\n");
  const made = picture(folder);
  const { files, counts } = await workspace.json(["changes", "list", "--limit", "1000"]);
  assert.equal(counts.pendingFiles, old.length + added.length, files.map(({ path }) => path).join("\n"));
  // Nothing but lines and visible characters, whatever is shown.
  const steers = /[^\P{C}\n\u200d]/u;
  for (const args of [["changes", "list"], ["changes", "diff"], ["audit", "list", "--limit", "1000"], ["status"]]) {
    const { code, stdout, stderr } = await workspace.cli(args);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout + stderr, steers, args.join(" "));
    JSON.parse((await workspace.cli([...args, "--json"])).stdout);
  }
  // Each can be named by the text that stands for it.
  for (const { path, hunks } of files) {
    const { code, stdout, stderr } = await workspace.cli(["changes", "show", hunks[0].id]);
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout, steers, path);
  }
  const [one] = files.filter(({ path }) => path.startsWith("\\xff"));
  assert.equal((await workspace.cli(["changes", "reject", one.hunks[0].id])).code, 0);
  const rejected = await workspace.cli(["changes", "reject", "--task-id", "a1"]);
  assert.equal(rejected.code, 0, rejected.stderr);
  assert.doesNotMatch(rejected.stdout, steers);
  assert.deepEqual(picture(folder), before);
  assert.deepEqual(readdirSync(at("new\nfolder")), [], "nobody knows who made the folder, so it stays");
  for (const _ of "ab") await workspace.json(["changes", "undo"]);
  assert.deepEqual(picture(folder), made);
  assert.ok(!existsSync(join(folder, "pwned")));
  assert.equal((await workspace.json(["audit", "verify"])).holds, true);
});

test("a name that means an absolute path elsewhere is not tracked, and that is told", async (t) => {
  const workspace = newWorkspace(t);
  repository(workspace.folder, { "C:\\x": "one\n", "a.txt": "one\n" });
  await workspace.json(["start", "x", "--agent", "goose"]);
  put(workspace.folder, { "C:\\x": "two\n", "a.txt": "two\n" });
  const { files } = await workspace.json(["changes", "list"]);
  assert.deepEqual(
    files.map(({ path }) => path),
    ["a.txt"],
  );
  const { stdout } = await workspace.cli(["status"]);
  assert.match(stdout, /The changes of C:\\x are not seen/);
  await workspace.json(["changes", "reject", "--all"]);
  assert.equal(readFileSync(join(workspace.folder, "C:\\x"), "utf8"), "two\n");
});

/** What a process has needed at most, in MiB. */
const peak = (pid) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1_024;

test("20,000 files at once and one of 10 GB: bounded memory, limits told, and it answers", async (t) => {
  const workspace = newWorkspace(t);
  const { folder } = workspace;
  repository(folder, { "a.txt": "one\n", "huge.bin": "small\n" });
  const before = picture(folder);
  await workspace.json(["start", "x", "--agent", "goose"]);
  const { host } = await workspace.json(["status"]);
  const empty = peak(host.pid);
  for (let group = 0; group < 100; group += 1) {
    mkdirSync(join(folder, `many/${group}`), { recursive: true });
    for (let at = 0; at < 200; at += 1) writeFileSync(join(folder, `many/${group}/${at}`), `file ${group} ${at}\n`);
  }
  const huge = openSync(join(folder, "huge.bin"), "r+");
  ftruncateSync(huge, 10 * 1_024 ** 3);
  closeSync(huge);
  const from = performance.now();
  const { files, counts, next } = await workspace.json(["changes", "list"], { limitMs: 300_000 });
  const seconds = (performance.now() - from) / 1_000;
  assert.equal(counts.pendingFiles, 20_001);
  assert.ok(files.length <= 200 && next, "a list has an end");
  const full = peak(host.pid);
  t.diagnostic(
    `settled in ${seconds.toFixed(1)} s; the host needed ${full.toFixed(0)} MiB, ${empty.toFixed(0)} before`,
  );
  assert.ok(full < 300, `${full} MiB`);
  const { code, stderr } = await workspace.cli(["changes", "reject", "--file", "huge.bin"]);
  assert.equal(code, 1);
  assert.match(stderr, /^error: .*huge\.bin.*10737418240 bytes.*\n$/);
  // More than can be decided at once is told, and nothing is begun.
  const all = await workspace.cli(["changes", "reject", "--task-id", "a1"]);
  assert.equal(all.code, 1);
  assert.match(all.stderr, /^error: More than 10000 files are meant\. /);
  assert.equal((await workspace.json(["changes", "list"])).counts.pendingFiles, 20_001);
  // Small again it is as good as any other, and what the run takes back itself need not be decided.
  writeFileSync(join(folder, "huge.bin"), "small\n");
  for (let group = 5; group < 100; group += 1) rmSync(join(folder, `many/${group}`), { recursive: true });
  assert.equal((await workspace.json(["changes", "list"], { limitMs: 300_000 })).counts.pendingFiles, 1_000);
  const begun = performance.now();
  const rejected = await workspace.cli(["changes", "reject", "--task-id", "a1"], { limitMs: 500_000 });
  assert.equal(rejected.code, 0, rejected.stderr);
  assert.deepEqual(picture(folder), before);
  t.diagnostic(`1,000 files rejected in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  t.diagnostic(`after the reject ${peak(host.pid).toFixed(0)} MiB`);
  assert.ok(peak(host.pid) < 400, `${peak(host.pid)} MiB`);
});
