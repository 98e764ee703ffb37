// A repository with a remote, two trees of subjects and a task that an agent works on, for the tests of prompts.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newProduct } from "./product.mjs";

export const agent = "claude";

const files = {
  "Development/high/Door/PLAN.md": "# Door\n\nA door for the garden house.\n",
  "Research/high/Door/NOTES.md": "# Door\n\nOak keeps its shape.\n",
  "src/door.ts": "export {};\n",
  "src/hinge.ts": "export {};\n",
  "src/house.ts": "export const house = 'garden';\n",
};

/** Nothing of whoever runs the tests gets into the repository. */
const cleanGit = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

/** @returns what the tests use; something of the person's own lies in the tree */
export async function newPromptScene() {
  const product = newProduct();
  const path = (name) => join(product.workspace, name);
  const write = (name, content) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  const run = (folder, ...args) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", env: { ...process.env, ...cleanGit } }).trim();
  const git = (...args) => run(product.workspace, ...args);
  const remote = join(product.scratch, "remote.git");

  for (const [name, content] of Object.entries(files)) write(name, content);
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.org");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  run(product.scratch, "init", "--quiet", "--bare", "--initial-branch=main", remote);
  git("remote", "add", "origin", remote);
  git("push", "--quiet", "--set-upstream", "origin", "main");
  write("src/house.ts", "export const house = 'garden house';\n");

  const { id } = await product.add("Build the door");
  return {
    ...product,
    id,
    git,
    /** As an agent's shell does it: nothing of the product is told. */
    write,
    bytes: (name) => readFileSync(path(name), "utf8"),
    /** The first line of each commit, the newest first. Git's own subject goes on to the first empty line. */
    subjects: () =>
      git("log", "--format=%B%x00")
        .split("\0")
        .map((message) => message.trim().split("\n")[0])
        .filter((line) => line !== ""),
    message: () => git("log", "-1", "--format=%B"),
    /** What the remote has on any branch. */
    pushed: () => git("ls-remote", "--heads", "origin"),
    changes: () => product.cli("changes", "list"),
    prompt: async () => (await product.cli("prompt", "status")).prompt,
  };
}
