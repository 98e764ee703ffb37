// What the host makes of frames that are not what they should be: a sentence, and the connection goes on wherever it is
// still known where the next frame begins.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { dial } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

describe("the host", () => {
  let workspace;
  let host;
  before(async () => {
    workspace = newWorkspace();
    host = await workspace.host();
    await workspace.add("one");
  });
  after(() => workspace.end());

  /** The whole state but for what is only told. */
  const state = async () => [await workspace.tasks("--all"), (await workspace.records()).length];

  async function check(send, { code, message, goesOn, id = null }) {
    const before = await state();
    const client = await dial(workspace);
    await send(client);
    const complaint = await client.until("the host complains", () => client.complaints[0]);
    assert.deepEqual([complaint.id, complaint.error.code], [id, code]);
    if (message instanceof RegExp) assert.match(complaint.error.message, message);
    else assert.equal(complaint.error.message, message);
    if (goesOn) {
      assert.equal((await client.request("augment/status", {})).host.pid, host.pid);
      client.destroy();
    } else {
      await client.closed;
    }
    assert.deepEqual(await state(), before, "nothing was changed");
    assert.equal(host.ended, undefined);
  }

  test("answers a frame that is not JSON and goes on", () =>
    check((client) => client.frame("{"), {
      code: -32700,
      message: "The frame is not JSON: EOF while parsing an object at line 1 column 1.",
      goesOn: true,
    }));

  test("answers bytes that are not text and goes on", () =>
    check((client) => client.frame(Buffer.from([0xff, 0xfe, 0x00])), {
      code: -32700,
      message: "The frame is not JSON: expected value at line 1 column 1.",
      goesOn: true,
    }));

  test("answers an empty frame and goes on", () =>
    check((client) => client.frame(""), {
      code: -32700,
      message: "The frame is not JSON: EOF while parsing a value at line 1 column 0.",
      goesOn: true,
    }));

  test("answers deep nesting and goes on", () =>
    check(
      (client) =>
        client.frame(`{"jsonrpc":"2.0","id":1,"method":"augment/queue/add","params":${'{"a":'.repeat(100_000)}`),
      {
        code: -32700,
        message: /^The frame is not JSON: recursion limit exceeded at line 1 column \d+\.$/,
        goesOn: true,
      },
    ));

  for (const [what, body, message] of [
    ["a list", "[]", "The frame is JSON, but not an object."],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"augment/status"}]', "The frame is JSON, but not an object."],
    ["a number", "7", "The frame is JSON, but not an object."],
    ["an object without a method", '{"jsonrpc":"2.0","id":1}', "The frame has no method."],
    ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":5}', /^The frame is not a JSON-RPC request: /],
    ["another version of JSON-RPC", '{"jsonrpc":"1.0","id":1,"method":"x"}', /^The frame is not a JSON-RPC request: /],
    ["an id that is a list", '{"jsonrpc":"2.0","id":[1],"method":"x"}', /^The frame is not a JSON-RPC request: /],
  ]) {
    test(`answers ${what} and goes on`, () =>
      check((client) => client.frame(body), { code: -32600, message, goesOn: true }));
  }

  test("answers a frame that is announced too long, and ends", () =>
    check((client) => client.raw("Content-Length: 16777217\r\n\r\n{"), {
      code: -32700,
      message: "The frame is 16777217 bytes long; the limit is 16777216.",
      goesOn: false,
    }));

  test("answers a length past all numbers, and ends", () =>
    check((client) => client.raw("Content-Length: 99999999999999999999999\r\n\r\n"), {
      code: -32700,
      message: `The frame's Content-Length is not a number: "99999999999999999999999".`,
      goesOn: false,
    }));

  for (const [what, bytes, message] of [
    ["a length that is no number", "Content-Length: ten\r\n\r\n", `The frame's Content-Length is not a number: "ten".`],
    ["a negative length", "Content-Length: -1\r\n\r\n", `The frame's Content-Length is not a number: "-1".`],
    [
      "a length with an escape sequence",
      "Content-Length: \u001b[2J\r\n\r\n",
      `The frame's Content-Length is not a number: "\\u{1b}[2J".`,
    ],
    ["a header without a length", "Content-Type: x\r\n\r\n{}", "The frame's header has no Content-Length."],
    ["a header without an end", "x".repeat(5_000), "The frame's header is longer than 1024 bytes."],
    ["an HTTP request", "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", "The frame's header has no Content-Length."],
  ]) {
    test(`answers ${what}, and ends`, () =>
      check((client) => client.raw(bytes), { code: -32700, message, goesOn: false }));
  }

  test("answers a frame that was cut off, and ends", () =>
    check(
      (client) => {
        client.raw('Content-Length: 100\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"augment/queue/add","params":{"ti');
        client.finish();
      },
      { code: -32700, message: "The frame ended after 66 of 100 bytes.", goesOn: false },
    ));

  test("reads frames however they are cut, and headers in any order and case", async () => {
    const client = await dial(workspace);
    const body = JSON.stringify({ jsonrpc: "2.0", id: "mine", method: "augment/status" });
    const bytes = `content-type: application/vscode-jsonrpc\r\ncontent-LENGTH:${body.length}\r\n\r\n${body}`;
    for (const byte of bytes) client.raw(byte);
    const reply = await client.until("it is answered", () => client.complaints[0]);
    assert.deepEqual([reply.id, reply.result.host.pid], ["mine", host.pid]);
    client.destroy();
  });

  test("lets nobody in who begins a frame and waits, at the expense of others", async () => {
    const slow = await dial(workspace);
    slow.raw("Content-Length: 16777216\r\n\r\n{");
    const client = await dial(workspace);
    assert.equal((await client.request("augment/status", {})).host.pid, host.pid);
    for (const one of [slow, client]) one.destroy();
  });

  test("refuses a request before initialize", async () => {
    const client = await dial(workspace, { initialize: false });
    const { code, message } = await client.refusal("augment/queue/add", { title: "x" });
    assert.deepEqual([code, message], [-32002, "Server not initialized"]);
    client.destroy();
  });

  test("refuses a second initialize, and one of another protocol", async () => {
    const client = await dial(workspace);
    assert.equal((await client.refusal("initialize", { capabilities: {} })).code, -32600);
    client.destroy();
    const other = await dial(workspace, { initialize: false });
    const { code, message, data } = await other.refusal("initialize", {
      capabilities: {},
      initializationOptions: { protocol: 9 },
    });
    assert.deepEqual(
      [code, message, data.code],
      [-32001, "This host speaks protocol 1, the client 9. Update the older of the two.", "other-protocol"],
    );
    other.destroy();
  });

  test("does not know a method that is not there, and says which", async () => {
    const client = await dial(workspace);
    for (const method of ["augment/queue/ad", "augment/agent/begin", "$/x", "__proto__"]) {
      assert.equal((await client.refusal(method, {})).code, -32601, method);
    }
    assert.equal((await client.request("augment/status")).host.pid, host.pid);
    client.destroy();
  });

  test("names what is wrong in the types of a request, and changes nothing", async () => {
    const client = await dial(workspace);
    const before = await state();
    for (const [method, params, message] of [
      ["augment/queue/add", { title: 7 }, "invalid type: integer `7`, expected a string"],
      ["augment/queue/add", { title: null }, "invalid type: null, expected a string"],
      ["augment/queue/add", {}, "missing field `title`"],
      ["augment/queue/add", { title: "x", labels: "y" }, 'invalid type: string "y", expected a sequence'],
      ["augment/queue/add", { title: "x", maxAttempts: -1 }, "invalid value: integer `-1`, expected u32"],
      ["augment/queue/add", { title: "x", maxAttempts: 1e30 }, "invalid type: floating point `1e+30`, expected u32"],
      ["augment/queue/add", { title: "x", tilte: "y" }, /^unknown field `tilte`, expected one of `title`, /],
      ["augment/queue/edit", { task: "a1", revision: "3" }, 'invalid type: string "3", expected u64'],
      ["augment/queue/move", { task: "a1", place: "up" }, /^unknown variant `up`, expected one of /],
      ["augment/queue/complete", { task: "a1", outcome: "great" }, /^unknown variant `great`, expected one of /],
      ["augment/queue/list", { limit: 4_294_967_296 }, /^invalid value: integer `4294967296`, expected u32/],
      ["augment/audit/show", { sequence: "1" }, 'invalid type: string "1", expected u64'],
      ["augment/config/set", { key: "queue.leaseSeconds", value: 5 }, "invalid type: integer `5`, expected a string"],
    ]) {
      const error = await client.refusal(method, params);
      assert.equal(error.code, -32602, `${method} ${JSON.stringify(params)}: ${error.message}`);
      const text = error.message.replace(/\.$/, "");
      if (message instanceof RegExp) assert.match(text, message);
      else assert.equal(text, message);
    }
    assert.deepEqual(await state(), before);
    client.destroy();
  });

  test("refuses a title of 10 MB with its sentence, and changes nothing but the ledger", async () => {
    const client = await dial(workspace);
    const tasks = await workspace.tasks("--all");
    const { code, message, data } = await client.refusal("augment/queue/add", { title: "x".repeat(10_000_000) });
    assert.deepEqual(
      [code, message, data.code],
      [
        -32001,
        "The title is 10000000 characters long; the limit is 200. Shorten it and put the rest into the description.",
        "text-too-long",
      ],
    );
    assert.deepEqual(await workspace.tasks("--all"), tasks);
    const [newest] = await workspace.records();
    assert.deepEqual([newest.kind, newest.data.message], ["refused", message]);
    assert.ok(JSON.stringify(newest).length < 2_000, "what was refused is not kept whole");
    client.destroy();
  });

  test("takes text of every language as it is", async () => {
    const client = await dial(workspace);
    for (const title of [
      "Prüfe ‚Zugänge‘",
      "修复登录模块",
      "أصلح تسجيل الدخول",
      "👨‍👩‍👧 family",
      "<img src=x onerror=alert(1)>",
      "' ; DROP TABLE task; --",
    ]) {
      const { id } = await client.request("augment/queue/add", { title });
      assert.equal((await client.request("augment/queue/show", { task: id })).task.title, title);
    }
    client.destroy();
  });

  test("ends a connection on exit, and goes on itself", async () => {
    const client = await dial(workspace);
    assert.equal(await client.request("shutdown"), null);
    client.notify("exit");
    await client.closed;
    const next = await dial(workspace);
    assert.equal(next.introduction.pid, host.pid);
    next.destroy();
  });

  test("survives clients that vanish in the middle of everything", async () => {
    for (let time = 0; time < 50; time += 1) {
      const client = await dial(workspace);
      client.request("augment/queue/list", {}).catch(() => {});
      client.raw("Content-Length: 500\r\n\r\n{");
      client.destroy();
    }
    const client = await dial(workspace);
    await eventually(
      "the others are forgotten",
      () => client.request("augment/status", {}),
      ({ host: { clients } }) => clients === 1,
    );
    assert.equal(host.ended, undefined);
    client.destroy();
  });
});
