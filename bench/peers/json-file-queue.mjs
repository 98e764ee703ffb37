// The queue of the seed, written afresh: an array in a JSON file. Every change loads the file, changes the array, and writes
// the whole file again. As there, nothing makes the file last (no fsync), and two processes would lose each other's changes.
// As a program: `node json-file-queue.mjs FILE add TITLE` or `node json-file-queue.mjs FILE next`.

import { closeSync, fdatasyncSync, openSync, readFileSync, writeFileSync } from "node:fs";

const weights = { high: 3, medium: 2, low: 1 };

export class JsonFileQueue {
  #path;
  #items;
  #keeps;
  #durable;

  /** With `keeps`, the array stays in memory between changes, as for one process that is alone; with `durable`, it is flushed. */
  constructor(path, { keeps = false, durable = false } = {}) {
    this.#path = path;
    this.#keeps = keeps;
    this.#durable = durable;
  }

  add({ title, description = "", priority = "medium" }) {
    const items = this.#load();
    const id = Math.random().toString(36).slice(2, 15) + Math.random().toString(36).slice(2, 15);
    items.push({ id, title, description, priority, status: "pending", createdAt: Date.now() });
    this.#save(items);
    return id;
  }

  next() {
    const items = this.#load();
    items.sort((a, b) => {
      if (a.status !== "pending" && b.status === "pending") return 1;
      if (a.status === "pending" && b.status !== "pending") return -1;
      return weights[b.priority] - weights[a.priority] || a.createdAt - b.createdAt;
    });
    const item = items.find(({ status }) => status === "pending");
    if (item) {
      item.status = "in-progress";
      item.startedAt = Date.now();
      this.#save(items);
    }
    return item;
  }

  complete(id, result) {
    const items = this.#load();
    const item = items.find((item) => item.id === id);
    if (!item) return false;
    Object.assign(item, { status: "completed", completedAt: Date.now(), result });
    this.#save(items);
    return true;
  }

  #load() {
    if (this.#keeps && this.#items) return this.#items;
    try {
      this.#items = JSON.parse(readFileSync(this.#path, "utf8"));
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      this.#items = [];
    }
    return this.#items;
  }

  #save(items) {
    const text = JSON.stringify(items);
    if (!this.#durable) return writeFileSync(this.#path, text);
    const file = openSync(this.#path, "w");
    writeFileSync(file, text);
    fdatasyncSync(file);
    closeSync(file);
  }
}

if (process.argv[1] === import.meta.filename) {
  const [path, word, title] = process.argv.slice(2);
  const queue = new JsonFileQueue(path);
  process.stdout.write(`${JSON.stringify(word === "add" ? queue.add({ title }) : queue.next())}\n`);
}
