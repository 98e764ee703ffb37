// A small client of the protocol, written from its description alone: a hello line, then JSON-RPC in LSP frames. It can
// also say what a client should not.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { within } from "./deadline.mjs";

/** Bytes of a stream, taken by length or up to a mark. */
class Bytes {
  #buffer = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  constructor(stream) {
    stream.on("data", (chunk) => {
      this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
      this.#wake();
    });
    for (const event of ["end", "close", "error"]) {
      stream.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  /** Up to and without the mark, which is dropped; undefined at the end of the stream. */
  async until(mark) {
    let from = 0;
    for (;;) {
      const at = this.#buffer.indexOf(mark, from);
      if (at >= 0) {
        const found = this.#buffer.subarray(0, at);
        this.#buffer = this.#buffer.subarray(at + mark.length);
        return found;
      }
      from = Math.max(0, this.#buffer.length - mark.length);
      if (this.#ended) return undefined;
      await this.#more();
    }
  }

  async exactly(length) {
    while (this.#buffer.length < length) {
      if (this.#ended) return undefined;
      await this.#more();
    }
    const found = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(length);
    return found;
  }

  #more() {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

export class RpcError extends Error {
  constructor({ code, message, data }) {
    super(message);
    Object.assign(this, { code, data });
  }
}

export class Client {
  /** Notices with their place among all that came, oldest first. */
  notices = [];
  /** Answers without an id: what the host makes of a frame that it cannot answer. */
  complaints = [];
  /** How many messages came, and which of them was the last answer. */
  received = 0;
  answered = 0;
  #writer;
  #bytes;
  #waiting = new Map();
  #watchers = new Set();
  #lastId = 0;
  #end;

  constructor(reader, writer, bytes = new Bytes(reader)) {
    this.#writer = writer;
    this.#bytes = bytes;
    writer.on("error", () => {});
    this.#end = this.#read().finally(() => {
      this.ended = true;
      for (const { reject } of this.#waiting.values()) reject(new Error("the connection ended"));
      this.#tell();
    });
    // Told to whoever waits for the end, and to nobody else.
    this.#end.catch(() => {});
  }

  /** Waits until the host has ended the connection. */
  get closed() {
    return within(this.#end, "the connection ends");
  }

  async #read() {
    for (;;) {
      const header = await this.#bytes.until("\r\n\r\n");
      if (header === undefined) return;
      const [, length] = header.toString().match(/content-length: *(\d+)/i) ?? [];
      assert.ok(length, `a header without a length: ${header}`);
      const body = await this.#bytes.exactly(Number(length));
      if (body === undefined) return;
      this.#take(JSON.parse(body.toString()));
    }
  }

  #take(message) {
    this.received += 1;
    const waiting = this.#waiting.get(message.id);
    if (waiting) {
      this.#waiting.delete(message.id);
      this.answered = this.received;
      if (message.error) waiting.reject(new RpcError(message.error));
      else waiting.resolve(message.result);
    } else if (message.method) {
      this.notices.push({ ...message, place: this.received, at: performance.now() });
    } else {
      this.complaints.push(message);
    }
    this.#tell();
  }

  #tell() {
    for (const watcher of this.#watchers) watcher();
  }

  /** Bytes as they are. */
  raw(bytes) {
    this.#writer.write(bytes);
  }

  /** Any body in a right frame. */
  frame(body) {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    this.raw(Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]));
  }

  notify(method, params) {
    this.frame(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** Sends a request; the answer is a promise, so requests can be sent without waiting. */
  request(method, params) {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
    this.frame(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return within(answer, `${method} is answered`);
  }

  /** What a request is refused with; it has to be. */
  async refusal(method, params) {
    const answer = await this.request(method, params).then(
      (result) => ({ result }),
      (error) => error,
    );
    assert.ok(
      answer instanceof RpcError,
      `${method} was not refused: ${JSON.stringify(answer.result ?? answer.message)}`,
    );
    return answer;
  }

  /** Introduces itself as a client that wants to hear what moves. */
  async initialize(params = {}) {
    const answer = await this.request("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: { experimental: { augment: { moved: true } } },
      ...params,
    });
    this.notify("initialized", {});
    return answer.capabilities.experimental.augment;
  }

  /** Waits until what is looked for is there, looking again whenever something comes. */
  until(what, look) {
    let watcher;
    const found = new Promise((resolve, reject) => {
      watcher = () => {
        const answer = look();
        if (answer) resolve(answer);
        else if (this.ended) reject(new Error(`the connection ended before ${what}`));
      };
      this.#watchers.add(watcher);
      watcher();
    });
    return within(found, what).finally(() => this.#watchers.delete(watcher));
  }

  /** Waits for the first notice of at least this revision. */
  moved(revision) {
    return this.until(`a notice of revision ${revision}`, () =>
      this.notices.find(({ method, params }) => method === "augment/moved" && params.revision >= revision),
    );
  }

  /** Closes our side; the host may still speak. */
  finish() {
    this.#writer.end();
  }

  destroy() {
    this.#writer.destroy();
  }
}

/** Says one line to the socket and gives the host's line; `client` goes on from there. */
export async function hello(path, line) {
  const socket = connect(path);
  socket.on("error", () => {});
  await within(
    new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject)),
    "the socket is open",
  );
  const bytes = new Bytes(socket);
  if (line !== undefined) socket.write(typeof line === "string" ? line : `${JSON.stringify(line)}\n`);
  const answer = await within(bytes.until("\n"), "the host answers the hello");
  return {
    answer: answer && JSON.parse(answer.toString()),
    socket,
    client: () => new Client(socket, socket, bytes),
  };
}

export const greeting = (token, more = {}) => ({ protocol: 1, token, version: "0.1.0", client: "test", ...more });

/** A client of the running host, as the person or with a run's token, introduced. */
export async function dial(workspace, { token, initialize = true } = {}) {
  const { socket } = await workspace.places();
  const { answer, client } = await hello(socket, greeting(token ?? (await workspace.token())));
  assert.equal(answer?.answer, "welcome", JSON.stringify(answer));
  const dialled = client();
  if (initialize) dialled.introduction = await dialled.initialize();
  return dialled;
}

/** A client through `serve --stdio`, as an editor has one. */
export function serve(workspace, how = {}) {
  const child = workspace.start(["serve", "--stdio"], how);
  return Object.assign(new Client(child.child.stdout, child.child.stdin), { process: child });
}
