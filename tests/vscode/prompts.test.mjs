// A prompt in a real VS Code, as a person works by it: written in an editor and begun, what an agent did approved and committed
// intent by intent, one taken back, the report written, finished with the whole message in view, pushed, and found again in
// the history. After each step the repository says what happened.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { openPanel } from "./panel-scene.mjs";
import { statusItem } from "./product.mjs";
import { agent, newPromptScene } from "./prompt-scene.mjs";

/** It is kept to the letter, and nothing in it becomes a link that runs a command. */
const text = "Build the door for the garden house.\n\nIt has to close – tightly.  \nSee [this](command:x) $(flame)\n";
const understood = "A door of oak.\n\nThe hinges come first; nothing of the house is touched.";

describe("a prompt in the editor", () => {
  let product;
  let server;
  let workbench;
  let tree;
  let page;

  before(async () => {
    product = await newPromptScene();
    server = await serveVsCode({
      name: "prompts",
      workspace: product.workspace,
      env: product.env,
      settings: {
        "editor.lightbulb.enabled": "off",
        "git.enabled": false,
        // What is put in stays as it is.
        "editor.autoIndent": "none",
        "editor.autoClosingBrackets": "never",
      },
    });
    workbench = await openWorkbench(server, { width: 1_400, height: 1_200 });
    ({ page } = workbench);
    tree = workbench.tree("Prompts");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
    for (const view of ["Queue", "Session", "Agents", "Changes"]) await workbench.tree(view).collapse();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`prompts-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  const lens = (words) => page.locator(".codelens-decoration a", { hasText: words }).first();
  const quick = (words) => workbench.quickRows.filter({ hasText: words }).first();
  const editor = () => page.locator(".editor-group-container.active .editor-instance .view-lines").first();
  const titleButton = (label) =>
    page.locator(`.editor-group-container.active .title .action-label[aria-label^="${label}"]`).first();
  const activeTab = (name) => page.locator(".editor-group-container.active .tab.active", { hasText: name }).first();
  /** Puts a text into the editor that was just opened for it. */
  const put = async (button, words) => {
    await titleButton(button).waitFor();
    await editor().click();
    await page.keyboard.insertText(words);
    await page.locator(".editor-group-container.active .tab.active.dirty").waitFor();
  };
  /** What the agent writes is approved, hunk by hunk as it waits. */
  const approved = async (path, content) => {
    product.write(path, content);
    await eventually("it waits for a decision", async () =>
      (await product.changes()).files.some((file) => file.path === path),
    );
    await workbench.openFile(path.split("/").at(-1));
    // A lens that is drawn anew under the press takes nothing, and is pressed again.
    await eventually("it is approved", async () => {
      if (await lens("Approve").isVisible()) await lens("Approve").click({ timeout: 1_000 });
      return (await product.changes()).files.every((file) => file.path !== path);
    });
    await tree.row("1 approved file can be committed").filter({ hasText: path }).waitFor();
  };
  const newest = (subject) => eventually(`${subject} is committed`, () => product.subjects()[0] === subject);

  test("without a prompt the view says what to do", async () => {
    await workbench.palette("Augment: Show Prompts");
    await tree.welcome.filter({ hasText: "No prompt is under way" }).waitFor();
    await workbench.screenshot("prompts-none");
  });

  test("without a prompt there is nothing to check", async () => {
    await workbench.palette("Augment: Check Prompt Invariants");
    await page.locator(".part.statusbar .statusbar-item", { hasText: "there is nothing to check" }).first().waitFor();
    assert.equal(await activeTab("Prompt invariants").count(), 0);
  });

  test("a prompt is written in an editor, and what lies in the tree is shown before it begins", async () => {
    await workbench.palette("Augment: Start Prompt…");
    await page.locator(".codelens-decoration", { hasText: "Write the prompt here, then press" }).waitFor();
    await put("Begin With This Text", text);
    await workbench.screenshot("prompts-text");
    await lens("Begin").click();
    await quick("Door").filter({ hasText: "Research/high/Door" }).waitFor();
    await workbench.screenshot("prompts-subjects");
    await page.keyboard.press("Enter");
    await quick("Commit First").waitFor();
    await quick("src/house.ts").waitFor();
    await workbench.screenshot("prompts-existing");
    assert.deepEqual(product.subjects(), ["first"], "nothing is committed before a word");
    await workbench.pick("Commit First");
    await tree.row("Build the door for the garden house.").filter({ hasText: /\d+AM/ }).waitFor();
  });

  test("it is kept to the letter, and what lay in the tree is a commit of its own", async () => {
    const prompt = await product.prompt();
    assert.equal(prompt.text, text);
    assert.equal(prompt.state, "open");
    assert.deepEqual(prompt.subjects, ["Door"]);
    assert.equal(product.git("status", "--porcelain"), "");
    const [before, ...others] = product.subjects();
    assert.match(before, /^intent: /);
    assert.deepEqual(others, ["first"]);
    await tree.row("from before the prompt").waitFor();
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
    await tree.row("Build the door").click();
    await activeTab(`Prompt ${prompt.id}`).waitFor();
    await editor().filter({ hasText: "$(flame)" }).waitFor();
    assert.equal(await page.locator(".editor-instance .detected-link").count(), 0);
  });

  test("what is approved is committed as an intent, and what may not stand in it is refused below the box", async () => {
    await product.claim(product.id, agent);
    await approved("src/door.ts", "export const door = 'oak';\n");
    await workbench.screenshot("prompts-approved");
    await tree.row("1 approved file can be committed").click();
    await workbench.inputMessage.filter({ hasText: "src/door.ts" }).waitFor();
    await workbench.answer("session: the door");
    await workbench.inputMessage.filter({ hasText: "belongs to the session's own commit" }).waitFor();
    await workbench.screenshot("prompts-refused");
    await workbench.answer("draw the door");
    await newest("intent: draw the door");
    await tree.row("draw the door").waitFor();
    await tree.row("approved file").waitFor({ state: "detached" });
    assert.equal(product.git("show", "--name-only", "--format=", "HEAD"), "src/door.ts");
  });

  test("the last commit is taken back on a yes, its bytes stay, and it can be made again", async () => {
    await approved("src/hinge.ts", "export const hinge = 'brass';\n");
    await workbench.palette("Augment: Commit Intent…");
    await workbench.inputMessage.filter({ hasText: "src/hinge.ts" }).waitFor();
    await workbench.answer("add the hinges");
    await newest("intent: add the hinges");
    await workbench.palette("Augment: Undo Last Prompt Commit…");
    await workbench.dialog("Take the last commit of the prompt back?").waitFor();
    await workbench.screenshot("prompts-undo");
    await workbench.pressDialogButton("Take the last commit", "Take Back");
    await newest("intent: draw the door");
    assert.equal(product.bytes("src/hinge.ts"), "export const hinge = 'brass';\n");
    await workbench.palette("Augment: Commit Intent…");
    await workbench.inputMessage.filter({ hasText: "src/hinge.ts" }).waitFor();
    await workbench.answer("hang the door");
    await newest("intent: hang the door");
    await tree.row("hang the door").waitFor();
  });

  test("what is to be known about a commit is told where it stays, with the way back", async () => {
    product.git("reset", "--quiet", "--soft", "HEAD~1");
    await workbench.palette("Augment: Commit Intent…");
    await workbench.inputMessage.filter({ hasText: "src/hinge.ts" }).waitFor();
    await workbench.answer("hang it again");
    await newest("intent: hang it again");
    const told = (await workbench.showNotices())
      .filter({ hasText: "is not in what is checked out any more" })
      .filter({ hasText: "hang it again" });
    await told.waitFor();
    await workbench.screenshot("prompts-noted");
    await told.locator(".monaco-button", { hasText: "Undo" }).click();
    await workbench.pressDialogButton("Take the last commit", "Take Back");
    await workbench.hideNotices();
    await newest("intent: draw the door");
    await workbench.palette("Augment: Commit Intent…");
    await workbench.inputMessage.filter({ hasText: "src/hinge.ts" }).waitFor();
    await workbench.answer("hang the door");
    await newest("intent: hang the door");
    await tree.row("hang the door").waitFor();
  });

  test("the report is written in an editor and is an intent, too", async () => {
    await workbench.palette("Augment: Write Prompt Report…");
    await workbench.pick("answer");
    await workbench.inputMessage.filter({ hasText: "A title for the report" }).waitFor();
    await workbench.answer("The door");
    await put("Write Report With This Text", "It closes tightly.");
    await lens("Write Report").click();
    await workbench.toast("The report is written: Research/high/Door/").waitFor();
    const { report, intents } = await product.prompt();
    assert.match(product.bytes(report), /It closes tightly\./);
    assert.equal(intents.at(-1).role, "report");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
  });

  test("finishing asks about a commit of somebody's own, shows the whole message, and commits on a yes", async () => {
    product.git("commit", "--quiet", "--allow-empty", "--message", "oil the hinges");
    const before = product.git("rev-parse", "HEAD");
    const tracked = product.git("rev-parse", "HEAD^{tree}");
    await workbench.palette("Augment: Finish Prompt…");
    await workbench.pick("Write the Context in an Editor…");
    await put("Keep This Context", understood);
    await lens("Go On to Finish").click();
    await workbench.inputMessage.filter({ hasText: "What was achieved, in one line" }).waitFor();
    await workbench.answer("The door is built");
    await workbench.dialog("may belong to this prompt").waitFor();
    await workbench.screenshot("prompts-foreign");
    await workbench.pressDialogButton("may belong to this prompt", "Count It In");
    await quick("Make This Commit").waitFor();
    await activeTab("Session commit of prompt").waitFor();
    // Spaces in an editor are drawn as others.
    for (const words of [
      /session:\sThe\sdoor\sis\sbuilt/,
      /##\sOriginal\sPrompt/,
      /##\sSquashed\sChange\sIDs/,
      /of\soak/,
    ])
      await editor().filter({ hasText: words }).waitFor();
    await workbench.screenshot("prompts-dry-run");
    assert.equal(product.git("rev-parse", "HEAD"), before, "nothing is written before a yes");
    await workbench.pick("Make This Commit");
    await workbench.toast("is finished as").waitFor();
    await newest("session: The door is built");
    assert.equal(product.git("rev-parse", "HEAD^{tree}"), tracked, "the files are the same");
    const message = product.message();
    assert.ok(message.includes(text.trimEnd()), message);
    assert.ok(message.includes(understood), message);
    assert.match(message, /\n- draw the door\n- hang the door\n/);
    assert.match(message, /\n- oil the hinges\n/);
    await tree.row("finished, to be pushed").waitFor();
  });

  test("it is pushed to where the question says, and is over", async () => {
    await workbench.palette("Augment: Push Prompt…");
    await workbench.dialog("Push prompt").waitFor();
    await workbench.screenshot("prompts-push");
    await workbench.pressDialogButton("Push prompt", "Push");
    await tree.row("No prompt is under way").waitFor();
    assert.ok(product.pushed().includes(product.git("rev-parse", "HEAD")));
  });

  test("the session commit is in the history with what it is made of, and opens as its message", async () => {
    const row = tree.row("The door is built").filter({ hasText: /\d+AM/ });
    await row.click();
    await activeTab("Session commit").waitFor();
    await editor().filter({ hasText: "Original" }).waitFor();
    assert.equal(await page.locator(".editor-instance .detected-link").count(), 0);
    // The keyboard stays in the tree.
    await page.keyboard.press("ArrowRight");
    await tree.row("draw the door").waitFor();
    await tree.row("hang the door").waitFor();
    await workbench.screenshot("prompts-history");
  });

  test("the invariants are checked, each with how it stands", async () => {
    await workbench.palette("Augment: Check Prompt Invariants");
    await activeTab("Prompt invariants").waitFor();
    for (const number of ["1.", "2.", "3.", "4.", "5."]) await editor().filter({ hasText: number }).waitFor();
    await workbench.screenshot("prompts-invariants");
  });

  test("a prompt begins from a selection, and is given up on a yes", async () => {
    await workbench.openFile("notes.txt");
    await page.keyboard.press("Control+A");
    await workbench.palette("Augment: Start Prompt From Selection…");
    // The report of before has words in common with it.
    await quick("Door").waitFor();
    await page.keyboard.press("Enter");
    await tree.row("a file of the workspace").waitFor();
    assert.equal((await product.prompt()).text, product.bytes("notes.txt"));
    await workbench.palette("Augment: Drop Prompt…");
    await workbench.pressDialogButton("up?", "Drop Prompt");
    await tree.row("No prompt is under way").waitFor();
    assert.equal(await product.prompt(), null);
  });

  test("the panel's history tells of the prompt that was given up", async () => {
    const frame = await openPanel(workbench);
    await frame.locator('[role="tab"]', { hasText: "History" }).click();
    await frame.locator(".moment-told", { hasText: "prompt given up" }).first().waitFor();
  });

  test("nothing went wrong in the window", () => workbench.judge());
});
