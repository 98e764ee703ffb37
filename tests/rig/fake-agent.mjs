#!/usr/bin/env node
// An agent that does what it is told, however bad: floods, garbage, lies, daemons, deafness. It plays an ACP agent
// (`fake-agent.mjs acp STEPS`) or a plain command (`fake-agent.mjs command STEPS [PROMPT]`; without a prompt it is its
// input). Its steps are a file of JSON, each an object with one key, done in their order; where it has to wait, it waits
// for a file (`gate`), so that a test says when it goes on. It signals only itself and its own parent.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text as readAll } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 20;
const pieceBytes = 64 * 1024;

/** What the agent says; waits while nobody takes it. */
function put(bytes) {
  return new Promise((resolve) => process.stdout.write(bytes, () => resolve()));
}

/** What every kind of agent can do. `say`, `tool`, `ask` and `turn` are up to the kind. */
const common = {
  /** Waits until the file is there. */
  async gate(path) {
    while (!existsSync(path)) await pause(pollMs);
  },
  /** Tells the test that it has come so far. */
  mark: (path) => writeFileSync(path, `${process.pid}\n`),
  write: ([path, content]) => writeFileSync(path, content),
  savePrompt: (path, { prompt }) => writeFileSync(path, prompt),
  saveEnvironment: (path) => writeFileSync(path, JSON.stringify(process.env)),

  /** Bytes as they are, in Base64: frames that are none, half frames, what is no text. */
  raw: (base64) => put(Buffer.from(base64, "base64")),
  /** One line of so many bytes. */
  async line(bytes) {
    const piece = Buffer.alloc(pieceBytes, "x");
    for (let left = bytes; left > 0; left -= pieceBytes) await put(piece.subarray(0, left));
    await put("\n");
  },
  /** So many bytes in all, as much at once as is taken. */
  async flood(bytes, agent) {
    const words = "all work and no play ".repeat(400);
    for (let left = bytes; left > 0; left -= words.length) await agent.steps.say(words, agent);
  },
  complain: (text) => new Promise((resolve) => process.stderr.write(`${text}\n`, () => resolve())),

  /**
   * A process that detaches itself twice over and writes a file once its gate opens. With `deaf` it also takes no
   * SIGTERM; with `bare` it also sheds its environment. It tells its number in the file `born`.
   */
  async daemon({ gate, path, content = "from a daemon\n", born, deaf = false, bare = false }) {
    const script = `${deaf ? "trap '' TERM; " : ""}echo $$ > "$3.new"; mv "$3.new" "$3"; until [ -e "$1" ]; do sleep 0.02; done; printf %s "$4" > "$2"`;
    const shell = bare ? 'env -i PATH="$PATH" sh' : "sh";
    const twice = `setsid ${shell} -c "$0" daemon "$@" </dev/null >/dev/null 2>&1 &`;
    const first = spawn("setsid", ["sh", "-c", twice, script, gate, path, born, content], { stdio: "ignore" });
    await new Promise((resolve) => first.on("close", resolve));
    await common.gate(born);
  },

  /** Runs a program to its end and saves how that went. */
  run({ command: [file, ...args], env = {}, input = "", save }) {
    const { status, stdout, stderr, error } = spawnSync(file, args, {
      env: { ...process.env, ...env },
      input,
      encoding: "utf8",
    });
    writeFileSync(save, JSON.stringify({ code: status, stdout, stderr, error: error?.message ?? null }));
  },

  ignore: (signal) => {
    process.on(signal, () => {});
  },
  signalSelf: (signal) => process.kill(process.pid, signal),
  /** Its parent has to be ours: a test that goes wrong must not end anything else. */
  signalParent(signal) {
    const parent = readFileSync(`/proc/${process.ppid}/cmdline`, "utf8").split("\0")[0];
    if (!parent.includes("augment-cli")) throw new Error(`The parent is ${parent} and is left alone.`);
    process.kill(process.ppid, signal);
  },
  /** Ends only when all that it said was taken. */
  async exit(code) {
    await put("");
    process.exit(code);
  },
  /** Goes on and says nothing. */
  hang: () => new Promise(() => setInterval(() => {}, 60_000)),
};

async function play(agent) {
  for (const step of agent.script) {
    const [[name, value]] = Object.entries(step);
    const act = agent.steps[name];
    if (!act) throw new Error(`The fake agent cannot do ${JSON.stringify(step)}.`);
    await act(value, agent);
  }
}

async function beCommand(script) {
  const given = process.argv[4];
  const agent = {
    script,
    prompt: given ?? (await readAll(process.stdin)),
    steps: { ...common, say: (text) => put(`${text}\n`), printPrompt: (_, { prompt }) => put(`${prompt}\n`) },
  };
  await play(agent);
}

async function beAcp(script) {
  let isDeaf = false;
  let lastId = 0;
  let turn;
  const waiting = new Map();
  const send = (message) => put(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = async (method, params) => {
    lastId += 1;
    // Letters in it: agents do that, and an answer has to bring the same back.
    const id = `fake-${lastId}`;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    await send({ id, method, params });
    return answer;
  };
  const update = (update) => send({ method: "session/update", params: { sessionId: "fake", update } });

  const steps = {
    ...common,
    say: (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
    printPrompt: (_, agent) => steps.say(agent.prompt),
    /** A tool's call and how it ended: `completed` or `failed`; with the file that it wrote. */
    async tool({ id = "tool", title = "a tool", status = "completed", path, old = "", content, text = title }) {
      const diff = content === undefined ? [] : [{ type: "diff", path, oldText: old, newText: content }];
      await update({
        sessionUpdate: "tool_call",
        toolCallId: id,
        title,
        kind: path ? "edit" : "other",
        status: "in_progress",
        ...(path && { locations: [{ path }] }),
        content: diff,
      });
      await update({
        sessionUpdate: "tool_call_update",
        toolCallId: id,
        status,
        content: [...diff, { type: "content", content: { type: "text", text } }],
      });
    },
    /** Asks for leave; what was answered goes into the file `save`, one line each time. */
    async ask({ title = "Write a file", path, content, times = 1, save }) {
      const answers = [];
      for (let time = 1; time <= times; time += 1) {
        const { result, error } = await request("session/request_permission", {
          sessionId: "fake",
          toolCall: {
            toolCallId: `asked-${time}`,
            title: times > 1 ? `${title} (${time})` : title,
            kind: "edit",
            status: "pending",
            rawInput: { path, content },
            ...(path && { locations: [{ path }] }),
          },
          options: [
            { optionId: "no", name: "No", kind: "reject_once" },
            { optionId: "yes", name: "Yes", kind: "allow_once" },
          ],
        });
        answers.push(result?.outcome.optionId ?? result?.outcome.outcome ?? `error ${error.code}`);
      }
      if (save) writeFileSync(save, answers.join("\n"));
    },
    /** Asks all at once and waits for no answer. */
    async askAll({ times }) {
      for (let time = 1; time <= times; time += 1) steps.ask({ title: `Question ${time}` });
      await put("");
    },
    /** Any request; its answer goes into a file. */
    async call({ method, params = {}, save }) {
      const answer = await request(method, params);
      if (save) writeFileSync(save, JSON.stringify(answer));
    },
    notify: ({ method, params = {} }) => send({ method, params }),
    /** An answer to what nobody asked. */
    answer: ({ id, result = {} }) => send({ id, result }),
    deaf: (is) => {
      isDeaf = is;
    },
    /** Ends the turn with this reason, or with an error. */
    async endTurn(reason) {
      await send(
        typeof reason === "string"
          ? { id: turn, result: { stopReason: reason } }
          : { id: turn, error: { code: -32603, message: "It broke." } },
      );
    },
  };

  const methods = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "fake", version: "1" } }),
    "session/new": () => ({ sessionId: "fake" }),
  };
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === undefined) waiting.get(id)?.({ result, error });
    else if (method === "session/prompt") {
      turn = id;
      await play({ script, prompt: params.prompt.map(({ text }) => text ?? "").join(""), steps });
    } else if (isDeaf || id === undefined) return;
    else if (methods[method]) await send({ id, result: methods[method]() });
    else await send({ id, error: { code: -32601, message: "Method not found" } });
  });
}

const script = JSON.parse(readFileSync(process.argv[3], "utf8"));
// Whoever reads has gone; a well-behaved agent would end by that, too.
process.stdout.on("error", () => process.exit(0));
await (process.argv[2] === "acp" ? beAcp(script) : beCommand(script));
