// An editor that knows nothing of us and speaks standard LSP alone.

import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serve } from "./frames.mjs";

/** A text after LSP's edits, which all name places in the text before any of them. */
function applied(text, edits) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const place = ({ line, character }) => Math.min((starts[line] ?? text.length) + character, text.length);
  const last = edits.toSorted((a, b) => place(b.range.start) - place(a.range.start));
  return last.reduce(
    (now, { range, newText }) => now.slice(0, place(range.start)) + newText + now.slice(place(range.end)),
    text,
  );
}

/** What an editor of today can do. */
const able = {
  workspace: { applyEdit: true, workspaceEdit: { documentChanges: true }, codeLens: { refreshSupport: true } },
  textDocument: {
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source"] } } },
    hover: { contentFormat: ["markdown", "plaintext"] },
  },
};

/** An editor as LSP describes one, with one text open at a time for each path. */
export async function newEditor(workspace, { abilities = able } = {}) {
  const client = serve(workspace);
  const { capabilities } = await client.request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(workspace.folder).href,
    capabilities: abilities,
  });
  client.notify("initialized", {});
  const texts = new Map();
  const uri = (path) => pathToFileURL(join(workspace.folder, path)).href;
  const textDocument = (path) => ({ uri: uri(path) });
  const at = (line, character = 0) => ({ line, character });
  /** As an editor shows it: without a byte order mark. */
  const onDisk = (path) => readFileSync(join(workspace.folder, path), "utf8").replace(/^\ufeff/, "");
  let orders = 0;
  return {
    client,
    capabilities,
    uri,
    text: (path) => texts.get(path).text,
    /** @param {string} [text] what it shows, where that is not what is on disk: an earlier session's, restored */
    open(path, text = onDisk(path)) {
      texts.set(path, { text, version: 1 });
      client.notify("textDocument/didOpen", {
        textDocument: { uri: uri(path), languageId: "plaintext", version: 1, text },
      });
    },
    type(path, text) {
      const version = texts.get(path).version + 1;
      texts.set(path, { text, version });
      client.notify("textDocument/didChange", {
        textDocument: { uri: uri(path), version },
        contentChanges: [{ text }],
      });
    },
    /** What an editor does by itself when a file changes on disk and nothing is unsaved. */
    reload(path) {
      this.type(path, onDisk(path));
    },
    /**
     * Writes the text to disk in one step and tells of it: before, by a question that it waits for or a notice, and
     * afterwards.
     * @param {{ before?: "question" | "notice" | "nothing", mark?: string }} [how] `mark` goes in front of the content, as
     * a byte order mark
     */
    async save(path, { before = "question", mark = "" } = {}) {
      const saving = { textDocument: textDocument(path), reason: 1 };
      if (before === "notice") client.notify("textDocument/willSave", saving);
      if (before === "question") assert.equal(await client.request("textDocument/willSaveWaitUntil", saving), null);
      const beside = join(workspace.scratch, "to-be-saved");
      writeFileSync(beside, mark + texts.get(path).text);
      renameSync(beside, join(workspace.folder, path));
      client.notify("textDocument/didSave", { textDocument: textDocument(path) });
    },
    close(path) {
      texts.delete(path);
      client.notify("textDocument/didClose", { textDocument: textDocument(path) });
    },
    /** The host has compared what was told before with the disk. It asks about another file, which is open too. */
    compared: (other) =>
      client.request("textDocument/willSaveWaitUntil", { textDocument: textDocument(other), reason: 1 }),
    lenses: (path) => client.request("textDocument/codeLens", { textDocument: textDocument(path) }),
    actions: (path, line, context = {}) =>
      client.request("textDocument/codeAction", {
        textDocument: textDocument(path),
        range: { start: at(line), end: at(line, 1) },
        context: { diagnostics: [], ...context },
      }),
    hover: (path, line) =>
      client.request("textDocument/hover", { textDocument: textDocument(path), position: at(line) }),
    command: (command, ...args) => client.request("workspace/executeCommand", { command, arguments: args }),
    /** Waits until the diagnostics that were sent last for a path have this many entries. */
    diagnosed: (path, count) =>
      client.until(`${path} has ${count} diagnostics`, () => {
        const sent = client.notices.filter(
          ({ method, params }) => method === "textDocument/publishDiagnostics" && params.uri === uri(path),
        );
        const diagnostics = sent.at(-1)?.params.diagnostics;
        return diagnostics?.length === count && diagnostics;
      }),
    /** Waits for a message to the person. */
    told: (pattern) =>
      client.until(`${pattern} is told`, () =>
        client.notices.find(({ method, params }) => method === "window/showMessage" && pattern.test(params.message)),
      ),
    /** Waits for a question to the person: the newest of so many. */
    asked: (count = 1) =>
      client.until("the person is asked", () => {
        const asked = client.notices.filter(({ method }) => method === "window/showMessageRequest");
        return asked.length >= count && asked.at(-1);
      }),
    /** The next order to change a text. */
    ordered: async () => {
      const number = orders;
      orders += 1;
      return client.until(
        "the editor is asked to change its text",
        () => client.notices.filter(({ method }) => method === "workspace/applyEdit")[number],
      );
    },
    answer: (order, result) => client.frame(JSON.stringify({ jsonrpc: "2.0", id: order.id, result })),
    /** Does what it is asked, as an editor does. */
    apply(path, order) {
      const [change] = order.params.edit.documentChanges;
      assert.deepEqual(change.textDocument, { uri: uri(path), version: texts.get(path).version });
      this.type(path, applied(texts.get(path).text, change.edits));
      this.answer(order, { applied: true });
    },
  };
}
