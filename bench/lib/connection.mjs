// JSON-RPC with the frames of the Language Server Protocol, over any pair of streams. It keeps no notices: a bench asks,
// or waits for the next one.

export class Connection {
  #writable;
  #waiting = new Map();
  #listeners = new Map();
  #lastId = 0;
  #chunks = [];
  #length = 0;
  #wanted = 0;
  #ended;

  constructor(readable, writable) {
    this.#writable = writable;
    readable.on("data", (chunk) => this.#take(chunk));
    const end = (error) => this.#end(error ?? new Error("The connection ended before it answered."));
    readable.on("close", () => end());
    readable.on("error", end);
    writable.on("error", end);
  }

  /** Sends one request and waits for its result. Requests may overlap. */
  request(method, params) {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#write({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Sends many requests at once, so that the other side can take them together. */
  requestAll(method, list) {
    this.#writable.cork();
    const answers = list.map((params) => this.request(method, params));
    this.#writable.uncork();
    return Promise.all(answers);
  }

  notify(method, params) {
    this.#write({ jsonrpc: "2.0", method, params });
  }

  /** The next notice of this name. What came before the call is not counted. */
  nextNotice(method) {
    return new Promise((resolve) => {
      const listeners = this.#listeners.get(method) ?? [];
      this.#listeners.set(method, [...listeners, resolve]);
    });
  }

  async initialize() {
    const capabilities = { experimental: { augment: { moved: true } } };
    const answer = await this.request("initialize", { processId: process.pid, rootUri: null, capabilities });
    this.notify("initialized", {});
    return answer;
  }

  #write(message) {
    const body = JSON.stringify(message);
    this.#writable.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #take(chunk) {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return;
    const buffer = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    let at = 0;
    this.#wanted = 0;
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n", at);
      if (end < 0) break;
      const length = Number(/content-length: *(\d+)/i.exec(buffer.toString("latin1", at, end))?.[1]);
      const next = end + 4 + length;
      if (next > buffer.length) {
        this.#wanted = next - at;
        break;
      }
      this.#answer(JSON.parse(buffer.toString("utf8", end + 4, next)));
      at = next;
    }
    this.#chunks = at < buffer.length ? [buffer.subarray(at)] : [];
    this.#length = buffer.length - at;
  }

  #answer(message) {
    if (message.method !== undefined) {
      const listeners = this.#listeners.get(message.method) ?? [];
      this.#listeners.delete(message.method);
      for (const heard of listeners) heard(message.params);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(`${message.error.code}: ${message.error.message}`));
    else waiting.resolve(message.result);
  }

  #end(error) {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}
