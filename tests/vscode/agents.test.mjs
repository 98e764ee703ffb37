// Agents in a real VS Code, as a person uses them: a task of the queue is given to an agent, its questions are answered in
// a notification and from the status bar, what it says is read, what it changes is seen in the file and approved, and the
// run is shown as what it was.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { hanging, newAgentScene } from "./agent-scene.mjs";
import { statusItem } from "./product.mjs";
import { afterTexts, edited } from "./reviewed.mjs";

/** The answer that allows this once, whatever the agent calls it. */
const allowOnce = /^(?!.*always).*allow/i;

describe("agents in the editor", () => {
  let product;
  let server;
  let workbench;
  let queue;
  let agents;
  let page;

  before(async () => {
    product = await newAgentScene();
    server = await serveVsCode({
      name: "agents",
      workspace: product.workspace,
      env: product.env,
      // Text of a terminal that is drawn on a canvas cannot be read.
      settings: { "terminal.integrated.gpuAcceleration": "off", "editor.lightbulb.enabled": "off" },
    });
    workbench = await openWorkbench(server, { height: 1_100 });
    ({ page } = workbench);
    queue = workbench.tree("Queue");
    agents = workbench.tree("Agents");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`agents-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    await product?.remove();
  });

  const status = (text) => workbench.status(statusItem).filter({ hasText: text });
  const lens = (text) => page.locator(".codelens-decoration a", { hasText: text }).first();
  const run = () => `${product.id}.1`;
  /** The row of the run once it says so. */
  const runSays = (words, id = run()) => agents.row(id).filter({ hasText: words });

  test("the agent that was found is offered, the presets without a program are not", async () => {
    await agents.row("goose").filter({ hasText: "ACP" }).waitFor();
    await workbench.screenshot("agents-view");
  });

  test("a task of the queue is given to an agent from its row", async () => {
    await queue.decide("Refactor the door", "Start Agent", () =>
      page.locator(".quick-input-title", { hasText: "Start an Agent on" }).waitFor(),
    );
    await workbench.pick("goose");
    await runSays("goose").filter({ hasText: "Refactor the door" }).waitFor();
    await runSays("waiting for you").waitFor();
    assert.equal((await product.task(product.id)).status, "in-progress");
  });

  test("what it asks comes as a notification, and stands below the run and in the status bar", async () => {
    await workbench.toast("goose asks").waitFor();
    await agents.rows.filter({ hasText: "goose asks" }).waitFor();
    await status("1 question").waitFor();
    await workbench.screenshot("agents-question");
    assert.equal(
      product.bytes("auth.txt"),
      product.files["auth.txt"].join(""),
      "it is asked before anything is written",
    );
    assert.equal(
      await page.locator(".notification-list-item-message img, .notification-list-item-message a").count(),
      0,
    );
  });

  test("the answer that is given in the notification lets it go on, and its next question comes", async () => {
    await workbench.pressToastButton("goose asks", allowOnce);
    const changed = edited(product.files["auth.txt"], { 3: "AUTH LINE 3\n" });
    await eventually("it has written", () => product.bytes("auth.txt") === changed);
    await workbench.toast("goose asks").waitFor();
    await status("1 question").waitFor();
  });

  test("after a reload the question still waits where it can be seen, and is not put a second time", async () => {
    await workbench.reload();
    await workbench.showContainer("Augment");
    await agents.rows.filter({ hasText: "goose asks" }).waitFor();
    await status("1 question").waitFor();
    assert.equal(await workbench.toast("goose asks").count(), 0);
    await status("1 question").click();
    await workbench.pick(allowOnce);
    await runSays("running").waitFor();
    await agents.rows.filter({ hasText: "goose asks" }).waitFor({ state: "detached" });
    await status("question").waitFor({ state: "detached" });
  });

  test("what it changes is seen in the file as its work, and approved there", async () => {
    await workbench.openFile("auth.txt");
    await lens("Approve").waitFor();
    await eventually("the agent stands behind the line", async () =>
      (await afterTexts(page)).some((text) => text.includes(`goose · ${product.id}`)),
    );
    await workbench.screenshot("agents-hunks");
    await lens("Approve").click();
    await eventually("it is recorded", product.decisions, (now) => now.includes("approved auth.txt"));
    assert.equal(product.bytes("auth.txt"), edited(product.files["auth.txt"], { 3: "AUTH LINE 3\n" }));
  });

  test("the run ends as what it reported, its output is read in a terminal, and its proposal is offered", async () => {
    product.beforeReport.open();
    await runSays("completed").waitFor();
    // Both come with its end: a toast goes after some seconds, and rows are drawn anew for what is proposed.
    await workbench.toast("goose suggests quality-reviewer goes on").waitFor();
    await agents.row("quality-reviewer goes on").waitFor();
    assert.equal((await product.task(product.id)).status, "completed");
    await agents.decide(run(), "Show Run Output", () =>
      page
        .locator(".terminal-tabs-entry, .single-terminal-tab", { hasText: `goose · ${run()}` })
        .first()
        .waitFor(),
    );
    await eventually("the terminal says how it ended", async () =>
      (await page.locator(".xterm-rows").allInnerTexts()).join("\n").includes("is completed"),
    );
    await workbench.screenshot("agents-completed");
    await workbench.pressToastButton("goose suggests", "Dismiss");
    await agents.row("quality-reviewer goes on").waitFor({ state: "detached" });
  });

  test("an agent is started on a new task from its own row, and stopped with all that it started", async () => {
    await agents.decide("ACP", "Start Agent", () =>
      workbench.quickRows.filter({ hasText: "New task" }).first().waitFor(),
    );
    await workbench.pick("New task");
    await workbench.answer(`${hanging} in there`);
    const { id } = await eventually("the task is there", () => product.titled(`${hanging} in there`));
    await runSays("running", `${id}.1`).waitFor();
    await agents.decide(`${id}.1`, "Stop Run", () => runSays("cancelled", `${id}.1`).waitFor());
    await eventually("nothing of it runs", () => product.agentProcesses().length === 0);
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
