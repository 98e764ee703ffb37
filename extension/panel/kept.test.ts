// What a person had before them is there again after the page was hidden or the window reloaded: each page is left and made anew
// with what it kept.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AskTimeline, Question, SessionReport } from "../src/protocol.gen";
import { agentsPage } from "./agents/agents";
import { analyticsPage } from "./analytics/analytics";
import { figuresFor } from "./analytics/test_figures";
import { historyPage } from "./history/history";
import { Drafts, Unfolded } from "./kept";
import type { PageKind } from "./page";
import { reviewPage } from "./review/review";
import { sessionPage } from "./session/session";
import { type Answers, fire, found, type OpenedPage, openPage } from "./test_page";

const question = (id: string) =>
  ({
    id,
    run: "a1.1",
    task: "a1",
    agent: "goose",
    question: `${id}?`,
    detail: "",
    options: [],
    askedAt: 1,
    answer: null,
  }) as unknown as Question;
const report = {
  number: 7,
  session: "s1",
  level: "light",
  task: "a1",
  time: 0,
  text: "Done.",
  data: null,
} as SessionReport;

const work: Answers = {
  "augment/agent/list": () => ({ agents: [], problems: [] }),
  "augment/run/list": () => ({ runs: [] }),
  "augment/question/list": () => ({ questions: [question("q1"), question("q2")] }),
  "augment/hand-off/list": () => ({ handOffs: [] }),
  "augment/queue/list": () => ({ tasks: [] }),
  "augment/session/reports": () => ({ reports: [report] }),
  "augment/session/status": () => ({
    session: null,
    flags: [],
    governance: { read: [], missing: [], problems: [], phase: null, sprintGoal: null, progress: null, proposed: [] },
  }),
};

/** @param leave what the person does before the page is hidden; timers that are under way come to their end */
async function comeBack(
  t: TestContext,
  kind: PageKind,
  answers: Answers,
  leave: (left: OpenedPage) => void | Promise<void>,
): Promise<OpenedPage> {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const left = await openPage(kind, answers);
  await leave(left);
  t.mock.timers.tick(1_000);
  return openPage(kind, answers, left.kept());
}

for (const kind of [agentsPage, sessionPage])
  test(`an answer that was typed and not sent is still there (${kind.id})`, async (t) => {
    const box = ({ page }: OpenedPage, id: string) =>
      found(found(page.element, ".ask", `${id}?`), "vscode-textarea") as HTMLElement & { value: string };
    const back = await comeBack(t, kind, work, (left) => {
      const typed = box(left, "q2");
      typed.value = "The left one";
      fire(typed, "input");
    });
    assert.equal(box(back, "q2").value, "The left one");
    assert.equal(box(back, "q1").value, "");
    const later = await openPage(
      kind,
      { ...work, "augment/question/list": () => ({ questions: [question("q1")] }) },
      back.kept(),
    );
    const typed = found(later.page.element, ".ask", "needs no answer any more");
    assert.match(typed.textContent ?? "", /The left one/, "it is the person's until they let it go");
    found(typed, "vscode-button", "Discard").click();
    await later.page.refresh();
    assert.equal([...later.page.element.querySelectorAll(".ask")].length, 1);
    assert.doesNotMatch(JSON.stringify(later.kept()), /left one/);
  });

test("a report that was unfolded still is", async (t) => {
  const folded = ({ page }: OpenedPage) => found(page.element, "details") as HTMLDetailsElement;
  const back = await comeBack(t, sessionPage, work, (left) => {
    folded(left).open = true;
    fire(folded(left), "toggle");
  });
  assert.equal(folded(back).open, true);
});

test("the table of a chart that was shown still is, and so is the period", async (t) => {
  const answers = { "augment/analytics": () => figuresFor({ completed: 2 }) };
  const table = ({ page }: OpenedPage, id: string) =>
    found(found(page.element, `#chart-${id}`), "details") as HTMLDetailsElement;
  const back = await comeBack(t, analyticsPage, answers, async (left) => {
    const period = found(left.page.element, ".choice", "Last 24 hours") as HTMLElement & { value: string };
    period.value = "day";
    fire(period, "change");
    await new Promise(setImmediate);
    table(left, "times").open = true;
    fire(table(left, "times"), "toggle");
  });
  assert.deepEqual([table(back, "outcomes").open, table(back, "times").open], [false, true]);
  assert.match(JSON.stringify(back.kept()), /"period":"day"/);
});

const hunk = (task: string) => ({
  author: { kind: "run", name: "goose", run: `${task}.1`, task, taskTitle: task },
  kind: "lines",
  added: 1,
  removed: 0,
  entangledWith: [],
  findings: [],
  flagged: null,
  flag: null,
});
const changed = (at: number) => ({ path: `file ${at}.txt`, hunks: [hunk("a1")], moreHunks: false, awaitsSave: false });

test("the row of the review that had the keyboard has it again, where it was", async (t) => {
  const files = Array.from({ length: 60 }, (_, at) => changed(at));
  const answers = {
    "augment/changes/list": () => ({ files, counts: { pendingHunks: 60, pendingFiles: 60 }, next: null }),
    "augment/audit/list": () => ({ records: [] }),
  };
  const current = ({ page }: OpenedPage) =>
    [...page.element.querySelectorAll<HTMLElement>(".review-row")].find(({ tabIndex }) => tabIndex === 0);
  const list = ({ page }: OpenedPage) => found(page.element, ".windowed");
  const back = await comeBack(t, reviewPage, answers, (left) => {
    list(left).scrollTop = 500;
    fire(list(left), "scroll");
    found(left.page.element, ".review-row", "file 30.txt").focus();
  });
  assert.match(current(back)?.textContent ?? "", /file 30\.txt/);
  assert.equal(list(back).scrollTop, 500);
});

const ledger: Answers = {
  "augment/session/list": () => ({ sessions: [] }),
  "augment/timeline": ((ask: AskTimeline) => {
    const newest = (ask.before ?? 1_201) - 1;
    const count = ask.after === undefined ? Math.min(newest, ask.limit ?? 0) : 0;
    const points = Array.from({ length: count }, (_, at) => ({
      sequence: newest - at,
      time: newest - at,
      kind: "question",
      who: { kind: "person", name: "ada" },
      task: null,
      taskTitle: null,
      file: null,
      step: null,
      evidence: null,
      summary: `point ${newest - at}`,
    }));
    return { points, next: newest > count ? newest - count + 1 : null, revision: 1_200 };
  }) as Answers[string],
};

test("the point of the history that was looked at is looked at again, also where it is an old one", async (t) => {
  const looked = ({ page }: OpenedPage) => found(page.element, ".history-details").textContent ?? "";
  const back = await comeBack(t, historyPage, ledger, async ({ page }) => {
    const list = found(page.element, ".windowed");
    for (let page = 0; page < 2; page += 1) {
      list.scrollTop = 1_000_000;
      fire(list, "scroll");
      await new Promise(setImmediate);
    }
    list.scrollTop = 900 * 20;
    fire(list, "scroll");
    found(page.element, ".moment", "point 297").click();
  });
  assert.match(looked(back), /point 297/);
  assert.ok(found(back.page.element, ".moment.selected", "point 297"), "it is on screen");
  const other = await openPage(historyPage, ledger, { selected: 7 });
  assert.match(looked(other), /point 1200/, "what another version kept is not trusted");
});

test("what another version kept is no draft and nothing unfolded", () => {
  for (const value of [undefined, null, 3, "x", [3], { a: 3 }, { a: "x" }, { a: { text: "x" } }]) {
    assert.deepEqual(new Drafts(value, () => {}).toKeep(), {});
    assert.deepEqual(new Unfolded(value, () => {}).toKeep(), []);
  }
});
