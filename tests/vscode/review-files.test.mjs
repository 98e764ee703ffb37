// Review in a real VS Code of what is not lines alone: saves that change nothing or come after a reload, files that were deleted or moved, and
// paths that need a second approver.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import { ourLog, statusItem } from "./product.mjs";
import { afterTexts, agent, edited, newReview, pendingItem } from "./reviewed.mjs";

describe("review of saves and files", () => {
  let product;
  let server;
  let workbench;
  let tree;
  let page;

  before(async () => {
    product = await newReview();
    await product.cli("config", "set", "review.secondApprover", "pay/**");
    product.script("mkdir pay; cp notes.txt pay/rates.txt");
    server = await serveVsCode({ name: "review-files", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
    ({ page } = workbench);
    tree = workbench.tree("Changes");
    await workbench.status(statusItem).filter({ hasText: "1 pending" }).waitFor();
    await workbench.showContainer("Augment");
    await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
    await product.claim(product.id, agent);
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`files-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product?.remove();
  });

  const pending = (count) =>
    workbench
      .status(pendingItem)
      .filter({ hasText: `${count} to review` })
      .waitFor();
  const bytesBecome = (name, content) =>
    eventually(
      `${name} has the expected bytes`,
      () => product.bytes(name),
      (now) => assert.equal(now, content) === undefined,
    );
  const save = async () => {
    await page.keyboard.press("Control+S");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
  };
  const hunksOf = async (path) => {
    const { files } = await product.changes();
    const hunks = files.find((file) => file.path === path)?.hunks ?? [];
    return hunks.map(({ author, evidence }) => `${author.kind} ${evidence}`);
  };

  const firstLineIsThePersons = (name) =>
    eventually(
      `the first line of ${name} is the person's`,
      async () => (await product.cli("blame", name)).spans[0],
      ({ start, author }) => start === 0 && author.kind === "person",
    );
  /** Right after a text is on disk, the editor tells of the first step in another way than of those that follow. */
  const oneStepIsThePersons = async (name, gone) => {
    const before = product.bytes(name);
    await workbench.openFile(name);
    // What is typed before the editor has read its file again could not be saved.
    const shown = page.locator(`.monaco-editor[data-uri$="/${name}"] .view-line`, { hasText: gone });
    await shown.first().waitFor({ state: "detached" });
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Control+Shift+Enter");
    await save();
    await bytesBecome(name, `\n${before}`);
    await firstLineIsThePersons(name);
    assert.deepEqual(await hunksOf(name), []);
  };

  test("typed, taken back and saved right after an agent's write: the hunk stays the agent's, and pending", async () => {
    await workbench.openFile("auth.txt");
    product.script("sed -i -e 's/auth line 3$/AUTH LINE 3/' auth.txt");
    await page
      .locator(".view-line", { hasText: /AUTH\sLINE\s3/ })
      .first()
      .waitFor();
    await pending(1);
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("x");
    await page.locator(".tab.dirty").waitFor();
    await page.keyboard.press("Backspace");
    await save();
    // The next save is told after this one, and is the person's: so this one has been told.
    await page.keyboard.type("by hand\n");
    await save();
    await eventually("the second save is the person's", async () => {
      const { spans } = await product.cli("blame", "auth.txt");
      return spans.some(({ author }) => author.kind === "person");
    });
    assert.deepEqual(await hunksOf("auth.txt"), ["run inferred"]);
    await workbench.screenshot("review-saved-unchanged");
    await tree.rows.filter({ hasText: /AUTH LINE 3.*line 4/ }).waitFor();
    const before = `by hand\n${product.files["auth.txt"].join("")}`;
    await tree.decide("AUTH LINE 3", "Reject Hunk", () => bytesBecome("auth.txt", before));
  });

  test("a single step that is saved at once is the person's", () => oneStepIsThePersons("auth.txt", /AUTH\sLINE\s3/));

  test("an editor that nobody touches shows what the command line rejected as the file is now", async () => {
    const line = (hasText) => page.locator(".view-line", { hasText }).first();
    const [changed, asBefore] = [/^NOTES\sLINE\s3/, /^notes\sline\s3$/];
    await workbench.openFile("notes.txt");
    product.script("sed -i -e 's/notes line 3$/NOTES LINE 3/' notes.txt");
    await line(changed).waitFor();
    await pending(1);
    await product.cli("changes", "reject", "--task-id", product.id);
    await bytesBecome("notes.txt", product.files["notes.txt"].join(""));
    await line(asBefore).waitFor();
    await line(changed).waitFor({ state: "detached" });
  });

  test("a deleted file that is rejected comes back, and a moved one goes back to its place", async () => {
    product.script("rm notes.txt; mv server.txt moved.txt");
    await tree.row("notes.txt").waitFor();
    await tree.row("moved.txt").waitFor();
    await workbench.openFile("moved.txt");
    await page.locator(".codelens-decoration a", { hasText: "Renamed from server.txt" }).first().waitFor();
    await eventually("the line says so, too", async () =>
      (await afterTexts(page)).some((said) => /Renamed.from.server\.txt.*claude/.test(said)),
    );
    await workbench.screenshot("review-deleted-and-moved");
    const rejected = (row, name) =>
      tree.decide(row, "Reject Changes in File", () => bytesBecome(name, product.files[name].join("")));
    await rejected("notes.txt", "notes.txt");
    await tree.row("notes.txt").waitFor({ state: "detached" });
    await rejected("moved.txt", "server.txt");
    // What a move left is taken away once it is where it was, so that it is never nowhere.
    await eventually("moved.txt is gone", () => !existsSync(join(product.workspace, "moved.txt")));
    await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
    assert.deepEqual((await product.decisions()).slice(-2), ["rejected notes.txt", "rejected server.txt"]);
  });

  test("what waits on a deleted file is decided from its diff", async () => {
    product.script("rm notes.txt");
    await tree.row("notes.txt").click();
    await page.locator(".tab.active", { hasText: "notes.txt (before" }).waitFor();
    await page.locator(".monaco-editor.focused").first().waitFor();
    await workbench.palette("Augment: Reject Changes in File");
    await bytesBecome("notes.txt", product.files["notes.txt"].join(""));
    await tree.welcome.filter({ hasText: "Nothing waits for your decision" }).waitFor();
  });

  test("what needs a second approver says so, and one person twice is not two", async () => {
    product.script("sed -i -e 's/notes line 7$/NOTES LINE 7/' pay/rates.txt");
    await tree.row("NOTES LINE 7").waitFor();
    await tree.decide("NOTES LINE 7", "Approve Hunk", () => tree.row("needs a second approver").waitFor());
    await tree.decide("NOTES LINE 7", "Approve Hunk", async () => {
      // Of many notices in a second some are not popped up, but all are listed.
      const told = (await workbench.showNotices()).filter({ hasText: "It needs the approval of somebody else, too" });
      await told.first().waitFor();
    });
    await workbench.screenshot("review-second-approver");
    await workbench.hideNotices();
    const changed = edited(product.files["notes.txt"], { 7: "NOTES LINE 7\n" });
    assert.equal(product.bytes("pay/rates.txt"), changed);
    await tree.decide("NOTES LINE 7", "Reject Hunk", () =>
      bytesBecome("pay/rates.txt", product.files["notes.txt"].join("")),
    );
  });

  test("what was typed and not saved when the window was reloaded is still the person's", async () => {
    const mine = "typed before the reload\n";
    await workbench.openFile("server.txt");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type(mine);
    await page.locator(".tab.dirty").waitFor();
    // Until everything is kept, a window asks before it is left.
    const mayBeLeft = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    await eventually("the window may be left without a question", () => page.evaluate(mayBeLeft));
    await workbench.reload();
    await workbench.status(statusItem).filter({ hasText: "Refactor the door" }).waitFor();
    await page.locator(".tab.dirty").waitFor();
    assert.equal(product.bytes("server.txt"), product.files["server.txt"].join(""));
    await page.locator(".tab.dirty").click();
    await page.locator('.monaco-editor.focused[data-uri$="/server.txt"]').waitFor();
    await save();
    await firstLineIsThePersons("server.txt");
    product.script("sed -i -e 's/server line 9$/SERVER LINE 9/' server.txt");
    await eventually(
      "the agent's line waits",
      () => hunksOf("server.txt"),
      ({ length }) => length > 0,
    );
    assert.deepEqual(await hunksOf("server.txt"), ["run inferred"]);
    await product.cli("changes", "reject", "--task-id", product.id);
    await bytesBecome("server.txt", `${mine}${product.files["server.txt"].join("")}`);
    await oneStepIsThePersons("server.txt", /SERVER\sLINE\s9/);
  });

  test("nothing went wrong in the window", async () => {
    await workbench.judge();
    assert.doesNotMatch(ourLog(server), /\[error\]/);
  });
});
