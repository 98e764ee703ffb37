// Nobody waits for such work, so what fails because the window closes must not be left for Node to complain of.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Coalesced } from "./coalesced";

test("what fails as the window closes is told to nobody", async () => {
  const told: unknown[] = [];
  const tell = (error: unknown) => told.push(error);
  process.on("unhandledRejection", tell);
  let fail = (_: Error): void => {};
  const work = new Coalesced(() => new Promise<void>((_, reject) => (fail = reject)), 0);
  work.ask();
  work.dispose();
  fail(new Error("Canceled"));
  await setImmediate();
  process.off("unhandledRejection", tell);
  assert.deepEqual(told, []);
});
