// A session that ends well in a real VS Code, as a person sees it: what was learnt earlier beside the scope, a hand-off whose
// text is edited before it starts, the seven steps with one that fails and is run again, what a person adds, how it is told,
// and the archive in which it is found again. Text of agents and archives stays text.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { archiveFolder, writeArchive } from "../rig/archives.mjs";
import { eventually } from "../rig/eventually.mjs";
import { reportXml } from "../rig/runs.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { statusItem } from "./product.mjs";
import { newSessionScene, sessionItem } from "./session-scene.mjs";

const hostile = "[press](command:workbench.action.files.newUntitledFile) $(flame) https://example.org/";
const learnt = `The connector counts pages from one. ${hostile}`;
const given = "# For the reviewer\n\nLook at the *key* alone: äöü.";
const steps = ["Confirmation", "Outputs", "Summary", "Knowledge", "Clean-up", "Archive", "Notification"];

const report = `The key has a new name.
<agent_completion>
  <status>completed</status>
  <summary>The key has a new name. ${hostile}</summary>
  <next_steps>
    <recommend>@reviewer</recommend>
    <reason>names are hard</reason>
    <recommend>@painter</recommend>
    <reason>it is grey</reason>
  </next_steps>
</agent_completion>`;

describe("a session that ends well", () => {
  let product;
  let server;
  let workbench;
  let queue;
  let tree;
  let agents;
  let page;

  before(async () => {
    product = newSessionScene((fakes, path) => ({
      first: fakes.fake([{ write: [path("src/credential.ts"), "export {};\n"] }, { say: report }], {
        adapter: "command",
      }),
      reviewer: fakes.fake(
        [{ savePrompt: join(fakes.home, "reviewer.prompt") }, { say: reportXml("completed", "Fine.") }],
        {
          adapter: "command",
        },
      ),
    }));
    writeArchive(join(product.workspace, archiveFolder), {
      title: `Lifesum connector ${hostile}`,
      outcome: `All meals are read. ${hostile}`,
      learnings: [{ text: learnt, tags: ["api"], shared: false }],
    });
    writeArchive(join(product.workspace, archiveFolder), {
      id: "s4",
      number: 7,
      title: "Withings paging",
      endedAt: "2026-11-15T10:00:00Z",
      outcome: "Pages are read to the last.",
      tags: [],
      tasks: [],
      artifacts: [],
      learnings: [],
    });
    // A folder that was used before comes up by itself.
    await product.add("Write the release notes");
    server = await serveVsCode({
      name: "completion",
      workspace: product.workspace,
      env: product.env,
      settings: { "editor.lightbulb.enabled": "off", "git.enabled": false },
    });
    await open();
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`completion-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    await product?.remove();
  });

  const open = async () => {
    workbench = await openWorkbench(server, { width: 1_400, height: 1_200 });
    ({ page } = workbench);
    queue = workbench.tree("Queue");
    tree = workbench.tree("Session");
    agents = workbench.tree("Agents");
  };
  /** Whether VS Code has kept a text that is in no file yet. */
  const backedUp = (text) => {
    const place = join(server.folder, "data");
    const files = readdirSync(place, { recursive: true }).filter((name) => /Backups/i.test(name));
    return files.some((name) => {
      const path = join(place, name);
      return statSync(path).isFile() && readFileSync(path, "utf8").includes(text);
    });
  };
  const status = (text) => workbench.status(sessionItem).filter({ hasText: text });
  const quick = (text) => workbench.quickRows.filter({ hasText: text }).first();
  const editor = () => page.locator(".editor-group-container.active .editor-instance .view-lines").first();
  const titleButton = (label) =>
    page.locator(`.editor-group-container.active .title .action-label[aria-label^="${label}"]`).first();
  const closing = async () => (await product.cli("session", "show")).closing;
  const outcome = async (step) => (await closing()).steps.find((one) => one.step === step)?.outcome;
  /** Says one thing about a session; its box takes the place of the list when it is there. */
  const say = async (row, prompt, text) => {
    await workbench.pick(row);
    await workbench.inputMessage.filter({ hasText: prompt }).waitFor();
    await workbench.answer(text);
  };
  /** Nothing that an agent or an archive says has become an icon or a link. */
  const isText = async (place) => {
    assert.equal(await place.locator("a[href], a[data-href], .codicon-flame").count(), 0);
  };
  /** Links are looked for a while after a text is shown; once the address in it is one, all are found. */
  const noCommandIsALink = async () => {
    const links = page.locator(".editor-instance .detected-link");
    await links.filter({ hasText: "example.org" }).first().waitFor();
    assert.ok((await links.allInnerTexts()).every((text) => !/press|command/.test(text)));
  };
  /** A session of another window or a terminal, until it has ended. */
  const elsewhere = async (title) => {
    await product.cli("session", "start", "--confirm", "--title", title);
    const { id } = await product.titled(title);
    const { attempt } = await product.claim(id, "goose");
    await product.cli("queue", "complete", id, "--attempt", String(attempt), "--result", "done");
    // It ends with 1 where a step of the completion failed.
    await product.cli("session", "end", "--no-commit").catch((error) => assert.equal(error.code, 1));
  };

  test("what was learnt earlier and matches stands beside the scope", async () => {
    await workbench.palette("Augment: Start Session…");
    await quick("Build the connector").waitFor();
    await page.keyboard.press("Enter");
    await quick("The connector counts pages from one.").waitFor();
    await isText(quick("The connector counts pages from one."));
    await workbench.screenshot("completion-scope");
    await workbench.pick("The connector counts pages from one.");
    await editor().filter({ hasText: "From earlier sessions, as it was written down" }).waitFor();
    await tree.row("From earlier sessions").waitFor();
    await isText(tree.row("The connector counts pages from one."));
    await workbench.pick("Confirm Scope");
    await status("Session 009 · 0/3").waitFor();
  });

  test("the text of a hand-off opens in an editor, and what it refuses to take stays there", async () => {
    await queue.decide("Resolve the credential issue", "Start Agent", () =>
      page.locator(".quick-input-title", { hasText: "Start an Agent on" }).waitFor(),
    );
    await workbench.pick("first");
    await workbench.toast("first suggests reviewer goes on").waitFor();
    await workbench.pressToastButton("first suggests reviewer goes on", "Edit Text");
    await editor().filter({ hasText: "# Hand-off h1 from first to reviewer" }).waitFor();
    await titleButton("Start With This Text").waitFor();
    await page.locator(".codelens-decoration a", { hasText: "Start With This Text" }).first().waitFor();
    await noCommandIsALink();
    await workbench.screenshot("completion-hand-off");
    await editor().click();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await titleButton("Start With This Text").click();
    await workbench.toast("The document is empty").waitFor();
    await page.keyboard.insertText(given);
    await editor().filter({ hasText: "Look at the" }).waitFor();
    await titleButton("Start With This Text").waitFor();
  });

  test("what was typed and what it belongs to outlive a reload, and the proposal is not put a second time", async () => {
    // VS Code writes what is not saved to a file of its own a moment after it was typed.
    await eventually("the text is backed up", () => backedUp("Look at the *key*"));
    await workbench.reload();
    await workbench.showContainer("Augment");
    // Which of its tabs was in front the window writes down when it gets round to it.
    await page.locator(".tab", { hasText: "# For the reviewer" }).first().click();
    await editor().filter({ hasText: "Look at the" }).waitFor();
    await titleButton("Start With This Text").waitFor();
    assert.equal(await workbench.toast("first suggests reviewer").count(), 0);
    // Its row leads to the text that is being edited, not to another one, from wherever one is.
    await workbench.openFile("notes.txt");
    await agents.row("reviewer goes on").click();
    await page.locator(".tab.active", { hasText: "# For the reviewer" }).waitFor();
    assert.equal(await page.locator(".tab", { hasText: "# For the reviewer" }).count(), 1);
    assert.equal(await page.locator(".tab", { hasText: "# Hand-off h1" }).count(), 0);
  });

  test("one that is dismissed in its editor goes with a text that nobody has changed", async () => {
    await agents.row("painter goes on").click();
    await editor().filter({ hasText: "# Hand-off h2 from first to painter" }).waitFor();
    await titleButton("Dismiss Hand-off").click();
    await agents.row("painter goes on").waitFor({ state: "detached" });
    await page.locator(".tab", { hasText: "# Hand-off h2" }).waitFor({ state: "detached" });
    await editor().filter({ hasText: "Look at the" }).waitFor();
  });

  test("the agent gets the text as it stands, and until one has it the editor stays", async () => {
    await titleButton("Start With This Text").click();
    await quick("Add to this session's scope").waitFor();
    await workbench.pick("Skip");
    await workbench.toast("waits for reviewer, with your text").waitFor();
    await editor().filter({ hasText: "Look at the" }).waitFor();
    await titleButton("Start With This Text").waitFor({ state: "detached" });
    await workbench.screenshot("completion-hand-off-waits");
    assert.equal(existsSync(join(product.scratch, "agent-home", "reviewer.prompt")), false, "no agent has begun");
    await workbench.pressToastButton("waits for reviewer, with your text", "Start Agent");
    await workbench.pick("Add to this session's scope");
    const prompt = await eventually("the agent has heard it", () => {
      const path = join(product.scratch, "agent-home", "reviewer.prompt");
      return existsSync(path) && readFileSync(path, "utf8");
    });
    assert.ok(prompt.includes(given), prompt);
    assert.ok(!prompt.includes("What first reported"), "what was deleted is not told");
    await editor().filter({ hasText: "Look at the" }).waitFor({ state: "detached" });
    await agents.row("reviewer goes on").waitFor({ state: "detached" });
  });

  test("its end is told once, with the step that failed, and its steps stand in the view", async () => {
    // A folder below a file cannot be made.
    await product.cli("config", "set", "archive.folder", "notes.txt/sessions");
    await workbench.palette("Augment: End Session…");
    await workbench.inputMessage.filter({ hasText: "of 4 done" }).waitFor();
    await workbench.answer("Connectors");
    await workbench.inputMessage.filter({ hasText: "Decisions that its record should name" }).waitFor();
    await workbench.answer("");
    const toast = workbench.toast("Session 009 is completed; 1 of 7 steps failed: archive");
    await toast.filter({ hasText: "Commit its record?" }).waitFor();
    // It goes after some seconds unless somebody is at it.
    await toast.hover();
    await tree.row("Session 009").filter({ hasText: "1 of 7 steps failed" }).waitFor();
    for (const step of steps) await tree.row(step).waitFor();
    await tree.row("Archive").locator(".codicon-error").waitFor();
    await tree.row("Summary").locator(".codicon-pass").waitFor();
    assert.match(await tree.row("Archive").getAttribute("aria-label"), /^Archive · failed · .*notes\.txt/);
    assert.equal(await workbench.toast("Session 009 is completed").count(), 1);
    await workbench.screenshot("completion-failed-step");
  });

  test("what shows a step's outcome is in its tooltip", async () => {
    await tree.row("Confirmation").hover();
    const hover = page.locator(".workbench-hover", { hasText: "Confirmation: done" });
    await hover.filter({ hasText: "first reports" }).waitFor();
    await hover.filter({ hasText: "of the scope completed" }).waitFor();
    await workbench.screenshot("completion-evidence");
    await page.mouse.move(900, 300);
  });

  test("once it is mended, the step is run again from its row", async () => {
    await product.cli("config", "set", "archive.folder", archiveFolder);
    await tree.decide("Archive", "Run Failed Steps Again", () =>
      tree.row("Session 009").filter({ hasText: "completed and archived" }).waitFor(),
    );
    await tree.row("Archive").locator(".codicon-pass").waitFor();
    assert.equal(await outcome("archive"), "done");
    await workbench.pressToastButton("Commit its record?", /^Commit$/);
    await eventually("it is committed", () => product.git("log", "--format=%s", "-1").includes("session 009"));
  });

  test("a person adds rating, feedback, learnings, artifacts and tags; what is refused or left is kept", async () => {
    await workbench.palette("Augment: Complete Session…");
    await workbench.pick("Rating…");
    await workbench.pick("★★★★☆");
    await say("Feedback…", "How it was, in words.", "Quick, but the tests came late");
    // Whoever leaves in between finds what was typed again.
    await workbench.pick("Learnings…");
    await workbench.inputMessage.filter({ hasText: "What was learnt" }).waitFor();
    await page.keyboard.press("Escape");
    await quick("Feedback: Quick, but the tests came late").waitFor();
    await workbench.dismiss();
    assert.equal((await closing()).rating, null);
    await workbench.palette("Augment: Complete Session…");
    await quick("Rating: ★★★★☆").waitFor();
    await quick("Feedback: Quick, but the tests came late").waitFor();
    await say("Learnings…", "What was learnt", "Keys are named once; Pages of the connector end early");
    await say("Artifacts…", "Files that it has made", "../outside.txt");
    await say("Tags…", "Tags that it is found by", "connectors, keys");
    await quick("Tags: connectors; keys").waitFor();
    await workbench.screenshot("completion-complete");
    await workbench.pick("Complete Session");
    await workbench.toast("../outside.txt").waitFor();
    await say("Artifacts: ../outside.txt", "Files that it has made", "src/withings.ts");
    await quick("Artifacts: src/withings.ts").waitFor();
    await workbench.pick("Complete Session");
    await tree.row("Session 009").filter({ hasText: "rated 4 of 5" }).waitFor();
    const { rating, feedback, learnings, artifacts, tags } = await closing();
    assert.deepEqual(
      { rating, feedback, learnings, tags },
      {
        rating: 4,
        feedback: "Quick, but the tests came late",
        learnings: ["Keys are named once", "Pages of the connector end early"],
        tags: ["connectors", "keys"],
      },
    );
    assert.ok(artifacts.some(({ path }) => path === "src/withings.ts"));
  });

  test("one that is completed elsewhere is told with what failed, and run again from there", async () => {
    await product.cli("config", "set", "notices.command", "false");
    await elsewhere("Keep the raw answers");
    const toast = workbench.toast("Session 010 is completed; 1 of 7 steps failed: notification");
    await toast.waitFor();
    await workbench.screenshot("completion-told-failed");
    await product.cli("config", "set", "notices.command", "true");
    await workbench.pressToastButton("Session 010 is completed", "Run Again");
    await tree.row("Session 010").filter({ hasText: "completed and archived" }).waitFor();
    assert.equal(await outcome("notification"), "done");
    await toast.waitFor({ state: "detached" });
  });

  test("one that went well is told with its summary, and not again when the window comes back", async () => {
    await elsewhere("Throw the raw answers away");
    await workbench.toast("Session 011 is completed and archived.").waitFor();
    await workbench.screenshot("completion-told");
    await workbench.pressToastButton("Session 011 is completed", "Open Summary");
    await workbench.editorTab("summary.md").waitFor();
    await editor().filter({ hasText: "Throw the raw answers away" }).waitFor();
    await workbench.reload();
    await workbench.showContainer("Augment");
    await tree.row("Session 011").filter({ hasText: "completed and archived" }).waitFor();
    assert.equal(await page.locator(".notification-toast").count(), 0);
  });

  test("one that was completed before the window came stands in the view, and is not told", async () => {
    await workbench.judge();
    await workbench.close();
    await eventually("nobody looks any more", () => server.extensionHosts().length === 0);
    await elsewhere("Sort the answers");
    await open();
    await workbench.showContainer("Augment");
    await tree.row("Session 012").filter({ hasText: "completed and archived" }).waitFor();
    assert.equal(await workbench.toast("Session 012 is completed").count(), 0);
  });

  test("archived sessions are searched as one types, and the summary of the one that is picked opens", async () => {
    await workbench.palette("Augment: Search Archived Sessions…");
    await quick("Session 012: ").waitFor();
    await quick("Withings paging").waitFor();
    const box = page.locator(".quick-input-widget:visible input[type=text]");
    await box.fill("nowhere");
    await quick("No archived session has all of these words").waitFor();
    await box.pressSequentially(" at all");
    await box.fill("");
    await box.pressSequentially("lifes");
    await quick("Session 009: Lifesum connector").waitFor();
    await quick("Withings paging").waitFor({ state: "detached" });
    await isText(quick("Session 009: Lifesum connector"));
    await workbench.screenshot("completion-search");
    await workbench.pick("Session 009: Lifesum connector");
    await editor().filter({ hasText: "All meals are read." }).waitFor();
    await noCommandIsALink();
    await workbench.screenshot("completion-summary");
  });

  test("what was learnt is approved for everybody, or dropped", async () => {
    await workbench.palette("Augment: What Was Learnt…");
    const row = quick("Keys are named once");
    await row.filter({ hasText: "only on this machine" }).waitFor();
    await isText(quick("The connector counts pages"));
    await row.hover();
    await workbench.screenshot("completion-learnt");
    await row.locator('.action-label[aria-label^="Approve"]').click();
    await workbench.dialog("Approve for everybody?").filter({ hasText: "“Keys are named once”" }).waitFor();
    await workbench.pressDialogButton("Approve for everybody?", "Approve");
    await quick("Keys are named once").filter({ hasText: "shared by" }).waitFor();
    const shared = JSON.parse(readFileSync(join(product.workspace, "memory-bank", "augment-knowledge.json"), "utf8"));
    assert.deepEqual(
      shared.entries.map(({ text }) => text),
      ["Keys are named once"],
    );
    await quick("The connector counts pages").hover();
    await quick("The connector counts pages").locator('.action-label[aria-label^="Drop"]').click();
    await workbench.dialog("Drop what was learnt?").waitFor();
    await workbench.pressDialogButton("Drop what was learnt?", "Drop");
    await quick("The connector counts pages").waitFor({ state: "detached" });
    const { entries } = await product.cli("knowledge", "list");
    assert.ok(!entries.some(({ text }) => text === learnt));
    await workbench.dismiss();
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
