// The agent of the benches: it speaks the Agent Client Protocol, takes a prompt, never ends its turn, and says what it is
// ordered to say. An order is a file `order.json` in the folder that is its argument. When all of it was said, it asks its
// client for something that no client does: the refusal shows that everything before was read, and the file `done` tells so.

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 20;
const diffLines = 20;

const folder = process.argv[2];
const orderPath = join(folder, "order.json");
const waiting = new Map();
let cwd = folder;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (update) => send({ method: "session/update", params: { sessionId: "bench", update } });

/** What can be said: each gives the message of that number. */
const streams = {
  /** Forty bytes of text, as a model's words come. */
  words: (number) =>
    update({
      sessionUpdate: "agent_message_chunk",
      content: {
        type: "text",
        text: `The word of number ${String(number).padStart(7, "0")} is this.${number % 12 ? " " : "\n"}`,
      },
    }),
  /** A tool that edits a file: that it begins, and how it ended, by turns, both with the diff. */
  calls(number) {
    const call = number >> 1;
    const begins = number % 2 === 0;
    const lines = (word) => Array.from({ length: diffLines }, (_, at) => `    let value_${at} = ${word};\n`).join("");
    update({
      sessionUpdate: begins ? "tool_call" : "tool_call_update",
      toolCallId: `call-${call}`,
      ...(begins && { title: `Edit file ${call % 50}`, kind: "edit" }),
      status: begins ? "in_progress" : "completed",
      content: [
        { type: "diff", path: join(cwd, `src/file-${call % 50}.rs`), oldText: lines("before"), newText: lines(call) },
      ],
    });
  },
};

/** @param {{ stream: keyof typeof streams, from: number, count: number, everyMs: number }} order */
async function say({ stream, from, count, everyMs }) {
  for (let number = from; number < from + count; number += 1) {
    streams[stream](number);
    // Whoever writes as fast as it can still has to hear now and then.
    if (everyMs > 0) await pause(everyMs);
    else if (number % 100 === 0) await new Promise(setImmediate);
  }
  await new Promise((resolve) => {
    const id = `heard-${from}-${stream}`;
    waiting.set(id, resolve);
    send({ id, method: "bench/heard", params: {} });
  });
}

async function obey() {
  for (;;) {
    await pause(pollMs);
    let order;
    try {
      order = JSON.parse(await readFile(orderPath, "utf8"));
    } catch (error) {
      if (error.code === "ENOENT") continue;
      throw error;
    }
    rmSync(orderPath);
    await say(order);
    writeFileSync(join(folder, "done.new"), "");
    renameSync(join(folder, "done.new"), join(folder, "done"));
  }
}

const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: "bench", version: "1" } }),
  "session/new": (params) => {
    cwd = params.cwd;
    return { sessionId: "bench" };
  },
};
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === undefined) {
      waiting.get(id)?.();
      waiting.delete(id);
    } else if (method === "session/prompt") obey();
    else if (id !== undefined)
      send(
        answers[method]
          ? { id, result: answers[method](params) }
          : { id, error: { code: -32601, message: "Method not found" } },
      );
  })
  .on("close", () => process.exit(0));
