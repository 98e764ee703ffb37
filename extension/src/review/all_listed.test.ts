// A yes to everything is a yes to the hunks that were listed, and to no others.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedFile, Hunk } from "../protocol.gen";
import { Refused } from "../refusal";
import { allListed, notListedWords, onYesToAll } from "./all_listed";
import { MOST_HUNKS } from "./change_groups";

const file = (...ids: string[]) => ({ hunks: ids.map((id) => ({ id }) as Hunk) }) as ChangedFile;

test("everything is the hunks of all files, and what goes past a limit is counted", () => {
  const files = [file("h1", "h2"), file("h3")];
  assert.deepEqual(allListed(files, { pendingHunks: 3 }), { hunks: ["h1", "h2", "h3"], more: 0 });
  assert.deepEqual(allListed(files, { pendingHunks: 9 }), { hunks: ["h1", "h2", "h3"], more: 6 });
  const many = file(...Array.from({ length: MOST_HUNKS + 1 }, (_, at) => `h${at}`));
  const { hunks, more } = allListed([many], { pendingHunks: MOST_HUNKS + 1 });
  assert.deepEqual([hunks.length, more], [MOST_HUNKS, 1]);
});

test("it is said what a yes is not to", () => {
  assert.equal(notListedWords({ hunks: ["h1"], more: 0 }), "");
  assert.equal(
    notListedWords({ hunks: ["h1", "h2"], more: 4 }),
    "Only the first 2 are meant; the other 4 wait until you are asked about them, too.",
  );
});

/** @param lists what is listed: at first, and each time that it is fetched again; the last one stays */
async function play(lists: string[], { answers = [true, true, true], refusals = [] as (string | undefined)[] } = {}) {
  const said: string[] = [];
  let at = 0;
  const fetch = async () => {
    at = Math.min(at + 1, lists.length - 1);
  };
  const came = onYesToAll({
    listed: () => ({ hunks: (lists[at] ?? "").split(" ").filter(Boolean), more: 0 }),
    ask: async ({ hunks }, time) => {
      said.push(`${time}: ${hunks.join(" ")}`);
      return answers.shift() === true;
    },
    refreshed: fetch,
    send: async (hunks) => {
      said.push(`send ${hunks.join(" ")}`);
      const code = refusals.shift();
      if (code === undefined) return;
      await fetch();
      throw new Refused("no", code, undefined);
    },
  });
  said.push(await came.then(String, ({ code }: Refused) => `thrown ${code}`));
  return said;
}

test("what was listed is named", async () => {
  assert.deepEqual(await play(["h1 h2"]), ["first: h1 h2", "send h1 h2", "true"]);
  assert.deepEqual(await play(["h1"], { answers: [false] }), ["first: h1", "true"]);
  assert.deepEqual(await play([""]), ["false"]);
});

test("a hunk that is rewritten while the question stands is asked about again, though the count is the same", async () => {
  assert.deepEqual(await play(["h1 h2", "h1 h3"]), ["first: h1 h2", "again: h1 h3", "send h1 h3", "true"]);
  assert.deepEqual(await play(["h1", "h1 h2"], { answers: [true, false] }), ["first: h1", "again: h1 h2", "true"]);
});

test("what is rewritten on the way to the host is asked about again as well", async () => {
  assert.deepEqual(await play(["h1", "h1", "h2"], { refusals: ["unknown-hunk"] }), [
    "first: h1",
    "send h1",
    "again: h2",
    "send h2",
    "true",
  ]);
  assert.deepEqual(await play(["h1"], { refusals: ["read-only"] }), ["first: h1", "send h1", "thrown read-only"]);
});
