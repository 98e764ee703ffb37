// The least that makes a client of an ACP agent in Node: it starts the agent, opens a session, prompts, parses each line that
// comes, and refuses what the agent wants. It keeps nothing and tells nobody. Its arguments are the agent's command, after the
// folder of the session.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [cwd, program, ...args] = process.argv.slice(2);
const agent = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const next = {
  1: () => send({ id: 2, method: "session/new", params: { cwd, mcpServers: [] } }),
  2: ({ sessionId }) => {
    send({ id: 3, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text: "go" }] } });
    process.stdout.write(`${agent.pid}\n`);
  },
};
createInterface({ input: agent.stdout }).on("line", (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === undefined) next[id]?.(result);
  else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
});
agent.on("exit", () => process.exit(0));
process.on("SIGTERM", () => agent.kill("SIGKILL"));
send({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } });
