// The page of figures while they move.

import assert from "node:assert/strict";
import { test } from "node:test";
import { focused } from "../dom";
import { found, openPage } from "../test_page";
import { analyticsPage } from "./analytics";
import { figuresFor } from "./test_figures";

/** @param shown what is counted, which the test changes */
const opened = (shown: Parameters<typeof figuresFor>[0]) =>
  openPage(analyticsPage, { "augment/analytics": () => figuresFor(shown) });

test("figures that move leave the keyboard and what is scrolled where they are", async () => {
  const shown = { completed: 2 };
  const { page } = await opened(shown);
  const chart = found(page.element, "#chart-outcomes");
  const rows = found(chart, ".chart-rows");
  const agents = found(page.element, '.group-table[aria-label="By agent"]');
  const summary = found(chart, "summary");
  rows.scrollTop = 40;
  agents.scrollTop = 60;
  summary.focus();
  shown.completed = 5;
  await page.refresh();
  assert.match(found(chart, ".chart-summary").textContent ?? "", /^Runs that ended: 5\./);
  assert.equal(focused(), summary);
  assert.equal(found(page.element, "#chart-outcomes .chart-rows").scrollTop, 40);
  assert.equal(found(page.element, '.group-table[aria-label="By agent"]').scrollTop, 60);
});

test("the table behind a chart begins with the newest day, and leaves out those on which nothing happened", async () => {
  const day = 86_400_000;
  const on = (at: number, completed: number) => ({ start: at * day, figures: figuresFor({ completed }).total });
  const shown = { byBucket: [on(0, 0), on(1, 2), on(2, 0), on(3, 1), on(4, 0)] };
  const { page } = await openPage(analyticsPage, {
    "augment/analytics": () => ({ ...figuresFor({ completed: 3 }), ...shown }),
  });
  const chart = found(page.element, "#chart-outcomes");
  const rows = () =>
    [...chart.querySelectorAll("tbody tr")].map(({ children }) =>
      [...children].slice(0, 2).map(({ textContent }) => textContent),
    );
  const told = () => chart.querySelector(".chart-rows p")?.textContent ?? undefined;
  const days = rows().map(([text]) => text);
  assert.deepEqual(days, [...days].sort().reverse());
  assert.deepEqual(
    rows().map(([, ended]) => ended),
    ["1", "2"],
  );
  assert.equal(told(), "The newest day comes first. Days on which nothing happened are left out.");
  shown.byBucket = [on(1, 2), on(2, 1)];
  await page.refresh();
  assert.equal(told(), undefined, "nothing is left out");
  assert.equal(rows().length, 2);
});

test("a chart comes and goes with what there is to show", async () => {
  const shown = { completed: 2, tokens: 0 };
  const { page } = await opened(shown);
  const chart = found(page.element, "#chart-cost");
  const parts = () => [".chart-empty", "details"].map((part) => chart.querySelector(part) !== null);
  assert.deepEqual(parts(), [true, false]);
  shown.tokens = 900;
  await page.refresh();
  assert.deepEqual(parts(), [false, true]);
  shown.completed = 0;
  await page.refresh();
  assert.equal(found(page.element, ".analytics-content").hidden, true);
  assert.match(found(page.element, ".state-note").textContent ?? "", /Nothing to count/);
});

test("a number of tokens is not called a cost", async () => {
  const told = async (shown: Parameters<typeof figuresFor>[0]) => {
    const { page } = await opened(shown);
    const tiles = [...page.element.querySelectorAll<HTMLElement>(".tile")].map(({ children }) =>
      [...children].map(({ textContent }) => textContent).join(" | "),
    );
    return tiles.filter((text) => /^(Cost|Tokens) /.test(text)).join("; ");
  };
  const costs = [{ currency: "USD", amount: "0.42", runs: 1 }];
  assert.equal(await told({ completed: 1 }), "Cost | – | no agent told it");
  assert.equal(await told({ completed: 1, tokens: 900 }), "Tokens | 900 | told by 1 run; no agent told a cost");
  assert.equal(await told({ completed: 2, tokens: 900, costs }), "Cost | 0.42 USD | 900 tokens, told by 2 runs");
});
