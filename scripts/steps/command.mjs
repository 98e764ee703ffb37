// Runs one program to its end: its output goes to a log file, and on to the screen when asked; its last lines are
// kept for the failure message. Programs never read our stdin, so nothing can stop to ask a question.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { StepFailed } from "./failure.mjs";
import { logsDir, root } from "./places.mjs";
import { endTree, marked } from "./process-tree.mjs";
import { passOn } from "./progress.mjs";

const tailLength = 6_000;

/** Each program's whole offspring carries this, so that what it leaves behind is found, also when it detached itself. */
const mark = "AUGMENT_STEP";

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd?: string, env?: Record<string, string | undefined>, log?: string, show?: boolean, limitMs?: number,
 *   onLine?: (line: string) => void, onText?: (text: string) => void, endOffspring?: boolean}} [options]
 *   with `endOffspring`, what the program left running is ended and named in `leftBehind`
 * @returns {Promise<{code: number, output: string, timedOut: boolean, leftBehind: string[]}>}
 */
export async function run(program, args, options = {}) {
  const { cwd = root, env = {}, log, show = false, limitMs, onLine, onText, endOffspring = false } = options;
  const logFile = log ? openLog(log, [program, ...args]) : undefined;
  let output = "";
  let partialLine = "";
  let timedOut = false;

  const runId = randomUUID();
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env, [mark]: runId },
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32" && program === "npm",
  });
  const limit =
    limitMs &&
    setTimeout(() => {
      timedOut = true;
      endTree(child.pid, { alsoMarked: [mark, runId] });
    }, limitMs);

  const take = (text) => {
    logFile?.write(text);
    if (show) passOn(text);
    onText?.(text);
    output = (output + text).slice(-tailLength);
    if (onLine) {
      const lines = (partialLine + text).split("\n");
      partialLine = lines.pop();
      for (const line of lines) if (line.trim()) onLine(line.trim());
    }
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);

  try {
    const code = await new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, signal) => resolve(status ?? (signal ? 128 : 1)));
    });
    const leftBehind = endOffspring ? await endLeftBehind(runId) : [];
    return { code, output, timedOut, leftBehind };
  } catch (error) {
    if (error.code === "ENOENT") return { code: 127, output: `${program}: not found`, timedOut: false, leftBehind: [] };
    throw error;
  } finally {
    clearTimeout(limit);
    logFile?.end();
  }
}

/** Like `run`, and a failure ends the step with `explain`, a sentence that says what to do next. */
export async function mustRun(program, args, { explain, ...options }) {
  const result = await run(program, args, options);
  if (result.timedOut) throw new StepFailed(`${program} ran out of time. ${explain}`, result.output);
  if (result.code !== 0) throw new StepFailed(explain, options.show ? "" : result.output);
  return result;
}

/** The full path of a program on the PATH, or undefined. */
export function findProgram(name) {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const ending of endings) {
      const candidate = join(folder, name + ending);
      if (folder && existsSync(candidate) && statSync(candidate).isFile()) return candidate;
    }
  }
  return undefined;
}

async function endLeftBehind(runId) {
  const left = marked(mark, runId);
  if (left.length > 0) await endTree(undefined, { alsoMarked: [mark, runId] });
  return left.map(({ command }) => command);
}

function openLog(name, commandLine) {
  const path = join(logsDir, name);
  mkdirSync(dirname(path), { recursive: true });
  const file = createWriteStream(path, { flags: "a" });
  file.write(`\n$ ${commandLine.join(" ")}\n`);
  return file;
}
