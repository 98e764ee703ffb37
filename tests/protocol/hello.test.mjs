// The first line of a connection: who is let in, and what everybody else is told.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { dial, greeting, hello } from "../rig/frames.mjs";
import { newWorkspace } from "../rig/workspace.mjs";

describe("a hello", () => {
  let workspace;
  let host;
  let socket;
  let token;
  before(async () => {
    workspace = newWorkspace();
    host = await workspace.host();
    socket = (await workspace.places()).socket;
    token = await workspace.token();
  });
  after(() => workspace.end());

  const closed = (stream) =>
    new Promise((resolve) => {
      stream.on("close", resolve).resume();
    });

  /** The host answers with this refusal, ends the connection, records it and goes on. */
  async function refused(line, code, message) {
    const { answer, socket: stream } = await hello(socket, line);
    assert.equal(answer.answer, "refused");
    assert.equal(answer.code, code);
    if (message instanceof RegExp) assert.match(answer.message, message);
    else assert.equal(answer.message, message);
    await closed(stream);
    const [{ kind, data }] = await workspace.records();
    assert.deepEqual([kind, data.reason], ["connection.refused", answer.message]);
    assert.equal(host.ended, undefined);
  }

  test("with the person's token is welcome", async () => {
    const { answer, socket: stream } = await hello(socket, greeting(token));
    assert.deepEqual(answer, {
      answer: "welcome",
      protocol: 1,
      version: answer.version,
      role: "person",
      pid: host.pid,
    });
    assert.match(answer.version, /^\d+\.\d+\.\d+$/);
    stream.destroy();
  });

  test("with a run's token is welcome as that run", async () => {
    await workspace.add("one");
    const { token: own } = await workspace.next("--agent", "goose", "--lease", "1h");
    const { answer, socket: stream } = await hello(socket, greeting(own));
    assert.deepEqual([answer.answer, answer.role], ["welcome", "run"]);
    stream.destroy();
  });

  const foreign =
    "The token is not known in this workspace. Use the person's token, or the one that came with the task.";
  for (const [what, bad] of [
    ["a foreign token", "0".repeat(64)],
    ["an empty token", ""],
    ["a token with SQL in it", "' OR 1=1 --"],
  ]) {
    test(`with ${what} is refused`, () => refused(greeting(bad), "foreign-token", foreign));
  }

  test("with the beginning of the right token is refused", () =>
    refused(greeting(token.slice(0, 63)), "foreign-token", foreign));

  test("that is no JSON is refused", () =>
    refused(
      "hello there\n",
      "bad-hello",
      "The first line is not a hello: expected value at line 1 column 1. Speak through `augment-cli serve`.",
    ));

  test("that is a frame is refused", () =>
    refused(
      "Content-Length: 2\r\n\r\n{}",
      "bad-hello",
      /^The first line is not a hello: .*Speak through `augment-cli serve`\.$/,
    ));

  test("of the wrong types is refused", () =>
    refused(
      { protocol: "one", token, version: 1, client: [] },
      "bad-hello",
      /^The first line is not a hello: invalid type: string "one", expected u32/,
    ));

  test("without a token is refused", () =>
    refused({ protocol: 1, version: "0.1.0", client: "x" }, "bad-hello", /missing field `token`/));

  test("of another protocol is refused with what to do", () =>
    refused(
      greeting(token, { protocol: 7 }),
      "other-protocol",
      "This host speaks protocol 1, the caller 7. Update the older of the two.",
    ));

  test("that never ends is cut off", async () => {
    const { answer, socket: stream } = await hello(socket, "x".repeat(100_000));
    assert.equal(answer, undefined);
    await closed(stream);
    await (await dial(workspace)).destroy();
  });

  test("that is never said is waited for a few seconds only, and holds nobody up", async () => {
    const silent = connect(socket);
    const ended = closed(silent);
    await new Promise((resolve) => silent.once("connect", resolve));
    const client = await dial(workspace);
    assert.equal((await client.request("augment/status", {})).host.pid, host.pid);
    await ended;
    client.destroy();
  });

  test("of one too many is turned away, and those who are there are served", async () => {
    const clients = [];
    let turnedAway;
    while (turnedAway === undefined && clients.length < 400) {
      const { answer, client, socket: stream } = await hello(socket, greeting(token));
      if (answer?.answer === "welcome") clients.push(client());
      else turnedAway = { answer, stream };
    }
    assert.equal(clients.length, 256);
    turnedAway.stream.destroy();
    await clients[0].initialize();
    assert.equal((await clients[0].request("augment/status", {})).host.pid, host.pid);
    for (const client of clients) client.destroy();
    await eventually("there is room again", () => dial(workspace).then((client) => client.destroy() ?? true));
  });

  test("followed by a whole conversation in one piece is understood", async () => {
    const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } });
    const all = `${JSON.stringify(greeting(token))}\nContent-Length: ${request.length}\r\n\r\n${request}`;
    const { answer, client } = await hello(socket, all);
    assert.equal(answer.answer, "welcome");
    const talking = client();
    const reply = await talking.until("initialize is answered", () => talking.complaints[0]);
    assert.equal(reply.result.capabilities.experimental.augment.role, "person");
    talking.destroy();
  });
});
