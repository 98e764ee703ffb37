import assert from "node:assert/strict";
import { test } from "node:test";
import type { Flag } from "../../src/protocol.gen";
import { el } from "../dom";
import type { Host } from "../host";
import { found, makePage } from "../test_page";
import { showKeyed } from "../widgets/keyed";
import { tickAll } from "../widgets/since";
import { flagCards } from "./flag_card";

const flag = {
  id: "f1",
  path: "src/a.ts",
  kind: "out-of-scope",
  run: "a1.1",
  task: "a1",
  needed: false,
  why: null,
  time: 0,
} as unknown as Flag;

test("how long a change outside of the scope waits goes on, fetched anew or not", () => {
  makePage();
  let now = 5 * 60_000;
  const cards = flagCards({ now: () => now } as unknown as Host);
  const list = el("div");
  showKeyed(list, [flag], cards);
  assert.match(list.textContent ?? "", / · a1 · a1\.1 · 5 min ago/);
  now = 6 * 60_000;
  tickAll(list, now);
  assert.match(list.textContent ?? "", /6 min ago/);
  now = 2 * 3_600_000;
  showKeyed(list, [flag], cards);
  assert.match(list.textContent ?? "", /2 h ago/);
});

test("an answer is about the hunks that the card was drawn with last", () => {
  makePage();
  const sent: unknown[] = [];
  const act = (...said: unknown[]) => {
    sent.push(said);
    return Promise.resolve(true);
  };
  const cards = flagCards({ act, now: () => 0 } as unknown as Host);
  const list = el("div");
  showKeyed(list, [{ ...flag, hunks: ["aaaa"] }], cards);
  const log = found(list, "vscode-button", "Log and Take Out");
  showKeyed(list, [{ ...flag, hunks: ["aaaa", "bbbb"] }], cards);
  log.click();
  assert.deepEqual(sent, [["flag/answer", { flag: "f1", answer: "log", hunks: ["aaaa", "bbbb"] }]]);
});
