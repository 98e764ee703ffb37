// A session in a real VS Code, as a person drives it: started from the plan, its scope confirmed before any agent begins,
// reports pushed after each task, a change outside the scope and a planted key answered, the checkpoint, the end with its
// record and its commit; and with everything forgotten, the record is complete all the same.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { statusItem } from "./product.mjs";
import { goal, newSessionScene, sessionItem, written } from "./session-scene.mjs";

describe("a session in the editor", () => {
  let product;
  let server;
  let workbench;
  let queue;
  let tree;
  let page;

  before(async () => {
    product = newSessionScene();
    // A folder that was used before comes up by itself.
    await product.add("Write the release notes");
    server = await serveVsCode({
      name: "sessions",
      workspace: product.workspace,
      env: product.env,
      settings: { "editor.lightbulb.enabled": "off", "git.enabled": false },
    });
    workbench = await openWorkbench(server, { width: 1_400, height: 1_200 });
    ({ page } = workbench);
    queue = workbench.tree("Queue");
    tree = workbench.tree("Session");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`sessions-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    await product?.remove();
  });

  const status = (text) => workbench.status(sessionItem).filter({ hasText: text });
  const lens = (text) => page.locator(".codelens-decoration a", { hasText: text }).first();
  const quick = (text) => workbench.quickRows.filter({ hasText: text }).first();
  const welcome = () => page.locator(".welcome-view-content", { hasText: "No session is under way" });
  const problems = (text) => page.locator(".markers-panel .monaco-list-row", { hasText: text });
  /** Gives a task of the queue to an agent. */
  const give = async (title, agent) => {
    await queue.decide(title, "Start Agent", () =>
      page.locator(".quick-input-title", { hasText: "Start an Agent on" }).waitFor(),
    );
    await workbench.pick(agent);
  };
  /** The same, until the task is done. */
  const work = async (title, agent) => {
    await give(title, agent);
    await eventually(`${title} is completed`, async () => (await product.titled(title)).status === "completed");
  };

  test("without a session the view says what the plan wants, and offers to start one", async () => {
    await welcome().waitFor();
    await status("No session").waitFor();
    await page.locator('.pane-header[aria-label^="Session - 25% (1/4)"]').waitFor();
    await workbench.screenshot("sessions-none");
  });

  test("starting one proposes what the plan has next, and leaving it leaves the scope to be confirmed", async () => {
    await workbench.palette("Augment: Start Session…");
    for (const title of ["Resolve the credential issue", "Build the connector", "Run the validation suite"])
      await quick(title).locator("input:checked, .quick-input-list-checkbox.checked, [aria-checked=true]").waitFor();
    await quick("Write the release notes").waitFor();
    await page.locator(".quick-input-title", { hasText: "Session 009 · Phase 1 — Bronze · ███" }).waitFor();
    const placeholder = () => page.locator(".quick-input-widget:visible input[type=text]").getAttribute("placeholder");
    assert.equal(await placeholder(), "What is this session to do? Enter goes on.");
    await workbench.screenshot("sessions-scope");
    await page.keyboard.press("Enter");
    await quick("not there: ARCHITECTURE.md").filter({ hasText: goal }).waitFor();
    await quick("Build the connector").filter({ hasText: "everywhere in this folder" }).waitFor();
    assert.equal(await placeholder(), "This is what you say yes to. Enter confirms it.");
    await workbench.screenshot("sessions-yes");
    await workbench.dismiss();
    await status("Session 009: confirm scope").waitFor();
    await tree.row("Session 009").filter({ hasText: "scope to confirm" }).waitFor();
  });

  test("no agent begins before the scope is confirmed: the confirmation is asked for instead", async () => {
    await give("Write the release notes", "first");
    await quick("Build the connector").waitFor();
    assert.deepEqual(product.agentProcesses(), []);
    assert.equal(existsSync(join(product.workspace, "src", "credential.ts")), false);
    await workbench.dismiss();
    assert.equal((await product.titled("Write the release notes")).status, "pending");
  });

  test("the scope is confirmed with its paths from the status bar, and its tasks are in the queue", async () => {
    await status("confirm scope").click();
    await quick("Build the connector").waitFor();
    await page.keyboard.press("Enter");
    await quick("Confirm Scope").waitFor();
    await workbench.pick("Where they may write…");
    await workbench.answer("src/**");
    await quick("Build the connector").filter({ hasText: "only src/**" }).waitFor();
    await page.keyboard.press("Enter");
    await status("Session 009 · 0/3").waitFor();
    await queue.row("Resolve the credential issue").waitFor();
    await workbench.screenshot("sessions-confirmed");
  });

  test("a task that is not in the scope is asked about, and logged for another time", async () => {
    await give("Write the release notes", "first");
    await quick("Add to this session's scope").waitFor();
    await workbench.screenshot("sessions-not-in-scope");
    await workbench.pick("Log as discovered");
    await tree.row("Discovered").waitFor();
    assert.equal((await product.titled("Write the release notes")).status, "pending");
  });

  /** What a person begins by hand, of which the plan and the scope know nothing. */
  const own = "Tidy the notes";
  const beginOwn = async (title = own) => {
    await workbench.palette("Augment: Start Working on…");
    await workbench.pick("New task…");
    await workbench.answer(title);
  };

  test("so is one that a person begins by hand, and nothing is left of it where they would rather not", async () => {
    await beginOwn();
    await quick("Add to this session's scope").waitFor();
    await workbench.dismiss();
    await eventually(
      "it is gone",
      () => product.titled(own),
      (task) => task === undefined,
    );
    const logged = "Sort the shelves";
    await beginOwn(logged);
    await workbench.pick("Log as discovered");
    await tree.row("Discovered").filter({ hasText: "2" }).waitFor();
    assert.equal((await product.titled(logged)).status, "pending", "what is kept for another time is kept");
  });

  test("after a task its report is in the view, whether or not anybody asks", async () => {
    await work("Resolve the credential issue", "first");
    await status("Session 009 · 1/3").waitFor();
    await tree.row("Task report").click();
    const shown = page.locator(".editor-instance .view-lines").first();
    await shown.filter({ hasText: "Task completed: Resolve the credential issue" }).waitFor();
    await shown.filter({ hasText: "src/credential.ts" }).waitFor();
    await shown.filter({ hasText: "1 hunk waits for review" }).waitFor();
    // Done is not looked at yet, and the view says both.
    await tree.row("Resolve the credential issue").filter({ hasText: "1 to review" }).waitFor();
    await workbench.screenshot("sessions-report");
  });

  test("a change outside the scope is told; logged, it is taken out", async () => {
    await work("Build the connector", "second");
    await workbench.toast("docs/notes.md is outside the scope").waitFor();
    await tree.row("notes.md").filter({ hasText: "out of scope" }).click();
    await lens("Out of scope").waitFor();
    await page.locator(".editor-instance .squiggly-warning").first().waitFor({ state: "attached" });
    await workbench.screenshot("sessions-outside");
    await lens("Out of scope…").click();
    await workbench.pick("Log and Take Out");
    await tree.row("notes.md").waitFor({ state: "detached" });
    await eventually("it is taken out", () => !existsSync(join(product.workspace, "docs", "notes.md")));
  });

  test("a planted key is a problem at its line and stops approval until it is acknowledged", async () => {
    await workbench.palette("Augment: Check for Secrets");
    await problems("AWS access key id").waitFor();
    await workbench.openFile("connector.ts");
    await lens("Approve").click();
    await quick("Acknowledge and Approve…").waitFor();
    await page.locator(".review-widget", { hasText: "Its lines hold aws access key id" }).waitFor();
    await workbench.screenshot("sessions-finding");
    await workbench.pick("Acknowledge and Approve…");
    await workbench.answer("");
    await workbench.inputMessage.filter({ hasText: "A reason is needed" }).waitFor();
    await workbench.answer("it was withdrawn");
    await eventually("it is approved", async () =>
      (await product.changes()).files.every(({ path }) => path !== "src/connector.ts"),
    );
    assert.equal(product.bytes("src/connector.ts"), written["src/connector.ts"]);
    // The review leads on, and an editor that comes takes a list away.
    await page.locator('.monaco-editor.focused[data-uri$="/credential.ts"]').waitFor();
  });

  test("after the third task it waits for an answer, and goes on when it has one", async () => {
    await work("Run the validation suite", "third");
    await workbench.toast("3 tasks completed. Continue, or adjust scope?").waitFor();
    await status("Session 009: checkpoint").waitFor();
    await workbench.screenshot("sessions-checkpoint");
    await workbench.pressToastButton("3 tasks completed", "Continue");
    await status("Session 009 · 3/3").waitFor();
  });

  test("its end writes the record and proposes the commit, which is made on a yes", async () => {
    await workbench.palette("Augment: End Session…");
    await workbench.inputMessage.filter({ hasText: "3 of 3 done" }).waitFor();
    await workbench.answer("Connectors");
    await workbench.inputMessage.filter({ hasText: "Decisions that its record should name" }).waitFor();
    await workbench.answer("Times are kept in UTC; Sleep is counted by night");
    await workbench.toast("Session 009 is completed and archived. Commit its record?").waitFor();
    await page.locator(".tab.active", { hasText: "Session report" }).first().waitFor();
    await workbench.screenshot("sessions-end");
    assert.equal(product.git("log", "--format=%s"), "first", "nothing is committed before a yes");
    // The question may go; the record can be committed all the same.
    await workbench.pressToastButton("Commit its record", "Not Now");
    await workbench.palette("Augment: Commit Session Record…");
    await workbench.pressDialogButton("Commit the record of Session 009?", /^Commit$/);
    await eventually("it is committed", () => product.git("log", "--format=%s", "-1").includes("session 009"));
    assert.match(product.bytes("CHANGELOG.md"), /— Session 009: Connectors/);
    assert.match(product.bytes("CHANGELOG.md"), /- Times are kept in UTC\n- Sleep is counted by night\n/);
    assert.match(product.bytes("PROJECT_PLAN.md"), /4\/4 tasks complete \(100%\)/);
    await tree.row("No session is under way").waitFor();
    await tree.row("Session 009").filter({ hasText: "completed and archived" }).waitFor();
    await workbench.screenshot("sessions-over");
  });

  test("with everything forgotten the record is complete when the window is opened again", async () => {
    await product.cli("config", "set", "session.closeSeconds", "1");
    const { id } = await product.add("Keep the raw answers", "--goal", goal);
    await give("Keep the raw answers", "first");
    await status("Session 010").waitFor();
    await eventually("it is completed", async () => (await product.task(id)).status === "completed");
    await workbench.toast("Starting first").waitFor({ state: "detached" });
    await workbench.judge();
    await workbench.close();
    await eventually("its record is written", () => product.bytes("CHANGELOG.md").includes("Session 010"));
    workbench = await openWorkbench(server, { width: 1_400, height: 1_200 });
    ({ page } = workbench);
    await workbench.toast("Session 010 ended by itself").filter({ hasText: "It is completed and archived." }).waitFor();
    await workbench.screenshot("sessions-forgotten");
    await workbench.pressToastButton("Session 010 ended by itself", /^Commit$/);
    await eventually("it is committed", () => product.git("log", "--format=%s", "-1").includes("session 010"));
  });

  test("what a person begins by hand without a session begins one with it", async () => {
    await beginOwn();
    await workbench.pick("Start a session with it");
    await quick(own).waitFor();
    await page.keyboard.press("Enter");
    // The session is started for it, so it is picked alone.
    await quick("Confirm Scope").filter({ hasText: "1 task" }).waitFor();
    await quick(own).filter({ hasText: "everywhere in this folder" }).waitFor();
    await page.keyboard.press("Enter");
    await eventually("it is taken", async () => (await product.titled(own))?.status === "in-progress");
    await status("Session 011").waitFor();
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
