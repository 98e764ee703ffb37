// Files of every kind and what a run does to them: lines, bytes, modes, links, names. A tree is compared by a picture of
// it, so that a test can say "exactly as before" of all of them at once.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Git with no settings but these: those of the machine would change what it does. */
export function git(folder, ...args) {
  const env = {
    PATH: process.env.PATH,
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    GIT_EDITOR: "true",
  };
  const always = ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-c", "gc.auto=0"];
  return execFileSync("git", [...always, ...args], { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
}

/** A repository with these files committed. */
export function repository(folder, files = {}, ...how) {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", ...how);
  put(folder, files);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", "base");
  return folder;
}

/** Writes files, with the folders on their way. */
export function put(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

function pictured(path) {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path, { encoding: "latin1" })}`;
  if (!stat.isFile()) return `mode ${(stat.mode & 0o170000).toString(8)}`;
  return `${(stat.mode & 0o7777).toString(8)} ${stat.size} ${digest(readFileSync(path))}`;
}

/** Every file and link below a folder but git's own, by its name in Latin-1 (each byte a letter): mode, size and hash. */
export function picture(folder) {
  const seen = {};
  const walk = (path, name) => {
    for (const entry of readdirSync(path, { withFileTypes: true, encoding: "buffer" })) {
      const below = Buffer.concat([path, Buffer.from("/"), entry.name]);
      const called = name + entry.name.toString("latin1");
      if (called === ".git") continue;
      if (entry.isDirectory()) walk(below, `${called}/`);
      else seen[called] = pictured(below);
    }
  };
  walk(Buffer.from(folder), "");
  return Object.fromEntries(Object.entries(seen).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What of a picture has a name that only the program gives. */
export const leavings = (seen) => Object.keys(seen).filter((name) => /(^|\/)\.augment-[0-9a-f]{32}\./.test(name));

const lines = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("");
const bytes = (seed) => Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * seed + (at >> 3)) & 0xff));

const kinds = [
  ["text", 16],
  ["binary", 6],
  ["created", 7],
  ["deleted", 6],
  ["renamed", 5],
  ["mode", 5],
  ["link", 5],
];

/** How many files the work below touches. */
export const touched = kinds.reduce((sum, [, count]) => sum + count, 0);

function each(act) {
  for (const [kind, count] of kinds) {
    for (let number = 1; number <= count; number += 1)
      act(kind, `${kind}/${number % 2 ? "" : "deep/"}${number}`, number);
  }
}

/** Fifty files as they are before. */
export function before(folder) {
  each((kind, path, number) => {
    if (kind === "created") return;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (kind === "link") symlinkSync(`../text/${number}`, join(folder, path));
    else if (kind === "binary" || (kind === "renamed" && number === 2))
      writeFileSync(join(folder, path), bytes(number));
    else writeFileSync(join(folder, path), `${path}\n${lines(1, 40 + number)}`);
  });
  writeFileSync(join(folder, "mine.txt"), "nobody touches this\n");
}

/** What a run does to each of them. */
export function work(folder) {
  each((kind, path, number) => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    switch (kind) {
      case "text":
        return writeFileSync(whole, `${path}\n${lines(3, 20)}and more\n${lines(21, 50 + number)}no end`);
      case "binary":
        return writeFileSync(whole, bytes(number + 100));
      case "created":
        return writeFileSync(whole, number === 1 ? "" : `new ${path}\n${lines(1, number)}`, { mode: 0o755 });
      case "deleted":
        return rmSync(whole);
      case "renamed":
        return renameSync(whole, `${whole}-anew`);
      case "mode":
        return chmodSync(whole, 0o750);
      case "link":
        rmSync(whole);
        return symlinkSync(`../mode/${number}`, whole);
    }
  });
}
