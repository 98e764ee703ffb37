// A git repository of many files, the same bytes on every machine, made once and kept in the cache. It has two branches: `main`,
// and `other`, in which every fifth file is another one. A bench that writes into it puts it back, and one that was ended
// half-way is put right by the next.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cacheDir, environment, quick } from "./places.mjs";
import { command } from "./programs.mjs";

/** Counted up when the files would come out otherwise, so that an older repository is not taken for this one. */
const form = 1;
const filesPerFolder = 8;
const foldersPerFolder = 50;
/** Of a hundred files that differ between the branches, these are only in one of them. */
const oneSided = 10;

/** How many files the large repository has. */
export const largeSize = Number(process.env.AUGMENT_BENCH_FILES || (quick ? 10_000 : 100_000));

/** Git as if nobody had ever configured it. */
export const gitEnvironment = {
  ...environment,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@example.org",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@example.org",
};

export function git(folder, ...args) {
  return command("git", args, { cwd: folder, env: gitEnvironment, maxBuffer: 2 ** 28 });
}

export function pathOf(number) {
  const folder = Math.floor(number / filesPerFolder);
  const area = Math.floor(folder / foldersPerFolder);
  return `src/area-${area}/part-${folder % foldersPerFolder}/file-${number}.ts`;
}

/** Between twenty and sixty lines, as in a source file; `word` is what the branches differ by. */
export function contentOf(number, word = "read") {
  const lines = [`// File ${number}.`];
  for (let line = 0; line < 20 + ((number * 7) % 40); line += 1)
    lines.push(`export const ${word}_${number}_${line} = (input) => input.${line % 3 ? "next" : "last"}(${line});`);
  return `${lines.join("\n")}\n`;
}

/** What `git checkout other` does to a file: nothing, write it, take it away, or make one beside it. */
export function differenceOf(number) {
  if (number % 5 !== 0) return undefined;
  const turn = (number / 5) % 100;
  if (turn < oneSided / 2) return "removed";
  if (turn < oneSided) return "added";
  return "written";
}

/** The file that `other` has beside one of `main`. */
export const addedPath = (number) => `${pathOf(number)}.new`;

/** The repository with so many files, clean and on `main`. */
export async function repository(size) {
  const shelf = join(cacheDir, "bench-repositories");
  const home = join(shelf, `${form}-${size}`);
  if (existsSync(home)) {
    clean(home);
    return home;
  }
  mkdirSync(shelf, { recursive: true });
  const making = mkdtempSync(join(shelf, "making-"));
  try {
    console.log(`Making a repository of ${size.toLocaleString("en")} files, once, in ${home} …`);
    git(making, "init", "--quiet", "--initial-branch", "main");
    for (const [key, value] of Object.entries({ "gc.auto": "0", "maintenance.auto": "false", "core.fsync": "none" }))
      git(making, "config", key, value);
    await importAll(making, size);
    git(making, "checkout", "--quiet", "--force", "main");
    // Files that are as new as the index would have to be read by everybody who asks.
    await pause(1_100);
    clean(making);
    if (!existsSync(home)) renameSync(making, home);
    return home;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Puts a repository back to how it was made. */
export function clean(folder) {
  rmSync(join(folder, ".git", "index.lock"), { force: true });
  git(folder, "checkout", "--quiet", "--force", "main");
  git(folder, "clean", "--quiet", "--force", "-dx");
  git(folder, "status", "--porcelain");
}

async function importAll(folder, size) {
  const child = spawn("git", ["-c", "core.compression=1", "fast-import", "--quiet"], {
    cwd: folder,
    env: gitEnvironment,
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  const write = async (text) => {
    if (!child.stdin.write(text)) await once(child.stdin, "drain");
  };
  const begin = (branch, rest = "") =>
    write(
      `commit refs/heads/${branch}\ncommitter bench <bench@example.org> 1700000000 +0000\ndata ${branch.length}\n${branch}\n${rest}`,
    );
  const file = (path, content) => write(`M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`);
  await begin("main");
  for (let number = 0; number < size; number += 1) await file(pathOf(number), contentOf(number));
  await begin("other", "from refs/heads/main\n");
  for (let number = 0; number < size; number += 1) {
    const difference = differenceOf(number);
    if (difference === "written") await file(pathOf(number), contentOf(number, "look"));
    if (difference === "added") await file(addedPath(number), contentOf(number, "look"));
    if (difference === "removed") await write(`D ${pathOf(number)}\n`);
  }
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
}
