// The Orchestrator panel's other pages in a real VS Code: agents that work and ask, review by task and file, and a session
// with its questions, with the command line as witness.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { hanging, newAgentScene } from "./agent-scene.mjs";
import {
  board,
  judgeTwiceAsLarge,
  openPanel,
  panelFrame,
  panelTab,
  showTheme,
  takeKeys,
  themes,
} from "./panel-scene.mjs";
import { statusItem } from "./product.mjs";
import { edited } from "./reviewed.mjs";
import { goal, newSessionScene } from "./session-scene.mjs";

/** What the agent calls it differs; the answer for ever is another one. */
const allowOnce = /^(?!.*always).*allow/i;
const shotName = (name) => name.replaceAll(/\W+/g, "-").slice(0, 60);

/** The panel of one workspace with the ways that the tests below have in common. */
function panelOf(name) {
  const panel = {
    /** Shows a page by its tab. */
    async goTo(label) {
      await panel.frame.getByRole("tab", { name: label }).click();
      await panel.frame.getByRole("tabpanel", { name: label }).waitFor();
    },
    button: (label, within = panel.frame.locator("body")) =>
      within.getByRole("button", { name: label, exact: true }).first(),
    async begin(product) {
      panel.server = await serveVsCode({ name, workspace: product.workspace, env: product.env });
      panel.workbench = await openWorkbench(panel.server, { height: 1_000 });
      await panel.workbench.status(statusItem).filter({ hasText: "pending" }).waitFor();
      panel.frame = await openPanel(panel.workbench);
    },
    /** What opened in an editor lies over the panel. */
    async comeBack() {
      await panelTab(panel.workbench).click();
      panel.frame = await panelFrame(panel.workbench);
    },
    async pictures(page) {
      for (const theme of themes) {
        await showTheme(panel.workbench, panel.frame, theme);
        await panel.workbench.screenshot(`panel-${page}-${theme.name}`);
      }
      await judgeTwiceAsLarge(panel.workbench, panel.frame, page);
    },
    async end() {
      await panel.workbench?.close();
      await panel.server?.stop();
    },
  };
  return panel;
}

describe("agents and review in the panel", () => {
  const panel = panelOf("panel-agents");
  let product;

  before(async () => {
    product = await newAgentScene();
    await panel.begin(product);
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await panel.workbench.pictureOfFailure(`panel-failed-${shotName(name)}`);
  });
  after(async () => {
    await panel.end();
    await product?.remove();
  });

  const run = () => `${product.id}.1`;
  const runRow = (id = run()) => panel.frame.locator(".page-agents .row", { hasText: id });
  const reviewRow = (name) => panel.frame.locator(".review-row", { hasText: name });

  test("an agent that can be started is there to be started, and without a run that is said", async () => {
    await panel.goTo("Agents");
    await panel.frame.locator(".row", { hasText: "goose" }).filter({ hasText: "ACP" }).waitFor();
    await panel.frame.getByText("No agent is at work.").waitFor();
    await panel.workbench.judgeScreen("agents");
  });

  test("a task is dragged to those in progress, which starts an agent on it", async () => {
    await panel.goTo("Board");
    await board(panel.frame).card("Refactor the door").dragTo(board(panel.frame).column("in-progress"));
    await panel.workbench.pick("goose");
    await board(panel.frame).column("waiting").locator(".card", { hasText: "asks you" }).waitFor();
    assert.equal((await product.task(product.id)).status, "in-progress");
    await panel.workbench.screenshot("panel-board-asks");
  });

  test("its run is live with its last sign of life, and what it asks is answered in place", async () => {
    await panel.goTo("Agents");
    await runRow().filter({ hasText: "goose: waiting for you" }).waitFor();
    await eventually(
      "the last sign of life ticks",
      () => runRow().locator(".since").innerText(),
      (text) => /^\d+ s ago$/.test(text),
    );
    const question = panel.frame.locator(".ask");
    await question.waitFor();
    assert.equal(product.bytes("auth.txt"), product.files["auth.txt"].join(""), "nothing is written before the answer");
    assert.equal(await panel.frame.locator("img").count(), 0);
    await panel.pictures("agents");
    const changed = edited(product.files["auth.txt"], { 3: "AUTH LINE 3\n" });
    await panel.button(allowOnce, question).click();
    await eventually("it has written", () => product.bytes("auth.txt") === changed);
    // The next question is another one; the board is told, too.
    await eventually(
      "it asks again",
      async () => (await question.count()) === 1 && (await question.innerText()).includes("notes"),
    );
    await panel.button(allowOnce, question).click();
    await runRow().filter({ hasText: "goose: running" }).waitFor();
  });

  test("what it changed waits by task and file, and a file is approved and undone from there", async () => {
    await panel.goTo("Review");
    await reviewRow("auth.txt").filter({ hasText: "1 hunk" }).waitFor();
    await reviewRow("notes.txt").waitFor();
    await reviewRow("Refactor the door").filter({ hasText: "2 hunks" }).waitFor();
    assert.equal(await panel.frame.locator("img").count(), 0);
    await panel.pictures("review");
    await panel.button("Approve auth.txt").click();
    await eventually("it is recorded", product.decisions, (now) => now.includes("approved auth.txt"));
    await reviewRow("auth.txt").waitFor({ state: "detached" });
    await panel.frame.locator(".row", { hasText: "Approved 1 hunk" }).waitFor();
    await panel.button("Undo").click();
    await eventually("it is undone", product.decisions, (now) => now.includes("undone auth.txt"));
    await reviewRow("auth.txt").waitFor();
  });

  test("a file is rejected by its button, and the changes of another are opened by key", async () => {
    await panel.button("Reject auth.txt").click();
    await eventually("it is taken out", () => product.bytes("auth.txt") === product.files["auth.txt"].join(""));
    // What has the keyboard when it goes hands it on.
    await reviewRow("auth.txt").waitFor({ state: "detached" });
    await takeKeys(reviewRow("notes.txt"));
    await panel.workbench.page.keyboard.press("Enter");
    await panel.workbench.page.locator(".tab.active", { hasText: "notes.txt" }).waitFor();
    await panel.comeBack();
    await reviewRow("notes.txt").waitFor();
  });

  test("the whole of a task is approved, and then nothing waits", async () => {
    product.beforeReport.open();
    await eventually("it is completed", async () => (await product.task(product.id)).status === "completed");
    await reviewRow("Refactor the door")
      .getByRole("button", { name: /^Approve/ })
      .click();
    await eventually("all is decided", async () => (await product.changes()).counts.pendingHunks === 0);
    await panel.frame.getByText("Nothing waits for your decision.").waitFor();
    await panel.workbench.screenshot("panel-review-none");
  });

  test("an agent is started from its row on a new task, and its run is stopped with all that it started", async () => {
    await panel.goTo("Agents");
    await panel.button("Start…").click();
    await panel.workbench.pick("New task");
    await panel.workbench.answer(`${hanging} in there`);
    const { id } = await eventually("the task is there", () => product.titled(`${hanging} in there`));
    await runRow(`${id}.1`).filter({ hasText: "running" }).waitFor();
    await panel.button("Stop", runRow(`${id}.1`)).click();
    await runRow(`${id}.1`).filter({ hasText: "cancelled" }).waitFor();
    await eventually("nothing of it runs", () => product.agentProcesses().length === 0);
    await panel.workbench.screenshot("panel-agents-ended");
  });

  test("nothing went wrong in the window", () => panel.workbench.judge());
});

describe("a session in the panel", () => {
  const panel = panelOf("panel-session");
  let product;

  before(async () => {
    product = newSessionScene();
    await product.add("Write the release notes");
    await panel.begin(product);
    await panel.goTo("Session");
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await panel.workbench.pictureOfFailure(`panel-failed-${shotName(name)}`);
  });
  after(async () => {
    await panel.end();
    await product?.remove();
  });

  const quick = (text) => panel.workbench.quickRows.filter({ hasText: text }).first();
  const says = (text) => panel.frame.locator(".page-session").getByText(text).first();
  const work = async (title, agent) => {
    const { id } = await product.titled(title);
    await product.cli("agent", "start", "--task-id", id, "--agent", agent);
    await eventually(`${title} is completed`, async () => (await product.task(id)).status === "completed");
  };

  test("without a session it says what the plan wants, and starts one", async () => {
    await says("No session is under way.").waitFor();
    await says(goal).waitFor();
    await panel.workbench.screenshot("panel-session-none");
    await panel.button("Start Session…").click();
    await quick("Build the connector").waitFor();
    await panel.workbench.dismiss();
    await says("Session 009: scope to confirm").waitFor();
    await says("no agent is started before").waitFor();
  });

  test("its scope is confirmed as elsewhere, and stands there with its paths and its goal", async () => {
    await panel.button("Confirm Scope…").click();
    await quick("Build the connector").waitFor();
    await panel.workbench.page.keyboard.press("Enter");
    await quick("Confirm Scope").waitFor();
    await panel.workbench.pick("Where they may write…");
    await panel.workbench.answer("src/**");
    await quick("Build the connector").filter({ hasText: "only src/**" }).waitFor();
    await panel.workbench.page.keyboard.press("Enter");
    await says("Session 009: scope confirmed").waitFor();
    await says("Where work may write: src/**").waitFor();
    const meter = panel.frame.getByRole("meter", { name: goal });
    assert.equal(await meter.getAttribute("aria-valuetext"), "1 of 4 done (25%), of the plan");
  });

  test("a task's report is a card, and a change outside the scope is answered in place", async () => {
    await work("Resolve the credential issue", "first");
    await panel.frame.locator(".report", { hasText: "Task report" }).first().waitFor();
    await says("completed · 1 to review").waitFor();
    await work("Build the connector", "second");
    const flag = panel.frame.locator(".ask", { hasText: "docs/notes.md is outside the scope" });
    await flag.waitFor();
    await panel.pictures("session");
    await panel.button("Log and Take Out", flag).click();
    await flag.waitFor({ state: "detached" });
    await eventually("it is taken out", () => !existsSync(join(product.workspace, "docs", "notes.md")));
  });

  test("the checkpoint waits for an answer, which is given in place", async () => {
    await work("Run the validation suite", "third");
    const checkpoint = panel.frame.locator(".ask", { hasText: "3 tasks completed. Continue, or adjust scope?" });
    await checkpoint.waitFor();
    await panel.workbench.screenshot("panel-session-checkpoint");
    await panel.button("Continue", checkpoint).click();
    await says("Session 009: working").waitFor();
    const { session } = await product.cli("session", "status");
    assert.equal(session.state, "working");
  });

  test("a report is unfolded, and opened as a document", async () => {
    const report = panel.frame.locator(".report", { hasText: "Task report" }).first();
    await report.locator("summary").click();
    await report.locator("pre", { hasText: "Task completed: Run the validation suite" }).waitFor();
    await panel.workbench.screenshot("panel-session-report");
    await panel.button("Open", report).click();
    await panel.workbench.page.locator(".tab.active", { hasText: "Task report" }).first().waitFor();
    await panel.comeBack();
    await says("Session 009: working").waitFor();
  });

  test("nothing went wrong in the window", () => panel.workbench.judge());
});
