// The whole story in a real VS Code, told twice: by mouse alone, and by keyboard alone. The VSIX is installed in a window of a
// fresh VS Code; views that are empty say what to do; the demo's session goes from its scope over the agent's question and
// the review in every kind of editor to its record. Each screen is pictured, light and dark by mouse, in both high contrasts by
// keys. At the end the command line says what became of it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { ourLog } from "./product.mjs";
import { keys } from "./story-keys.mjs";
import { mouse } from "./story-mouse.mjs";
import { newStory, template } from "./story-scene.mjs";

const tellings = [
  { name: "by mouse", id: "story-mouse", hold: mouse, looks: ["dark", "light"], answer: "An hour", hours: 1 },
  { name: "by keys", id: "story-keys", hold: keys, looks: ["contrast", "contrast-light"], answer: "A day", hours: 24 },
];
const stepIds = ["demo", "agent", "review", "session", "history"];
const question = "demo asks: How long shall a session last?";
const auth = "src/auth.js";
const server = "src/server.js";
/** What each hunk begins with, in the order of the review. */
const length = "const sessionMs =";
const ends = "  sessions.set(token, {";
const look = "  const session = sessions.get(token);";
const printing = '    console.log("asked with"';
const words = "Log in again.";

for (const { name, id, hold, looks, answer, hours } of tellings) {
  describe(`the story ${name}`, () => {
    const story = newStory(id, looks);
    let hand;
    let written;
    let isTold = true;
    /** A part of the story. What follows on one that failed cannot be told, and says so at once. */
    const part = (title, tell) =>
      test(title, async () => {
        assert.ok(isTold, "an earlier part of the story failed");
        isTold = false;
        await tell();
        isTold = true;
      });

    before(async () => {
      await story.begin();
      hand = hold(story);
    });
    afterEach(async ({ passed, name: failed }) => {
      if (!passed)
        await story.workbench?.pictureOfFailure(`${id}-failed-${failed.replaceAll(/\W+/g, "-").slice(0, 60)}`);
    });
    after(() => story.end());

    part("the VSIX is installed in the window, and the walkthrough opens with five steps", async () => {
      await hand.trust();
      await hand.install();
      for (const step of stepIds) await story.step(step).waitFor({ timeout: 60_000 });
      await story.picture("walkthrough");
      await hand.expandStep("review");
      await story.page.locator('.getting-started-step.expanded[data-step-id$="#review"]').waitFor();
    });

    part("views without anything in them say what can be done", async () => {
      await hand.openViews();
      const { welcome } = story.workbench.tree("Queue");
      await welcome.filter({ hasText: "No tasks yet." }).waitFor();
      await story.workbench.tree("Changes").welcome.filter({ hasText: "Nothing waits for your decision." }).waitFor();
      await story.picture("empty-views");
      await hand.closeFolder();
      await story.statusSays("Augment: no folder");
    });

    part("the demo opens, is trusted, and proposes its scope", async () => {
      await hand.openViews();
      await story.workbench.tree("Queue").welcome.filter({ hasText: "Open a folder" }).waitFor();
      await story.picture("empty-window");
      await hand.tryDemo();
      await hand.trust();
      await story.quick("Let sessions end after a day").waitFor();
      await story.picture("scope");
      assert.equal((await story.cli("session", "status")).session.state, "planned");
      await hand.confirmScope();
    });

    part("the agent asks, on the board and among the agents as well", async () => {
      await hand.reach(question);
      await story.next("Answer its question").waitFor();
      await story.workbench.tree("Agents").row("demo: waiting for you").waitFor();
      for (const view of ["Queue", "Session"]) {
        const { pane } = story.workbench.tree(view);
        await pane
          .locator('.monaco-list-row[aria-label*="waiting for you"]', { hasText: "Let sessions end" })
          .waitFor();
      }
      await story.workbench.toast("Starting demo").waitFor({ state: "detached" });
      await story.picture("question");
      await hand.openPanel();
      const frame = await story.panel();
      await frame.locator('.column[data-column="waiting"] .card', { hasText: "asks you" }).waitFor();
      await story.picture("panel-board");
      await hand.showPage("Agents");
      await frame.locator(".ask", { hasText: "How long shall a session last?" }).waitFor();
      await story.picture("panel-agents");
    });

    part("it goes on when it has its answer, and not before", async () => {
      assert.equal(story.read(auth), template(auth));
      await hand.press(question, answer);
      await eventually(
        "the agent is done",
        async () => (await story.cli("agent", "status", "--id", "a1.1")).run.state,
        (state) => state === "completed",
        60_000,
      );
    });

    part("what is outside the scope is told, logged and taken out", async () => {
      await hand.reach("README.md is outside the scope");
      await story.picture("notification");
      await hand.press("README.md is outside the scope", "Log and Take Out");
      await story.becomes("README.md", template("README.md"));
      await story.progress("5");
      await story.picture("views");
    });

    part("the panel shows the session and what waits", async () => {
      await hand.openPanel();
      const frame = await story.panel();
      for (const [page, shows] of [
        ["Session", "Session 003: working"],
        ["Review", "server.js"],
      ]) {
        await hand.showPage(page);
        await frame.getByRole("tabpanel", { name: page }).getByText(shows).first().waitFor();
        await story.picture(`panel-${page.toLowerCase()}`);
      }
      const colours = [".bar", ".bar-filled"].map((part) =>
        frame
          .locator(part)
          .first()
          .evaluate((element) => getComputedStyle(element).backgroundColor),
      );
      assert.notEqual(...(await Promise.all(colours)), "how far a goal is can be seen");
      await hand.pressInPanel("Review All");
    });

    part("among all diffs the first hunk is approved", async () => {
      await story.stands("all", auth, length, "1 of 5");
      await story.picture("all-diffs");
      await hand.decide("all", "Approve");
      await story.stands("all", auth, ends, "2 of 5");
      // What was decided leaves the list at the side, and what is below moves up.
      await story.workbench.tree("Changes").row(length).waitFor({ state: "detached" });
    });

    part("in the file the second is rejected, taken back, and skipped", async () => {
      written = story.read(auth);
      await hand.openHunk(auth, "sessions.set(token");
      await story.stands("file", auth, ends, "2 of 5");
      await story.picture("file");
      await hand.decide("file", "Reject");
      await story.becomes(auth, written.replace(/ {2}sessions\.set\(token, \{.*\n/, "  sessions.set(token, name);\n"));
      await story.stands("file", auth, look, "3 of 5");
      await hand.undo();
      await story.becomes(auth, written);
      await story.stands("file", auth, ends, "2 of 5");
      await hand.decide("file", "Skip");
      await story.stands("file", auth, look, "3 of 5");
    });

    part("in diffs the others are decided, the skipped one comes again, and the end is summed up", async () => {
      await hand.openDiff();
      await story.stands("diff", auth, look, "3 of 5");
      await story.picture("diff");
      await hand.decide("diff", "Approve");
      await story.stands("diff", server, printing, "4 of 5");
      await hand.decide("diff", "Reject");
      await story.becomes(server, template(server).replace("Who are you?", words));
      await story.stands("diff", server, words, "5 of 5");
      await hand.decide("diff", "Approve");
      await story.stands("diff", auth, ends, "5 of 5");
      await hand.decide("diff", "Approve");
      await hand.reach("Review done: 4 approved, 1 rejected in 2 files.");
      await story.picture("review-done");
    });

    part("the session ends with its record, which is summed up and committed", async () => {
      await hand.endSession();
      await story.workbench.inputMessage.filter({ hasText: "A title for its entry" }).waitFor();
      await hand.answer("Sessions end");
      await story.workbench.inputMessage.filter({ hasText: "Decisions that its record should name" }).waitFor();
      await hand.answer("Tokens are never printed");
      await hand.reach("Commit its record?");
      await story.picture("session-end");
      await hand.press("Commit its record?", "Open Summary");
      await story.workbench.editorTab("summary.md").waitFor();
      await story.picture("summary");
      await hand.press("Commit its record?", "Commit");
      const subject = () => execFileSync("git", ["log", "-1", "--format=%s"], { cwd: story.demo, encoding: "utf8" });
      await eventually("it is committed", subject, (text) => text.includes("after session 003"));
    });

    part("history and figures tell of it", async () => {
      await hand.openPanel();
      const frame = await story.panel();
      await hand.showPage("History");
      await frame.locator(".moment").first().waitFor();
      await story.picture("panel-history");
      await hand.showPage("Analytics");
      await frame.locator(".tile", { hasText: "Hunks approved" }).waitFor();
      await story.picture("panel-analytics");
    });

    part("the command line finds what was decided, and nothing else", async () => {
      assert.equal(story.read(auth), written);
      assert.match(written, new RegExp(`const sessionMs = ${hours} \\* 60 \\* 60 \\* 1000;`));
      assert.equal(story.read(server), template(server).replace("Who are you?", words));
      assert.equal(story.read("README.md"), template("README.md"));
      assert.deepEqual((await story.cli("changes", "list")).files, []);

      const { records } = await story.cli("audit", "list", "--limit", "1000");
      const decided = records
        .filter(({ kind }) => /^review\.(approved|rejected|undone)$/.test(kind))
        .map(({ kind, data }) => `${kind.slice("review.".length)} ${data.paths.join(" ")}`)
        .reverse();
      assert.deepEqual(decided, [
        "rejected README.md",
        `approved ${auth}`,
        `rejected ${auth}`,
        `undone ${auth}`,
        `approved ${auth}`,
        `rejected ${server}`,
        `approved ${server}`,
        `approved ${auth}`,
      ]);
      assert.equal((await story.cli("audit", "verify")).holds, true);

      const { session, closing } = await story.cli("session", "show");
      assert.deepEqual([session.number, session.state], [3, "ended"]);
      assert.deepEqual([...new Set(closing.steps.map(({ outcome }) => outcome))], ["done"]);
      assert.match(story.read("CHANGELOG.md"), /— Session 003: Sessions end\n/);
      assert.match(story.read("CHANGELOG.md"), /- Tokens are never printed\n/);
      assert.match(story.read("PROJECT_PLAN.md"), /2\/6 tasks complete/);
      const archived = (await story.cli("archive", "list")).sessions.map(({ number, title }) => [number, title]);
      assert.deepEqual(archived, [[3, "Sessions end"]]);
      assert.equal((await story.cli("archive", "verify")).holds, true);
      const summary = story.read(join(closing.archive, "summary.md"));
      assert.match(summary, /hunks_approved: 4 .*\n- hunks_rejected: 2 .*\n- hunks_waiting: 0 /);
      assert.match(summary, new RegExp(`How long shall a session last\\? ${answer}`));
    });

    part("only these hands were used", () => {
      const wrong = name === "by mouse" ? /^key/ : /^mousedown/;
      assert.deepEqual(
        story.hands.filter((done) => wrong.test(done)),
        [],
      );
      assert.ok(story.hands.length > 20, "the hands were noted");
    });

    test("nothing went wrong in the window", async () => {
      await story.workbench.judge();
      assert.doesNotMatch(ourLog(story.server), /\[error\]/);
    });
  });
}
