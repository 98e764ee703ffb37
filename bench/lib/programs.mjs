// Starting and ending programs. Whatever a bench starts it ends, by its process id, also when it fails half-way.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { Connection } from "./connection.mjs";
import { childrenCpuMs, now } from "./measure.mjs";
import { cli, environment } from "./places.mjs";

const running = new Set();
process.on("exit", () => {
  for (const pid of running) end(pid, "SIGKILL");
});

function end(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Starts a program that stays, with pipes for its input and output. */
export function start(program, args, options = {}) {
  const child = spawn(program, args, { env: environment, stdio: ["pipe", "pipe", "inherit"], ...options });
  running.add(child.pid);
  child.on("exit", () => running.delete(child.pid));
  return child;
}

/** Asks a program that was started to go, and waits until it has. */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

/** Remembers a process that something we started has started, so that it is ended with us. */
export function adopt(pid) {
  running.add(pid);
}

/** An adopted process has ended: its number may be another's by now. */
export function forget(pid) {
  running.delete(pid);
}

/** Ends an adopted process and waits until it is gone. */
export async function stopAdopted(pid) {
  end(pid, "SIGTERM");
  for (let turn = 0; turn < 1_000 && lives(pid); turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  running.delete(pid);
}

/** Whether the process is there and not only waiting to be buried by its parent. */
function lives(pid) {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Runs `augment-cli` once in a workspace and gives its JSON. */
export function runCli(workspace, ...args) {
  return JSON.parse(command(cli, ["-C", workspace, "--json", ...args]));
}

/** Runs a program to its end and gives what it printed. */
export function command(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    env: environment,
    encoding: "utf8",
    ...options,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr || stdout}`);
  return stdout;
}

/**
 * Runs a program several times and gives the wall and processor time of one, in ms. A small shell starts it, since Node
 * would have to copy itself for each and be counted in.
 */
export function repeat(times, program, args, options = {}) {
  const loop = 'n=$1; shift; while [ "$n" -gt 0 ]; do "$@" >/dev/null || exit 1; n=$((n - 1)); done';
  const [startedAt, before] = [now(), childrenCpuMs()];
  command("/bin/sh", ["-c", loop, "sh", String(times), program, ...args], options);
  return { wall: (now() - startedAt) / times, cpu: (childrenCpuMs() - before) / times };
}

/** Starts the host of a workspace and waits until it can be called. */
export async function startHost(workspace, program = cli) {
  const child = start(program, ["-C", workspace, "host", "run"], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

/** A connection straight to the socket of a host, its hello done and initialized. Who times it asks for the places before. */
export async function callHost(workspace, places = runCli(workspace, "where")) {
  const socket = connect(places.socket);
  await once(socket, "connect");
  const token = readFileSync(places.token, "utf8").trim();
  socket.write(`${JSON.stringify({ protocol: 1, token, version: "0.1.0", client: "bench" })}\n`);
  const [line] = await once(socket, "data");
  const welcome = JSON.parse(line.toString("utf8"));
  if (welcome.answer !== "welcome") throw new Error(`The host refused: ${line}`);
  const connection = new Connection(socket, socket);
  await connection.initialize();
  return { connection, close: () => socket.destroy() };
}

/** Starts a program that speaks the protocol over its input and output; `answered` is its answer to `initialize`. */
export function startSpeaking(program, args) {
  const child = start(program, args);
  const connection = new Connection(child.stdout, child.stdin);
  return { child, connection, answered: connection.initialize() };
}
