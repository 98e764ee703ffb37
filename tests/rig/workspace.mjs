// A scratch workspace with data, settings and sockets of its own, and the real program on it. Whatever is started here
// carries the scratch home in its environment; that is how the clean-up knows what is its own, and it ends nothing else.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cliPath } from "../../scripts/steps/places.mjs";
import { endTree, marked } from "../../scripts/steps/process-tree.mjs";
import { within } from "./deadline.mjs";

export const program = process.env.AUGMENT_CLI || cliPath;

/** What a person's environment may hold that would change an answer. */
const unset = {
  AUGMENT_TOKEN: undefined,
  AUGMENT_WORKSPACE: undefined,
  AUGMENT_LOG: undefined,
  NO_COLOR: undefined,
  CLICOLOR_FORCE: undefined,
  USER: "ada",
};

/**
 * Runs a program to its end.
 * @param {string[]} command
 * @param {{ cwd?: string, env?: object, input?: string | Buffer, limitMs?: number, uid?: number, gid?: number }} how
 * @returns {Promise<{ code: number | null, signal: string | null, stdout: string, stderr: string }>}
 */
export function run([file, ...args], { input, limitMs = 60_000, ...how } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...how, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${file} ${args.join(" ")} did not end by itself within ${limitMs / 1000} s`));
    }, limitMs);
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => {
        said[name] += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, ...said });
    });
    // A program that refuses before it reads its input closes the pipe; its answer is what counts.
    child.stdin?.on("error", () => {}).end(input);
  });
}

/**
 * @param {import("node:test").TestContext | undefined} t cleans up after this test; without it the caller does
 * @param {{ below?: string }} where the folder that the scratch folder is made in; a short one, since a socket's path
 * may not be long
 */
export function newWorkspace(t, { below = tmpdir() } = {}) {
  const scratch = mkdtempSync(join(below, "aug-rig-"));
  const home = join(scratch, "home");
  const folder = join(scratch, "work");
  for (const made of [home, folder]) mkdirSync(made, { mode: 0o700 });
  const env = { ...process.env, ...unset, AUGMENT_HOME: home };
  let known;

  const workspace = {
    scratch,
    home,
    folder,
    env,
    /** Every home that programs were started with; all of them are looked through at the end. */
    homes: [home],

    /** Runs the program in the workspace's folder, under another one where `command` is its prefix. */
    cli(args, { env: more, command = [], ...how } = {}) {
      return run([...command, program, ...args], { cwd: folder, env: { ...env, ...more }, ...how });
    },

    /** The document that a command prints; the command has to succeed. */
    async json(args, how) {
      const { code, stdout, stderr } = await this.cli([...args, "--json"], how);
      assert.equal(code, 0, `${args.join(" ")} ended with ${code}: ${stderr}`);
      assert.equal(stderr, "");
      return JSON.parse(stdout);
    },

    /** Checks that a command is refused with exactly this sentence and code, on stderr alone. */
    async refused(args, message, { exit = 1, code, ...how } = {}) {
      const human = await this.cli(args, how);
      assert.deepEqual(human, { code: exit, signal: null, stdout: "", stderr: `error: ${message}\n` });
      if (code === undefined) return;
      const machine = await this.cli([...args, "--json"], how);
      assert.equal(machine.stdout, "");
      assert.equal(machine.code, exit);
      const { error } = JSON.parse(machine.stderr);
      assert.deepEqual({ code: error.code, message: error.message }, { code, message });
    },

    add: (title, ...args) => workspace.json(["queue", "add", "--title", title, ...args]),
    /** What `queue next` hands out: the task, its run and the token that speaks for it. */
    next: async (...args) => (await workspace.json(["queue", "next", ...args])).taken,
    task: async (id) => (await workspace.json(["queue", "show", id])).task,
    tasks: async (...args) => (await workspace.json(["queue", "list", "--limit", "100000", ...args])).tasks,
    records: async (...args) => (await workspace.json(["audit", "list", "--limit", "100000", ...args])).records,

    /** Where everything is, as `where` says. */
    async places() {
      known ??= await this.json(["where"]);
      return known;
    },

    token: async () => readFileSync((await workspace.places()).token, "utf8").trim(),

    /** Starts a program that stays: its lines can be waited for, and it is ended with the workspace. */
    start(args, { env: more, command = [], ...how } = {}) {
      const [file, ...rest] = [...command, program, ...args];
      return started(spawn(file, rest, { cwd: folder, env: { ...env, ...more }, ...how, stdio: "pipe" }));
    },

    /** A host in the foreground, ready to be called. */
    async host(how) {
      const host = this.start(["host", "run"], how);
      assert.equal(await host.line("the host is ready"), "ready");
      return host;
    },

    /** The programs that run for this workspace now. */
    processes: () => marked("AUGMENT_HOME", home),

    async end() {
      for (const one of this.homes) await endTree(undefined, { graceMs: 2_000, alsoMarked: ["AUGMENT_HOME", one] });
      rmSync(scratch, { recursive: true, force: true });
    },
  };
  t?.after(() => workspace.end());
  return workspace;
}

function started(child) {
  const lines = [];
  let stderr = "";
  let wake = () => {};
  let ended;
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  child.stdin.on("error", () => {});
  const exit = new Promise((resolve) => {
    child.on("close", (code, signal) => {
      ended = { code, signal, stderr };
      wake();
      resolve(ended);
    });
  });
  return {
    child,
    pid: child.pid,
    /** How it ended: waits for that. */
    get exit() {
      return within(exit, `process ${child.pid} ends`);
    },
    get ended() {
      return ended;
    },
    get stderr() {
      return stderr;
    },
    kill: (signal = "SIGKILL") => child.kill(signal),
    /** The next line that it prints and that is accepted; those before are dropped. */
    async line(what, accept = () => true, limitMs = 60_000) {
      const end = Date.now() + limitMs;
      for (;;) {
        while (lines.length > 0) {
          const line = lines.shift();
          if (accept(line)) return line;
        }
        if (ended) throw new Error(`It ended before ${what}: ${JSON.stringify(ended)}`);
        const left = end - Date.now();
        if (left <= 0) throw new Error(`Waited ${limitMs / 1000} s in vain until ${what}; it said ${stderr}`);
        await new Promise((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
}
