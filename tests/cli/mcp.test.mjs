// The MCP server of a run: what it says to any client, and that nothing a client sends ends it (A3, Z4).

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { client, takenRun } from "../rig/mcp.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

const TOOLS = [
  "get_task",
  "heartbeat",
  "claim_change",
  "ask_decision",
  "get_answer",
  "log_discovered_task",
  "complete",
  "read_hand_off",
  "session_status",
  "request_scope",
];

test("it introduces itself, lists its tools and answers a ping, without a token and without a host", async (t) => {
  const workspace = newWorkspace(t);
  const mcp = client(workspace);
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const { result } = await mcp.ask("initialize", hello);
  assert.equal(result.protocolVersion, "2025-06-18");
  assert.equal(result.serverInfo.name, "augment-orchestrator");
  assert.match(result.instructions, /get_task first/);
  mcp.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  assert.deepEqual((await mcp.ask("ping")).result, {});
  const { tools } = (await mcp.ask("tools/list")).result;
  assert.deepEqual(
    tools.map(({ name }) => name),
    TOOLS,
  );
  for (const { name, description, inputSchema } of tools) {
    assert.ok(description.length > 40, name);
    assert.equal(inputSchema.type, "object");
    assert.equal(inputSchema.additionalProperties, false);
  }
  await mcp.close();
  assert.deepEqual(workspace.processes(), []);
});

test("a version that nobody speaks gets the newest one that is spoken", async (t) => {
  const mcp = client(newWorkspace(t));
  for (const [wished, spoken] of [
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-11-25", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
  ]) {
    const { result } = await mcp.ask("initialize", { protocolVersion: wished, capabilities: {} });
    assert.equal(result.protocolVersion, spoken);
  }
  await mcp.close();
});

test("without a token every tool says what is missing", async (t) => {
  const mcp = client(newWorkspace(t));
  const args = {
    claim_change: { path: "a" },
    ask_decision: { question: "?" },
    get_answer: { id: "q1" },
    log_discovered_task: { title: "x" },
    complete: { status: "completed", summary: "x" },
    request_scope: { paths: ["a"], why: "x" },
  };
  for (const name of TOOLS) {
    const { text, isError } = await mcp.tool(name, args[name]);
    assert.equal(isError, true);
    assert.match(text, /^AUGMENT_TOKEN is not set, so this process speaks for no run\./);
  }
  await mcp.close();
  // Some clients hand on the name of a variable that is not set.
  const literal = client(newWorkspace(t), { AUGMENT_TOKEN: "$AUGMENT_TOKEN" });
  assert.match((await literal.tool("get_task")).text, /^AUGMENT_TOKEN is not set/);
  await literal.close();
});

test("garbage is answered as such, and the next message is heard", async (t) => {
  const mcp = client(newWorkspace(t));
  const refused = async (message, code) => {
    mcp.send(message);
    const answer = await mcp.answer(null);
    assert.equal(answer.error.code, code, JSON.stringify(answer));
    assert.deepEqual((await mcp.ask("ping")).result, {});
  };
  await refused("hello", -32700);
  await refused('{"jsonrpc":"2.0","id":1,', -32700);
  await refused("\u0000\u0001", -32700);
  await refused("[".repeat(100_000), -32700);
  await refused("[]", -32600);
  await refused("7", -32600);
  await refused({ jsonrpc: "2.0", id: { x: 1 }, method: "ping" }, -32600);
  await refused({ jsonrpc: "2.0" }, -32600);
  mcp.server.child.stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
  assert.equal((await mcp.answer(null)).error.code, -32700);
  // Empty lines, answers and notices that nobody knows ask for nothing.
  for (const quiet of [
    "",
    "  ",
    { jsonrpc: "2.0", id: 5, result: {} },
    { jsonrpc: "2.0", method: "notifications/x" },
  ]) {
    mcp.send(quiet);
  }
  assert.deepEqual((await mcp.ask("ping")).result, {});
  assert.equal((await mcp.ask("resources/list")).error.code, -32601);
  await mcp.close();
});

test("a line of 20 MB is passed over", async (t) => {
  const mcp = client(newWorkspace(t));
  mcp.send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"y".repeat(20_000_000)}"}}`);
  const { error } = await mcp.answer(null);
  assert.equal(error.code, -32600);
  assert.match(error.message, /longer than 8388608 bytes/);
  assert.deepEqual((await mcp.ask("ping")).result, {});
  await mcp.close();
});

test("an unknown tool is an error, wrong arguments are the tool's answer", async (t) => {
  const mcp = client(newWorkspace(t));
  for (const params of [{ name: "approve" }, {}, { name: 7 }, undefined]) {
    assert.equal((await mcp.ask("tools/call", params)).error.code, -32602);
  }
  for (const [name, args, part] of [
    ["complete", { status: "done", summary: "x" }, /unknown variant `done`/],
    ["complete", { status: "completed" }, /missing field `summary`/],
    ["get_task", { run: "a2.1" }, /unknown field `run`/],
    ["claim_change", "a.rs", /claim_change/],
    ["ask_decision", { question: "?", options: Array(17).fill({ value: "a" }) }, /17 entries; at most 16/],
  ]) {
    const { text, isError } = await mcp.tool(name, args);
    assert.equal(isError, true);
    assert.match(text, part);
  }
  await mcp.close();
});

test("it ends with its input, also in the middle of a line, and when nobody reads its answers", async (t) => {
  const workspace = newWorkspace(t);
  const mcp = client(workspace);
  mcp.server.child.stdin.end('{"jsonrpc":"2.0","id":"x","method":"ping"}');
  assert.deepEqual((await mcp.answer("x")).result, {});
  assert.equal((await mcp.server.exit).code, 0);
  const deaf = client(workspace);
  assert.deepEqual((await deaf.ask("ping")).result, {});
  deaf.server.child.stdout.destroy();
  await once(deaf.server.child.stdout, "close");
  deaf.send({ jsonrpc: "2.0", id: 2, method: "ping" });
  deaf.send({ jsonrpc: "2.0", id: 3, method: "ping" });
  assert.equal((await deaf.server.exit).code, 0);
});

test("with a token but without a host it waits for one, tells that there is none, and starts none", async (t) => {
  const workspace = newWorkspace(t);
  const mcp = client(workspace, { AUGMENT_TOKEN: "0".repeat(64) });
  const { text, isError } = await mcp.tool("get_task");
  assert.equal(isError, true);
  assert.match(text, /^No host serves .* now, so nothing was told or asked\./);
  await mcp.close();
  assert.deepEqual(workspace.processes(), []);
});

test("a token that no run has is refused in a sentence", async (t) => {
  const workspace = newWorkspace(t);
  await workspace.host();
  const mcp = client(workspace, { AUGMENT_TOKEN: "0".repeat(64) });
  const { text, isError } = await mcp.tool("heartbeat");
  assert.equal(isError, true);
  assert.ok(text.length > 10 && text.endsWith("."), text);
  await mcp.close();
});

test("a run claims what it writes, inside of the workspace only", async (t) => {
  const workspace = newWorkspace(t);
  const { env } = await takenRun(workspace);
  const mcp = client(workspace, env);
  writeFileSync(join(workspace.folder, "a.txt"), "one\n");
  assert.deepEqual(await mcp.tool("claim_change", { path: "a.txt", content: "one\n" }), {
    text: "a.txt is claimed, with exactly this content.",
    isError: false,
  });
  const absolute = await mcp.tool("claim_change", { path: join(workspace.folder, "b.txt") });
  assert.equal(absolute.text, "b.txt is claimed.");
  for (const path of ["../x", "/etc/passwd", "."]) {
    assert.equal((await mcp.tool("claim_change", { path })).isError, true, path);
  }
  await mcp.close();
});
