// What is shown is the answer to what stands there, however late an earlier one comes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { TypedSearch } from "./typed_search";

/** A host that answers when it is told to. */
function stage() {
  const asked: { typed: string; answer(text: string): void; refuse(message: string): void }[] = [];
  const shown: string[] = [];
  let typed = "";
  const search = new TypedSearch<string>({
    typed: () => typed,
    ask: (words) =>
      new Promise((answer, refuse) => {
        asked.push({ typed: words, answer, refuse: (message) => refuse(new Error(message)) });
      }),
    show: (answer, words) => shown.push(`${words}: ${answer}`),
    fail: (error) => shown.push(String(error)),
  });
  return {
    asked,
    shown,
    search,
    type: (text: string) => {
      typed = text;
      search.changed();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("an answer to what stands there no more is dropped, and what stands there is searched for next", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, shown, search, type } = stage();
  type("l");
  type("li");
  type("lif");
  assert.deepEqual(
    asked.map(({ typed }) => typed),
    ["l"],
    "one at a time",
  );
  asked[0]?.answer("many");
  await settled();
  assert.deepEqual(shown, []);
  t.mock.timers.tick(1_000);
  assert.deepEqual(
    asked.map(({ typed }) => typed),
    ["l", "lif"],
    "only the last of what was typed meanwhile",
  );
  asked[1]?.answer("one");
  await settled();
  assert.deepEqual(shown, ["lif: one"]);
  search.dispose();
});

test("so is a failure; that of what stands there is told", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, shown, search, type } = stage();
  type("a");
  type("b");
  asked[0]?.refuse("too late");
  await settled();
  t.mock.timers.tick(1_000);
  asked[1]?.refuse("no index");
  await settled();
  assert.deepEqual(shown, ["Error: no index"]);
  search.dispose();
});
