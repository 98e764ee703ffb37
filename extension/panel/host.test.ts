import assert from "node:assert/strict";
import { test } from "node:test";
import { Host } from "./host";
import type { FromPage, ToPage } from "./messages";

/** One editor, and the pages that it has had: each takes the place of the one before. */
function editor() {
  const sent: FromPage[] = [];
  let listen: (message: ToPage) => void = () => {};
  const page = () =>
    new Host({
      send: (message) => sent.push(message),
      onMessage: (listener) => {
        listen = listener;
      },
      kept: () => undefined,
      keep() {},
    });
  const idOf = (at: number) => {
    const message = sent[at];
    assert.ok(message !== undefined && "id" in message);
    return message.id;
  };
  return { page, idOf, tell: (message: ToPage) => listen(message) };
}

test("an answer to a page that is gone reaches no read of the next one", async () => {
  const { page, idOf, tell } = editor();
  void page().read("augment/agent/list", {});
  const questions = page().read("augment/question/list", { answered: false, run: null });
  tell({ kind: "answer", id: idOf(0), result: { agents: [], problems: [] } });
  tell({ kind: "answer", id: idOf(1), result: { questions: [] } });
  assert.deepEqual(await questions, { questions: [] });
});
