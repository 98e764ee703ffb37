// Messages both ways over streams, in pieces of any size, and every way the other side can fail.

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { FrameReader, framed } from "./frame_reader";
import { AnsweredError, JsonRpc } from "./json_rpc";

function pair(onRequest: (method: string, params: unknown) => Promise<unknown> = async () => undefined) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: string[] = [];
  const rpc = new JsonRpc(input, output, {
    onNotice: (method, params) => heard.push(`${method} ${JSON.stringify(params)}`),
    onRequest,
    onBroken: (reason) => heard.push(`broken: ${reason}`),
  });
  const reader = new FrameReader();
  const sent: unknown[] = [];
  output.on("data", (chunk: Buffer) => sent.push(...reader.take(chunk)));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { rpc, input, heard, sent, settle };
}

test("a request is answered, refused, or told that nobody answered", async () => {
  const { rpc, input, sent, settle } = pair();
  const asked = [rpc.request("a", {}), rpc.request("b", {}), rpc.request("c", {})];
  await settle();
  assert.deepEqual(sent[0], { jsonrpc: "2.0", id: 1, method: "a", params: {} });
  input.write(framed({ jsonrpc: "2.0", id: 2, error: { code: -1, message: "No.", data: { code: "stale" } } }));
  input.write(framed({ jsonrpc: "2.0", id: 1, result: null }));
  assert.equal(await asked[0], null);
  await assert.rejects(asked[1] ?? Promise.resolve(), (error) => {
    assert.ok(error instanceof AnsweredError);
    assert.deepEqual([error.message, error.code, error.data], ["No.", -1, { code: "stale" }]);
    return true;
  });
  rpc.dispose();
  await assert.rejects(asked[2] ?? Promise.resolve(), {
    name: "Error",
    message: "The connection ended before the answer.",
  });
  await assert.rejects(rpc.request("d", {}), { message: "The connection has ended." });
});

test("the other side's requests are answered, and what is not known here is said", async () => {
  const { input, sent, settle } = pair(async (method) => {
    if (method === "bad") throw new Error("It failed.");
    return method === "edit" ? { applied: true } : undefined;
  });
  for (const [id, method] of ["edit", "bad", "other"].entries()) input.write(framed({ jsonrpc: "2.0", id, method }));
  await settle();
  await settle();
  assert.deepEqual(sent, [
    { jsonrpc: "2.0", id: 0, result: { applied: true } },
    { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "It failed." } },
    { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "There is no other here." } },
  ]);
});

test("frames come in pieces of any size, several at once, with any letters", async () => {
  const notices = ["é🦀", "x".repeat(9_000), ""].map((text) => ({ jsonrpc: "2.0", method: "moved", params: { text } }));
  const bytes = Buffer.concat(notices.map(framed));
  for (const size of [1, 7, 64, bytes.length]) {
    const { input, heard, settle } = pair();
    for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
    await settle();
    assert.deepEqual(
      heard,
      notices.map(({ params }) => `moved ${JSON.stringify(params)}`),
      `pieces of ${size}`,
    );
  }
});

test("what is no message breaks the connection with a reason, once for what was said", async () => {
  for (const [bytes, reason] of [
    ["x".repeat(5_000), "What came is no message: its header has no end."],
    ["Length: 3\r\n\r\n{}", "What came is no message: its header is not understood."],
    ["Content-Length: 999999999999\r\n\r\n", "What came is no message: its header is not understood."],
    ["Content-Length: 1\r\n\r\n7", "What came is no message."],
  ] as const) {
    const { input, heard, settle } = pair();
    input.write(bytes);
    await settle();
    assert.deepEqual(heard, [`broken: ${reason}`]);
  }
  const { input, heard, settle } = pair();
  input.end();
  await settle();
  await settle();
  assert.deepEqual(heard, ["broken: Its output has ended."]);
});
