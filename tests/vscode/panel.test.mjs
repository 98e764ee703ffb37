// The Orchestrator panel's board in a real VS Code, used as a person uses it, with the command line as witness: what is done
// in one is in the other, at once; text from outside stays text; what was typed is kept.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, afterEach, before, describe, test } from "node:test";
import { eventually } from "../rig/eventually.mjs";
import { Client } from "../rig/frames.mjs";
import { openWorkbench, serveVsCode } from "../rig/workbench.mjs";
import {
  board,
  judgeTwiceAsLarge,
  moving,
  openPanel,
  panelFrame,
  panelTab,
  showTheme,
  takeKeys,
  themes,
} from "./panel-scene.mjs";
import { changeSettings, newProduct, program, statusItem } from "./product.mjs";

const turningClass = "codicon codicon-loading codicon-modifier-spin";
const turning = `span.${turningClass}: 1 s`;
const hostile = ['<img src=x onerror="document.title=1">', "</script><script>document.title=2</script>"];

describe("the panel's board", () => {
  const product = newProduct();
  let server;
  let workbench;
  let page;
  let frame;

  before(async () => {
    server = await serveVsCode({ name: "panel", workspace: product.workspace, env: product.env });
    workbench = await openWorkbench(server);
    ({ page } = workbench);
    await workbench.status(statusItem).filter({ hasText: "Augment" }).waitFor();
  });
  afterEach(async ({ passed, name }) => {
    if (!passed) await workbench.pictureOfFailure(`panel-failed-${name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
  after(async () => {
    await workbench?.close();
    await server?.stop();
    product.remove();
  });

  const shows = (column, titles) =>
    eventually(
      `${column} shows ${titles}`,
      () => board(frame).titles(column),
      (now) => assert.deepEqual(now, titles) === undefined,
    );
  const pendingIs = (titles) =>
    eventually("the command line says so", product.pending, (now) => assert.deepEqual(now, titles) === undefined);
  const focusedCard = () => frame.evaluate(() => document.activeElement?.querySelector(".card-title")?.textContent);
  const focusIsOn = (title) => eventually(`${title} has the keyboard`, focusedCard, (now) => now === title);

  test("in a folder that was never used it starts the host, and says how to begin", async () => {
    frame = await openPanel(workbench);
    await frame.getByText("No tasks yet.").waitFor();
    await workbench.screenshot("panel-board-empty");
    await frame.locator(".state-note vscode-button", { hasText: "Add Task…" }).click();
    await workbench.answer("Refactor the door");
    await workbench.pick("medium");
    await shows("pending", ["Refactor the door"]);
    assert.equal((await product.titled("Refactor the door")).priority, "medium");
  });

  test("what the command line adds is on the board without any action", async () => {
    await product.add("Write the tests", "--label", "quality");
    await product.add("Update the guide");
    await product.add("Fix the login", "--priority", "high", "--label", "urgent");
    await shows("pending", ["Fix the login", "Refactor the door", "Write the tests", "Update the guide"]);
    await board(frame).card("Write the tests").locator(".label", { hasText: "quality" }).waitFor();
    await product.claim((await product.titled("Fix the login")).id, "claude");
    await shows("in-progress", ["Fix the login"]);
    await product.fail((await product.add("Try the impossible", "--max-attempts", "1")).id, "claude", "it cannot be");
    await shows("waiting", ["Try the impossible"]);
  });

  test("dragging a card reorders the queue", async () => {
    const [first, last] = ["Refactor the door", "Update the guide"].map((title) => board(frame).card(title));
    await first.dragTo(last, { targetPosition: { x: 60, y: 60 } });
    await pendingIs(["Write the tests", "Update the guide", "Refactor the door"]);
    await shows("pending", ["Write the tests", "Update the guide", "Refactor the door"]);
  });

  test("by keys a card is found, moved and followed", async () => {
    await takeKeys(board(frame).card("Write the tests"));
    await page.keyboard.press("ArrowDown");
    await focusIsOn("Update the guide");
    await page.keyboard.press("Alt+ArrowUp");
    await pendingIs(["Update the guide", "Write the tests", "Refactor the door"]);
    await shows("pending", ["Update the guide", "Write the tests", "Refactor the door"]);
    await focusIsOn("Update the guide");
    // Two in a row, each from where the one before has led.
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Alt+ArrowDown");
    await pendingIs(["Write the tests", "Refactor the door", "Update the guide"]);
    await focusIsOn("Update the guide");
    await page.keyboard.press("ArrowRight");
    await focusIsOn("Fix the login");
    await page.keyboard.press("ArrowRight");
    await focusIsOn("Try the impossible");
  });

  test("the keyboard stays where it is when the board is drawn anew", async () => {
    await takeKeys(board(frame).card("Refactor the door"));
    await product.add("Come first", "--priority", "high");
    await shows("pending", ["Come first", "Write the tests", "Refactor the door", "Update the guide"]);
    await focusIsOn("Refactor the door");
  });

  test("the menu of a card is opened and used by keys, and a task is retried by one", async () => {
    const { id } = await product.titled("Come first");
    await takeKeys(board(frame).card("Come first"));
    await page.keyboard.press("Shift+F10");
    await frame.locator('[role="menu"]').waitFor();
    await workbench.screenshot("panel-board-menu");
    await page.keyboard.press("c");
    await page.keyboard.press("Enter");
    await eventually("it is cancelled", async () => (await product.task(id)).status === "cancelled");
    await shows("done", ["Come first"]);
    await takeKeys(board(frame).card("Try the impossible"));
    await page.keyboard.press("Alt+ArrowLeft");
    await eventually("it is retried", async () => (await product.titled("Try the impossible")).status === "pending");
    await product.cli("queue", "remove", (await product.titled("Try the impossible")).id);
    await shows("waiting", []);
  });

  test("a title from outside stays text", async () => {
    for (const title of hostile) await product.add(title);
    for (const title of hostile) await board(frame).column("pending").getByText(title, { exact: true }).waitFor();
    assert.equal(await frame.locator("img, .card script").count(), 0);
    assert.equal(await frame.title(), "Orchestrator");
    for (const title of hostile) await product.cli("queue", "remove", (await product.titled(title)).id);
    // How many there are is said once for what is typed, and not again when that changes by itself.
    await shows("pending", ["Write the tests", "Refactor the door", "Update the guide"]);
  });

  test("the filter asks the host, says how many are shown, and is left again", async () => {
    const box = frame.getByRole("searchbox", { name: "Filter tasks" });
    const said = frame.locator('[role="status"]');
    await box.fill("guide");
    await shows("pending", ["Update the guide"]);
    await said.filter({ hasText: "1 of 5 tasks shown" }).waitFor({ state: "attached" });
    await box.fill("label:quality");
    await shows("pending", ["Write the tests"]);
    await box.fill("nothing has this");
    await board(frame).column("pending").getByText("Nothing here matches the filter.").waitFor();
    await workbench.judgeScreen("the filtered board");
    await box.fill("priority:high");
    await shows("in-progress", ["Fix the login"]);
    await shows("pending", []);
  });

  test("what was typed is kept when the panel is hidden and when the window is reloaded", async () => {
    const kept = async (how) => {
      await eventually(
        `the filter is kept after ${how}`,
        async () => {
          // While a window comes back its document may be made a second time.
          frame = await panelFrame(workbench);
          const box = frame.getByRole("searchbox", { name: "Filter tasks" });
          return [
            await box.inputValue({ timeout: 2_000 }),
            await board(frame).titles("in-progress"),
            await board(frame).titles("pending"),
          ];
        },
        (now) => assert.deepEqual(now, ["priority:high", ["Fix the login"], []]) === undefined,
      );
    };
    await workbench.openFile("notes.txt");
    await panelTab(workbench).click();
    await kept("hiding");
    await workbench.writtenDown("priority:high");
    await workbench.reload();
    // Which of two tabs was in front the window writes down when it gets round to it.
    await panelTab(workbench).click();
    await kept("a reload");
    await frame.getByRole("searchbox", { name: "Filter tasks" }).fill("");
    await shows("pending", ["Write the tests", "Refactor the door", "Update the guide"]);
  });

  test("Enter opens the details of a task", async () => {
    await takeKeys(board(frame).card("Refactor the door"));
    await page.keyboard.press("Enter");
    const { id } = await product.titled("Refactor the door");
    await page.locator(".tab.active", { hasText: id }).waitFor();
    await panelTab(workbench).click();
    frame = await panelFrame(workbench);
  });

  test("it is drawn in every theme, and at twice the size it is one column", async () => {
    for (const theme of themes) {
      await showTheme(workbench, frame, theme);
      await board(frame).card("Fix the login").hover();
      await workbench.screenshot(`panel-board-${theme.name}`);
    }
    await page.setViewportSize({ width: 700, height: 450 });
    await eventually("the columns lie below each other", () =>
      frame.evaluate(() => {
        const tops = [...document.querySelectorAll(".column")].map((column) => column.getBoundingClientRect().top);
        return new Set(tops).size > 2 && document.documentElement.scrollWidth <= window.innerWidth;
      }),
    );
    await workbench.screenshot("panel-board-narrow");
    await page.setViewportSize({ width: 1_400, height: 900 });
    await judgeTwiceAsLarge(workbench, frame, "board");
  });

  test("whoever wants less motion sees none, by the editor's word or by the system's", async () => {
    const reduces = (wanted) =>
      eventually(`the editor says ${wanted}`, () =>
        frame.evaluate((is) => document.body.classList.contains("vscode-reduce-motion") === is, wanted),
      );
    const motion = async ({ editor, system }) => {
      await page.emulateMedia({ reducedMotion: system });
      changeSettings(server, "Machine", { "workbench.reduceMotion": editor });
      await reduces(editor === "on");
      return frame.evaluate(moving);
    };
    await motion({ editor: "off", system: "no-preference" });
    // An open list has a bar to scroll it by, which fades.
    await frame.locator("vscode-single-select").first().click();
    await frame.locator("vscode-single-select[open]").waitFor();
    const moves = await motion({ editor: "off", system: "no-preference" });
    assert.ok(moves.includes(turning) && moves.includes(`${turningClass} runs`), moves.join("\n"));
    assert.deepEqual(await motion({ editor: "on", system: "no-preference" }), []);
    assert.deepEqual(await motion({ editor: "off", system: "reduce" }), []);
    await page.keyboard.press("Escape");
    await motion({ editor: "on", system: "no-preference" });
  });

  test("when the host is stopped it says so, and comes back when the host does", async () => {
    await workbench.palette("Augment: Stop Host");
    await workbench.pressDialogButton("Stop the host?", "Stop Host");
    const stopped = "The host of this folder was stopped.";
    await frame.locator(".state-title", { hasText: stopped }).waitFor();
    await frame.getByRole("status").filter({ hasText: stopped }).waitFor({ state: "attached" });
    await workbench.screenshot("panel-stopped");
    await frame.locator("vscode-button", { hasText: "Start" }).click();
    await shows("pending", ["Write the tests", "Refactor the door", "Update the guide"]);
  });

  test("ten thousand tasks are a few rows in the page, and the last is reached", async (t) => {
    await fill(product, 10_000);
    await eventually(
      "all are counted",
      () => board(frame).column("pending").locator(".count").innerText(),
      (text) => text.includes("10,003"),
    );
    const list = board(frame).column("pending").locator(".windowed");
    // The board may be drawn once more for the last of them, which leaves the place.
    await eventually("more is fetched when the end comes near", () =>
      list.evaluate((element) => {
        element.scrollTo(0, element.scrollHeight);
        return element.scrollHeight > 250 * 60;
      }),
    );
    assert.ok((await frame.locator(".card").count()) < 60, "only what is on screen is in the page");
    const box = frame.getByRole("searchbox", { name: "Filter tasks" });
    await box.fill("Task 9999:");
    await shows("pending", ["Task 9999: look into it"]);
    await box.fill("");
    await eventually("the board is whole again", async () => (await board(frame).titles("pending")).length > 5);
    t.diagnostic(`a step by key takes ${await stepMs(frame)} ms`);
    await workbench.judgeScreen("the long board");
  });

  test("nothing went wrong in the window", () => workbench.judge());
});

/** Adds many tasks through a connection of our own. */
async function fill({ workspace, home }, count) {
  const child = spawn(program, ["-C", workspace, "serve", "--stdio"], {
    env: { ...process.env, AUGMENT_HOME: home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = new Client(child.stdout, child.stdin);
  await client.initialize();
  const batch = 500;
  for (let done = 0; done < count; done += batch) {
    await Promise.all(
      Array.from({ length: batch }, (_, at) =>
        client.request("augment/queue/add", { title: `Task ${done + at}: look into it` }),
      ),
    );
  }
  child.stdin.end();
}

/** How long the page takes from a key to the next row having the focus. */
function stepMs(frame) {
  return frame.evaluate(() => {
    document.querySelector('.column[data-column="pending"] .windowed-row')?.focus();
    const from = performance.now();
    const key = new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true });
    document.activeElement?.dispatchEvent(key);
    return Math.round((performance.now() - from) * 10) / 10;
  });
}
