// The history as a page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../test_page";
import { historyPage } from "./history";

test("a session is offered by the name and the words that it has elsewhere", async () => {
  const { page } = await openPage(historyPage, {
    "augment/session/list": () => ({
      sessions: [
        { id: "s9", number: 9, state: "checkpoint" },
        { id: "s8", number: 8, state: "planned" },
      ],
    }),
    "augment/timeline": () => ({ points: [], next: null, revision: 1 }),
  });
  const offered = [...page.element.querySelectorAll("vscode-option")].map(({ textContent }) => textContent);
  assert.deepEqual(offered.slice(0, 3), [
    "Whole workspace",
    "Session 009: checkpoint",
    "Session 008: scope to confirm",
  ]);
});
