// The client side of MCP as an agent has it, and a run with its token for it to speak for.

import assert from "node:assert/strict";

/** A client that speaks line by line, and takes the answers by their id. */
export function client(workspace, env = {}) {
  const server = workspace.start(["mcp"], { env });
  let last = 0;
  return {
    server,
    send: (message) => server.child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    async answer(id) {
      const line = await server.line(`${id} is answered`, (text) => JSON.parse(text).id === id);
      return JSON.parse(line);
    },
    async ask(method, params) {
      last += 1;
      this.send({ jsonrpc: "2.0", id: last, method, params });
      return this.answer(last);
    },
    async tool(name, args) {
      const { result } = await this.ask("tools/call", { name, arguments: args });
      assert.equal(result.content.length, 1);
      return { text: result.content[0].text, isError: result.isError };
    },
    async close() {
      server.child.stdin.end();
      const { code } = await server.exit;
      assert.equal(code, 0, server.stderr);
    },
  };
}

/** A run as an agent has it: a task that was taken with a host that stays, and its token. */
export async function takenRun(workspace, title = "Refactor the login", ...more) {
  const host = await workspace.host();
  const { id } = await workspace.add(title, ...more);
  const { token, run } = await workspace.json(["queue", "claim", id, "--agent", "goose", "--lease", "1h"]);
  return { host, id, run, env: { AUGMENT_TOKEN: token } };
}
