// What was shown is done, or nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Preview } from "../protocol.gen";
import { Refused } from "../refusal";
import { freshPreview, onYesIfAsked, onYesTo } from "./yes_to";

const preview = (confirm: string) => ({ confirm }) as Preview;

/** `p2` is what would be done now. @param no the preview that is said no to */
async function check(first: string, no: string | undefined, error: Error, expected: string[]): Promise<void> {
  const log: string[] = [];
  const came = await onYesTo(preview(first), {
    ask: async ({ confirm }) => {
      log.push(`ask ${confirm}`);
      return confirm !== no;
    },
    send: async ({ confirm }) => {
      log.push(`send ${confirm}`);
      if (confirm !== "p2") throw error;
      return "done";
    },
    refused: async () => void log.push("refresh"),
    fresh: freshPreview,
  }).catch((thrown: Error) => `thrown ${thrown.message}`);
  assert.deepEqual([...log, came ?? "nothing"], expected);
}

test("a yes to what has changed meanwhile is asked for again, with what would be done now", async () => {
  const stale = new Refused("It was shown otherwise.", "shown-otherwise", undefined, preview("p2"));
  await check("p2", undefined, stale, ["ask p2", "send p2", "done"]);
  await check("p1", undefined, stale, ["ask p1", "send p1", "refresh", "ask p2", "send p2", "done"]);
  await check("p1", "p2", stale, ["ask p1", "send p1", "refresh", "ask p2", "nothing"]);
  await check("p1", "p1", stale, ["ask p1", "nothing"]);
});

test("any other refusal is told, with what is drawn drawn anew; what is none is not swallowed", async () => {
  const gone = new Refused("It is gone.", "unknown-hunk", undefined);
  await check("p1", undefined, gone, ["ask p1", "send p1", "refresh", "thrown It is gone."]);
  await check("p1", undefined, new Error("lost"), ["ask p1", "send p1", "thrown lost"]);
});

test("what needs no yes is done at once; what needs one is shown, and again when it has changed", async () => {
  const refusing = (...previews: string[]) => {
    const log: string[] = [];
    return onYesIfAsked({
      ask: async ({ confirm }, time) => {
        log.push(`ask ${confirm} ${time}`);
        return confirm !== "no";
      },
      send: async (confirm) => {
        log.push(`send ${confirm ?? "without"}`);
        const next = previews.shift();
        if (next !== undefined) throw new Refused("Look first.", "entangled", undefined, preview(next));
        return "done";
      },
      refused: async () => void log.push("refresh"),
    }).then((came) => [...log, came ?? "nothing"]);
  };
  assert.deepEqual(await refusing(), ["send without", "done"]);
  assert.deepEqual(await refusing("p1"), ["send without", "ask p1 first", "send p1", "done"]);
  assert.deepEqual(await refusing("no"), ["send without", "ask no first", "nothing"]);
  assert.deepEqual(await refusing("p1", "p2"), [
    ...["send without", "ask p1 first", "send p1", "refresh"],
    ...["ask p2 again", "send p2", "done"],
  ]);
  const gone = onYesIfAsked({
    ask: async () => true,
    send: async () => Promise.reject(new Refused("There is no undo.", "nothing-to-redo", undefined)),
    refused: async () => undefined,
  });
  await assert.rejects(gone, /There is no undo/);
});
