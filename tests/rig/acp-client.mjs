// A bare ACP client (JSON-RPC, one message a line) to drive an agent with directly: what the agents do by themselves,
// without the product between.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { within } from "./deadline.mjs";

/**
 * Starts an agent and opens a session in a folder. Whoever made the agent's home ends it.
 * @param {import("./agents.mjs").Agent} agent
 * @param {{ cwd: string, decide?: (params: object) => "allow" | "reject" }} how `decide` answers each permission question
 */
export async function openSession({ command, args, set }, { cwd, decide = () => "allow" }) {
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...set }, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map();
  const updates = [];
  const questions = [];
  let complaints = "";
  let last = 0;
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaints += text;
  });
  child.on("close", (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`The agent ended (${code ?? signal}): ${complaints}`));
  });

  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const call = (method, params) => {
    last += 1;
    const id = last;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    send({ id, method, params });
    return within(answer, `the agent answers ${method}`, 60_000);
  };
  const permit = ({ id, params }) => {
    questions.push(params);
    const kind = decide(params);
    const option = params.options.find((one) => one.kind.startsWith(kind));
    send({ id, result: { outcome: { outcome: "selected", optionId: option.optionId } } });
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === "session/update") updates.push(message.params.update);
    else if (message.method === "session/request_permission") permit(message);
    else if (message.method) {
      if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: "Method not found" } });
    } else {
      const { resolve, reject } = waiting.get(message.id);
      if (message.error) reject(Object.assign(new Error(JSON.stringify(message.error)), message.error));
      else resolve(message.result);
    }
  });

  const agent = await call("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  const { sessionId } = await call("session/new", { cwd, mcpServers: [] });
  return {
    agent,
    pid: child.pid,
    call,
    updates,
    questions,
    /** One turn; gives why it ended. */
    async prompt(text) {
      const { stopReason } = await call("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      return stopReason;
    },
    /** All that it said to the person. */
    spoken: () =>
      updates
        .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
        .map(({ content }) => content.text)
        .join(""),
  };
}
